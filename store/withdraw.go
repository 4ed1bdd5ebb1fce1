package store

import (
	"context"
	"slices"
	"time"

	"footbridge/core"
	"footbridge/store/rows"
)

// The rules here are: a record that is withdrawn is never sent again, nor to a
// destination that comes later; its journal says that it may still be in the
// repository until it was removed there.

// Withdraw marks a record as withdrawn from every destination, so that it is not
// sent any more; where it may lie, it waits to be removed. Idempotent.
func (s *Store) Withdraw(ctx context.Context, id core.UploadID) error {
	return s.update(ctx, func(tx *rows.Tx) error {
		u, err := loadUpload(tx, id)
		if err != nil {
			return err
		}
		var all []core.Export
		var failed error
		tx.Scan(exportsBucket, string(id)+"/", func(_ string, raw []byte) {
			e, err := decode[core.Export](raw)
			if err != nil {
				failed = err
			}
			all = append(all, e)
		})
		for _, e := range all {
			whole := false // which it was before a redrive began at no step
			tx.Scan(exportedBucket, exportedKey(e, u), func(string, []byte) { whole = true })
			if whole && e.Step == core.StepNone {
				e.Step = core.StepPlanned
			}
			if e.Step != core.StepNone {
				tx.Put(removalsBucket, keyOf(e).export(), nil)
			}
			if failed != nil || e.Reason == core.ReasonWithdrawn || e.Reason == core.ReasonNoStudyConfigured {
				continue
			}
			e.State, e.Reason, e.Since = core.ExportWithheld, core.ReasonWithdrawn, s.config.Now().UTC()
			failed = s.putExport(tx, u.HealthCode, e)
		}
		if !s.sent(u.HealthCode, id) { // then nothing is left to decide
			tx.Delete(regretsBucket, string(u.HealthCode))
		}
		return failed
	})
}

// withdrawnSince gives since when a record is withdrawn; zero where it is not.
func withdrawnSince(tx *rows.Tx, id core.UploadID) (since time.Time, failed error) {
	tx.Scan(exportsBucket, string(id)+"/", func(_ string, raw []byte) {
		e, err := decode[core.Export](raw)
		switch {
		case err != nil:
			failed = err
		case e.Reason == core.ReasonWithdrawn:
			since = e.Since
		}
	})
	return since, failed
}

// withdrawn reports whether a record was withdrawn, be it while its export is leased.
func withdrawn(tx *rows.Tx, e core.Export) bool {
	now, err := load[core.Export](tx, exportsBucket, keyOf(e).export(), "export")
	return err == nil && now.Reason == core.ReasonWithdrawn
}

// sentThough journals how far a leased export came that was withdrawn meanwhile. What
// it put there after all waits to be removed, even where it was removed once.
func (s *Store) sentThough(tx *rows.Tx, e core.Export) error {
	u, err := loadUpload(tx, e.Record)
	if err != nil {
		return err
	}
	if e.Step != core.StepNone {
		tx.Put(removalsBucket, keyOf(e).export(), nil)
	}
	return s.putExport(tx, u.HealthCode, e) // which leaves it withdrawn
}

// NextRemoval gives the withdrawn record after another that may lie at a destination,
// the first one after none; false where there is none.
func (s *Store) NextRemoval(ctx context.Context, after core.Export) (u core.Upload, e core.Export, found bool, err error) {
	from, key := "", ""
	if after.Record != "" {
		from = keyOf(after).export() + "\x00"
	}
	s.rows.Scan(removalsBucket, "", from, func(first string, _ []byte) bool { key = first; return false })
	if key == "" {
		return u, e, false, nil
	}
	if e, err = load[core.Export](s.rows, exportsBucket, key, "export"); err == nil {
		u, err = s.Upload(ctx, e.Record)
	}
	return u, e, err == nil, err
}

// Removals counts the withdrawn records that may still lie at a destination.
func (s *Store) Removals(context.Context) (n int) {
	s.rows.Scan(removalsBucket, "", "", func(string, []byte) bool { n++; return true })
	return n
}

// Removed notes that a withdrawn record is no longer at a destination. Idempotent.
func (s *Store) Removed(ctx context.Context, e core.Export) error {
	return s.update(ctx, func(tx *rows.Tx) error {
		u, err := loadUpload(tx, e.Record)
		if err != nil {
			return err
		}
		now, err := load[core.Export](tx, exportsBucket, keyOf(e).export(), "export of "+string(e.Record))
		if err != nil {
			return err
		}
		tx.Delete(removalsBucket, keyOf(e).export())
		tx.Delete(exportedBucket, exportedKey(now, u))
		s.behind(tx, tableKey{e.Destination, u.Facts.DateFolder})
		now.Step, now.Receipt, now.Attachments = core.StepNone, "", 0
		return s.putExport(tx, u.HealthCode, now)
	})
}

// regret notes that a participant shares no more of whom records were sent, and
// forgets it when they share again.
func (s *Store) regret(tx *rows.Tx, before, a *core.Account) {
	switch {
	case before == nil || before.SharingScope.Allows() == a.SharingScope.Allows():
	case a.SharingScope.Allows():
		tx.Delete(regretsBucket, string(a.HealthCode))
	case s.sent(a.HealthCode, ""):
		tx.Put(regretsBucket, string(a.HealthCode), []byte{1})
	}
}

// sent reports whether a record of a participant, other than one, lies at any
// destination, be it the bytes alone, or one that is redriven.
func (s *Store) sent(code core.HealthCode, other core.UploadID) bool {
	found := false
	s.rows.Scan(ownBucket, string(code)+"/", "", func(key string, _ []byte) bool {
		id := core.UploadID(key[len(code)+1:])
		if id == other {
			return true
		}
		u, err := s.Upload(context.Background(), id)
		if err != nil {
			return false
		}
		exports, err := s.Exports(context.Background(), id)
		for _, e := range exports {
			found = found || e.Reason != core.ReasonWithdrawn && s.lies(u, e)
		}
		return err == nil && !found
	})
	return found
}

// lies reports whether a record lies at a destination, be it the bytes alone, or one that
// is redriven.
func (s *Store) lies(u core.Upload, e core.Export) (found bool) {
	s.rows.Scan(exportedBucket, exportedKey(e, u), "", func(string, []byte) bool { found = true; return false })
	return found || arrived(e)
}

// Arrived reports whether a record lies at any destination, be it one that is withdrawn
// and not removed yet. Errors: core.ErrNotFound.
func (s *Store) Arrived(ctx context.Context, id core.UploadID) (bool, error) {
	u, err := s.Upload(ctx, id)
	if err != nil {
		return false, err
	}
	exports, err := s.Exports(ctx, id)
	return slices.ContainsFunc(exports, func(e core.Export) bool { return s.lies(u, e) }), err
}

// arrived reports whether the bytes of a record lie at a destination as far as the
// journal of its sending, or of its sending again, tells.
func arrived(e core.Export) bool { return e.Step != core.StepNone && e.Step != core.StepPlanned }

// Regrets gives the participants who share no more and of whom records were sent,
// until a person has decided what becomes of those.
func (s *Store) Regrets(context.Context) (codes []core.HealthCode) {
	s.rows.Scan(regretsBucket, "", "", func(code string, _ []byte) bool {
		codes = append(codes, core.HealthCode(code))
		return true
	})
	return codes
}

// Decided notes that a person decided what becomes of a participant's records.
// Idempotent.
func (s *Store) Decided(ctx context.Context, code core.HealthCode) error {
	return s.update(ctx, func(tx *rows.Tx) error {
		tx.Delete(regretsBucket, string(code))
		return nil
	})
}
