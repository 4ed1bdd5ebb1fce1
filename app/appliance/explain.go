package appliance

import (
	"context"
	"time"

	"footbridge/core"
	"footbridge/store"
	"footbridge/sync/push"
)

// explained tells of every export why it waits.
type explained struct {
	*store.Store
	appliance *Appliance
}

// Exports gives where a record stands at each of its destinations (api.Store).
func (x explained) Exports(ctx context.Context, id core.UploadID) ([]core.Export, error) {
	all, err := x.Store.Exports(ctx, id)
	for i, e := range all {
		all[i] = x.appliance.explain(ctx, e)
	}
	return all, err
}

// explain tells of an export why it waits. Where the project is not made yet it is
// that, whatever keeps it from being made.
func (a *Appliance) explain(ctx context.Context, e core.Export) core.Export {
	e = a.pusher.Explain(e)
	if e.State != core.ExportWaiting || e.Reason == core.ReasonPaused || e.Reason == core.ReasonOutsideHours {
		return e
	}
	if p, err := a.projects.Project(ctx, e.Destination); err != nil || !p.Pending {
		return e
	}
	if met := e.Reason; met != core.ReasonProjectPending {
		e.Reason, e.Cause = core.ReasonProjectPending, core.ReasonNone
		if push.Everyones(met) {
			e.Cause = met
		}
	}
	if tried, ok := a.projects.Tried(e.Destination); ok {
		if e.Cause = tried.Cause; e.Since.Before(tried.Since) {
			e.Since = tried.Since
		}
		e.NextTry = tried.Next
		if now := time.Now().UTC(); e.NextTry.Before(now) {
			e.NextTry = now
		}
	}
	return e
}
