package ui_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"footbridge/ui"
	"footbridge/ui/page"
	"footbridge/ui/page/pagetest"
	"footbridge/ui/view"

	"fyne.io/fyne/v2"
)

// slow is a site that takes its time, and whose bell never rests.
type slow struct {
	*site
	takes time.Duration
	calls int
}

func (s *slow) Site(ctx context.Context) (view.Site, error) {
	time.Sleep(s.takes)
	s.calls++
	return s.site.Site(ctx)
}

// run runs a window for a while, in which the bell rings as often as it can.
func run(t *testing.T, s *slow, lasts time.Duration, look func(*pagetest.Seen)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s.rung = make(chan struct{}, 1)
		w := ui.New(pagetest.App(t), s, ui.Config{Config: pagetest.Config()})
		ctx, stop := context.WithCancel(t.Context())
		ran := make(chan struct{})
		go func() { defer close(ran); w.Run(ctx) }()
		for end := time.Now().Add(lasts); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
			select {
			case s.rung <- struct{}{}:
			default:
			}
		}
		stop()
		<-ran
		look(pagetest.Look(t, w.Shown(), w.Step))
	})
}

// What changed is shown soon.
func TestTheBellIsHeard(t *testing.T) {
	s := &slow{site: busy()}
	run(t, s, 2*time.Second, func(w *pagetest.Seen) {
		w.Expect("2 things need a person.")
		if s.calls < 5 || s.calls > 12 {
			t.Errorf("in two seconds it asked %d times", s.calls)
		}
	})
}

// However much happens, the window asks for at most a tenth of the time.
func TestTheWindowRests(t *testing.T) {
	s := &slow{site: busy(), takes: 200 * time.Millisecond}
	run(t, s, time.Minute, func(*pagetest.Seen) {
		if s.calls < 20 || s.calls > 35 {
			t.Errorf("in a minute it asked %d times for 200 ms", s.calls)
		}
	})
}

// late is a site on which files begin to come at a time.
type late struct {
	*site
	from time.Time
}

func (l *late) Site(ctx context.Context) (view.Site, error) {
	s, err := l.site.Site(ctx)
	if time.Now().Before(l.from) {
		s.Traffic = view.Traffic{}
	}
	return s, err
}

// A device announces a file, which rings, and then sends it, which does not: it is seen to
// come all the same, and soon.
func TestWhatComesAfterTheBellIsSeen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &late{busy(), time.Now().Add(11500 * time.Millisecond)}
		w := ui.New(pagetest.App(t), l, ui.Config{Config: page.Config{Now: time.Now, Zone: time.UTC}})
		ctx, stop := context.WithCancel(t.Context())
		ran := make(chan struct{})
		go func() { defer close(ran); w.Run(ctx) }()
		time.Sleep(10 * time.Second)
		l.rung <- struct{}{}
		time.Sleep(8 * time.Second) // a file that is there in a moment is not shown
		stop()
		<-ran
		seen := pagetest.Look(t, w.Shown(), func(context.Context) bool { return false })
		seen.Expect("film.mp4: 256.0 MiB of 1.0 GiB")
	})
}

// table is a desktop whose only window is shown after a while.
type table struct {
	shown bool
	at    [2]int
	asked int  // how often the window was put somewhere
	fills bool // it is maximised
}

func (t *table) Fills(fyne.Window) bool { return t.fills }

func (t *table) Where(fyne.Window) (x, y int, ok bool) { return t.at[0], t.at[1], t.shown }

func (t *table) Put(_ fyne.Window, x, y int) bool {
	t.asked++
	if t.shown {
		t.at = [2]int{x, y}
	}
	return t.shown
}

// The next window is as large as this one was, and where it was, however this one ended,
// also where the desktop is slow to show it.
func TestTheWindowIsWhereItWas(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		run := func(w *ui.Window) {
			ctx, stop := context.WithCancel(t.Context())
			ran := make(chan struct{})
			go func() { defer close(ran); w.Run(ctx) }()
			time.Sleep(2 * time.Second)
			stop()
			<-ran
		}
		first := &table{shown: true, at: [2]int{40, 60}}
		w := ui.New(pagetest.App(t), busy(), ui.Config{Config: pagetest.Config(), Desktop: first})
		w.Shown().Resize(fyne.NewSize(910, 650))
		run(w)
		if first.asked != 0 {
			t.Error("the first window was not left where the desktop put it")
		}

		second := &table{at: [2]int{5, 5}}
		again := ui.New(fyne.CurrentApp(), busy(), ui.Config{Config: pagetest.Config(), Desktop: second})
		if got := again.Shown().Canvas().Size(); got != fyne.NewSize(910, 650) {
			t.Errorf("the next window is %v large", got)
		}
		run(again)
		second.shown = true
		run(again)
		if second.at != first.at {
			t.Errorf("the next window is at %v", second.at)
		}

		second.at = [2]int{-300, 7}
		run(again)
		second.fills, second.at = true, [2]int{0, 0}
		again.Shown().Resize(fyne.NewSize(1600, 900))
		run(again)
		third := &table{shown: true}
		final := ui.New(fyne.CurrentApp(), busy(), ui.Config{Config: pagetest.Config(), Desktop: third})
		run(final)
		if third.at != [2]int{-300, 7} || third.asked != 1 {
			t.Errorf("a window that was moved is at %v, after %d moves", third.at, third.asked)
		}
		if got := final.Shown().Canvas().Size(); got != fyne.NewSize(910, 650) {
			t.Errorf("a window that was maximised is %v large", got)
		}
	})
}
