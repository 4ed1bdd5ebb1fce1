package export

import (
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"footbridge/core"
)

// document is a legacy record as it lies in the repository.
type document struct {
	RecordID           core.UploadID              `json:"recordId"`
	HealthCode         core.HealthCode            `json:"healthCode"`
	ParticipantVersion int                        `json:"participantVersion,omitempty"`
	SchemaID           *string                    `json:"schemaId"`
	SchemaRevision     *int                       `json:"schemaRevision"`
	CreatedOn          string                     `json:"createdOn"`
	CreatedOnTimeZone  string                     `json:"createdOnTimeZone,omitempty"`
	UploadedOn         string                     `json:"uploadedOn"`
	DayInStudy         int                        `json:"dayInStudy,omitempty"`
	AppVersion         string                     `json:"appVersion,omitempty"`
	PhoneInfo          string                     `json:"phoneInfo,omitempty"`
	ValidationErrors   string                     `json:"validationErrors,omitempty"`
	RawData            string                     `json:"rawData"` // path within the destination
	Data               json.RawMessage            `json:"data"`
	Metadata           json.RawMessage            `json:"metadata,omitempty"` // info.json
	UserMetadata       map[string]json.RawMessage `json:"userMetadata,omitempty"`
	Attachments        map[string]attached        `json:"attachments,omitempty"` // by their ids
}

// DigestOf identifies bytes.
func DigestOf(text []byte) core.Digest {
	sum5, sum256 := md5.Sum(text), sha256.Sum256(text)
	return core.Digest{Size: int64(len(text)), MD5: hex.EncodeToString(sum5[:]), SHA256: hex.EncodeToString(sum256[:])}
}

// attached is an attachment as a document refers to it.
type attached struct {
	Field       string `json:"field"`
	Path        string `json:"path"` // within the destination
	Size        int64  `json:"size"` // bytes
	MD5         string `json:"md5"`
	ContentType string `json:"contentType,omitempty"`
}

// Data writes the data of a legacy record, for the place that DataPath gives. The
// error says that the record is none.
func Data(u core.Upload) ([]byte, error) {
	if u.Record == nil || u.Record.Legacy == nil || u.Facts == nil {
		return nil, fmt.Errorf("write data of upload %s: it has no legacy record", u.ID)
	}
	r, l, f := u.Record, u.Record.Legacy, u.Facts
	d := document{
		RecordID: u.ID, HealthCode: u.HealthCode, ParticipantVersion: f.ParticipantVersion, SchemaID: r.SchemaID, SchemaRevision: r.SchemaRevision,
		CreatedOn: date(r.CreatedOn), CreatedOnTimeZone: r.CreatedOnZone, UploadedOn: date(f.UploadedOn), DayInStudy: f.DayInStudy,
		AppVersion: l.AppVersion, PhoneInfo: l.PhoneInfo, ValidationErrors: l.ValidationErrors,
		RawData: RawPath(*f), Data: r.Data, Metadata: l.Info, UserMetadata: l.UserMetadata, Attachments: map[string]attached{},
	}
	paths := AttachmentPaths(*f, l.Attachments)
	for i, a := range l.Attachments {
		d.Attachments[a.ID] = attached{a.Field, paths[i], a.Size, a.MD5, a.ContentType}
	}
	text, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write data of upload %s: %w", u.ID, err)
	}
	return append(text, '\n'), nil
}
