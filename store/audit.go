package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"footbridge/core"
	"footbridge/store/rows"
)

// The rules here are: what the audit has is never changed and never removed.

// Note adds a deed to the audit, durably.
func (s *Store) Note(ctx context.Context, d core.Deed) error {
	return s.update(ctx, func(tx *rows.Tx) error {
		count(tx, "audit", 1) // those of one moment stay in their order
		return save(tx, auditBucket, fmt.Sprintf("%s/%012d", formatMoment(d.At), number(tx.Get(countsBucket, "audit"))), d)
	})
}

// Deeds hands every deed of a time to visit, the oldest first, until it fails. A
// zero time is no limit; until is not included.
func (s *Store) Deeds(ctx context.Context, since, until time.Time, visit func(core.Deed) error) error {
	from, to := "", ""
	if !since.IsZero() {
		from = formatMoment(since)
	}
	if !until.IsZero() {
		to = formatMoment(until)
	}
	var failed error
	s.rows.Scan(auditBucket, "", from, func(key string, value []byte) bool {
		var d core.Deed
		switch {
		case to != "" && key >= to:
			return false
		case ctx.Err() != nil:
			failed = ctx.Err()
		case json.Unmarshal(value, &d) != nil:
			failed = fmt.Errorf("read the audit at %s: its row is damaged", key)
		default:
			failed = visit(d)
		}
		return failed == nil
	})
	return failed
}

// LastDeeds gives deeds, the newest first, at most so many: from the newest of all on, or
// from one that was marked. next marks the first that is not given; it is
// empty where there is none.
func (s *Store) LastDeeds(_ context.Context, before string, most int) (all []core.Deed, next string, failed error) {
	s.rows.ScanBack(auditBucket, "", before, func(key string, value []byte) bool {
		if len(all) == most {
			next = key
			return false
		}
		var d core.Deed
		if json.Unmarshal(value, &d) != nil {
			failed = fmt.Errorf("read the audit at %s: its row is damaged", key)
		}
		all = append(all, d)
		return failed == nil
	})
	return all, next, failed
}

// formatMoment writes a time so that later ones sort behind it.
func formatMoment(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000000000") }
