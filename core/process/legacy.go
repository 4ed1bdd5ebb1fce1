package process

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"footbridge/core"
	"footbridge/core/bundle"
	"footbridge/core/schema"
)

// Shelf has what legacy bundles are described by, what is marked as deleted too.
// Safe for concurrent use. Idempotent.
type Shelf interface {
	// Schema gives one revision of a schema. Errors: core.ErrNotFound.
	Schema(ctx context.Context, id string, revision int) (schema.Schema, error)

	// Survey gives one version of a survey. Errors: core.ErrNotFound.
	Survey(ctx context.Context, guid string, createdOn time.Time) (schema.Survey, error)
}

// shelf is a Shelf for as long as a context lasts (bundle.Schemas).
type shelf struct {
	ctx context.Context
	Shelf
}

func (s shelf) Schema(id string, revision int) (schema.Schema, error) {
	return s.Shelf.Schema(s.ctx, id, revision)
}

func (s shelf) Survey(guid string, createdOn time.Time) (schema.Survey, error) {
	return s.Shelf.Survey(s.ctx, guid, createdOn)
}

// legacy judges an upload of a participant without a study that is configured for
// export: a bundle, or one file.
func (w *Worker) legacy(ctx context.Context, u core.Upload) (finding, error) {
	var first *content
	open := func() (io.ReadCloser, error) {
		if first != nil {
			return w.reopen(ctx, u)
		}
		var err error
		first, err = w.open(ctx, u)
		return first, err
	}
	described := bundle.Upload{ID: u.ID, Metadata: u.Request.Metadata, Strictness: w.config.Strictness()}
	out, err := readLegacy(open, u, described, shelf{ctx, w.config.Shelf})
	found := finding{plain: first.plain, envelope: first.envelope}
	if first.failed != nil {
		return found, first.failed
	}
	if err != nil {
		return found, err
	}
	found.reasons = append(first.reasons, out.Messages...)
	if found.rejection = out.Rejection; found.rejection == nil {
		found.record, err = recordOf(u, out)
	}
	return found, err
}

// readLegacy reads an upload to its end.
func readLegacy(open bundle.Opener, u core.Upload, described bundle.Upload, schemas bundle.Schemas) (bundle.Outcome, error) {
	if u.Request.Zipped {
		return bundle.Read(open, described, schemas)
	}
	file, err := open()
	if err != nil {
		return bundle.Outcome{}, err
	}
	defer file.Close()
	return bundle.Single(described), drain(file)
}

// reopen opens an upload's bytes that were read before.
func (w *Worker) reopen(ctx context.Context, u core.Upload) (io.ReadCloser, error) {
	stored, err := w.bench.Open(ctx, *u.Blob)
	if err != nil {
		return nil, err
	}
	return Plain(struct {
		io.Reader
		io.Closer
	}{&stoppable{stored, ctx.Err}, stored}, u.Request.Encrypted, w.config.Keys())
}

// recordOf makes a record of what a bundle holds.
func recordOf(u core.Upload, out bundle.Outcome) (*core.Record, error) {
	data, err := json.Marshal(out.Data)
	if err != nil {
		return nil, fmt.Errorf("write the record's data: %w", err)
	}
	record := &core.Record{
		CreatedOn: u.Facts.UploadedOn, Data: data, Metadata: Strings(out.UserMetadata),
		Legacy: &core.Legacy{
			Info: out.Info, UserMetadata: out.UserMetadata, AppVersion: out.AppVersion, PhoneInfo: out.PhoneInfo,
			ValidationErrors: out.ValidationErrors, Attachments: out.Attachments,
		},
	}
	if !out.CreatedOn.IsZero() {
		record.CreatedOn, record.CreatedOnZone = out.CreatedOn, out.CreatedOnZone
	}
	if out.SchemaID != "" {
		record.SchemaID, record.SchemaRevision = &out.SchemaID, &out.SchemaRevision
	}
	return record, nil
}
