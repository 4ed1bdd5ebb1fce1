package store

import (
	"context"
	"time"

	"footbridge/store/rows"
)

const pausedKey = "paused"

// Pause stops sending until it is called again with false; it outlasts a restart.
// Idempotent: since when stays. changed tells whether it was otherwise before.
func (s *Store) Pause(ctx context.Context, pause bool) (changed bool, err error) {
	err = s.update(ctx, func(tx *rows.Tx) error {
		changed = pause != (tx.Get(siteBucket, pausedKey) != nil)
		switch {
		case changed && pause:
			tx.Put(siteBucket, pausedKey, formatTime(s.config.Now()))
		case changed:
			tx.Delete(siteBucket, pausedKey)
		}
		return nil
	})
	return changed && err == nil, err
}

// Paused is since when nothing is sent because a person said so; zero where that is
// not so.
func (s *Store) Paused() time.Time { return parseTime(s.rows.Get(siteBucket, pausedKey)) }

// Hurry makes all that waits to be sent due at once.
func (s *Store) Hurry() {
	now := s.config.Now()
	s.outbox.hurry(now)
	s.tables.due.hurry(now)
	s.hurried.Store(now.UnixNano())
	s.receivers.hurry(now)
	s.Ring()
}
