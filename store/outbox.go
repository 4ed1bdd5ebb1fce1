package store

import (
	"context"
	"fmt"
	"strings"
	"time"

	"footbridge/core"
	"footbridge/store/rows"
)

// exportKey names a record at a destination.
type exportKey struct {
	record      core.UploadID
	destination core.DestinationID
}

func keyOf(e core.Export) exportKey { return exportKey{e.Record, e.Destination} }

func (k exportKey) export() string  { return string(k.record) + "/" + string(k.destination) }
func (k exportKey) waiting() string { return string(k.destination) + "/" + string(k.record) }

func parseExportKey(waiting string) exportKey {
	destination, record, _ := cutLast(waiting, "/")
	return exportKey{core.UploadID(record), core.DestinationID(destination)}
}

// putExport writes an export and keeps counters, indexes and queue in step. An
// export that was journalled before keeps its journal: a redrive goes to the
// same place at the same recorded time.
func (s *Store) putExport(tx *rows.Tx, code core.HealthCode, e core.Export) error {
	key := keyOf(e)
	before, err := load[core.Export](tx, exportsBucket, key.export(), "export")
	known := err == nil
	if known && before.Reason == core.ReasonWithdrawn && e.Reason != core.ReasonWithdrawn {
		e.State, e.Reason, e.Since, e.NextTry = core.ExportWithheld, core.ReasonWithdrawn, before.Since, time.Time{} // for good
	}
	if !known && e.Reason != core.ReasonNoStudyConfigured {
		since, err := withdrawnSince(tx, e.Record)
		if err != nil {
			return err
		}
		if !since.IsZero() {
			e.State, e.Reason, e.Since, e.NextTry = core.ExportWithheld, core.ReasonWithdrawn, since, time.Time{} // from here, too
		}
	}
	if known && e.Step == core.StepNone && e.ExportedOn.IsZero() {
		e.ExportedOn = before.ExportedOn
	}
	if known && before.State != e.State {
		count(tx, "exports/"+string(e.Destination)+"/"+string(before.State), -1)
	}
	if !known || before.State != e.State {
		count(tx, "exports/"+string(e.Destination)+"/"+string(e.State), +1)
	}
	enterParked(tx, before, e)
	held := string(code) + "/" + key.export()
	if e.State == core.ExportWithheld {
		tx.Put(withheldBucket, held, []byte(e.Reason))
		keepHere(tx, e.Record, e.Destination)
	} else if known && before.State == core.ExportWithheld {
		tx.Delete(withheldBucket, held)
		letGo(tx, e.Record, e.Destination)
	}
	if !known {
		letGo(tx, e.Record, "") // it has a destination now
	}
	if e.State == core.ExportWaiting {
		tx.Put(outboxBucket, key.waiting(), formatTime(e.NextTry))
		at, now := e.NextTry, s.config.Now()
		tx.OnCommit(func() { s.outbox.add(key, at, now) })
	} else {
		tx.Delete(outboxBucket, key.waiting())
	}
	return save(tx, exportsBucket, key.export(), e)
}

// followSharing has the records of a participant judged anew who begins or ends to
// share.
func (s *Store) followSharing(tx *rows.Tx, before, a *core.Account) error {
	switch {
	case before == nil || before.SharingScope.Allows() == a.SharingScope.Allows():
		return nil
	case a.SharingScope.Allows():
		return s.shareAgain(tx, a.HealthCode)
	default:
		return s.needNobody(tx, a.HealthCode)
	}
}

// needNobody makes every record of a participant wait again that needs a person: the
// next try withholds it, and nobody is asked to help what must not be sent.
func (s *Store) needNobody(tx *rows.Tx, code core.HealthCode) error {
	var parked []core.Export
	if err := s.eachParked(func(e core.Export) { parked = append(parked, e) }); err != nil {
		return err
	}
	for _, e := range parked {
		u, err := loadUpload(tx, e.Record)
		if err != nil {
			return err
		}
		if u.HealthCode != code {
			continue
		}
		s.waitAgain(&e)
		e.Attempts = 0
		if err := s.putExport(tx, code, e); err != nil {
			return err
		}
	}
	return nil
}

// shareAgain makes every record of a participant wait again that was withheld
// because they did not share when it was to be sent.
func (s *Store) shareAgain(tx *rows.Tx, code core.HealthCode) error {
	var held []string
	tx.Scan(withheldBucket, string(code)+"/", func(key string, reason []byte) {
		if core.ExportReason(reason) == core.ReasonNoSharingNow {
			held = append(held, strings.TrimPrefix(key, string(code)+"/"))
		}
	})
	for _, key := range held {
		e, err := load[core.Export](tx, exportsBucket, key, "export")
		if err != nil {
			return err
		}
		s.waitAgain(&e)
		if err := s.putExport(tx, code, e); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) waitAgain(e *core.Export) {
	e.State, e.Reason, e.Cause, e.Since, e.NextTry = core.ExportWaiting, core.ReasonNone, core.ReasonNone, s.config.Now().UTC(), time.Time{}
}

// Exports gives where a record stands at each of its destinations.
func (s *Store) Exports(_ context.Context, id core.UploadID) (all []core.Export, failed error) {
	s.rows.Scan(exportsBucket, string(id)+"/", "", func(_ string, raw []byte) bool {
		var e core.Export
		e, failed = decode[core.Export](raw)
		all = append(all, e)
		return failed == nil
	})
	return all, failed
}

// ClaimExport leases the next export that is due to a destination (empty: to any);
// false where there is none. One whose destination does not yet list the participant
// versions known when it was due waits for them, at most patience; one whose destination
// rests, until then (push.Outbox).
func (s *Store) ClaimExport(ctx context.Context, d core.DestinationID, patience time.Duration, rests func(core.DestinationID) time.Time) (core.Export, core.Upload, bool, error) {
	now := s.config.Now()
	for {
		key, ok := s.outbox.take(now, func(k exportKey, since time.Time) (bool, time.Time) {
			if d != "" && k.destination != d {
				return false, time.Time{}
			}
			if until := rests(k.destination); until.After(now) {
				return false, until
			}
			return now.Sub(since) >= patience || !s.tables.lacks(tableKey{k.destination, versionsTable}, since), time.Time{}
		})
		if !ok {
			return core.Export{}, core.Upload{}, false, nil
		}
		e, err := load[core.Export](s.rows, exportsBucket, key.export(), "export")
		if err == nil && e.State != core.ExportWaiting {
			s.outbox.done(key, time.Time{}, now)
			continue
		}
		var u core.Upload
		if err == nil {
			u, err = s.Upload(ctx, key.record)
		}
		if err != nil {
			s.outbox.back(key, now.Add(troubleRest))
			return e, u, false, err
		}
		return e, u, true, nil
	}
}

// AwaitsVersions is since when a waiting export waits for participant versions that
// its destination's table lacks, and when that is written next, at once where it is
// zero; false where it does not (push.Outbox).
func (s *Store) AwaitsVersions(e core.Export) (since, next time.Time, awaits bool) {
	since, _, waits := s.outbox.waits(keyOf(e))
	table := tableKey{e.Destination, versionsTable}
	if !waits || !s.tables.lacks(table, since) {
		return time.Time{}, time.Time{}, false
	}
	_, next, _ = s.tables.due.waits(table)
	return since, next, true
}

// SaveExport journals a step of a leased export. durable says that the step must
// not be forgotten by a power cut (push.Outbox).
func (s *Store) SaveExport(ctx context.Context, e core.Export, durable bool) error {
	return s.rows.Update(ctx, durable, nil, func(tx *rows.Tx) error {
		if withdrawn(tx, e) {
			return s.sentThough(tx, e)
		}
		return save(tx, exportsBucket, keyOf(e).export(), e)
	})
}

// troubleRest is how long work rests whose rows could not be read or written.
const troubleRest = time.Minute

// SettleExport journals a leased export and ends the lease: it is exported,
// withheld, parked, or waits for its next try. An exported file makes its date's
// file view fall behind, and is told of. One that is withheld although its participant shares
// again meanwhile waits instead, for nobody would come back to it (push.Outbox).
func (s *Store) SettleExport(ctx context.Context, e core.Export) error {
	err := s.note(ctx, func(tx *rows.Tx) error {
		u, err := loadUpload(tx, e.Record)
		if err != nil {
			return err
		}
		if withdrawn(tx, e) {
			return s.sentThough(tx, e)
		}
		if e.State == core.ExportExported {
			tx.Put(exportedBucket, exportedKey(e, u), nil)
			tx.Put(siteBucket, lastExportKey(e.Destination), formatTime(e.Since))
			s.behind(tx, tableKey{e.Destination, u.Facts.DateFolder})
		}
		if err := s.meetSharing(tx, u, &e); err != nil {
			return err
		}
		if err := s.putExport(tx, u.HealthCode, e); err != nil || e.State != core.ExportExported {
			return err
		}
		return s.tellExported(tx, u, e.Destination)
	})
	now := s.config.Now()
	switch {
	case err != nil:
		s.outbox.back(keyOf(e), now.Add(troubleRest))
	case e.State == core.ExportWaiting:
		s.outbox.back(keyOf(e), e.NextTry)
	default:
		s.outbox.done(keyOf(e), time.Time{}, now)
	}
	return err
}

// meetSharing has an export wait again whose participant began or ended to share after
// the worker looked, so that it is judged anew.
func (s *Store) meetSharing(tx *rows.Tx, u core.Upload, e *core.Export) error {
	withheld := e.State == core.ExportWithheld && e.Reason == core.ReasonNoSharingNow
	if !withheld && e.State != core.ExportParked {
		return nil
	}
	a, err := accountBy(tx, codesBucket, string(u.HealthCode))
	if err != nil {
		return err
	}
	shares := a.SharingScope.Allows()
	switch {
	case withheld == shares:
		s.waitAgain(e)
		e.Attempts = 0
	case withheld && arrived(*e): // before its annotations could be sent
		tx.Put(regretsBucket, string(u.HealthCode), []byte{1})
	}
	return nil
}

// NextExport is when the next export or table is due; false where none waits.
func (s *Store) NextExport() (time.Time, bool) {
	export, exports := s.outbox.next()
	table, tables := s.tables.due.next()
	if tables && (!exports || table.Before(export)) {
		return table, true
	}
	return export, exports
}

func lastExportKey(d core.DestinationID) string { return "exported/" + string(d) }

// LastExport is when a record was last exported to a destination; zero where none
// was yet.
func (s *Store) LastExport(d core.DestinationID) time.Time {
	return parseTime(s.rows.Get(siteBucket, lastExportKey(d)))
}

func exportedKey(e core.Export, u core.Upload) string {
	return fmt.Sprintf("%s/%s/%s", e.Destination, u.Facts.DateFolder, e.Record)
}

// Exported hands every exported record of a destination and date folder (empty:
// of every date) to visit, by date and record.
func (s *Store) Exported(ctx context.Context, d core.DestinationID, date string, visit func(core.Upload, core.Export) error) error {
	prefix := string(d) + "/"
	if date != "" {
		prefix += date + "/"
	}
	var ids []core.UploadID
	s.rows.Scan(exportedBucket, prefix, "", func(key string, _ []byte) bool {
		_, id, _ := cutLast(key, "/")
		ids = append(ids, core.UploadID(id))
		return true
	})
	for _, id := range ids {
		u, err := s.Upload(ctx, id)
		if err != nil {
			return err
		}
		e, err := load[core.Export](s.rows, exportsBucket, exportKey{id, d}.export(), "export of "+string(id))
		if err != nil {
			return err
		}
		if err := visit(u, e); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// Planned hands every record of which something may lie at a destination to visit,
// wherever its export stands: from when its place was planned until it is withdrawn
// and removed there.
func (s *Store) Planned(ctx context.Context, d core.DestinationID, visit func(core.Upload, core.Export) error) error {
	var all []core.Export
	var failed error
	s.rows.Scan(exportsBucket, "", "", func(key string, raw []byte) bool {
		if _, destination, _ := cutLast(key, "/"); destination != string(d) {
			return true
		}
		var e core.Export
		e, failed = decode[core.Export](raw)
		removed := e.Reason == core.ReasonWithdrawn && e.Step == core.StepNone
		if failed == nil && !e.ExportedOn.IsZero() && !removed { // one that is redriven has that, and no step
			all = append(all, e)
		}
		return failed == nil
	})
	if failed != nil {
		return failed
	}
	for _, e := range all {
		u, err := s.Upload(ctx, e.Record)
		if err != nil {
			return err
		}
		if err := visit(u, e); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// Oldest gives the export that has waited longest for a destination; its zero value
// where none waits.
func (s *Store) Oldest(_ context.Context, d core.DestinationID) (e core.Export, failed error) {
	s.rows.Scan(outboxBucket, string(d)+"/", "", func(key string, _ []byte) bool {
		e, failed = load[core.Export](s.rows, exportsBucket, parseExportKey(key).export(), "export")
		return false // keys sort by age
	})
	return e, failed
}
