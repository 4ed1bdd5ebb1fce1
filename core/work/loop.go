package work

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"
)

// Bell wakes a loop.
type Bell interface {
	// Revision counts the rings so far.
	Revision() uint64

	// Wait returns the revision once it is over after, or ctx's error. Safe for
	// concurrent use.
	Wait(ctx context.Context, after uint64) (uint64, error)
}

// Loop repeats a step.
type Loop struct {
	Step   func(context.Context) (bool, error) // does one thing; false where there was nothing to do, or nothing can be done
	Bell   Bell
	Tick   time.Duration            // between two steps without a ring; 0: five seconds
	Due    func() (time.Time, bool) // when waiting work is due next; nil: unknown
	Failed func(error)              // told of every error; set it
}

const (
	tickTime = 5 * time.Second
	restMin  = 200 * time.Millisecond
	restMax  = time.Minute
	dueMin   = 50 * time.Millisecond // what is due but was not taken is held back by something else
)

// Run repeats the step until ctx ends.
func (l Loop) Run(ctx context.Context) {
	if l.Tick == 0 {
		l.Tick = tickTime
	}
	failures := 0
	for ctx.Err() == nil {
		heard := l.Bell.Revision()
		more, err := l.step(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil && more: // one thing failed; the next may not
			l.Failed(err)
		case err != nil:
			l.Failed(err)
			failures++
			rest(ctx, failures)
		case more:
			failures = 0
		default:
			failures = 0
			l.wait(ctx, heard)
		}
	}
}

// step runs the step; a panic is its error.
func (l Loop) step(ctx context.Context) (more bool, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("step panicked: %v", p)
		}
	}()
	return l.Step(ctx)
}

func (l Loop) wait(ctx context.Context, heard uint64) {
	pause := l.Tick
	if l.Due != nil {
		if at, ok := l.Due(); ok {
			pause = min(pause, max(time.Until(at), dueMin))
		}
	}
	ctx, cancel := context.WithTimeout(ctx, pause)
	defer cancel()
	l.Bell.Wait(ctx, heard) // a ring, the tick and the end are all reasons to look again
}

// rest pauses after failures in a row, longer each time, with jitter.
func rest(ctx context.Context, failures int) {
	pause := min(restMin<<min(failures-1, 16), restMax)
	pause = pause/2 + rand.N(pause/2)
	select {
	case <-time.After(pause):
	case <-ctx.Done():
	}
}
