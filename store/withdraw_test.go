package store_test

import (
	"testing"

	"footbridge/core"
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
