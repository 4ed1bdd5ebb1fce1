package view_test

import (
	"strings"
	"testing"

	"footbridge/ui/view"
)

func toldOf(sentences []string) (all []view.Need) {
	for _, sentence := range sentences {
		all = append(all, view.Need{Sentence: sentence})
	}
	return all
}

// A need is new where nothing of its kind was there, whatever it counts.
func TestNewNeed(t *testing.T) {
	one, two := "1 record for sleep needs a person since 07:00:00 UTC on 2026-11-20.", "2 records for sleep need a person since 08:00:00 UTC on 2026-11-21."
	for _, c := range []struct {
		before, now []string
		want        bool
	}{
		{nil, nil, false}, {nil, []string{one}, true}, {[]string{one}, []string{one}, false}, {[]string{one}, []string{two}, false},
		{[]string{one}, nil, false}, {[]string{one}, []string{one, "The disk is full."}, true}, {[]string{"1 record for gait needs a person."}, []string{"1 record for sleep needs a person."}, true},
	} {
		if got := view.NewNeed(toldOf(c.before), toldOf(c.now)); got != c.want {
			t.Errorf("%q after %q is new: %v", c.now, c.before, got)
		}
	}
}

// The tray's sentence is short.
func TestTray(t *testing.T) {
	var r view.Reader
	got := r.Tray(view.Site{Overview: view.Overview{State: "waiting", Sentence: strings.Repeat("é", 200)}})
	if got.State != "waiting" || got.Sentence != strings.Repeat("é", 90)+"…" || got.Paused {
		t.Errorf("%+v", got)
	}
	if got := r.Tray(view.Site{Overview: view.Overview{State: "needs_person", Needs: []view.Need{{Sentence: "a"}, {Sentence: "b"}}}}); got.Sentence != "2 things need a person." {
		t.Errorf("%+v", got)
	}
	refused := view.Overview{State: "ok", Sentence: "Nothing waits.", Queues: view.Queues{Refused: 2}}
	if got := r.Tray(view.Site{Overview: refused}); got.State != "refused" || got.Sentence != "1 thing needs a person." {
		t.Errorf("what could not be opened: %+v", got)
	}
	gone := view.Site{Overview: view.Overview{State: "ok", Sentence: "All is well."}, Trouble: "Nobody answers."}
	if got := r.Tray(view.Site{Overview: view.Overview{State: "ok", Queues: view.Queues{Refused: 1}}}); got.State != "refused" {
		t.Errorf("where an upload could not be opened, it is %+v", got)
	}
	if got := r.Tray(gone); got.State != "away" || got.Sentence != "Nobody answers." {
		t.Errorf("%+v", got)
	}
}
