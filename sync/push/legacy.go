package push

import (
	"context"
	"fmt"
	"io"
	"path"

	"footbridge/core"
	"footbridge/core/crash"
	"footbridge/sync/export"
)

// The rules here are: what a legacy record refers to is in the repository before
// the record is, each attachment confirmed before the next is put. They are noted
// one by one: a bad line does not begin from the front again.

// putAttachments puts the attachments that the journal does not have yet.
func (w *Worker) putAttachments(ctx context.Context, e *core.Export, u core.Upload) error {
	if u.Record.Legacy == nil {
		return nil
	}
	all := u.Record.Legacy.Attachments
	paths := export.AttachmentPaths(*u.Facts, all)
	for e.Attachments < len(all) {
		a := all[e.Attachments]
		object := core.Object{
			Path: path.Join(string(e.Destination), paths[e.Attachments]), Digest: a.Digest, ContentType: a.ContentType,
			Metadata: map[string]string{export.KeyRecordID: string(u.ID), export.KeyHealthCode: string(u.HealthCode)},
		}
		err := w.put(ctx, object, u, func(ctx context.Context) (io.ReadCloser, error) { return w.config.Attachment(ctx, u, a) })
		if err != nil {
			return err
		}
		if err := w.config.Files.Verify(ctx, object.Path, a.Digest); err != nil {
			return &remoteError{err}
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
func (w *Worker) putData(ctx context.Context, e *core.Export, u core.Upload) error {
	if u.Record.Legacy == nil {
		return nil
	}
	text, err := export.Data(u)
	if err != nil {
		return err
	}
	at := path.Join(string(e.Destination), export.DataPath(*u.Facts, u.ID))
	if err := w.config.Files.PutBytes(ctx, at, text, "application/json"); err != nil {
		return &remoteError{err}
	}
	crash.Point("push.data")
	return nil
}
