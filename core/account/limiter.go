package account

import (
	"sync"
	"time"
)

const (
	attemptsAllowed = 10
	attemptsWindow  = time.Minute
	attemptsKept    = 10_000 // pairs of account and address
)

// limiter counts failed sign-ins per account and address.
type limiter struct {
	mu       sync.Mutex
	failures map[string][]time.Time
}

// wait is how long the key must wait before it may try again; 0: not at all.
func (l *limiter) wait(key string, now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	recent := l.recent(key, now)
	if len(recent) < attemptsAllowed {
		return 0
	}
	return recent[len(recent)-attemptsAllowed].Add(attemptsWindow).Sub(now)
}

func (l *limiter) failed(key string, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.failures == nil || len(l.failures) >= attemptsKept {
		l.failures = map[string][]time.Time{} // a flood of names must not fill the memory
	}
	l.failures[key] = append(l.recent(key, now), now)
}

func (l *limiter) succeeded(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.failures, key)
}

func (l *limiter) recent(key string, now time.Time) []time.Time {
	all := l.failures[key]
	for len(all) > 0 && now.Sub(all[0]) >= attemptsWindow {
		all = all[1:]
	}
	return all
}
