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

// The rules here are: devices always have a door. A new one is opened before the
// old one is closed, and one that cannot be opened leaves the old one as it is.
// Only a door on the same port has to be closed first; then it is opened again
// where it was, should the new one fail.

const (
	moveTime  = time.Second // how long a new place may be taken before the door goes back
	moveRetry = 20 * time.Millisecond
)

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
	wished Place // the last place that was tried
	plain  bool  // the door is without TLS
	door   Door
}

// NewPorter makes a porter.
func NewPorter(config PorterConfig) *Porter { return &Porter{config: config} }

// Open opens the door where it is wished. Serve closes it.
func (p *Porter) Open() error {
	p.wished = p.config.Wish()
	return p.open(p.wished)
}

func (p *Porter) open(at Place) error {
	opened, err := Open(at, p.config.Identity)
	if err == nil {
		p.door, p.plain = opened, at.Plain
	}
	return err
}

// Close closes the door, whether or not it was served. It is idempotent.
func (p *Porter) Close() error {
	if err := p.door.Listener.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
		return err
	}
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
		back := Place{Address: p.door.Listener.Addr().String(), Plain: p.plain}
		moved, err := p.stay(serving, served)
		stop()
		if err != nil || ctx.Err() != nil {
			return errors.Join(err, <-served)
		}
		old.Go(func() { <-served })
		if !moved && !p.reopen(ctx, back) {
			return nil
		}
	}
}

// stay returns true when the door is elsewhere now, false when it has to be
// closed to get there or when ctx ends; or the error that closed it.
func (p *Porter) stay(ctx context.Context, served <-chan error) (moved bool, err error) {
	for {
		select {
		case <-p.config.Changed:
			wish := p.config.Wish()
			if wish == p.wished {
				continue
			}
			p.wished = wish
			if p.samePort(wish) {
				return false, nil
			}
			err := p.open(wish)
			if err == nil {
				return true, nil
			}
			p.config.Log.Error("the door for devices stays where it is", "error", err)
		case <-ctx.Done():
			return false, nil
		case err := <-served:
			return false, err
		}
	}
}

// samePort reports whether a place needs the port of the door that is open.
func (p *Porter) samePort(at Place) bool {
	_, wished, _ := net.SplitHostPort(at.Address)
	_, taken, _ := net.SplitHostPort(p.door.Listener.Addr().String())
	return wished == taken
}

// reopen opens the door where it is wished now; where that cannot be, where it
// was. It is false when ctx ended.
func (p *Porter) reopen(ctx context.Context, back Place) bool {
	for begun, told := time.Now(), false; ; {
		err := p.open(p.wished)
		if err == nil {
			return true
		}
		if time.Since(begun) > moveTime {
			if !told {
				p.config.Log.Error("the door for devices goes back to where it was", "error", err)
				told = true
			}
			if p.open(back) == nil {
				return true
			}
		}
		select { // the old door may still be closing
		case <-time.After(moveRetry):
		case <-ctx.Done():
			return false
		}
	}
}
