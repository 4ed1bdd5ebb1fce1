package awake

import (
	"context"
	"runtime"
	"time"
)

// Release lets the machine sleep again. It is called once.
type Release func()

// Config says when to keep a machine awake, and how.
type Config struct {
	Wanted func() bool // a person may not want it
	Moves  func() bool // data moves now, or did since this was asked last

	// Hold keeps the machine awake until it is released, or ctx ends; nil: as this
	// system does. Errors: that the machine takes no such wish.
	Hold   func(ctx context.Context) (Release, error)
	Failed func(error) // told of the first error of Hold
}

const (
	lookTime  = 5 * time.Second
	lingering = time.Minute // a repository may think that long about what it was sent
)

// Run keeps the machine awake while data moves, until ctx ends. It needs a goroutine
// of its own: Windows remembers such a wish of the thread that had it.
func Run(ctx context.Context, config Config) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if config.Hold == nil {
		config.Hold = hold
	}
	k := keeper{Config: config}
	defer k.letGo()
	looks := time.NewTicker(lookTime) // the first is not now: most commands are over by then
	defer looks.Stop()
	for {
		select {
		case now := <-looks.C:
			k.look(ctx, now)
		case <-ctx.Done():
			return
		}
	}
}

// keeper is what is held, and since when nothing moves.
type keeper struct {
	Config
	moved   time.Time // when data moved last; zero: all is still
	release Release   // nil where nothing is held
	told    bool
}

// look holds the machine as data begins to move, and lets go when it has been still
// for long enough. A machine that took no such wish is asked again next time.
func (k *keeper) look(ctx context.Context, now time.Time) {
	moves := k.Moves() && k.Wanted()
	switch {
	case moves && k.moved.IsZero():
		k.moved = now
		k.hold(ctx)
	case moves:
		k.moved = now
	case now.Sub(k.moved) >= lingering || !k.Wanted():
		k.moved = time.Time{}
		k.letGo()
	}
}

func (k *keeper) hold(ctx context.Context) {
	release, err := k.Hold(ctx)
	if err != nil && !k.told && ctx.Err() == nil {
		k.told = true
		k.Failed(err)
	}
	if err == nil {
		k.release = release
	}
}

func (k *keeper) letGo() {
	if k.release != nil {
		k.release()
		k.release = nil
	}
}

// Who wishes that the machine stays awake, and why, as desktops show it.
const (
	who = "Footbridge"
	why = "Health data is being received or sent"
)
