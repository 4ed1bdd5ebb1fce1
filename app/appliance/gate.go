package appliance

import (
	"context"
	"io"
	"sync/atomic"
	"time"

	"footbridge/core"

	"golang.org/x/time/rate"
)

// The rules here are: a person's pause stands above the settings' hours, and what
// waits says which of them it waits for.

// closed says why nothing is sent at present (push.Config).
func (a *Appliance) closed() (reason core.ExportReason, since, until time.Time) {
	if since := a.store.Paused(); !since.IsZero() {
		return core.ReasonPaused, since, time.Time{}
	}
	settings := a.live.Settings()
	now := time.Now().In(settings.Zone())
	if opens := settings.Sync.Opens(now); opens.After(now) {
		return core.ReasonOutsideHours, settings.Sync.Closed(now).UTC(), opens.UTC()
	}
	return core.ReasonNone, time.Time{}, time.Time{}
}

// due is when there is something to send next; false where nobody knows.
func (a *Appliance) due() (time.Time, bool) {
	if reason, _, until := a.closed(); reason != core.ReasonNone {
		return until, !until.IsZero()
	}
	if until := a.pusher.Until(); until.After(time.Now()) {
		return until, true
	}
	return a.store.NextExport()
}

// sender is a step of the nth pusher; there are as many as the settings say.
func (a *Appliance) sender(n int, step func(context.Context) (bool, error)) func(context.Context) (bool, error) {
	return func(ctx context.Context) (bool, error) {
		if n >= a.live.Settings().Sync.Transfers {
			return false, nil
		}
		return step(ctx)
	}
}

// paceStep is how many bytes go out at once where the bandwidth is limited.
const paceStep = 16 << 10

// pace holds what is sent to the bandwidth of the settings. Safe for concurrent
// use: all that is sent shares it.
type pace struct {
	limiter   *rate.Limiter
	bandwidth func() int64 // bytes a second; 0: all there is
	passed    atomic.Int64 // bytes so far
}

func newPace(bandwidth func() int64) *pace {
	return &pace{limiter: rate.NewLimiter(rate.Inf, paceStep), bandwidth: bandwidth}
}

// file paces what open gives.
func (p *pace) file(open func(context.Context, core.Upload) (io.ReadCloser, error)) func(context.Context, core.Upload) (io.ReadCloser, error) {
	return func(ctx context.Context, u core.Upload) (io.ReadCloser, error) {
		from, err := open(ctx, u)
		if err != nil {
			return nil, err
		}
		return &paced{from, p, ctx}, nil
	}
}

// attachment does so with attachments.
func (p *pace) attachment(open func(context.Context, core.Upload, core.Attachment) (io.ReadCloser, error)) func(context.Context, core.Upload, core.Attachment) (io.ReadCloser, error) {
	return func(ctx context.Context, u core.Upload, which core.Attachment) (io.ReadCloser, error) {
		return p.file(func(ctx context.Context, u core.Upload) (io.ReadCloser, error) { return open(ctx, u, which) })(ctx, u)
	}
}

// paced is a stream at a pace.
type paced struct {
	io.ReadCloser
	pace *pace
	ctx  context.Context // of the one who reads
}

func (r *paced) Read(b []byte) (int, error) {
	bandwidth := r.pace.bandwidth()
	if bandwidth == 0 {
		n, err := r.ReadCloser.Read(b)
		r.pace.passed.Add(int64(n))
		return n, err
	}
	if limit := rate.Limit(bandwidth); r.pace.limiter.Limit() != limit {
		r.pace.limiter.SetLimit(limit)
	}
	n, err := r.ReadCloser.Read(b[:min(len(b), paceStep)])
	r.pace.passed.Add(int64(n))
	if waited := r.pace.limiter.WaitN(r.ctx, n); err == nil {
		err = waited
	}
	return n, err
}

// hurry ends every rest, and makes due what waits.
func (a *Appliance) hurry() {
	a.projects.Hurry()
	a.pusher.Hurry()
	a.store.Hurry()
}

// Pause stops sending until someone resumes it, on the operator's word, whether it runs or
// not. Idempotent.
func (a *Appliance) Pause(ctx context.Context) error {
	changed, err := a.store.Pause(ctx, true)
	if err != nil || !changed {
		return err
	}
	return a.store.Note(ctx, core.Deed{At: time.Now().UTC().Truncate(time.Millisecond), Did: core.DeedSyncPaused})
}
