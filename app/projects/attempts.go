package projects

import (
	"errors"
	"footbridge/core"
	"footbridge/sync/push"
	"maps"
	"slices"
	"sync"
	"time"
)

// attempts is how it went to make the projects that are not made yet. Safe for
// concurrent use.
type attempts struct {
	mu  sync.Mutex
	all map[core.DestinationID]Attempt
}

// Attempt is the last one to make a project.
type Attempt struct {
	Cause    core.ExportReason // why it failed
	Since    time.Time         // of Cause
	Next     time.Time         // it is tried again
	failures int               // in a row
}

const (
	makeMin = time.Second
	makeMax = time.Minute
)

// failed notes why a project could not be made.
func (a *attempts) failed(d core.DestinationID, why error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.all == nil {
		a.all = map[core.DestinationID]Attempt{}
	}
	now, at := time.Now().UTC(), a.all[d]
	if cause := push.ReasonOf(why); at.failures == 0 || at.Cause != cause {
		at.Cause, at.Since = cause, now
	}
	pause := min(makeMin<<min(at.failures, 10), makeMax)
	var later *core.Later
	if errors.As(why, &later) {
		pause = max(pause, later.After)
	}
	at.Next = now.Add(pause)
	at.failures++
	a.all[d] = at
}

// lacks reports whether a project could not be made for a reason.
func (a *attempts) lacks(cause core.ExportReason) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, at := range a.all {
		if at.Cause == cause {
			return true
		}
	}
	return false
}

// made forgets a project that is made.
func (a *attempts) made(d core.DestinationID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.all, d)
}

// of gives the last attempt to make a project; false where there was none.
func (a *attempts) of(d core.DestinationID) (Attempt, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	at, ok := a.all[d]
	return at, ok
}

// due gives one of the projects that are wanted which it is time to try to make; false
// where there is none. Others are forgotten.
func (a *attempts) due(wanted []core.DestinationID) (core.DestinationID, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	maps.DeleteFunc(a.all, func(d core.DestinationID, _ Attempt) bool { return !slices.Contains(wanted, d) })
	for _, d := range wanted {
		if !a.all[d].Next.After(time.Now()) {
			return d, true
		}
	}
	return "", false
}

// hurry makes it time for all of them.
func (a *attempts) hurry() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for d, at := range a.all {
		at.Next = time.Time{}
		a.all[d] = at
	}
}

// next is when it is time for the first; false where none waits.
func (a *attempts) next() (time.Time, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.all) == 0 {
		return time.Time{}, false
	}
	first := slices.MinFunc(slices.Collect(maps.Values(a.all)), func(a, b Attempt) int { return a.Next.Compare(b.Next) })
	return first.Next, true
}

// Tried gives the last attempt to make a destination's project; false where there was
// none since it was asked for.
func (k *Keeper) Tried(d core.DestinationID) (Attempt, bool) { return k.attempts.of(d) }

// Lacks reports whether a project could not be made for a reason.
func (k *Keeper) Lacks(cause core.ExportReason) bool { return k.attempts.lacks(cause) }

// Hurry makes it time to make all projects that are not made yet.
func (k *Keeper) Hurry() { k.attempts.hurry() }

// NextAttempt is when the next project is tried to be made; false where none waits.
func (k *Keeper) NextAttempt() (time.Time, bool) { return k.attempts.next() }
