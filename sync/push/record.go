package push

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"footbridge/core"
	"footbridge/core/crash"
	"footbridge/sync/export"
)

// errNotConfigured says that nothing is exported to a destination at present.
var errNotConfigured = errors.New("the destination is not configured for export")

// push takes an export through the steps that it has not finished. Errors:
// *remoteError, *sourceError, those of the outbox.
func (w *Worker) push(ctx context.Context, e *core.Export, u core.Upload) error {
	d, ok := w.config.Destination(ctx, e.Destination)
	if !ok {
		return errNotConfigured
	}
	if held, err := w.withhold(ctx, e, u); held || err != nil {
		return err
	}
	if e.Step != core.StepNone && e.Place != w.place() {
		anew(e)
	}
	if e.Step == core.StepNone {
		if e.ExportedOn.IsZero() {
			e.ExportedOn = w.config.Now().UTC()
		}
		e.Place = w.place()
		if err := w.journal(ctx, e, core.StepPlanned); err != nil {
			return err
		}
	}
	raw := export.Raw(u, e.ExportedOn)
	if e.Step == core.StepPlanned {
		if err := w.putAttachments(ctx, e, d, u); err != nil {
			return err
		}
		receipt, err := w.put(ctx, d, raw, func(ctx context.Context) (io.ReadCloser, error) { return w.config.Open(ctx, u) })
		if err != nil {
			return err
		}
		e.Receipt = receipt
		if err := w.journal(ctx, e, core.StepPut); err != nil {
			return err
		}
	}
	if e.Step == core.StepPut {
		if err := w.config.Repository.Verify(ctx, d, raw, e.Receipt); err != nil {
			return again(e, err)
		}
		if err := w.journal(ctx, e, core.StepVerified); err != nil {
			return err
		}
	}
	if e.Step == core.StepVerified {
		if held, err := w.withhold(ctx, e, u); held || err != nil {
			return err
		}
		if err := w.putData(ctx, d, u); err != nil {
			return err
		}
		file, err := w.config.Repository.Describe(ctx, d, raw, e.Receipt)
		if err != nil {
			return again(e, err)
		}
		e.File = file
		if err := w.journal(ctx, e, core.StepAnnotated); err != nil {
			return err
		}
	}
	if e.Place != w.place() { // meanwhile: nobody knows which of them has what
		anew(e)
		return nil
	}
	w.rests.succeeded(e.Destination)
	e.State, e.Reason, e.Cause, e.Step, e.Attempts, e.Receipt = core.ExportExported, core.ReasonNone, core.ReasonNone, core.StepRecorded, 0, ""
	e.Since, e.NextTry, e.Why = w.config.Now().UTC(), time.Time{}, ""
	return nil
}

// place identifies the repository as it is now; empty where there is only one.
func (w *Worker) place() string {
	if w.config.Place == nil {
		return ""
	}
	return w.config.Place()
}

// anew lets an export begin from the beginning, because what it did was done in another
// repository. What it put there stays there.
func anew(e *core.Export) {
	e.Step, e.Receipt, e.File, e.Attachments = core.StepNone, "", "", 0
}

// again lets an export begin anew where what is there is not what was put.
func again(e *core.Export, err error) error {
	if errors.Is(err, core.ErrNotFound) || errors.Is(err, core.ErrDigestMismatch) {
		e.Step, e.Receipt = core.StepPlanned, ""
	}
	return &remoteError{err}
}

// put sends the bytes. What breaks while they are read is told apart from what
// breaks on the way.
func (w *Worker) put(ctx context.Context, d core.Destination, o core.Object, open func(context.Context) (io.ReadCloser, error)) (string, error) {
	var broken atomic.Pointer[error] // the repository may read in a goroutine of its own
	o.Open = func(ctx context.Context) (io.ReadCloser, error) {
		broken.Store(nil)
		plain, err := open(ctx)
		if err != nil {
			broken.Store(&err)
			return nil, err
		}
		return &source{plain, &broken}, nil
	}
	receipt, err := w.config.Repository.Put(ctx, d, o)
	if err == nil {
		return receipt, nil
	}
	if cause := broken.Load(); cause != nil {
		return "", &sourceError{*cause}
	}
	return "", &remoteError{err}
}

// source notes what breaks its reading.
type source struct {
	io.ReadCloser
	broken *atomic.Pointer[error]
}

func (s *source) Read(p []byte) (int, error) {
	n, err := s.ReadCloser.Read(p)
	if err != nil && err != io.EOF {
		s.broken.Store(&err)
	}
	return n, err
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
	e.State, e.Reason, e.Cause, e.Since = core.ExportWithheld, reason, core.ReasonNone, w.config.Now().UTC()
	e.Attempts, e.NextTry = 0, time.Time{}
	return true, nil
}

// journal notes that a step is finished. The plan must not be forgotten by a
// power cut, so that what was seen remotely is always known here too; each later
// step can be found out again.
func (w *Worker) journal(ctx context.Context, e *core.Export, step core.ExportStep) error {
	crash.Point("push." + string(step))
	e.Step = step
	if err := w.config.Outbox.SaveExport(ctx, *e, step == core.StepPlanned); err != nil {
		return fmt.Errorf("journal a step: %w", err)
	}
	crash.Point("push." + string(step) + ".journalled")
	return nil
}

// remoteError is what the repository answered, or that it did not.
type remoteError struct{ error }

func (r *remoteError) Unwrap() error { return r.error }

// sourceError is why the bytes here could not be read.
type sourceError struct{ error }

func (s *sourceError) Error() string { return "read the stored bytes: " + s.error.Error() }
func (s *sourceError) Unwrap() error { return s.error }

// damageTries is how often in a row stored bytes may fail to be read, or to
// arrive as they left, before they are held to be damaged.
const damageTries = 3

// judge says what becomes of an export that failed. Only what the repository
// did gives it a rest.
func (w *Worker) judge(e *core.Export, cause error) {
	now := w.config.Now().UTC()
	state, reason, t := core.ExportWaiting, e.Reason, trouble{}
	e.Why = ""
	var remote *remoteError
	var source *sourceError
	away := errors.As(cause, &remote)
	switch {
	case errors.Is(cause, errNotConfigured):
		reason = core.ReasonNoStudyConfigured
	case errors.Is(cause, core.ErrNoKey):
		state, reason = core.ExportParked, core.ReasonNeedsKey
	case away && errors.Is(cause, os.ErrInvalid):
		state, reason, away = core.ExportParked, core.ReasonRepositoryInvalid, false
		e.Why = said(cause)
	case errors.As(cause, &source), away && errors.Is(cause, core.ErrDigestMismatch):
		reason = core.ReasonBytesDamaged
		away = false
	case away:
		t = troubleOf(cause)
		reason = t.reason
	}
	if e.Reason != reason {
		e.Attempts = 0
	}
	e.Attempts++
	if reason == core.ReasonBytesDamaged && e.Attempts >= damageTries {
		state = core.ExportParked
	}
	if e.State != state || e.Reason != reason || e.Cause != t.cause {
		e.State, e.Reason, e.Cause, e.Since = state, reason, t.cause, t.since(now)
	}
	e.NextTry = now.Add(pause(e.Attempts))
	if t.after > 0 {
		e.NextTry = now.Add(t.after)
	}
	if state == core.ExportParked {
		e.NextTry = time.Time{}
	}
	if away {
		w.rests.failed(now, e.Destination, t)
	}
}
