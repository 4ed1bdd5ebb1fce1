package push

import (
	"context"
	"errors"
	"io"
	"os"
	"path"
	"time"

	"footbridge/core"
	"footbridge/core/crash"
	"footbridge/sync/export"
)

// errBytesDamaged says that the stored bytes are no longer those whose digest
// was frozen.
var errBytesDamaged = errors.New("stored bytes are damaged")

// mismatchesMax is how often bytes may arrive other than they left before the
// stored ones are held to be damaged.
const mismatchesMax = 3

// push takes an export through the steps that it has not finished.
func (w *Worker) push(ctx context.Context, e *core.Export, u core.Upload) error {
	if held, err := w.withhold(ctx, e, u); held || err != nil {
		return err
	}
	if e.Step == core.StepNone {
		if e.ExportedOn.IsZero() {
			e.ExportedOn = w.config.Now().UTC()
		}
		if err := w.journal(ctx, e, core.StepPlanned); err != nil {
			return err
		}
	}
	annotations := export.Annotate(u, e.ExportedOn)
	object := w.object(e.Destination, u, annotations)
	if e.Step == core.StepPlanned {
		if err := w.config.Files.Put(ctx, object); err != nil {
			return err
		}
		if err := w.journal(ctx, e, core.StepPut); err != nil {
			return err
		}
	}
	if e.Step == core.StepPut {
		if err := w.config.Files.Verify(ctx, object.Path, object.Digest); err != nil {
			e.Step = core.StepPlanned // whatever is there is not what was put
			return err
		}
		if err := w.journal(ctx, e, core.StepVerified); err != nil {
			return err
		}
	}
	if e.Step == core.StepVerified {
		if held, err := w.withhold(ctx, e, u); held || err != nil {
			return err
		}
		text, err := annotations.JSON()
		if err != nil {
			return err
		}
		at := path.Join(string(e.Destination), export.AnnotationsPath(*u.Facts, u.ID))
		if err := w.config.Files.PutBytes(ctx, at, text, "application/json"); err != nil {
			return err
		}
		if err := w.journal(ctx, e, core.StepAnnotated); err != nil {
			return err
		}
	}
	w.breaker.succeeded()
	e.State, e.Reason, e.Step, e.Attempts = core.ExportExported, core.ReasonNone, core.StepRecorded, 0
	e.Since, e.NextTry = w.config.Now().UTC(), time.Time{}
	return nil
}

func (w *Worker) object(d core.DestinationID, u core.Upload, annotations export.Annotations) core.Object {
	return core.Object{
		Path: path.Join(string(d), export.RawPath(*u.Facts)), Digest: u.Record.Plain,
		ModTime: u.Facts.UploadedOn, ContentType: u.Request.ContentType, Metadata: annotations,
		Open: func(ctx context.Context) (io.ReadCloser, error) {
			plain, err := w.config.Open(ctx, u)
			if err != nil {
				return nil, errors.Join(errBytesDamaged, err)
			}
			return plain, nil
		},
	}
}

// withhold reports whether the participant's consent keeps the record here now.
func (w *Worker) withhold(ctx context.Context, e *core.Export, u core.Upload) (bool, error) {
	a, err := w.config.Outbox.AccountByHealthCode(ctx, u.HealthCode)
	if err != nil {
		return false, err
	}
	reason := core.ReasonNone
	switch {
	case !u.Facts.SharingScope.Allows():
		reason = core.ReasonNoSharingAtUpload
	case !a.SharingScope.Allows():
		reason = core.ReasonNoSharingNow
	default:
		return false, nil
	}
	e.State, e.Reason, e.Since, e.Attempts = core.ExportWithheld, reason, w.config.Now().UTC(), 0
	return true, nil
}

// journal notes that a step is finished. The plan must not be forgotten by a
// power cut, so that what was seen remotely is always known here too; each later
// step can be found out again.
func (w *Worker) journal(ctx context.Context, e *core.Export, step core.ExportStep) error {
	crash.Point("push." + string(step))
	e.Step = step
	if err := w.config.Outbox.SaveExport(ctx, *e, step == core.StepPlanned); err != nil {
		return err
	}
	crash.Point("push." + string(step) + ".journalled")
	return nil
}

// judge says what becomes of an export that failed.
func (w *Worker) judge(e *core.Export, cause error) {
	now := w.config.Now().UTC()
	state, reason := core.ExportWaiting, core.ReasonRepositoryAway
	switch {
	case errors.Is(cause, core.ErrNoKey):
		state, reason = core.ExportParked, core.ReasonNeedsKey
	case errors.Is(cause, errBytesDamaged):
		state, reason = core.ExportParked, core.ReasonBytesDamaged
	case errors.Is(cause, core.ErrDigestMismatch) && e.Attempts >= mismatchesMax:
		state, reason = core.ExportParked, core.ReasonBytesDamaged
	case errors.Is(cause, os.ErrPermission):
		reason = core.ReasonRepositoryRefused
	}
	if e.State != state || e.Reason != reason {
		e.State, e.Reason, e.Since = state, reason, now
	}
	e.Attempts++
	e.NextTry = now.Add(pause(e.Attempts))
	if state == core.ExportWaiting && !errors.Is(cause, context.Canceled) {
		w.breaker.failed(now)
	}
}
