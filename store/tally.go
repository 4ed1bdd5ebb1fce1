package store

import (
	"context"
	"encoding/json"
	"fmt"

	"footbridge/core"
	"footbridge/store/rows"
)

// The rules here are: what is counted for each day, and entered into the index of what
// is apart, is written with the row that it is about, so that both are true after any
// crash. A store that an earlier build wrote is gone through once, from its newest
// upload back, some at a time; an upload is counted by whoever comes to it first, which
// its id tells.

// tallyKey names the newest upload that is not gone through; its row is empty where all
// are.
const tallyKey = "tally"

// beginTally notes where to begin, where nobody did. It reads one row.
func (s *Store) beginTally() error {
	if s.rows.Get(siteBucket, tallyKey) != nil {
		return nil
	}
	newest := ""
	s.rows.ScanBack(uploadsBucket, "", "", func(id string, _ []byte) bool {
		newest = id
		return false
	})
	return s.update(context.Background(), func(tx *rows.Tx) error {
		tx.Put(siteBucket, tallyKey, []byte(newest))
		return nil
	})
}

// untallied is the newest upload that is not gone through; true where all are.
func (s *Store) untallied() (core.UploadID, bool) { return untalliedIn(s.rows) }

func untalliedIn(from getter) (core.UploadID, bool) {
	next := from.Get(siteBucket, tallyKey)
	return core.UploadID(next), len(next) == 0
}

// Tally goes through the next uploads that an earlier build stored, at most so many;
// false where there are none.
func (s *Store) Tally(ctx context.Context, most int) (bool, error) {
	from, all := s.untallied()
	if all {
		return false, nil
	}
	var ids []string
	s.rows.ScanBack(uploadsBucket, "", string(from), func(id string, _ []byte) bool {
		ids = append(ids, id)
		return len(ids) <= most
	})
	err := s.note(ctx, func(tx *rows.Tx) error {
		for _, id := range ids[:min(len(ids), most)] {
			if err := s.tally(tx, core.UploadID(id)); err != nil {
				return err
			}
		}
		next := ""
		if len(ids) > most {
			next = ids[most]
		}
		tx.Put(siteBucket, tallyKey, []byte(next))
		return nil
	})
	return true, err
}

func (s *Store) tally(tx *rows.Tx, id core.UploadID) error {
	u, err := loadUpload(tx, id)
	if err != nil {
		return err
	}
	setApart(tx, nil, &u)
	if u.Facts != nil {
		if err := addToDay(tx, &u); err != nil {
			return err
		}
	}
	if u.Record == nil {
		return nil
	}
	none := true
	tx.Scan(exportsBucket, string(id)+"/", func(key string, raw []byte) {
		none = false
		if e, failed := decode[core.Export](raw); failed != nil {
			err = failed
		} else if e.State == core.ExportWithheld {
			keepHere(tx, id, e.Destination)
		}
	})
	if none {
		keepHere(tx, id, "")
	}
	return err
}

// countDay counts an upload on the day on which it was completed, once. before is nil
// for a new one.
func (s *Store) countDay(tx *rows.Tx, before, u *core.Upload) error {
	if u.Facts == nil || before != nil && before.Facts != nil {
		return nil
	}
	if next, all := untalliedIn(tx); !all && u.ID <= next {
		return nil // Tally comes to it
	}
	return addToDay(tx, u)
}

func addToDay(tx *rows.Tx, u *core.Upload) error {
	day := core.Day{Date: u.Facts.DateFolder}
	if raw := tx.Get(daysBucket, day.Date); raw != nil {
		if err := json.Unmarshal(raw, &day); err != nil {
			return fmt.Errorf("read day %s: %w", day.Date, err)
		}
	}
	day.Uploads++
	if u.Blob != nil {
		day.Bytes += u.Blob.Size
	}
	return save(tx, daysBucket, day.Date, day)
}

// Days gives what was completed on each date (YYYY-MM-DD) from one on, the oldest
// first. Dates on which nothing was are left out.
func (s *Store) Days(_ context.Context, from string) (all []core.Day, failed error) {
	s.rows.Scan(daysBucket, "", from, func(date string, raw []byte) bool {
		var day core.Day
		if day, failed = decode[core.Day](raw); failed != nil {
			failed = fmt.Errorf("read day %s: %w", date, failed)
			return false
		}
		all = append(all, day)
		return true
	})
	return all, failed
}
