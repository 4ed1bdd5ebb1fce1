package store_test

import (
	"fmt"
	"testing"

	"footbridge/core"
	"footbridge/core/upload"
	"footbridge/store"
)

// A destination that comes later gets every upload that was completed before, some
// at a time, each once, also when the program ends in between.
func TestHistory(t *testing.T) {
	s := newSite(t, store.Config{})
	a := s.participant("1")
	var all []core.UploadID
	for i := range 25 {
		u := s.received(a, fmt.Appendf(nil, "body %d", i))
		s.process(core.Accepted)
		all = append(all, u.ID)
	}
	enlist := func() bool {
		more, err := s.Enlist(t.Context(), 10, func(u *core.Upload, standing core.Standing) ([]core.Export, bool) {
			return upload.Enlist(u, standing, s.clock.now())
		})
		must(t, err)
		return more
	}
	for enlist() { // of the study, which was there before
	}
	before := s.Counts()
	_, err := s.SaveApp(t.Context(), a.App, func(app *core.App) error {
		app.Export, app.Repository = true, core.RepositoryConfig{DataAccessTeam: 1, ParticipantVersionTable: "v", Project: "p", RawDataFolder: "r", StorageLocation: 1}
		return nil
	})
	must(t, err)
	calls, seen := 0, map[core.UploadID]int{}
	for {
		more, err := s.Enlist(t.Context(), 10, func(u *core.Upload, standing core.Standing) ([]core.Export, bool) {
			seen[u.ID]++
			return upload.Enlist(u, standing, s.clock.now())
		})
		must(t, err)
		if !more {
			break
		}
		if calls++; calls == 1 {
			s = s.reopen()
		}
	}
	if calls != 3 || len(seen) != len(all) {
		t.Errorf("%d calls for %d uploads", calls, len(seen))
	}
	d := core.DestinationID(a.App)
	for _, id := range all {
		exports, err := s.Exports(t.Context(), id)
		must(t, err)
		found := 0
		for _, e := range exports {
			if e.Destination == d && e.State == core.ExportWaiting {
				found++
			}
		}
		if seen[id] != 1 || found != 1 {
			t.Errorf("upload %s was seen %d times, and waits %d times: %v", id, seen[id], found, exports)
		}
	}
	if got := s.Counts()["exports/"+string(d)+"/waiting"] - before["exports/"+string(d)+"/waiting"]; got != len(all) {
		t.Errorf("%d are counted", got)
	}
}

// What needs a person is tried again on their word, from where its journal ends.
func TestRetry(t *testing.T) {
	s, _, u := exporting(t)
	e := s.claim()
	e.State, e.Reason, e.Step, e.Attempts = core.ExportParked, core.ReasonNeedsKey, core.StepPut, 3
	must(t, s.SettleExport(t.Context(), e))
	for _, ids := range [][]core.UploadID{{"another"}, {u.ID}, nil} {
		n, err := s.Retry(t.Context(), ids...)
		must(t, err)
		want := core.ExportWaiting
		if len(ids) > 0 && ids[0] != u.ID {
			want = core.ExportParked
		}
		got := s.exports(u.ID)[0]
		if got.State != want || got.Step != core.StepPut || n > 1 || (n == 0) != (want == core.ExportParked || ids == nil) {
			t.Errorf("retry %v: %d, %+v", ids, n, got)
		}
	}
	if e := s.claim(); e.Record != u.ID || e.Attempts != 0 || e.Reason != "" {
		t.Errorf("claimed %+v", e)
	}
}
