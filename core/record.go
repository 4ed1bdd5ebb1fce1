package core

import (
	"encoding/json"
	"regexp"
	"strings"
	"time"
)

// Record is the health data record made from an upload; it shares its id.
type Record struct {
	CreatedOn      time.Time         `json:"createdOn"`
	CreatedOnZone  string            `json:"createdOnZone,omitempty"` // +hhmm, the offset it was recorded in; empty where nobody said
	Plain          Digest            `json:"plain"`                   // of the bytes once opened
	Data           json.RawMessage   `json:"data"`
	Metadata       map[string]string `json:"metadata,omitempty"` // annotates the file
	SchemaID       *string           `json:"schemaId,omitempty"` // nil: schemaless
	SchemaRevision *int              `json:"schemaRevision,omitempty"`
	Legacy         *Legacy           `json:"legacy,omitempty"` // nil: the upload took the schemaless path
}

// Legacy is what a record has besides where its upload took the legacy path.
type Legacy struct {
	Info             json.RawMessage            `json:"info,omitempty"`         // info.json as it came; empty where the upload is no bundle
	UserMetadata     map[string]json.RawMessage `json:"userMetadata,omitempty"` // of metadata.json and of the request
	AppVersion       string                     `json:"appVersion,omitempty"`
	PhoneInfo        string                     `json:"phoneInfo,omitempty"`
	ValidationErrors string                     `json:"validationErrors,omitempty"` // what is wrong with the data, as one text
	Attachments      []Attachment               `json:"attachments,omitempty"`      // in the order of the schema's fields
}

// Attachment is the value of a field that does not stand in the record itself: a
// file of the bundle, or JSON from within one. It lies in the bundle and nowhere
// else, and is found there again.
type Attachment struct {
	ID    string `json:"id"`    // <uploadId>-<field>; stands in the record as the value of the field
	Field string `json:"field"` // its name
	Digest
	File        int    `json:"file,omitempty"`   // place of the bundle's entry, from 1; 0: the answers that all files make together
	Offset      int64  `json:"offset,omitempty"` // within that file, bytes
	ContentType string `json:"contentType,omitempty"`
	Extension   string `json:"extension,omitempty"` // of the file's name, with its dot
}

// Attachment finds a record's attachment; false where it has none of that id.
func (r Record) Attachment(id string) (Attachment, bool) {
	if r.Legacy != nil {
		for _, a := range r.Legacy.Attachments {
			if a.ID == id {
				return a, true
			}
		}
	}
	return Attachment{}, false
}

// simpleExtension is one that any file system takes.
var simpleExtension = regexp.MustCompile(`^\.?[A-Za-z0-9]{1,16}$`)

// FileName is what an attachment is called as a file of its own: its id, with the
// extension that the schema gives it where it is a simple one.
func (a Attachment) FileName() string {
	extension := "." + strings.TrimPrefix(a.Extension, ".")
	if !simpleExtension.MatchString(a.Extension) || strings.HasSuffix(a.ID, extension) {
		return a.ID
	}
	return a.ID + extension
}

// RawID is the id, as an attachment of the record, of all that was uploaded.
func (u Upload) RawID() string {
	if u.Request.Zipped {
		return string(u.ID) + "-raw.zip"
	}
	return string(u.ID) + "-" + u.Request.Name
}
