package board

import (
	"context"
	"errors"
	"reflect"
	"time"

	"footbridge/app/control"
	"footbridge/ui/view"
)

// Feed tells how things are. Safe for concurrent use.
type Feed interface {
	// Changes rings after something changed; one ring stands for many. Nobody closes it.
	Changes() <-chan struct{}

	// Overview is the appliance at this moment. Errors: those of whoever answers, or
	// that nobody does.
	Overview(ctx context.Context) (view.Overview, error)

	// Traffic is what came lately, and what moves. Errors: as of Overview.
	Traffic(ctx context.Context) (view.Traffic, error)
}

// Look is what was seen at one moment.
type Look struct {
	At       time.Time // when it was seen
	Overview view.Overview
	Traffic  view.Traffic
	Trouble  error // why nothing is seen now: the rest is how things were
	Changed  bool  // the overview, since the look before: a rate is never still
}

// Words say to a reader why nothing is seen.
func (l Look) Words(r view.Reader) string {
	var refusal *control.Refusal
	if errors.As(l.Trouble, &refusal) {
		return refusal.Error()
	}
	return r.Say("status.nobody", "serve", "footbridge serve")
}

// Text writes a look to a reader, for a terminal that has so many columns; 0: as of Text.
func (l Look) Text(r view.Reader, columns int) string {
	var head string
	if l.Trouble != nil {
		head = fold(l.Words(r), columns) + "\n"
	}
	if l.At.IsZero() {
		return head // nothing was seen yet
	}
	return head + fold(r.Say("status.at", "when", r.When(l.At)), columns) + "\n" + Text(view.Site{Overview: l.Overview, Traffic: l.Traffic}, r, columns)
}

const (
	lookTime  = 10 * time.Second       // for one answer
	lookTick  = 10 * time.Second       // times pass, and rings get lost; the longest rest
	restMin   = 250 * time.Millisecond // between two looks, however much happens
	restShare = 9                      // how much longer it rests than it looked
	sizeTick  = time.Second            // a window may have been made larger, and files move on
	moveSoon  = 4 * time.Second        // after a change: a device announces a file before it sends it
)

// Watch looks now, and again whenever something changed, every second while files move
// or soon may, and after a slow tick, until ctx ends or show fails, which is its error.
// show is given every look, and once a second the last one again, since a terminal may
// have another size by then. first is how things were before.
func Watch(ctx context.Context, feed Feed, first Look, show func(Look) error) error {
	look, soon := first, time.Time{}
	ticks, sizes := time.NewTicker(lookTick), time.NewTicker(sizeTick)
	defer ticks.Stop()
	defer sizes.Stop()
	for ctx.Err() == nil {
		begun := time.Now()
		look = next(ctx, feed, look)
		if ctx.Err() != nil {
			break // what was answered then says nothing
		}
		if err := show(look); err != nil {
			return err
		}
		if look.Changed {
			soon = time.Now().Add(moveSoon)
		}
		moves := look.Traffic.Moves() || time.Now().Before(soon)
		rest := time.NewTimer(min(max(restMin, restShare*time.Since(begun)), lookTick))
		if err := await(ctx, feed.Changes(), ticks.C, sizes.C, rest.C, moves, func() error { return show(again(look)) }); err != nil {
			return err
		}
		rest.Stop()
	}
	return nil
}

// await returns once something changed or the tick is due, and the rest is over. Files
// on their way ring no bell: where there may be any, every second is due.
func await(ctx context.Context, changes <-chan struct{}, tick, sizes, rest <-chan time.Time, moves bool, redraw func() error) error {
	due, resting := false, true
	for ctx.Err() == nil && (!due || resting) {
		select {
		case <-changes:
			due = true
		case <-tick:
			due = true
		case <-rest:
			resting = false
		case <-sizes:
			due = due || moves
			if err := redraw(); err != nil {
				return err
			}
		case <-ctx.Done():
		}
	}
	return nil
}

// next looks once.
func next(ctx context.Context, feed Feed, before Look) Look {
	ctx, stop := context.WithTimeout(ctx, lookTime)
	defer stop()
	o, err := feed.Overview(ctx)
	var t view.Traffic
	if err == nil {
		t, err = feed.Traffic(ctx)
	}
	if err != nil {
		before.Changed = before.Trouble == nil || before.Trouble.Error() != err.Error()
		before.Trouble = err
		before.Traffic.Arriving, before.Traffic.Leaving, before.Traffic.Sending = nil, nil, nil // nobody knows of any now
		return before
	}
	return Look{At: time.Now(), Overview: o, Traffic: t, Changed: before.Trouble != nil || !same(before.Overview, o)}
}

// again is a look that was shown already.
func again(look Look) Look {
	look.Changed = false
	return look
}

// same reports whether two overviews say the same. The disk of a machine is never
// still: it is another one once it reads otherwise.
func same(a, b view.Overview) bool {
	r := view.Reader{}
	if r.Bytes(a.Disk.FreeBytes) != r.Bytes(b.Disk.FreeBytes) {
		return false
	}
	a.Disk.FreeBytes, b.Disk.FreeBytes = 0, 0
	return reflect.DeepEqual(a, b)
}
