package door

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"footbridge/app/keys"
)

// moveTime is how long a new place may be taken before the door stays.
const moveTime = time.Second

// PorterConfig is what a porter works with.
type PorterConfig struct {
	Wish     func() Place    // where the door is to be, now
	Changed  <-chan struct{} // rings when Wish may have changed
	Identity func() (keys.Identity, error)
	Handler  http.Handler
	Opened   func(Door) // told of every door before it is served
	Log      *slog.Logger
}

// Porter keeps the door where it is wished.
type Porter struct {
	config PorterConfig
	at     Place
	door   Door
}

// NewPorter makes a porter.
func NewPorter(config PorterConfig) *Porter { return &Porter{config: config} }

// Open opens the door where it is wished.
func (p *Porter) Open() error {
	at := p.config.Wish()
	opened, err := Open(at, p.config.Identity)
	if err != nil {
		return err
	}
	p.at, p.door = at, opened
	return nil
}

// Serve lets devices in at the door that Open opened until ctx ends, and moves
// the door when it is wished elsewhere. Requests that came through the old door
// are finished.
func (p *Porter) Serve(ctx context.Context) error {
	var old sync.WaitGroup
	defer old.Wait()
	for {
		p.config.Opened(p.door)
		serving, stop := context.WithCancel(ctx)
		served := make(chan error, 1)
		handlers := map[net.Listener]http.Handler{p.door.Listener: p.config.Handler}
		go func() {
			defer close(served)
			served <- Serve(serving, handlers, slog.NewLogLogger(p.config.Log.Handler(), slog.LevelDebug))
		}()
		err := p.stay(serving, served)
		stop()
		if err != nil || ctx.Err() != nil {
			return errors.Join(err, <-served)
		}
		old.Go(func() { <-served })
		if err := p.move(ctx); err != nil {
			return err
		}
	}
}

// stay returns when the door is to be elsewhere, when ctx ends, or with the
// error that closed the door.
func (p *Porter) stay(ctx context.Context, served <-chan error) error {
	for {
		select {
		case <-p.config.Changed:
			if p.config.Wish() != p.at {
				return nil
			}
		case <-ctx.Done():
			return nil
		case err := <-served:
			return err
		}
	}
}

// move opens the door where it is wished now; where that cannot be, where it was.
func (p *Porter) move(ctx context.Context) error {
	was := p.at
	for begun := time.Now(); ; {
		err := p.Open()
		if err == nil {
			return nil
		}
		if time.Since(begun) > moveTime {
			p.config.Log.Error("the door for devices stays where it was", "error", err)
			p.door, err = Open(was, p.config.Identity)
			p.at = p.config.Wish() // it is tried again when the settings change again
			return err
		}
		select { // the old door may still be closing
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
