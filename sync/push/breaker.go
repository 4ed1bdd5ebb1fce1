package push

import (
	"errors"
	"math/rand/v2"
	"os"
	"sync"
	"time"

	"footbridge/core"
)

const (
	pauseMin = 2 * time.Second
	pauseMax = 15 * time.Minute
)

// tableFailures counts failures in a row per table. Safe for concurrent use.
type tableFailures struct {
	mu     sync.Mutex
	failed map[string]int // destination/date
}

// count takes in how writing a table went and gives its failures in a row.
func (t *tableFailures) count(table string, failed bool) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !failed {
		delete(t.failed, table)
		return 0
	}
	if t.failed == nil {
		t.failed = map[string]int{}
	}
	t.failed[table]++
	return t.failed[table]
}

// pause is how long to wait after so many failures in a row, with jitter.
func pause(failures int) time.Duration {
	p := min(pauseMin<<min(max(failures-1, 0), 10), pauseMax)
	return p/2 + rand.N(p/2)
}

// breaker gives what fails a rest, so that a long queue does not hammer it.
type breaker struct {
	failures int
	reason   core.ExportReason
	since    time.Time
	until    time.Time
}

func (b *breaker) failed(now time.Time, reason core.ExportReason) {
	if b.failures == 0 {
		b.since = now
	}
	b.reason = reason
	if now.Before(b.until) {
		return // one outage, seen by several goroutines
	}
	b.failures++
	b.until = now.Add(pause(b.failures))
}

// rests gives a rest to the line, where nobody gets through, or to one
// destination whose project is the trouble. Safe for concurrent use.
type rests struct {
	mu   sync.Mutex
	line breaker
	each map[core.DestinationID]*breaker
}

// failed notes what a destination's repository did.
func (r *rests) failed(now time.Time, d core.DestinationID, reason core.ExportReason) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if reason == core.ReasonRepositoryAway {
		r.line.failed(now, reason)
		return
	}
	r.line = breaker{} // it answered
	if r.each == nil {
		r.each = map[core.DestinationID]*breaker{}
	}
	if r.each[d] == nil {
		r.each[d] = &breaker{}
	}
	r.each[d].failed(now, reason)
}

// succeeded ends the rest of the line and of a destination.
func (r *rests) succeeded(d core.DestinationID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.line = breaker{}
	delete(r.each, d)
}

// end ends every rest.
func (r *rests) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.line, r.each = breaker{}, nil
}

// of gives the rest of a destination: its own, or that of the line.
func (r *rests) of(d core.DestinationID) breaker {
	r.mu.Lock()
	defer r.mu.Unlock()
	if own := r.each[d]; own != nil {
		return *own
	}
	return r.line
}

// until is when the line may be used again.
func (r *rests) until() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.line.until
}

// reasonOf sorts what the repository answered.
func reasonOf(cause error) core.ExportReason {
	switch {
	case errors.Is(cause, core.ErrProjectPending):
		return core.ReasonProjectPending
	case errors.Is(cause, os.ErrPermission):
		return core.ReasonRepositoryRefused
	case errors.Is(cause, core.ErrOtherRepository):
		return core.ReasonRepositoryChanged
	}
	return core.ReasonRepositoryAway
}
