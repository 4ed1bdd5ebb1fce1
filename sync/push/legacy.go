package push

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"footbridge/core"
	"footbridge/core/crash"
	"footbridge/sync/export"
)

// The rules here are: what a legacy record refers to is in the repository before
// the record is, each attachment confirmed before the next is put. They are noted
// one by one: a bad line does not begin from the front again.

// putAttachments puts the attachments that the journal does not have yet.
func (w *Worker) putAttachments(ctx context.Context, e *core.Export, d core.Destination, u core.Upload) error {
	if u.Record.Legacy == nil {
		return nil
	}
	all := u.Record.Legacy.Attachments
	paths := export.AttachmentPaths(*u.Facts, all)
	for e.Attachments < len(all) {
		a := all[e.Attachments]
		object := core.Object{Path: paths[e.Attachments], Digest: a.Digest, ContentType: a.ContentType}
		err := w.putBeside(ctx, d, u, object, func(ctx context.Context) (io.ReadCloser, error) { return w.config.Attachment(ctx, u, a) })
		if err != nil {
			return err
		}
		crash.Point("push.attachment")
		e.Attachments++
		if err := w.config.Outbox.SaveExport(ctx, *e, false); err != nil {
			return fmt.Errorf("journal an attachment: %w", err)
		}
	}
	return nil
}

// putData puts the data of a legacy record. It is small, and put again where it is
// not known to be there.
func (w *Worker) putData(ctx context.Context, d core.Destination, u core.Upload) error {
	if u.Record.Legacy == nil {
		return nil
	}
	text, err := export.Data(u)
	if err != nil {
		return err
	}
	object := core.Object{Path: export.DataPath(*u.Facts, u.ID), Digest: export.DigestOf(text), ContentType: "application/json"}
	err = w.putBeside(ctx, d, u, object, func(context.Context) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil })
	if err != nil {
		return err
	}
	crash.Point("push.data")
	return nil
}

// putBeside puts an object that belongs to a record, and makes sure of it.
func (w *Worker) putBeside(ctx context.Context, d core.Destination, u core.Upload, o core.Object, open func(context.Context) (io.ReadCloser, error)) error {
	o.ModTime = u.Facts.UploadedOn
	o.Metadata = map[string]string{export.KeyRecordID: string(u.ID), export.KeyHealthCode: string(u.HealthCode)}
	receipt, err := w.put(ctx, d, o, open)
	if err != nil {
		return err
	}
	if err := w.config.Repository.Verify(ctx, d, o, receipt); err != nil {
		return &remoteError{err}
	}
	return remote(w.config.Repository.Describe(ctx, d, o, receipt))
}
