package account

import (
	"sync"
	"time"
)

const (
	attemptsAllowed = 10
	attemptsWindow  = time.Minute
	attemptsKept    = 10_000 // keys
)

// Limiter counts failures of the last minute by key, such as that of an account and
// an address. Its zero value works. Safe for concurrent use.
type Limiter struct {
	Most int // failures before a key has to wait; 0: ten

	mu       sync.Mutex
	failures map[string][]time.Time
}

func (l *Limiter) most() int {
	if l.Most == 0 {
		return attemptsAllowed
	}
	return l.Most
}

// Wait is how long the key must wait before it may try again; 0: not at all.
func (l *Limiter) Wait(key string, now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	recent := l.recent(key, now)
	if len(recent) < l.most() {
		return 0
	}
	return recent[len(recent)-l.most()].Add(attemptsWindow).Sub(now)
}

// Failed counts a failure.
func (l *Limiter) Failed(key string, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.failures == nil || len(l.failures) >= attemptsKept {
		l.failures = map[string][]time.Time{} // a flood of names must not fill the memory
	}
	l.failures[key] = append(l.recent(key, now), now)
}

// Succeeded forgets the key's failures.
func (l *Limiter) Succeeded(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.failures, key)
}

func (l *Limiter) recent(key string, now time.Time) []time.Time {
	all := l.failures[key]
	for len(all) > 0 && now.Sub(all[0]) >= attemptsWindow {
		all = all[1:]
	}
	return all
}
