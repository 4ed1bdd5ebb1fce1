package store

import (
	"context"
	"errors"

	"footbridge/core"
	"footbridge/store/rows"
)

// The rules here are: what was uploaded before a destination was there goes to it
// too. Its history is gone through once, from the oldest upload on, some at a time,
// and goes on after a restart where it was.

// configured notes that a destination is there from now on: its table has to be
// written, and its history to be gone through.
func (s *Store) configured(tx *rows.Tx, d core.DestinationID) {
	s.behind(tx, tableKey{d, versionsTable})
	tx.Put(historiesBucket, string(d), nil)
}

// Enlist hands change the next uploads, at most so many, that came before one of
// the destinations was there, and keeps what it changed with the exports it gives;
// false where there are none. It runs change in one durable transaction.
func (s *Store) Enlist(ctx context.Context, most int, change func(*core.Upload, core.Standing) ([]core.Export, bool)) (bool, error) {
	var d core.DestinationID
	var seen core.UploadID
	s.rows.Scan(historiesBucket, "", "", func(key string, value []byte) bool {
		d, seen = core.DestinationID(key), core.UploadID(value)
		return false
	})
	if d == "" {
		return false, nil
	}
	ids := s.history(d, seen, most)
	err := s.update(ctx, func(tx *rows.Tx) error {
		for _, id := range ids {
			if err := s.enlist(tx, id, change); err != nil {
				return err
			}
		}
		if len(ids) < most {
			tx.Delete(historiesBucket, string(d))
		} else {
			tx.Put(historiesBucket, string(d), []byte(ids[len(ids)-1]))
		}
		return nil
	})
	return true, err
}

// history gives the uploads that may concern a destination, behind one of them.
func (s *Store) history(d core.DestinationID, seen core.UploadID, most int) (ids []core.UploadID) {
	bucket, prefix := gatheredBucket, string(d)+"/"
	if s.rows.Get(studiesBucket, string(d)) == nil { // it is the app's
		bucket, prefix = uploadsBucket, ""
	}
	s.rows.Scan(bucket, prefix, prefix+string(seen), func(key string, _ []byte) bool {
		if id := core.UploadID(key[len(prefix):]); id != seen {
			ids = append(ids, id)
		}
		return len(ids) < most
	})
	return ids
}

func (s *Store) enlist(tx *rows.Tx, id core.UploadID, change func(*core.Upload, core.Standing) ([]core.Export, bool)) error {
	u, err := loadUpload(tx, id)
	if err != nil || u.Facts == nil {
		return err
	}
	standing, err := s.standing(tx, u.User)
	if errors.Is(err, core.ErrNotFound) {
		return nil // whose account is gone goes nowhere
	}
	if err != nil {
		return err
	}
	before, facts := u, *u.Facts
	before.Facts = &facts
	exports, changed := change(&u, standing)
	if !changed {
		return nil
	}
	for _, e := range exports {
		if err := s.putExport(tx, u.HealthCode, e); err != nil {
			return err
		}
	}
	return s.putUpload(tx, &before, &u)
}
