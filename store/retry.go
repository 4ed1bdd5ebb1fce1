package store

import (
	"context"

	"footbridge/core"
	"footbridge/store/rows"
)

// Retry makes exports wait again that are parked, or that wait for their next try,
// and counts their records: those of some uploads, or all that are parked. Their
// journal stays, so what is done is not done again. Idempotent.
func (s *Store) Retry(ctx context.Context, ids ...core.UploadID) (int, error) {
	var found []core.Export
	if len(ids) == 0 {
		if err := s.eachParked(func(e core.Export) { found = append(found, e) }); err != nil {
			return 0, err
		}
	}
	for _, id := range ids {
		exports, err := s.Exports(ctx, id)
		if err != nil {
			return 0, err
		}
		for _, e := range exports {
			if e.State == core.ExportParked || e.State == core.ExportWaiting {
				found = append(found, e)
			}
		}
	}
	records := map[core.UploadID]bool{}
	for _, e := range found {
		if err := s.retry(ctx, e); err != nil {
			return len(records), err
		}
		records[e.Record] = true
	}
	return len(records), nil
}

func (s *Store) retry(ctx context.Context, e core.Export) error {
	return s.update(ctx, func(tx *rows.Tx) error {
		now, err := load[core.Export](tx, exportsBucket, keyOf(e).export(), "export")
		if err != nil || now.State != e.State {
			return err // it moved on meanwhile
		}
		u, err := loadUpload(tx, e.Record)
		if err != nil {
			return err
		}
		s.waitAgain(&now)
		now.Attempts = 0
		return s.putExport(tx, u.HealthCode, now)
	})
}

// Resend makes records go to a destination again that are there already, from the
// beginning and to the same places; those of its table that are named, too, and the
// file views of some dates. Idempotent.
func (s *Store) Resend(ctx context.Context, d core.DestinationID, ids []core.UploadID, rowsMissing []string, views ...string) error {
	return s.update(ctx, func(tx *rows.Tx) error {
		for _, id := range ids {
			e, err := load[core.Export](tx, exportsBucket, exportKey{id, d}.export(), "export of "+string(id))
			if err != nil {
				return err
			}
			u, err := loadUpload(tx, id)
			if err != nil {
				return err
			}
			e.Step, e.Attempts, e.Attachments, e.Receipt = core.StepNone, 0, 0, ""
			s.waitAgain(&e)
			if err := s.putExport(tx, u.HealthCode, e); err != nil {
				return err
			}
		}
		for _, row := range rowsMissing {
			tx.Delete(appendedBucket, string(d)+"/"+row)
		}
		s.behind(tx, tableKey{d, versionsTable})
		for _, date := range views {
			s.behind(tx, tableKey{d, date})
		}
		return nil
	})
}
