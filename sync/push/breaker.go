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

// breaker gives a repository that fails a rest, so that a long queue does not
// hammer it. Safe for concurrent use.
type breaker struct {
	mu       sync.Mutex
	failures int
	reason   core.ExportReason
	since    time.Time
	until    time.Time
}

func (b *breaker) open(now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return now.Before(b.until)
}

func (b *breaker) failed(now time.Time, reason core.ExportReason) {
	b.mu.Lock()
	defer b.mu.Unlock()
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

func (b *breaker) succeeded() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.failures, b.reason, b.since, b.until = 0, core.ReasonNone, time.Time{}, time.Time{}
}

func (b *breaker) state() (since, next time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.since, b.until
}

// trouble is why the repository is given a rest; none while all is well.
func (b *breaker) trouble() core.ExportReason {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.reason
}

// reasonOf sorts what the repository answered.
func reasonOf(cause error) core.ExportReason {
	switch {
	case errors.Is(cause, os.ErrPermission):
		return core.ReasonRepositoryRefused
	case errors.Is(cause, core.ErrOtherRepository):
		return core.ReasonRepositoryChanged
	}
	return core.ReasonRepositoryAway
}
