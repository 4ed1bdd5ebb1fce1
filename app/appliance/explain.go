package appliance

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
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
	if p, err := a.projectOf(ctx, e.Destination); err != nil || !p.pending {
		return e
	}
	if e.Reason != core.ReasonProjectPending {
		e.Reason, e.Cause = core.ReasonProjectPending, core.ReasonNone
	}
	if tried, ok := a.unmade.of(e.Destination); ok {
		if e.Cause = tried.cause; e.Since.Before(tried.since) {
			e.Since = tried.since
		}
		e.NextTry = tried.next
		if now := time.Now().UTC(); e.NextTry.Before(now) {
			e.NextTry = now
		}
	}
	return e
}

// unmade is how it went to make the projects that are not made yet. Safe for
// concurrent use.
type unmade struct {
	mu  sync.Mutex
	all map[core.DestinationID]attempt
}

// attempt is the last one to make a project.
type attempt struct {
	cause    core.ExportReason // why it failed
	since    time.Time         // of cause
	next     time.Time         // it is tried again
	failures int               // in a row
}

const (
	makeMin = time.Second
	makeMax = time.Minute
)

// failed notes why a project could not be made.
func (u *unmade) failed(d core.DestinationID, why error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.all == nil {
		u.all = map[core.DestinationID]attempt{}
	}
	now, at := time.Now().UTC(), u.all[d]
	if cause := push.ReasonOf(why); at.failures == 0 || at.cause != cause {
		at.cause, at.since = cause, now
	}
	pause := min(makeMin<<min(at.failures, 10), makeMax)
	var later *core.Later
	if errors.As(why, &later) {
		pause = max(pause, later.After)
	}
	at.next = now.Add(pause)
	at.failures++
	u.all[d] = at
}

// lacks reports whether a project could not be made for a reason.
func (u *unmade) lacks(cause core.ExportReason) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, at := range u.all {
		if at.cause == cause {
			return true
		}
	}
	return false
}

// made forgets a project that is made.
func (u *unmade) made(d core.DestinationID) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.all, d)
}

// of gives the last attempt to make a project; false where there was none.
func (u *unmade) of(d core.DestinationID) (attempt, bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	at, ok := u.all[d]
	return at, ok
}

// due gives one of the projects that are wanted which it is time to try to make; false
// where there is none. Others are forgotten.
func (u *unmade) due(wanted []core.DestinationID) (core.DestinationID, bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	maps.DeleteFunc(u.all, func(d core.DestinationID, _ attempt) bool { return !slices.Contains(wanted, d) })
	for _, d := range wanted {
		if !u.all[d].next.After(time.Now()) {
			return d, true
		}
	}
	return "", false
}

// hurry makes it time for all of them.
func (u *unmade) hurry() {
	u.mu.Lock()
	defer u.mu.Unlock()
	for d, at := range u.all {
		at.next = time.Time{}
		u.all[d] = at
	}
}

// next is when it is time for the first; false where none waits.
func (u *unmade) next() (time.Time, bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.all) == 0 {
		return time.Time{}, false
	}
	first := slices.MinFunc(slices.Collect(maps.Values(u.all)), func(a, b attempt) int { return a.next.Compare(b.next) })
	return first.next, true
}
