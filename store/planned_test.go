package store_test

import (
	"testing"
	"time"

	"footbridge/core"

	"github.com/google/go-cmp/cmp"
)

// What may lie at a destination is known from when its place was planned, through a
// redrive, until it was withdrawn and removed.
func TestPlanned(t *testing.T) {
	s, _, u := exporting(t)
	ctx := t.Context()
	planned := func(d core.DestinationID) (ids []core.UploadID) {
		must(t, s.Planned(ctx, d, func(u core.Upload, e core.Export) error {
			if u.ID != e.Record || e.Destination != d || e.ExportedOn.IsZero() {
				t.Errorf("%s with %+v", u.ID, e)
			}
			ids = append(ids, u.ID)
			return nil
		}))
		return ids
	}
	only := []core.UploadID{u.ID}
	e := s.claim()
	if got := planned(e.Destination); got != nil {
		t.Errorf("before it is planned: %v", got)
	}
	e.ExportedOn = s.clock.now()
	for _, state := range []core.ExportState{core.ExportWaiting, core.ExportWithheld, core.ExportParked, core.ExportExported} {
		e.State, e.Step = state, core.StepVerified
		must(t, s.SettleExport(ctx, e))
		if diff := cmp.Diff(only, planned(e.Destination)); diff != "" {
			t.Errorf("%s: %s", state, diff)
		}
	}
	if got := planned("another"); got != nil {
		t.Errorf("elsewhere: %v", got)
	}
	must(t, s.Resend(ctx, e.Destination, only, nil))
	if diff := cmp.Diff(only, planned(e.Destination)); diff != "" {
		t.Errorf("to be sent again: %s", diff)
	}
	e.State = core.ExportExported
	must(t, s.SettleExport(ctx, e))
	must(t, s.Withdraw(ctx, u.ID))
	if diff := cmp.Diff(only, planned(e.Destination)); diff != "" {
		t.Errorf("withdrawn, and not removed yet: %s", diff)
	}
	must(t, s.Removed(ctx, e))
	if got := planned(e.Destination); got != nil {
		t.Errorf("removed: %v", got)
	}
}

// A table that is made anew holds nothing yet, and what waited before goes behind its
// rows.
func TestATableThatIsMadeAnew(t *testing.T) {
	s, _, u := exporting(t)
	ctx := t.Context()
	e := s.exports(u.ID)[0]
	versions := []core.ParticipantVersion{{HealthCode: "code", Version: 1}}
	unsent := func(table string) int {
		t.Helper()
		left, err := s.Unsent(ctx, e.Destination, table, versions)
		must(t, err)
		return len(left)
	}
	must(t, s.Sent(ctx, e.Destination, "syn1", versions))
	if unsent("syn1") != 0 || unsent("syn2") != 1 {
		t.Errorf("%d of the one, %d of the other are not sent", unsent("syn1"), unsent("syn2"))
	}
	s.clock.pass(time.Minute)
	_, err := s.UpdateStudy(ctx, core.StudyID(e.Destination), func(study *core.Study) error {
		study.Repository.ParticipantVersionTable = "syn2"
		return nil
	})
	must(t, err)
	if e := s.claim(); e.Record != "" {
		t.Errorf("%s goes before its row", e.Record)
	}
	if written := s.writeTables(); len(written) != 1 {
		t.Errorf("the tables %v are written", written)
	}
	if s.claim().Record != u.ID {
		t.Error("it does not go after its row")
	}
}
