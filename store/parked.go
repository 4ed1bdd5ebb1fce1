package store

import (
	"bytes"
	"context"
	"strings"

	"footbridge/core"
	"footbridge/store/rows"
)

// The rules here are: what needs a person is found at once among however many uploads,
// and so is what has needed one longest. Both are entered and taken out with the row.

// parkedSince is where an export stands among those of its destination that need a
// person, by since when they do.
func parkedSince(e core.Export) string {
	return string(e.Destination) + "/" + formatMoment(e.Since) + "/" + string(e.Record)
}

// enterParked keeps both indexes in step with an export that was before.
func enterParked(tx *rows.Tx, before, e core.Export) {
	if before.State == core.ExportParked {
		tx.Delete(parkedSinceBucket, parkedSince(before))
		tx.Delete(parkedBucket, keyOf(before).export())
	}
	if e.State == core.ExportParked {
		tx.Put(parkedSinceBucket, parkedSince(e), nil)
		tx.Put(parkedBucket, keyOf(e).export(), nil)
	}
}

// OldestParked gives the export to a destination that has needed a person longest; its
// zero value where none does.
func (s *Store) OldestParked(_ context.Context, d core.DestinationID) (e core.Export, failed error) {
	s.rows.Scan(parkedSinceBucket, string(d)+"/", "", func(key string, _ []byte) bool {
		_, record, _ := cutLast(key, "/")
		e, failed = load[core.Export](s.rows, exportsBucket, exportKey{core.UploadID(record), d}.export(), "export of "+record)
		return false // keys sort by age
	})
	return e, failed
}

// eachParked hands every export that needs a person to visit, by its upload.
func (s *Store) eachParked(visit func(core.Export)) (failed error) {
	s.rows.Scan(parkedBucket, "", "", func(key string, _ []byte) bool {
		var e core.Export
		if e, failed = load[core.Export](s.rows, exportsBucket, key, "export"); failed == nil && e.State == core.ExportParked {
			visit(e)
		}
		return failed == nil
	})
	return failed
}

// UploadsParked gives the uploads in a span whose records need a person, those of a
// study where one is named, the newest request first, at most so many.
func (s *Store) UploadsParked(ctx context.Context, study core.StudyID, span core.Span, most int) ([]core.Upload, error) {
	last := ""
	if span.Last != "" {
		last = behindExports(span.Last)
	}
	return s.listed(ctx, "", span, most, func(visit func(string, []byte) bool) {
		seen := ""
		s.rows.ScanBack(parkedBucket, "", last, func(key string, row []byte) bool {
			id, _, _ := cutLast(key, "/")
			if id == seen || study != "" && !s.IsIn(ctx, core.UploadID(id), study) {
				return true
			}
			seen = id
			return visit(id, row)
		})
	})
}

// behindExports is behind the keys of all exports of an upload, and before those of the
// next one's.
func behindExports(id core.UploadID) string { return string(id) + "0" } // which follows "/"

// parkedKnownKey is the row that says that both indexes are whole.
const parkedKnownKey = "parked"

// enteredAtOnce is how many exports enter an index in one transaction.
const enteredAtOnce = 1000

// indexParked fills both indexes of a store that an earlier build wrote, once.
func (s *Store) indexParked(ctx context.Context) error {
	if s.rows.Get(siteBucket, parkedKnownKey) != nil {
		return nil
	}
	for what, n := range s.Counts() {
		if n > 0 && strings.HasPrefix(what, "exports/") && strings.HasSuffix(what, "/"+string(core.ExportParked)) {
			if err := s.enterAllParked(ctx); err != nil {
				return err
			}
			break
		}
	}
	return s.note(ctx, func(tx *rows.Tx) error {
		tx.Put(siteBucket, parkedKnownKey, []byte{1})
		return nil
	})
}

// enterAllParked enters every export that needs a person. It may be run again.
func (s *Store) enterAllParked(ctx context.Context) (failed error) {
	var found []core.Export
	enter := func() error {
		defer func() { found = nil }()
		return s.note(ctx, func(tx *rows.Tx) error {
			for _, e := range found {
				enterParked(tx, core.Export{}, e)
			}
			return nil
		})
	}
	s.rows.Scan(exportsBucket, "", "", func(_ string, raw []byte) bool {
		if !bytes.Contains(raw, []byte(core.ExportParked)) { // to read each would take much longer
			return true
		}
		var e core.Export
		if e, failed = decode[core.Export](raw); failed == nil && e.State == core.ExportParked {
			if found = append(found, e); len(found) == enteredAtOnce {
				failed = enter()
			}
		}
		return failed == nil
	})
	if failed != nil {
		return failed
	}
	return enter()
}
