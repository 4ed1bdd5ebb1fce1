package view_test

import (
	"testing"
	"time"

	"footbridge/core"
	"footbridge/ui/view"
)

func TestSubscriptionLines(t *testing.T) {
	now := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	failing := func(since time.Duration) core.Reached {
		return core.Reached{Failures: 3, FailingOn: now.Add(-since), Why: "it answered 500", NextTry: now.Add(15 * time.Minute)}
	}
	for name, test := range map[string]struct {
		reached         core.Reached
		waiting         int
		held            core.ExportReason
		state, sentence string
	}{
		"new":     {core.Reached{}, 0, "", "ok", "Nothing has happened yet that it is told of."},
		"well":    {core.Reached{LastSuccess: now}, 0, "", "ok", "All is told."},
		"moving":  {core.Reached{LastSuccess: now}, 1, "", "waiting", "1 notice waits to be told."},
		"paused":  {core.Reached{}, 2, core.ReasonPaused, "waiting", "2 notices wait: sending is paused; footbridge sync resume sends again."},
		"failing": {failing(time.Second), 1, "", "waiting", "Not told: it answered 500. 1 notice waits; it is tried again at 09:15:00 UTC on 2026-11-20."},
		"a day":   {failing(24 * time.Hour), 2, "", "waiting", "Not told for 24 hours: it answered 500. 2 notices wait; it is tried again at 09:15:00 UTC on 2026-11-20."},
		"for long": {failing(72 * time.Hour), 2, core.ReasonPaused, "failing",
			"Not told for 3 days: it answered 500. 2 notices wait: sending is paused; footbridge sync resume sends again. Ask whoever looks after it, or delete the subscription."},
		"gone": {core.Reached{Failures: 1, EndedOn: now, Why: "it answered 410: it is gone"}, 0, "", "ended", "Told nothing more: it answered 410: it is gone. Subscribe it again when it is back."},
	} {
		s := core.Subscription{ID: "s", Endpoint: "https://a.example.org/x?key=private", Secret: "whsec_x", MadeOn: now, Reached: test.reached}
		got := view.NewSubscriptionLine(s, test.waiting, test.held, view.Reader{Now: now})
		if got.State != test.state || got.Sentence != test.sentence || got.Endpoint != "https://a.example.org/x?…" || got.Waiting != test.waiting {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
