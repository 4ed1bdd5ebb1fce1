package bundle

import (
	"encoding/json"
	"io"
	"time"

	"footbridge/core"
	"footbridge/core/schema"
)

// The limits of what is looked into. Those of the zip are archive.DefaultLimits.
const (
	inlineMax  = 10 << 10  // bytes of a file that becomes a value
	answerMax  = 3 << 10   // of the file of one answer
	dataMax    = 2 << 20   // of the data file of v2_generic
	parsedMax  = 20 << 20  // of a file with values of fields
	parsedMuch = 5 << 20   // of one that is worth a warning
	infoMax    = 256 << 10 // of info.json and metadata.json, which become part of the record
	recordMax  = 1 << 20   // of all values in a record; the original could keep 400 KB
	heldMax    = 32 << 20  // of all values that become attachments
	textMax    = 48        // characters of appVersion and phoneInfo

	lookedMax    = 100 << 20 // of all files that are looked into
	depthMax     = 100       // arrays and objects in each other, of what stands in the record
	metadataKeys = 500       // of metadata.json
)

// Opener opens the decrypted bytes of a bundle from the beginning, each time it
// is called. Who called it closes them. An error while reading means that the
// bytes are not to be used.
type Opener func() (io.ReadCloser, error)

// Schemas are what bundles are described by. Both find what is marked as deleted
// too, as apps in the field still send it. Errors: core.ErrNotFound; any other
// means try again. Idempotent, and safe for concurrent use.
type Schemas interface {
	// Schema gives one revision of a schema.
	Schema(id string, revision int) (schema.Schema, error)

	// Survey gives one version of a survey.
	Survey(guid string, createdOn time.Time) (schema.Survey, error)
}

// Upload is what a bundle's upload says of it.
type Upload struct {
	ID         core.UploadID
	Metadata   map[string]json.RawMessage // of the request
	Strictness schema.Strictness
}

// Outcome is what a bundle holds, or why it is refused. Of one that is refused
// only Messages and Rejection are set.
type Outcome struct {
	Rejection        *core.Reason  // why refused; nil: accepted
	Messages         []core.Reason // what is wrong otherwise, in the order it was found
	CreatedOn        time.Time     // when it was recorded, in UTC; zero where the bundle does not say
	CreatedOnZone    string        // the offset it was recorded in, as +hhmm; empty where the bundle does not say
	SchemaID         string        // empty: schemaless
	SchemaRevision   int
	Data             map[string]json.RawMessage // field → value, or the id of its attachment
	Attachments      []core.Attachment          // in the order of the schema's fields
	ValidationErrors string                     // what the record says is wrong with its data
	Info             json.RawMessage            // info.json as it is; nil where the upload is no bundle
	UserMetadata     map[string]json.RawMessage // of metadata.json and of the request; nil where there is none
	AppVersion       string
	PhoneInfo        string
}

// Single is the outcome of an upload that is one file and no bundle: it has no
// data, and the metadata of its request.
func Single(upload Upload) Outcome {
	return Outcome{Data: map[string]json.RawMessage{}, UserMetadata: upload.Metadata}
}

// Read reads a bundle. It opens it once or twice, and reads what it opened first
// to its end, also of a bundle that it refuses: a sealed message is known to be
// whole only then. Errors: those of open, of what it opened, and of schemas, all
// wrapped; core.ErrDigestMismatch where the second reading differs from the first.
func Read(open Opener, upload Upload, schemas Schemas) (Outcome, error) {
	b := &reading{open: open, upload: upload, out: Outcome{Data: map[string]json.RawMessage{}}}
	err := b.read(schemas)
	if err != nil {
		return Outcome{}, err
	}
	if b.out.Rejection != nil {
		return Outcome{Rejection: b.out.Rejection, Messages: b.out.Messages}, nil
	}
	return b.out, nil
}

// reading is one bundle while it is read.
type reading struct {
	open   Opener
	upload Upload
	out    Outcome
	files  []*file          // all but info.json, in the order of the bundle
	byName map[string]*file // by the names that fields have
	infos  map[string]*file // info.json and metadata.json, where they are there
	info   info
	buffer []byte
	held   int // bytes of values that become attachments
	inline int // bytes of values in the record
}

// read goes through a bundle until it is refused, or all of it is told.
func (b *reading) read(schemas Schemas) error {
	if err := b.list(); err != nil || b.refused() {
		return err
	}
	if b.readInfo(); b.refused() {
		return nil
	}
	generic := b.info.generic()
	if generic {
		b.dateGeneric()
	} else {
		b.checkFileList()
		b.dropTimestamps()
	}
	b.nameFiles()
	s, err := b.schema(schemas)
	if err != nil || s == nil || b.refused() {
		return err
	}
	b.out.SchemaID, b.out.SchemaRevision = s.ID, s.Revision
	if generic {
		err = b.readGeneric(*s)
	} else {
		err = b.readLegacy(*s)
	}
	if err != nil || b.refused() {
		return err
	}
	b.validate(*s)
	return nil
}

// validate holds the data against the schema.
func (b *reading) validate(s schema.Schema) {
	data, problems := s.Validate(b.out.Data)
	b.out.Data = data
	for _, p := range problems {
		b.say(p.Code, "%s", p.Message)
	}
	wrong, refuse := b.upload.Strictness.Judge(problems)
	b.out.ValidationErrors = wrong
	if refuse {
		all, _ := schema.Report.Judge(problems)
		b.refuse("data_invalid", "The data does not fit schema %s: %s The file is kept.", s, all)
	}
}
