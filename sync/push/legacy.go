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
	objects := export.Attachments(u)
	for e.Attachments < len(all) {
		a := all[e.Attachments]
		err := w.putBeside(ctx, d, objects[e.Attachments], func(ctx context.Context) (io.ReadCloser, error) { return w.config.Attachment(ctx, u, a) })
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
	object, text, err := export.DataObject(u)
	if err != nil {
		return err
	}
	err = w.putBeside(ctx, d, object, func(context.Context) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil })
	if err != nil {
		return err
	}
	crash.Point("push.data")
	return nil
}

// putBeside puts an object that belongs to a record, and makes sure of it.
func (w *Worker) putBeside(ctx context.Context, d core.Destination, o core.Object, open func(context.Context) (io.ReadCloser, error)) error {
	receipt, err := w.put(ctx, d, o, open)
	if err != nil {
		return err
	}
	if err := w.config.Repository.Verify(ctx, d, o, receipt); err != nil {
		return &remoteError{err}
	}
	_, err = w.config.Repository.Describe(ctx, d, o, receipt)
	return remote(err)
}
