package synapse

import (
	"context"
	"io"
	"net/http"
	"sync"
	"time"
)

// The rules here are: the repository counts calls per token, so all calls of a
// client pass one gate; when it says "too many", all of them rest.

// burst is how many calls may go at once after a quiet time.
const burst = 10

// gate lets calls pass. Safe for concurrent use.
type gate struct {
	slots chan struct{}
	every time.Duration

	mu    sync.Mutex
	next  time.Time // when the last call that was let in is due
	until time.Time // nobody passes before
}

func newGate(config Config) *gate {
	g := &gate{slots: make(chan struct{}, config.Together)}
	if config.Rate > 0 {
		g.every = time.Second / time.Duration(config.Rate)
	}
	return g
}

// enter waits for a turn. Whoever entered leaves.
func (g *gate) enter(ctx context.Context) error {
	select {
	case g.slots <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := sleep(ctx, g.turn(time.Now())); err != nil {
		g.leave()
		return err
	}
	return nil
}

// turn takes a place in the line and gives how long it is.
func (g *gate) turn(now time.Time) time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	if earliest := now.Add(-burst * g.every); g.next.Before(earliest) {
		g.next = earliest
	}
	g.next = g.next.Add(g.every)
	return max(g.next.Sub(now), g.until.Sub(now))
}

func (g *gate) leave() { <-g.slots }

// rest closes the gate for a while.
func (g *gate) rest(pause time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if until := time.Now().Add(pause); until.After(g.until) {
		g.until = until
	}
}

// sleep waits; the error is that of ctx.
func sleep(ctx context.Context, pause time.Duration) error {
	if pause <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// gated takes each attempt through the gate, with a token.
type gated struct {
	next   http.RoundTripper
	gate   *gate
	config Config
}

// RoundTrip makes one attempt.
func (g *gated) RoundTrip(r *http.Request) (*http.Response, error) {
	token, err := g.config.Token(r.Context())
	if err != nil || token == "" {
		return nil, &tokenError{err}
	}
	if err := g.gate.enter(r.Context()); err != nil {
		return nil, err
	}
	defer g.gate.leave()
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+token)
	return g.next.RoundTrip(r)
}

// slowest is the speed below which a line is held to be dead, in bytes a second.
const slowest = 8 << 10

// timed ends each attempt after a while, which is longer for longer bodies. What
// was waited for before does not count.
type timed struct {
	next  http.RoundTripper
	limit time.Duration
}

// RoundTrip makes one attempt.
func (t *timed) RoundTrip(r *http.Request) (*http.Response, error) {
	limit := t.limit + time.Duration(max(r.ContentLength, 0)/slowest)*time.Second
	ctx, cancel := context.WithTimeout(r.Context(), limit)
	answer, err := t.next.RoundTrip(r.Clone(ctx))
	if err != nil {
		cancel()
		return nil, err
	}
	answer.Body = &ending{answer.Body, cancel}
	return answer, nil
}

// ending ends the time limit of an attempt with its body.
type ending struct {
	io.ReadCloser
	end context.CancelFunc
}

// Close closes the body.
func (e *ending) Close() error {
	defer e.end()
	return e.ReadCloser.Close()
}

// pause is how long to wait before a change is made anew; none before the first.
func (c *Client) pause(try int) time.Duration {
	if try == 0 {
		return 0
	}
	return backoff(c.config.Wait/10, c.config.MaxWait, try, nil)
}
