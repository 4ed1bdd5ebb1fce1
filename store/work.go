package store

import (
	"context"
	"time"

	"footbridge/core"
	"footbridge/store/rows"
)

// Claim leases the next upload that is due for processing; false where there is
// none whose participant has no other that is being processed (process.Bench).
func (s *Store) Claim(ctx context.Context) (core.Upload, bool, error) {
	for {
		id, ok := s.due.take(s.config.Now(), func(id core.UploadID, _ time.Time) (bool, time.Time) {
			return s.turns.take(id), time.Time{}
		})
		if !ok {
			return core.Upload{}, false, nil
		}
		u, err := s.Upload(ctx, id)
		if err != nil {
			s.Release(id, s.config.Now().Add(time.Minute))
			return u, false, err
		}
		if u.State == core.StateCompleted {
			return u, true, nil
		}
		s.settled(id)
	}
}

func (s *Store) settled(id core.UploadID) {
	s.turns.end(id, true)
	s.due.done(id, time.Time{}, s.config.Now())
}

// Settle runs change on a claimed upload, journals the exports it gives and ends
// the lease (process.Bench). It becomes durable with what comes after it: until
// then it can be found out again from the bytes.
func (s *Store) Settle(ctx context.Context, id core.UploadID, change func(*core.Upload) ([]core.Export, error)) error {
	err := s.note(ctx, func(tx *rows.Tx) error {
		u, err := loadUpload(tx, id)
		if err != nil {
			return err
		}
		before := u
		exports, err := change(&u)
		if err != nil {
			return err
		}
		for _, e := range exports {
			if err := s.putExport(tx, u.HealthCode, e); err != nil {
				return err
			}
		}
		if u.Record != nil && len(exports) == 0 {
			keepHere(tx, u.ID, "")
		}
		return s.putUpload(tx, &before, &u)
	})
	if err == nil {
		s.settled(id)
	}
	return err
}

// Release ends the lease of a claimed upload, which is due again at a time
// (process.Bench).
func (s *Store) Release(id core.UploadID, again time.Time) {
	s.turns.end(id, false)
	s.due.back(id, again)
}
