package store_test

import (
	"testing"

	"footbridge/core"
	"footbridge/core/upload"
)

// A record that is withdrawn while it is being sent stays withdrawn, however far its
// sending comes, and what was put there after all is removed.
func TestWithdrawnWhileItIsSent(t *testing.T) {
	s, _, u := exporting(t)
	ctx := t.Context()
	removals := func() (n int) {
		t.Helper()
		_, e, found, err := s.NextRemoval(ctx, core.Export{})
		must(t, err)
		if found {
			must(t, s.Removed(ctx, e))
		}
		return s.Removals(ctx) + map[bool]int{true: 1}[found]
	}
	e := s.claim()
	e.ExportedOn, e.Step = s.clock.now(), core.StepPlanned
	must(t, s.SaveExport(ctx, e, true))
	must(t, s.Withdraw(ctx, u.ID))
	if n := removals(); n != 1 {
		t.Errorf("%d are to be removed at first", n)
	}
	for _, step := range []core.ExportStep{core.StepPut, core.StepVerified, core.StepRecorded} {
		if e.Step = step; step == core.StepRecorded {
			e.State = core.ExportExported
			must(t, s.SettleExport(ctx, e))
		} else {
			must(t, s.SaveExport(ctx, e, false))
		}
		if got := s.exports(u.ID)[0]; got.State != core.ExportWithheld || got.Reason != core.ReasonWithdrawn || got.Step != step {
			t.Errorf("once it is %s: %+v", step, got)
		}
	}
	counts := s.Counts()
	if d := string(e.Destination); counts["exports/"+d+"/withheld"] != 1 || counts["exports/"+d+"/exported"] != 0 || counts["exports/"+d+"/waiting"] != 0 {
		t.Errorf("%v", counts)
	}
	if n := removals(); n != 1 {
		t.Errorf("%d are to be removed in the end", n)
	}
	if got := s.exports(u.ID)[0]; got.Step != core.StepNone || s.claim().Record != "" {
		t.Errorf("it is sent again: %+v", got)
	}
}

// A record that is withdrawn is not sent to a destination that comes later, either.
func TestWithdrawnBeforeADestinationCame(t *testing.T) {
	s, a, u := exporting(t)
	ctx := t.Context()
	other := s.received(a, []byte("other bytes"))
	s.process(core.Accepted)
	for s.push() {
	}
	must(t, s.Withdraw(ctx, u.ID))
	s = s.reopen()
	_, err := s.SaveApp(ctx, a.App, func(app *core.App) error {
		app.Export, app.Repository = true, core.RepositoryConfig{DataAccessTeam: 1, ParticipantVersionTable: "v", Project: "p", RawDataFolder: "r", StorageLocation: 1}
		return nil
	})
	must(t, err)
	for more := true; more; {
		more, err = s.Enlist(ctx, 10, func(u *core.Upload, standing core.Standing) ([]core.Export, bool) {
			return upload.Enlist(u, standing, s.clock.now())
		})
		must(t, err)
	}
	d := core.DestinationID(a.App)
	states := func(id core.UploadID) (at core.Export) {
		for _, e := range s.exports(id) {
			if e.Destination == d {
				at = e
			}
		}
		return at
	}
	if e := states(u.ID); e.State != core.ExportWithheld || e.Reason != core.ReasonWithdrawn || e.Step != core.StepNone || e.Since.IsZero() {
		t.Errorf("what was withdrawn: %+v", e)
	}
	if e := states(other.ID); e.State != core.ExportWaiting {
		t.Errorf("what was not: %+v", e)
	}
	if n := s.Counts()["exports/"+string(d)+"/waiting"]; n != 1 {
		t.Errorf("%d wait", n)
	}
}

// Whoever stopped sharing is no task any more once each record of theirs that was
// sent is withdrawn, be it one by one.
func TestRegretEndsWithTheLastRecord(t *testing.T) {
	s, a, first := exporting(t)
	ctx := t.Context()
	second := s.received(a, []byte("other bytes"))
	s.process(core.Accepted)
	for s.push() {
	}
	s.share(a, core.NoSharing)
	for i, id := range []core.UploadID{first.ID, second.ID} {
		if n := len(s.Regrets(ctx)); n != 1 {
			t.Errorf("before withdrawal %d, %d are to be decided", i, n)
		}
		must(t, s.Withdraw(ctx, id))
	}
	if n := len(s.Regrets(ctx)); n != 0 {
		t.Errorf("%d are to be decided in the end", n)
	}
}

// A record that was sent and is to be sent again still lies there: it is a task when
// its participant stops sharing, and is removed when it is withdrawn.
func TestWithdrawnWhileItIsRedriven(t *testing.T) {
	s, a, u := exporting(t)
	ctx := t.Context()
	s.push()
	must(t, s.Resend(ctx, s.exports(u.ID)[0].Destination, []core.UploadID{u.ID}, nil))
	if e := s.exports(u.ID)[0]; e.Step != core.StepNone || e.State != core.ExportWaiting {
		t.Fatalf("it is not sent again: %+v", e)
	}
	s.share(a, core.NoSharing)
	if n := len(s.Regrets(ctx)); n != 1 {
		t.Errorf("%d are to be decided", n)
	}
	must(t, s.Withdraw(ctx, u.ID))
	if lies, err := s.Arrived(ctx, u.ID); err != nil || !lies {
		t.Errorf("what is to be removed yet lies there: %v (%v)", lies, err)
	}
	got, e, found, err := s.NextRemoval(ctx, core.Export{})
	must(t, err)
	if !found || got.ID != u.ID || e.ExportedOn.IsZero() {
		t.Fatalf("%v is removed: %+v", found, e)
	}
	must(t, s.Removed(ctx, e))
	if e := s.exports(u.ID)[0]; e.Step != core.StepNone || s.Removals(ctx) != 0 || len(s.Regrets(ctx)) != 0 {
		t.Errorf("in the end: %+v", e)
	}
	if lies, err := s.Arrived(ctx, u.ID); err != nil || lies {
		t.Errorf("what was removed lies there: %v (%v)", lies, err)
	}
	must(t, s.Withdraw(ctx, u.ID))
	if n := s.Removals(ctx); n != 0 {
		t.Errorf("%d are removed twice", n)
	}
}

// Bytes that were put before their participant stopped sharing are a task, too, even
// where the record never got its annotations.
func TestBytesThatArrivedAreRegretted(t *testing.T) {
	for step, want := range map[core.ExportStep]int{core.StepPlanned: 0, core.StepPut: 1, core.StepVerified: 1} {
		for _, first := range []bool{true, false} { // sharing stops before the step is known here
			s, a, u := exporting(t)
			ctx := t.Context()
			e := s.claim()
			e.ExportedOn, e.Step = s.clock.now(), step
			if first {
				s.share(a, core.NoSharing)
			}
			must(t, s.SaveExport(ctx, e, true))
			if !first {
				s.share(a, core.NoSharing)
			}
			e.State, e.Reason = core.ExportWithheld, core.ReasonNoSharingNow
			must(t, s.SettleExport(ctx, e))
			if n := len(s.Regrets(ctx)); n != want {
				t.Errorf("%s, %v: %d are to be decided", step, first, n)
			}
			if lies, err := s.Arrived(ctx, u.ID); err != nil || lies != (want > 0) {
				t.Errorf("%s, %v: arrived is %v (%v)", step, first, lies, err)
			}
			must(t, s.Withdraw(ctx, u.ID))
			if n := s.Removals(ctx); n != 1 || len(s.Regrets(ctx)) != 0 {
				t.Errorf("%s, %v: %d are to be removed", step, first, n)
			}
		}
	}
}
