package store_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/core/participant"
	"footbridge/store"

	"github.com/google/go-cmp/cmp"
)

const patience = 10 * time.Minute

// exporting is a site with one succeeded upload that waits to be exported and a
// table of participant versions that is written.
func exporting(t *testing.T) (*site, core.Account, core.Upload) {
	t.Helper()
	s := newSite(t, store.Config{})
	a := s.participant("1")
	s.writeTables()
	u := s.received(a, []byte("bytes"))
	s.process(core.Accepted)
	return s, a, s.upload(u.ID)
}

// awake is that of destinations which do not rest.
func awake(core.DestinationID) time.Time { return time.Time{} }

// writeTables writes every table that is due and names them.
func (s *site) writeTables() (written []string) {
	s.t.Helper()
	for {
		d, date, generation, ok := s.ClaimTable(context.Background(), awake)
		if !ok {
			return written
		}
		must(s.t, s.SettleTable(context.Background(), d, date, generation, time.Time{}))
		written = append(written, strings.TrimSuffix(string(d)+"/"+date, "/"))
	}
}

// claim leases the next export; its zero value where there is none.
func (s *site) claim() core.Export {
	s.t.Helper()
	e, _, ok, err := s.ClaimExport(context.Background(), "", patience, awake)
	must(s.t, err)
	if ok != (e.Record != "") {
		s.t.Fatalf("claimed %+v, %v", e, ok)
	}
	return e
}

// push takes the next export to its end; false where there is none.
func (s *site) push() bool {
	s.t.Helper()
	e := s.claim()
	if e.Record == "" {
		return false
	}
	if e.ExportedOn.IsZero() {
		e.ExportedOn = s.clock.now()
	}
	e.Step = core.StepVerified
	must(s.t, s.SaveExport(context.Background(), e, true))
	e.Step, e.State = core.StepRecorded, core.ExportExported
	must(s.t, s.SettleExport(context.Background(), e))
	return true
}

func (s *site) exports(id core.UploadID) []core.Export {
	s.t.Helper()
	all, err := s.Exports(context.Background(), id)
	must(s.t, err)
	return all
}

func (s *site) share(a core.Account, scope core.SharingScope) {
	s.t.Helper()
	_, err := s.roster.Update(context.Background(), a.ID, participant.Form{SharingScope: scope})
	must(s.t, err)
}

func TestAnExportWaitsForTheVersionItNames(t *testing.T) {
	s := newSite(t, store.Config{})
	a := s.participant("1")
	u := s.received(a, []byte("bytes"))
	s.process(core.Accepted)
	if got := s.claim(); got.Record != "" {
		t.Fatalf("claimed %+v before its version was written", got)
	}
	s.clock.pass(patience - time.Second)
	if got := s.claim(); got.Record != "" {
		t.Fatalf("claimed %+v too early", got)
	}
	s.clock.pass(time.Second)
	if got := s.claim(); got.Record != u.ID {
		t.Fatal("it waits longer than its patience")
	}

	second := s.received(a, []byte("more"))
	s.process(core.Accepted)
	if got := s.writeTables(); len(got) != 2 {
		t.Errorf("wrote %v", got)
	}
	s.clock.pass(time.Second)
	s.share(a, core.SponsorsAndPartners) // version 2, which the second does not name
	s.clock.pass(time.Minute)
	d, date, generation, ok := s.ClaimTable(t.Context(), awake)
	if !ok || date != "" {
		t.Fatal("the table is not behind")
	}
	if got := s.claim(); got.Record != second.ID {
		t.Error("it waits for a version that came after it")
	}
	must(t, s.SettleTable(t.Context(), d, date, generation, time.Time{}))
}

// A table that never stands still holds nothing up.
func TestAnExportDoesNotWaitForAMovingTable(t *testing.T) {
	s := newSite(t, store.Config{})
	a := s.participant("1")
	u := s.received(a, []byte("bytes"))
	s.process(core.Accepted)
	for i := range 5 {
		s.clock.pass(10 * time.Second)
		d, date, generation, ok := s.ClaimTable(t.Context(), awake)
		if !ok {
			t.Fatal("no table is behind")
		}
		_, err := s.roster.Update(t.Context(), a.ID, participant.Form{DataGroups: []string{fmt.Sprint("group", i)}})
		must(t, err)
		must(t, s.SettleTable(t.Context(), d, date, generation, time.Time{}))
	}
	if got := s.claim(); got.Record != u.ID {
		t.Error("it is not due though its version was written")
	}
}

// A version that is made while the table is written is not in it yet.
func TestAnExportWaitsForAVersionMadeDuringTheWriting(t *testing.T) {
	s := newSite(t, store.Config{})
	a := s.participant("1")
	s.writeTables()
	s.clock.pass(time.Minute)
	s.share(a, core.SponsorsAndPartners)
	d, date, generation, ok := s.ClaimTable(t.Context(), awake)
	if !ok || d != "memory" {
		t.Fatal(d, ok)
	}
	s.clock.pass(time.Second)
	s.share(a, core.AllQualifiedResearchers)
	s.clock.pass(time.Second)
	u := s.received(a, []byte("bytes"))
	s.process(core.Accepted)
	s.clock.pass(time.Second)
	must(t, s.SettleTable(t.Context(), d, date, generation, time.Time{}))
	if got := s.claim(); got.Record != "" {
		t.Errorf("claimed before version %d was written", u.Facts.ParticipantVersion)
	}
	s.clock.pass(10 * time.Second)
	s.writeTables()
	if got := s.claim(); got.Record != u.ID {
		t.Errorf("claimed %+v", got)
	}
}

func TestExportsRestUntilTheirNextTry(t *testing.T) {
	s, _, u := exporting(t)
	e := s.claim()
	e.State, e.Reason, e.NextTry, e.Attempts = core.ExportWaiting, core.ReasonRepositoryAway, s.clock.now().Add(time.Minute), 1
	must(t, s.SettleExport(t.Context(), e))
	if at, ok := s.NextExport(); !ok || !at.Equal(e.NextTry) {
		t.Errorf("next %v, %v", at, ok)
	}
	if oldest, err := s.Oldest(t.Context(), "memory"); err != nil || oldest.Record != u.ID || oldest.Reason != core.ReasonRepositoryAway || !oldest.NextTry.Equal(e.NextTry) {
		t.Errorf("%+v, %v", oldest, err)
	}
	s = s.reopen()
	defer s.Close()
	if got := s.claim(); got.Record != "" {
		t.Fatal("claimed before its next try")
	}
	must(t, s.complete(u.ID, true)) // a redrive does not wait for it
	s.process(core.Accepted)
	if got := s.claim(); got.Record != u.ID || got.Attempts != 0 {
		t.Errorf("after the redrive: %+v", got)
	}
}

// Who asks for one destination's is given no other's, which stay due.
func TestAnExportIsClaimedForOneDestination(t *testing.T) {
	s, _, u := exporting(t)
	for _, d := range []core.DestinationID{"sleep", "memory"} {
		e, _, ok, err := s.ClaimExport(t.Context(), d, patience, awake)
		must(t, err)
		if ok != (d == "memory") || ok && (e.Record != u.ID || e.Destination != d) {
			t.Errorf("%s: %+v, %v", d, e, ok)
		}
	}
}

func TestWithheldUntilTheParticipantSharesAgain(t *testing.T) {
	s, a, u := exporting(t)
	withhold := func(e core.Export, reason core.ExportReason) {
		t.Helper()
		e.State, e.Reason, e.Step, e.ExportedOn = core.ExportWithheld, reason, core.StepVerified, s.clock.now()
		must(t, s.SettleExport(t.Context(), e))
	}
	e := s.claim()
	s.share(a, core.NoSharing)
	withhold(e, core.ReasonNoSharingNow)
	if got := s.claim(); got.Record != "" {
		t.Fatalf("claimed %+v", got)
	}
	s = s.reopen()
	defer s.Close()
	s.clock.pass(time.Hour)
	s.share(a, core.SponsorsAndPartners)
	s.writeTables()
	got := s.claim()
	want := e
	want.State, want.Step, want.ExportedOn, want.Since = core.ExportWaiting, core.StepVerified, u.Facts.UploadedOn, s.clock.now()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	withhold(got, core.ReasonNoSharingAtUpload) // nothing makes up for that
	s.share(a, core.NoSharing)
	s.share(a, core.AllQualifiedResearchers)
	s.writeTables()
	if got := s.claim(); got.Record != "" {
		t.Errorf("claimed %+v", got)
	}
}

// The participant shares again after the worker looked and before it settles.
func TestSharingAgainIsNeverMissed(t *testing.T) {
	s, a, u := exporting(t)
	e := s.claim()
	s.share(a, core.NoSharing)
	s.share(a, core.AllQualifiedResearchers)
	s.clock.pass(time.Second)
	s.writeTables()
	e.State, e.Reason = core.ExportWithheld, core.ReasonNoSharingNow
	must(t, s.SettleExport(t.Context(), e))
	if got := s.claim(); got.Record != u.ID || got.State != core.ExportWaiting {
		t.Errorf("claimed %+v", got)
	}
}

func TestARedriveGoesToTheSamePlaceAtTheSameTime(t *testing.T) {
	s, _, u := exporting(t)
	if !s.push() || s.push() {
		t.Fatal("not pushed once")
	}
	before := s.exports(u.ID)
	s.clock.pass(48 * time.Hour)
	must(t, s.complete(u.ID, true))
	s.process(core.Accepted)
	waiting := s.claim()
	if waiting.State != core.ExportWaiting || waiting.Step != core.StepNone || !waiting.ExportedOn.Equal(before[0].ExportedOn) {
		t.Errorf("%+v after %+v", waiting, before[0])
	}
	waiting.State, waiting.Step = core.ExportExported, core.StepRecorded
	must(t, s.SettleExport(t.Context(), waiting))
	if got := s.upload(u.ID); !cmp.Equal(u.Facts, got.Facts) {
		t.Error(cmp.Diff(u.Facts, got.Facts))
	}
	n := 0
	must(t, s.Exported(t.Context(), "memory", u.Facts.DateFolder, func(got core.Upload, e core.Export) error {
		n++
		if got.ID != u.ID || !e.ExportedOn.Equal(before[0].ExportedOn) {
			t.Errorf("%s at %s", got.ID, e.ExportedOn)
		}
		return nil
	}))
	if n != 1 {
		t.Errorf("listed %d times", n)
	}
}

func TestTablesAreWrittenUpToTheirLastChange(t *testing.T) {
	s := newSite(t, store.Config{})
	a := s.participant("1")
	if diff := cmp.Diff([]string{"memory", "tapping"}, s.writeTables()); diff != "" {
		t.Error(diff)
	}
	s.received(a, []byte("bytes"))
	s.process(core.Accepted)
	if !s.push() {
		t.Fatal("nothing to push")
	}
	d, date, generation, ok := s.ClaimTable(t.Context(), awake)
	if !ok || d != "memory" || date != "2026-11-20" {
		t.Fatal(d, date, ok)
	}
	s.received(a, []byte("while it is written"))
	s.process(core.Accepted)
	if !s.push() {
		t.Fatal("nothing to push")
	}
	if _, _, _, again := s.ClaimTable(t.Context(), awake); again {
		t.Error("leased twice")
	}
	s.clock.pass(100 * time.Millisecond)
	must(t, s.SettleTable(t.Context(), d, date, generation, time.Time{}))
	if got := s.writeTables(); len(got) > 0 {
		t.Errorf("%v did not rest", got)
	}
	s.clock.pass(600 * time.Millisecond) // five times as long as writing took, and a little
	left := s.crash(t.TempDir())
	defer left.Close()
	for _, s := range []*site{s, left} {
		if diff := cmp.Diff([]string{"memory/2026-11-20"}, s.writeTables()); diff != "" {
			t.Error(diff)
		}
	}
	s = s.reopen()
	defer s.Close()
	if got := s.writeTables(); len(got) > 0 {
		t.Errorf("%v again", got)
	}
}

func TestATableThatFailedIsDueAgain(t *testing.T) {
	s := newSite(t, store.Config{})
	s.participant("1")
	d, date, generation, _ := s.ClaimTable(t.Context(), awake)
	must(t, s.SettleTable(t.Context(), d, date, generation, s.clock.now().Add(time.Minute)))
	if got := s.writeTables(); len(got) != 1 {
		t.Errorf("wrote %v", got)
	}
	s.clock.pass(time.Minute)
	if diff := cmp.Diff([]string{string(d)}, s.writeTables()); diff != "" {
		t.Error(diff)
	}
}

func TestAStudyThatIsConfiguredLaterGetsItsTables(t *testing.T) {
	s := newSite(t, store.Config{})
	s.writeTables()
	_, err := s.CreateStudy(t.Context(), core.Study{ID: "sleep", App: app, Repository: complete})
	must(t, err)
	if got := s.writeTables(); len(got) > 0 {
		t.Errorf("wrote %v", got)
	}
	for range 2 {
		_, err = s.UpdateStudy(t.Context(), "sleep", func(s *core.Study) error { s.Export = true; return nil })
		must(t, err)
		_, err = s.SaveApp(t.Context(), app, func(a *core.App) error { a.Repository = complete; return nil })
		must(t, err)
	}
	if diff := cmp.Diff([]string{"sleep", "tapping"}, s.writeTables()); diff != "" {
		t.Error(diff)
	}
}

func TestReopeningRestoresEveryQueue(t *testing.T) {
	s := newSite(t, store.Config{})
	a := s.participant("1")
	exported := s.received(a, []byte("one"))
	s.process(core.Accepted)
	processed := s.received(a, []byte("two"))
	s.clock.pass(time.Second)
	left := s.crash(t.TempDir())
	defer left.Close()
	if got := left.writeTables(); len(got) != 2 {
		t.Errorf("tables: %v", got)
	}
	if got := left.claim(); got.Record != exported.ID {
		t.Errorf("export: %+v", got)
	}
	u, ok, err := left.Claim(t.Context())
	if err != nil || !ok || u.ID != processed.ID {
		t.Errorf("work: %s, %v", u.ID, err)
	}
}
