package work_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"footbridge/core/work"
	"footbridge/store"
)

var _ work.Bell = (*store.Bell)(nil)

// run runs a loop for a while on a clock that stands still while it works, and
// tells when the step was called.
func run(t *testing.T, lasts time.Duration, l work.Loop, step func(n int) (bool, error)) (at []time.Duration, failed []error) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		ctx, stop := context.WithTimeout(t.Context(), lasts)
		defer stop()
		if l.Bell == nil {
			l.Bell = &store.Bell{}
		}
		l.Failed = func(err error) { failed = append(failed, err) }
		l.Step = func(context.Context) (bool, error) {
			at = append(at, time.Since(began))
			return step(len(at))
		}
		l.Run(ctx)
		if time.Since(began) != lasts {
			t.Errorf("it ended after %v", time.Since(began))
		}
	})
	return at, failed
}

func TestItWorksWhileThereIsWorkThenTicks(t *testing.T) {
	at, failed := run(t, 12*time.Second, work.Loop{}, func(n int) (bool, error) { return n < 4, nil })
	want := []time.Duration{0, 0, 0, 0, 5 * time.Second, 10 * time.Second}
	if len(failed) > 0 || len(at) != len(want) {
		t.Fatal(at, failed)
	}
	for i := range want {
		if at[i] != want[i] {
			t.Errorf("step %d at %v, want %v", i, at[i], want[i])
		}
	}
}

func TestARingWakesIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var bell store.Bell
		ctx, stop := context.WithCancel(t.Context())
		steps := 0
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			work.Loop{Bell: &bell, Tick: time.Hour, Step: func(context.Context) (bool, error) {
				if steps++; steps == 2 {
					bell.Ring() // while it works: not to be missed
				}
				return false, nil
			}}.Run(ctx)
		}()
		synctest.Wait()
		if steps != 1 {
			t.Fatalf("%d steps", steps)
		}
		bell.Ring()
		synctest.Wait()
		if steps != 3 {
			t.Errorf("%d steps after two rings", steps)
		}
		stop()
		<-ended
	})
}

func TestItLooksWhenWorkIsDue(t *testing.T) {
	var due time.Time
	l := work.Loop{Tick: time.Hour, Due: func() (time.Time, bool) { return due, !due.IsZero() }}
	at, _ := run(t, time.Minute, l, func(n int) (bool, error) {
		if n == 1 {
			due = time.Now().Add(7 * time.Second)
		} else {
			due = time.Time{}
		}
		return false, nil
	})
	if len(at) != 2 || at[1] != 7*time.Second {
		t.Error(at)
	}
	// What is due and yet not taken is held back by something else.
	l.Due = func() (time.Time, bool) { return time.Now().Add(-time.Hour), true }
	at, _ = run(t, 10*time.Second, l, func(int) (bool, error) { return false, nil })
	if len(at) > 250 || len(at) < 10 {
		t.Errorf("looked %d times in ten seconds", len(at))
	}
}

func TestFailuresAreNotHammered(t *testing.T) {
	broken := errors.New("broken")
	for name, step := range map[string]func(int) (bool, error){
		"an error": func(int) (bool, error) { return false, broken },
		"a panic":  func(int) (bool, error) { panic(broken) },
	} {
		at, failed := run(t, time.Hour, work.Loop{}, step)
		if len(at) > 150 || len(at) < 60 || len(failed) < len(at)-1 {
			t.Errorf("%s: %d steps, %d failures in an hour", name, len(at), len(failed))
		}
		if name == "a panic" && !strings.Contains(failed[0].Error(), "step panicked: broken") {
			t.Error(failed[0])
		}
	}
	at, failed := run(t, time.Second, work.Loop{}, func(n int) (bool, error) { return n < 10, broken })
	if len(at) < 10 || at[9] != 0 || len(failed) < 9 {
		t.Errorf("one item's failure held up the others: %v", at)
	}
	at, _ = run(t, time.Minute, work.Loop{}, func(n int) (bool, error) { // success makes the rest short again
		if n%5 == 0 {
			return true, nil
		}
		return false, broken
	})
	if len(at) < 30 {
		t.Errorf("%d steps in a minute", len(at))
	}
}

func TestItEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		stop()
		work.Loop{Bell: &store.Bell{}, Step: func(context.Context) (bool, error) { t.Error("a step"); return false, nil }}.Run(ctx)
		ctx, stop = context.WithCancel(t.Context())
		work.Loop{Bell: &store.Bell{}, Failed: func(err error) { t.Error(err) }, Step: func(ctx context.Context) (bool, error) {
			stop()
			return false, ctx.Err()
		}}.Run(ctx)
	})
}
