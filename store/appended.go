package store

import (
	"context"
	"fmt"
	"slices"

	"footbridge/core"
	"footbridge/store/rows"
)

func appendedKey(d core.DestinationID, v core.ParticipantVersion) string {
	return fmt.Sprintf("%s/%s/%d", d, v.HealthCode, v.Version)
}

// Unsent gives those of some participant versions that a destination's table is not
// known to hold. What another table held says nothing of it.
func (s *Store) Unsent(_ context.Context, d core.DestinationID, table string, versions []core.ParticipantVersion) ([]core.ParticipantVersion, error) {
	var unsent []core.ParticipantVersion
	for _, v := range versions {
		if held := s.rows.Get(appendedBucket, appendedKey(d, v)); held == nil || string(held) != table {
			unsent = append(unsent, v)
		}
	}
	return unsent, s.rows.Closed()
}

// Sent notes durably that a destination's table holds some participant versions.
// Idempotent.
func (s *Store) Sent(ctx context.Context, d core.DestinationID, table string, versions []core.ParticipantVersion) error {
	return s.update(ctx, func(tx *rows.Tx) error {
		for _, v := range versions {
			tx.Put(appendedBucket, appendedKey(d, v), []byte(table))
		}
		return nil
	})
}

// Memo gives what was last kept under a name; nil where nothing was.
func (s *Store) Memo(_ context.Context, name string) []byte { return s.rows.Get(memosBucket, name) }

// Keep keeps a text under a name, durably. Idempotent.
func (s *Store) Keep(ctx context.Context, name string, text []byte) error {
	return s.update(ctx, func(tx *rows.Tx) error {
		tx.Put(memosBucket, name, text)
		return nil
	})
}

// Tell adds messages to an upload that it does not have yet. Idempotent.
func (s *Store) Tell(ctx context.Context, id core.UploadID, messages []string) error {
	return s.update(ctx, func(tx *rows.Tx) error {
		u, err := loadUpload(tx, id)
		if err != nil {
			return err
		}
		before, known := u, len(u.Messages)
		for _, message := range messages {
			if !slices.Contains(u.Messages, message) {
				u.Messages = append(u.Messages[:len(u.Messages):len(u.Messages)], message)
			}
		}
		if len(u.Messages) == known {
			return nil
		}
		return s.putUpload(tx, &before, &u)
	})
}
