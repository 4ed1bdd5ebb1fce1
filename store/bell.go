package store

import (
	"context"
	"sync"
)

// Bell wakes those who wait for a change. It carries a revision, never a
// payload. Safe for concurrent use.
type Bell struct {
	mu       sync.Mutex
	revision uint64
	ring     chan struct{} // closed by the next ring
}

// Revision counts the rings so far.
func (b *Bell) Revision() uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.revision
}

// Wait returns the revision once it is over after, or ctx's error.
func (b *Bell) Wait(ctx context.Context, after uint64) (uint64, error) {
	for {
		b.mu.Lock()
		revision := b.revision
		if b.ring == nil {
			b.ring = make(chan struct{})
		}
		ring := b.ring
		b.mu.Unlock()
		if revision > after {
			return revision, nil
		}
		select {
		case <-ring:
		case <-ctx.Done():
			return revision, ctx.Err()
		}
	}
}

// Ring wakes everyone who waits.
func (b *Bell) Ring() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.revision++
	if b.ring != nil {
		close(b.ring)
		b.ring = nil
	}
}
