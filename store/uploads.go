package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"footbridge/core"
	"footbridge/store/rows"
)

// Upload gives an upload. Errors: core.ErrNotFound.
func (s *Store) Upload(_ context.Context, id core.UploadID) (core.Upload, error) {
	return loadUpload(s.rows, id)
}

func loadUpload(from getter, id core.UploadID) (core.Upload, error) {
	return load[core.Upload](from, uploadsBucket, string(id), "upload "+string(id))
}

// putUpload writes a changed upload and keeps the counters and the queue of
// due work in step. before is nil for a new one.
func (s *Store) putUpload(tx *rows.Tx, before *core.Upload, u *core.Upload) error {
	u.Version++
	if before != nil && counter(before) != counter(u) {
		count(tx, counter(before), -1)
	}
	if before == nil || counter(before) != counter(u) {
		count(tx, counter(u), +1)
	}
	setApart(tx, before, u)
	if err := s.countDay(tx, before, u); err != nil {
		return err
	}
	if u.Envelope != "" && u.Blob != nil {
		tx.Put(envelopesBucket, u.Envelope+"/"+u.Blob.SHA256, nil)
	}
	due := u.State == core.StateCompleted
	if was := before != nil && before.State == core.StateCompleted; due && !was {
		id, owner, now := u.ID, u.HealthCode, s.config.Now()
		tx.Put(processingBucket, string(id), []byte(owner))
		tx.OnCommit(func() {
			s.turns.wait(id, owner)
			s.due.add(id, now, now)
		})
	} else if was && !due {
		tx.Delete(processingBucket, string(u.ID))
	}
	return save(tx, uploadsBucket, string(u.ID), u)
}

// counter is among which uploads one counts.
func counter(u *core.Upload) string {
	if u.State == core.StateFailed && !u.GivenUp.IsZero() {
		return "uploads/given_up"
	}
	return "uploads/" + string(u.State)
}

// GiveUp notes that a person gave up opening an upload, so that nobody is asked about it
// any more; false where it was not one that could not be opened, or was given up before.
func (s *Store) GiveUp(ctx context.Context, id core.UploadID) (given bool, err error) {
	err = s.update(ctx, func(tx *rows.Tx) error {
		u, err := loadUpload(tx, id)
		if err != nil || u.State != core.StateFailed || !u.GivenUp.IsZero() {
			return err
		}
		before := u
		u.GivenUp, given = s.config.Now().UTC(), true
		return s.putUpload(tx, &before, &u)
	})
	return given && err == nil, err
}

// Uses counts the other messages that were opened with a sealed key before the
// one with these bytes (process.Bench).
func (s *Store) Uses(_ context.Context, envelope string, bytes core.Digest) int {
	if s.rows.Get(envelopesBucket, envelope+"/"+bytes.SHA256) != nil {
		return 0
	}
	n := 0
	s.rows.Scan(envelopesBucket, envelope+"/", "", func(string, []byte) bool { n++; return n < usesCounted })
	return n
}

// usesCounted is how far uses are counted: no rule asks for more.
const usesCounted = 100

// Begin stores the upload that decide makes of the newest registered one of the
// same participant and MD5 (upload.Ledger).
func (s *Store) Begin(ctx context.Context, fresh core.Upload, since time.Time, decide func(*core.Upload) core.Upload) (core.Upload, error) {
	var u core.Upload
	err := s.note(ctx, func(tx *rows.Tx) error {
		key := string(fresh.HealthCode) + "/" + fresh.Request.ContentMD5
		var earlier *core.Upload
		if id := tx.Get(dedupeBucket, key); id != nil {
			if e, err := loadUpload(tx, core.UploadID(id)); err == nil && !e.RequestedOn.Before(since) {
				earlier = &e
			}
		}
		u = decide(earlier)
		same := earlier != nil && earlier.ID == u.ID
		if same {
			release(tx, slotKey(*earlier)) // or it would be counted twice
		}
		if u.Blob == nil {
			if err := s.reserve(tx, u); err != nil {
				return err
			}
		}
		if !same && u.State != core.StateDuplicate {
			tx.Put(dedupeBucket, key, []byte(u.ID))
		}
		if err := s.listBegun(tx, u); err != nil {
			return err
		}
		if same {
			return s.putUpload(tx, earlier, &u)
		}
		return s.putUpload(tx, nil, &u)
	})
	return u, err
}

// Complete runs change with the owner's standing (upload.Ledger).
func (s *Store) Complete(ctx context.Context, id core.UploadID, change func(*core.Upload, core.Standing) error) (core.Upload, error) {
	var u core.Upload
	err := s.update(ctx, func(tx *rows.Tx) (err error) {
		if u, err = loadUpload(tx, id); err != nil {
			return err
		}
		before := u
		standing, err := s.standing(tx, u.User)
		if err != nil {
			return err
		}
		var kept diary
		if guid := u.InstanceGUID(); guid != "" {
			if err := kept.concern(tx, &standing, guid); err != nil {
				return err
			}
		}
		if err := change(&u, standing); err != nil {
			u = before
			return err
		}
		if err := kept.save(tx, standing.Activities); err != nil {
			return err
		}
		if u.Facts != nil {
			listCompleted(tx, u, standing.Account)
			if err := heard(tx, u, standing.Account); err != nil {
				return err
			}
		}
		return s.putUpload(tx, &before, &u)
	})
	return u, err
}

// refusal is an error of a transaction's own, which therefore had no effect;
// after any other error it may have had one.
type refusal struct{ error }

func (r refusal) Unwrap() error { return r.error }

// keep runs change on an upload whose body is about to be kept. Errors: refusal,
// and those of the disk.
func (s *Store) keep(ctx context.Context, id core.UploadID, body []byte, blob func(*rows.Tx) core.Blob, change func(*core.Upload, core.Blob) error) (core.Upload, error) {
	var u core.Upload
	err := s.rows.Update(ctx, true, body, func(tx *rows.Tx) (err error) {
		if u, err = loadUpload(tx, id); err != nil {
			return refusal{err}
		}
		before := u
		if err := change(&u, blob(tx)); err != nil {
			u = before
			return refusal{err}
		}
		release(tx, slotKey(before))
		return s.putUpload(tx, &before, &u)
	})
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("keep upload %s: the disk is too slow: %w", id, err)
	}
	return u, err
}
