package awake_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"footbridge/app/awake"
)

// machine is one that is told to stay awake. Safe for concurrent use.
type machine struct {
	mu     sync.Mutex
	moves  bool
	wanted bool
	deaf   error
	held   int // at this moment
	asked  int
	told   []error
}

// set changes what a machine is like.
func (m *machine) set(change func(*machine)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	change(m)
}

func (m *machine) hold(context.Context) (awake.Release, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.asked++
	if m.deaf != nil {
		return nil, m.deaf
	}
	m.held++
	return func() { m.set(func(m *machine) { m.held-- }) }, nil
}

// kept keeps a machine awake, on a clock of its own, while something is done.
func kept(t *testing.T, meanwhile func(m *machine, heldAfter func(time.Duration) int)) *machine {
	m := &machine{wanted: true}
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			awake.Run(ctx, awake.Config{
				Wanted: func() (is bool) { m.set(func(m *machine) { is = m.wanted }); return is },
				Moves:  func() (is bool) { m.set(func(m *machine) { is = m.moves }); return is },
				Hold:   m.hold,
				Failed: func(err error) { m.set(func(m *machine) { m.told = append(m.told, err) }) },
			})
		}()
		meanwhile(m, func(d time.Duration) (held int) {
			time.Sleep(d)
			synctest.Wait()
			m.set(func(m *machine) { held = m.held })
			return held
		})
		stop()
		<-ended
	})
	if m.held != 0 {
		t.Errorf("once it ended, it is held %d times", m.held)
	}
	return m
}

func moves(is bool) func(*machine) { return func(m *machine) { m.moves = is } }

// It is held once while data moves, a little longer, and again the next time.
func TestItIsHeldWhileDataMoves(t *testing.T) {
	m := kept(t, func(m *machine, heldAfter func(time.Duration) int) {
		if heldAfter(time.Hour) != 0 {
			t.Error("it is held while all is still")
		}
		for range 2 {
			m.set(moves(true))
			if heldAfter(10*time.Second) != 1 || heldAfter(time.Hour) != 1 {
				t.Error("it is not held while data moves")
			}
			m.set(moves(false))
			if heldAfter(50*time.Second) != 1 {
				t.Error("it is let go at once")
			}
			if heldAfter(20*time.Second) != 0 {
				t.Error("it is held although all is still")
			}
		}
		m.set(moves(true))
		heldAfter(10 * time.Second) // and then it ends
	})
	if m.asked != 3 || len(m.told) > 0 {
		t.Errorf("it was asked %d times, and trouble told: %v", m.asked, m.told)
	}
}

// A short rest between two uploads is none.
func TestAShortRestIsNone(t *testing.T) {
	m := kept(t, func(m *machine, heldAfter func(time.Duration) int) {
		for range 10 {
			m.set(moves(true))
			heldAfter(10 * time.Second)
			m.set(moves(false))
			if heldAfter(40*time.Second) != 1 {
				t.Error("it is let go")
			}
		}
	})
	if m.asked != 1 {
		t.Errorf("it was asked %d times", m.asked)
	}
}

// Whoever does not want it has it let go at the next look.
func TestNotWanted(t *testing.T) {
	kept(t, func(m *machine, heldAfter func(time.Duration) int) {
		m.set(moves(true))
		heldAfter(10 * time.Second)
		m.set(func(m *machine) { m.wanted = false })
		if heldAfter(6*time.Second) != 0 {
			t.Error("it is held against the settings")
		}
		m.set(func(m *machine) { m.wanted = true })
		if heldAfter(6*time.Second) != 1 {
			t.Error("it is not held once that is wanted again")
		}
	})
}

// A machine that does not listen is told of once, and asked again when data begins to
// move the next time.
func TestAMachineThatDoesNotListen(t *testing.T) {
	deaf := errors.New("nobody listens")
	m := kept(t, func(m *machine, heldAfter func(time.Duration) int) {
		m.set(func(m *machine) { m.deaf = deaf })
		for range 3 {
			m.set(moves(true))
			heldAfter(time.Hour)
			m.set(moves(false))
			heldAfter(time.Hour)
		}
		m.set(func(m *machine) { m.deaf, m.moves = nil, true })
		if heldAfter(10*time.Second) != 1 {
			t.Error("it is not asked again")
		}
	})
	if m.asked != 4 || len(m.told) != 1 || !errors.Is(m.told[0], deaf) {
		t.Errorf("it was asked %d times, and trouble told: %v", m.asked, m.told)
	}
}
