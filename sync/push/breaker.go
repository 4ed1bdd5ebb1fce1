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

// trouble is what a repository did.
type trouble struct {
	reason core.ExportReason
	cause  core.ExportReason // why the project is not made, where that is the reason
	after  time.Duration     // it asked to be left alone for so long
	began  time.Time         // zero: now
	table  bool              // a table met it, and nothing is known of records
}

// since is when it began, as of now.
func (t trouble) since(now time.Time) time.Time {
	if t.began.IsZero() {
		return now
	}
	return t.began.UTC()
}

// breaker gives what fails a rest, so that a long queue does not hammer it.
type breaker struct {
	trouble
	failures int
	since    time.Time // of this trouble
	until    time.Time
}

func (b *breaker) failed(now time.Time, t trouble) {
	if b.reason != t.reason || b.cause != t.cause {
		b.since = t.since(now)
	}
	b.trouble = t
	if !now.Before(b.until) { // else one outage, seen by several goroutines
		b.failures++
		b.until = now.Add(pause(b.failures))
	}
	b.until = later(b.until, now.Add(t.after))
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// rests gives a rest to the line, where nobody gets through, or to one
// destination whose project is the trouble. Safe for concurrent use.
type rests struct {
	mu   sync.Mutex
	line breaker
	each map[core.DestinationID]*breaker
}

// Everyones reports whether a reason is everyone's: there is one repository, and one
// token for it.
func Everyones(r core.ExportReason) bool {
	switch r {
	case core.ReasonRepositoryAway, core.ReasonMaintenance, core.ReasonThrottled, core.ReasonImpostor, core.ReasonNeedsToken, core.ReasonRepositoryMissing, core.ReasonRepositoryFile:
		return true
	}
	return false
}

// failed notes what a destination's repository did.
func (r *rests) failed(now time.Time, d core.DestinationID, t trouble) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case Everyones(t.reason):
		r.line.failed(now, t)
		delete(r.each, d) // whether that is over is not known
		return
	case Everyones(t.cause):
		r.line.failed(now, trouble{reason: t.cause, after: t.after, began: t.began, table: t.table})
	default:
		r.line = breaker{} // it answered
	}
	if r.each == nil {
		r.each = map[core.DestinationID]*breaker{}
	}
	if r.each[d] == nil {
		r.each[d] = &breaker{}
	}
	r.each[d].failed(now, t)
}

// succeeded ends the rest of the line and of a destination.
func (r *rests) succeeded(d core.DestinationID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.line = breaker{}
	delete(r.each, d)
}

// end ends every rest. What the trouble is, and since when, stays until something gets
// through or meets another one.
func (r *rests) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.line.failures, r.line.until = 0, time.Time{}
	for _, own := range r.each {
		own.failures, own.until = 0, time.Time{}
	}
}

// of gives the rest of a destination: its own, which lasts as long as that of the
// line, or that of the line.
func (r *rests) of(d core.DestinationID) breaker {
	r.mu.Lock()
	defer r.mu.Unlock()
	if own := r.each[d]; own != nil {
		rest := *own
		rest.until = later(rest.until, r.line.until)
		return rest
	}
	return r.line
}

// turn gives a destination whose rest is over and came of a table, so that a record of
// its goes before any table now; empty where it was the line that rested, so that it is
// anyone's. Each turn is given once; false where there is none.
func (r *rests) turn(now time.Time) (d core.DestinationID, is bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.line.until.After(now) {
		return "", false
	}
	if r.line.table {
		r.line.table = false
		return "", true
	}
	for d, own := range r.each {
		if own.table && !own.until.After(now) {
			own.table = false
			return d, true
		}
	}
	return "", false
}

// ofAll gives the rest of the line.
func (r *rests) ofAll() breaker {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.line
}

// troubleOf sorts what the repository answered.
func troubleOf(answer error) trouble {
	t := trouble{reason: ReasonOf(answer)}
	if errors.Is(answer, core.ErrProjectPending) {
		t.reason, t.cause = core.ReasonProjectPending, t.reason
	}
	var rest *core.Later
	if errors.As(answer, &rest) {
		t.after = rest.After
	}
	var dated interface{ Began() time.Time } // of a call that was repeated
	if errors.As(answer, &dated) {
		t.began = dated.Began()
	}
	return t
}

// ReasonOf sorts what a repository answered; that the project is not made yet is no
// answer of its.
func ReasonOf(answer error) core.ExportReason {
	switch {
	case errors.Is(answer, core.ErrNoToken):
		return core.ReasonNeedsToken
	case errors.Is(answer, core.ErrMaintenance):
		return core.ReasonMaintenance
	case errors.Is(answer, core.ErrThrottled):
		return core.ReasonThrottled
	case errors.Is(answer, core.ErrImpostor):
		return core.ReasonImpostor
	case errors.Is(answer, os.ErrInvalid): // before permission, which cannot mend it
		return core.ReasonRepositoryInvalid
	case errors.Is(answer, core.ErrLocked):
		return core.ReasonRepositoryLocked
	case errors.Is(answer, os.ErrPermission):
		return core.ReasonRepositoryRefused
	case errors.Is(answer, core.ErrNoRepository):
		return core.ReasonRepositoryMissing
	case errors.Is(answer, core.ErrNoFolder):
		return core.ReasonRepositoryFile
	case errors.Is(answer, core.ErrOtherRepository):
		return core.ReasonRepositoryChanged
	}
	return core.ReasonRepositoryAway
}

// said gives the repository's own words, where its error holds them cleared of what it
// was sent; whatever else an error says is for the log.
func said(answer error) string {
	var told interface{ Said() string }
	if errors.As(answer, &told) {
		return told.Said()
	}
	return ""
}
