package store_test

import (
	"path/filepath"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/store"
	"footbridge/store/rows"

	"github.com/google/go-cmp/cmp"
)

// parking is a site with some uploads, each of whose exports to the study needs a
// person, the newest the longest.
func parking(t *testing.T, n int) (*site, []core.UploadID) {
	t.Helper()
	s := newSite(t, store.Config{})
	a := s.participant("1")
	s.writeTables()
	var all []core.UploadID
	for i := range n {
		all = append(all, s.received(a, []byte{byte(i), byte(i >> 8)}).ID)
		s.process(core.Accepted)
	}
	for range n {
		e := s.claim()
		e.State, e.Reason, e.Since = core.ExportParked, core.ReasonNeedsKey, s.since(all, e.Record)
		must(t, s.SettleExport(t.Context(), e))
	}
	return s, all
}

// since is when the export of an upload came to need a person.
func (s *site) since(all []core.UploadID, id core.UploadID) time.Time {
	for i, at := range all {
		if at == id {
			return s.clock.now().Add(-time.Duration(i) * time.Minute).Truncate(time.Second)
		}
	}
	s.t.Fatalf("nobody knows %s", id)
	return time.Time{}
}

// parked lists the uploads whose records need a person.
func (s *site) parked(of core.StudyID, span core.Span, most int) []core.UploadID {
	s.t.Helper()
	all, err := s.UploadsParked(s.t.(*testing.T).Context(), of, span, most)
	must(s.t, err)
	return ids(all)
}

// oldestParked is the record that has needed a person longest; empty where none does.
func (s *site) oldestParked() core.UploadID {
	s.t.Helper()
	e, err := s.OldestParked(s.t.(*testing.T).Context(), core.DestinationID(study))
	must(s.t, err)
	if e.Record != "" && (e.State != core.ExportParked || e.Since.IsZero()) {
		s.t.Errorf("the oldest is %+v", e)
	}
	return e.Record
}

// What needs a person is listed from its newest upload on; the oldest is the one that
// has needed them longest. What needs nobody any more is in no list.
func TestWhatNeedsAPersonIsFound(t *testing.T) {
	s, all := parking(t, 4)
	if d := s.exports(all[0])[0].Destination; d != core.DestinationID(study) {
		t.Fatalf("it went to %s", d)
	}
	newest := []core.UploadID{all[3], all[2], all[1], all[0]}
	for _, of := range []core.StudyID{"", study} {
		if diff := cmp.Diff(newest, s.parked(of, core.Span{}, 10)); diff != "" {
			t.Errorf("of %q: %s", of, diff)
		}
		if diff := cmp.Diff(newest[2:3], s.parked(of, core.Span{Last: all[1]}, 1)); diff != "" {
			t.Errorf("a page of %q: %s", of, diff)
		}
		if diff := cmp.Diff(newest[:2], s.parked(of, core.Span{First: all[2]}, 10)); diff != "" {
			t.Errorf("a span of %q: %s", of, diff)
		}
	}
	if got := s.parked("another", core.Span{}, 10); got != nil {
		t.Errorf("in another study: %v", got)
	}
	if got := s.oldestParked(); got != all[3] {
		t.Errorf("the oldest is %s, and not %s", got, all[3])
	}
	n, err := s.Retry(t.Context(), all[3])
	must(t, err)
	must(t, s.Withdraw(t.Context(), all[1]))
	if diff := cmp.Diff([]core.UploadID{all[2], all[0]}, s.parked("", core.Span{}, 10)); diff != "" || n != 1 {
		t.Errorf("%d are tried again: %s", n, diff)
	}
	if got := s.oldestParked(); got != all[2] {
		t.Errorf("then the oldest is %s, and not %s", got, all[2])
	}
	if n, err = s.Retry(t.Context()); n != 2 || err != nil {
		t.Errorf("of the rest %d are tried again: %v", n, err)
	}
	if got, none := s.oldestParked(), s.parked("", core.Span{}, 10); got != "" || none != nil {
		t.Errorf("in the end %s, %v", got, none)
	}
}

// An export that is parked anew, for another reason and since another time, is there
// once.
func TestParkedAnew(t *testing.T) {
	s, all := parking(t, 1)
	_, err := s.Retry(t.Context())
	must(t, err)
	e := s.claim()
	e.State, e.Reason, e.Since = core.ExportParked, core.ReasonBytesDamaged, s.clock.now()
	must(t, s.SettleExport(t.Context(), e))
	must(t, s.SettleExport(t.Context(), e)) // which may be repeated
	got, err := s.OldestParked(t.Context(), e.Destination)
	must(t, err)
	if got.Record != all[0] || got.Reason != core.ReasonBytesDamaged || !got.Since.Equal(e.Since) {
		t.Errorf("the oldest is %+v", got)
	}
	if diff := cmp.Diff(all, s.parked("", core.Span{}, 10)); diff != "" {
		t.Error(diff)
	}
}

// A store that an earlier build wrote knows as much, once it was opened.
func TestAnEarlierStoreLearnsWhatNeedsAPerson(t *testing.T) {
	s, all := parking(t, 103) // which takes more than one transaction
	before := s.parked("", core.Span{}, 200)
	if len(before) != len(all) {
		t.Fatalf("%d of %d are known", len(before), len(all))
	}
	must(t, s.Close())
	forget(t, s.home)
	s = open(t, s.home, s.clock, store.Config{})
	if diff := cmp.Diff(before, s.parked("", core.Span{}, 200)); diff != "" {
		t.Error(diff)
	}
	if got := s.oldestParked(); got != all[len(all)-1] {
		t.Errorf("the oldest is %s", got)
	}
	s = s.reopen()
	defer s.Close()
	if got := s.parked("", core.Span{}, 200); len(got) != len(all) {
		t.Errorf("after another start %d are known", len(got))
	}
}

// forget takes out of a store what earlier builds did not write.
func forget(t *testing.T, home string) {
	t.Helper()
	db, err := rows.Open(filepath.Join(home, "footbridge.db"), filepath.Join(home, "blobs", "log"), rows.Config{})
	must(t, err)
	defer func() { must(t, db.Close()) }()
	must(t, db.Update(t.Context(), true, nil, func(tx *rows.Tx) error {
		taken := 0
		for _, index := range []rows.Bucket{"parked", "parkedsince"} {
			tx.Scan(index, "", func(key string, _ []byte) { tx.Delete(index, key); taken++ })
		}
		if taken == 0 || tx.Get("site", "parked") == nil {
			t.Error("there was nothing to forget")
		}
		tx.Delete("site", "parked")
		return nil
	}))
}

// What must not be sent any more needs nobody, whether the participant ended to share
// before it came to need a person, or after; it waits, to be withheld.
func TestWhoSharesNoMoreNeedsNoPerson(t *testing.T) {
	s, _, _ := exporting(t)
	other := s.participant("2")
	s.clock.pass(time.Minute)
	s.writeTables()
	s.received(other, []byte("more"))
	s.process(core.Accepted)
	park := func(e core.Export) {
		t.Helper()
		e.State, e.Reason, e.Since, e.Attempts = core.ExportParked, core.ReasonNeedsKey, s.clock.now(), 3
		must(t, s.SettleExport(t.Context(), e))
	}
	e, kept := s.claim(), s.claim()
	if s.upload(e.Record).HealthCode == other.HealthCode {
		e, kept = kept, e
	}
	a, err := s.AccountByHealthCode(t.Context(), s.upload(e.Record).HealthCode)
	must(t, err)
	waits := func() core.Export {
		t.Helper()
		if diff := cmp.Diff([]core.UploadID{kept.Record}, s.parked("", core.Span{}, 10)); diff != "" {
			t.Error(diff)
		}
		s.writeTables()
		got := s.claim()
		if got.Record != e.Record || got.State != core.ExportWaiting || got.Attempts != 0 {
			t.Errorf("it is %+v", got)
		}
		return got
	}
	park(kept)
	park(e)
	s.share(a, core.NoSharing)
	park(waits())
	waits()
}
