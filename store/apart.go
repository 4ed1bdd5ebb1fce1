package store

import (
	"context"
	"slices"
	"strings"

	"footbridge/core"
	"footbridge/store/rows"
)

// The rules here are: what most uploads are not is found at once among however many
// there are. Such an upload is entered and taken out with its row. What an earlier
// build stored is entered by Tally; until it is, the lists look through all of it.

// Apart is why an upload is on no way to the repository.
type Apart string

// Why they are.
const (
	ApartComing    Apart = "coming"    // its device has not completed it
	ApartRefused   Apart = "refused"   // it could not be opened
	ApartDuplicate Apart = "duplicate" // the same bytes came before
	ApartKept      Apart = "kept"      // its record is withheld somewhere, or goes nowhere; or a person gave it up
)

// apart is why an upload is, by its own row; empty where it is not.
func apart(u *core.Upload) Apart {
	switch u.State {
	case core.StateRequested, core.StateReceived:
		return ApartComing
	case core.StateFailed:
		if !u.GivenUp.IsZero() {
			return ApartKept
		}
		return ApartRefused
	case core.StateDuplicate:
		return ApartDuplicate
	}
	return ""
}

// setApart keeps the index in step with an upload's row. before is nil for a new one.
func setApart(tx *rows.Tx, before, u *core.Upload) {
	was, is := Apart(""), apart(u)
	if before != nil {
		was = apart(before)
	}
	if was != "" && was != is {
		tx.Delete(apartBucket, string(was)+"/"+string(u.ID))
	}
	if is != "" && was != is {
		tx.Put(apartBucket, string(is)+"/"+string(u.ID), nil)
	}
}

// keptKey is where a record is entered that does not go to a destination, or that has
// none (empty).
func keptKey(id core.UploadID, d core.DestinationID) string {
	return string(ApartKept) + "/" + string(id) + "/" + string(d)
}

func keepHere(tx *rows.Tx, id core.UploadID, d core.DestinationID) {
	enter(tx, apartBucket, keptKey(id, d))
}

func letGo(tx *rows.Tx, id core.UploadID, d core.DestinationID) {
	if tx.Get(apartBucket, keptKey(id, d)) != nil {
		tx.Delete(apartBucket, keptKey(id, d))
	}
}

// UploadsApart gives uploads in a span among which are all that are apart for a reason,
// of a study where one is named, the newest request first, at most so many.
func (s *Store) UploadsApart(ctx context.Context, why Apart, study core.StudyID, span core.Span, most int) ([]core.Upload, error) {
	untold, all := s.untallied()
	prefix, last := string(why)+"/", ""
	if span.Last != "" {
		last = prefix + behindEntries(span.Last)
	}
	found, err := s.listed(ctx, "", span, most, func(visit func(string, []byte) bool) {
		seen := ""
		s.rows.ScanBack(apartBucket, prefix, last, func(key string, row []byte) bool {
			id, _, _ := strings.Cut(key[len(prefix):], "/")
			if !all && id <= string(untold) {
				return false
			}
			if id == seen || study != "" && !s.IsIn(ctx, core.UploadID(id), study) {
				return true
			}
			seen = id
			return visit(id, row)
		})
	})
	if err != nil || all || len(found) == most {
		return found, err
	}
	if span.Last == "" || untold < span.Last {
		span.Last = untold
	}
	var rest []core.Upload
	if study == "" {
		rest, err = s.Uploads(ctx, span, most-len(found))
	} else {
		rest, err = s.UploadsIn(ctx, study, span, most-len(found))
	}
	return append(found, rest...), err
}

// behindEntries is behind the keys of all that an upload has in an index, and before
// those of the next one's.
func behindEntries(id core.UploadID) string { return string(id) + "0" } // which follows "/"

// UploadsWaiting gives the uploads in a span whose records wait to be sent, of a study
// where one is named, the newest request first, at most so many.
func (s *Store) UploadsWaiting(ctx context.Context, study core.StudyID, span core.Span, most int) ([]core.Upload, error) {
	var newest []core.UploadID // of each destination, its newest
	for _, d := range s.waitedFor() {
		prefix, last, n := string(d)+"/", "", 0
		if span.Last != "" {
			last = prefix + string(span.Last)
		}
		s.rows.ScanBack(outboxBucket, prefix, last, func(key string, _ []byte) bool {
			id := core.UploadID(key[len(prefix):])
			if !span.Holds(id) || n == most {
				return false
			}
			if study == "" || s.IsIn(ctx, id, study) {
				newest, n = append(newest, id), n+1
			}
			return true
		})
	}
	return s.listed(ctx, "", span, most, func(visit func(string, []byte) bool) { visitBack(newest, visit) })
}

// waitedFor lists the destinations that something waits for.
func (s *Store) waitedFor() (all []core.DestinationID) {
	for what, n := range s.Counts() {
		if at, ok := strings.CutSuffix(what, "/"+string(core.ExportWaiting)); ok && n > 0 {
			if d, ok := strings.CutPrefix(at, "exports/"); ok {
				all = append(all, core.DestinationID(d))
			}
		}
	}
	return all
}

// visitBack hands each of some ids to visit once, the newest first, until it returns
// false.
func visitBack(ids []core.UploadID, visit func(string, []byte) bool) {
	slices.Sort(ids)
	for _, id := range slices.Backward(slices.Compact(ids)) {
		if !visit(string(id), nil) {
			return
		}
	}
}

// UploadsProcessing gives the uploads in a span that are due for processing, of a study
// where one is named, the newest request first, at most so many.
func (s *Store) UploadsProcessing(ctx context.Context, study core.StudyID, span core.Span, most int) ([]core.Upload, error) {
	return s.listed(ctx, "", span, most, func(visit func(string, []byte) bool) {
		s.rows.ScanBack(processingBucket, "", string(span.Last), func(id string, row []byte) bool {
			return study != "" && !s.IsIn(ctx, core.UploadID(id), study) || visit(id, row)
		})
	})
}
