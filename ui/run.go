package ui

import (
	"context"
	"time"

	"fyne.io/fyne/v2"
)

// The rules here are: whatever happens on the site, the window takes at most a tenth
// of the time for asking how things are; and what a person asks for waits for nothing.

const (
	restMin   = 250 * time.Millisecond // between two looks at what changed
	restShare = 9                      // how much longer it rests than it asked
	tick      = 20 * time.Second       // times pass, and rings get lost
	moveTick  = time.Second            // files on their way ring no bell, nor does who makes the window larger
	moveSoon  = 4 * time.Second        // after the bell: a device announces a file before it sends it
)

// Step asks the appliance for one thing that is to be asked, and shows what came of
// it; false where nothing is to be asked.
func (w *Window) Step(ctx context.Context) bool { return w.frame.Step(ctx) }

// Run asks the appliance for what the window shows until ctx ends.
func (w *Window) Run(ctx context.Context) {
	rest, ticks, moves := time.NewTimer(0), time.NewTicker(tick), time.NewTicker(moveTick)
	defer rest.Stop()
	defer ticks.Stop()
	defer moves.Stop()
	fyne.Do(w.settle)
	changed, resting := true, true
	looked, spent, soon := time.Now(), time.Duration(0), time.Now()
	for ctx.Err() == nil {
		for begun := time.Now(); w.frame.Step(ctx); begun = time.Now() {
			spent += time.Since(begun)
		}
		if changed && !resting {
			changed, resting = false, true
			looked, spent = time.Now(), 0
			rest.Reset(restMin)
			fyne.Do(w.Refresh)
		}
		select {
		case <-w.frame.Asked():
		case <-w.bell:
			changed, soon = true, time.Now().Add(moveSoon)
		case <-ticks.C:
			changed = true
		case <-moves.C:
			changed = changed || w.moves.Load() || time.Now().Before(soon)
			fyne.Do(func() { w.settle(); w.remember() })
		case <-rest.C:
			if more := restShare*spent - time.Since(looked); more > 0 {
				rest.Reset(more)
			} else {
				resting = false
			}
		case <-ctx.Done():
		}
	}
}
