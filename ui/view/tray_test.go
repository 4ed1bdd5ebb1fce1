package view_test

import (
	"slices"
	"strings"
	"testing"

	"footbridge/core"
	"footbridge/ui/tongue"
	"footbridge/ui/view"
)

func needsOf(kinds []string) (all []view.Need) {
	for _, kind := range kinds {
		all = append(all, view.Need{Kind: kind})
	}
	return all
}

// A need is new where nothing of its kind was there.
func TestNewNeed(t *testing.T) {
	for _, c := range []struct {
		before, now []string
		want        bool
	}{
		{nil, nil, false}, {nil, []string{"token"}, true}, {[]string{"token"}, []string{"token"}, false}, {[]string{"token"}, nil, false},
		{[]string{"token"}, []string{"room", "token"}, true}, {[]string{"parked gait"}, []string{"parked sleep"}, true},
	} {
		if got := view.NewNeed(needsOf(c.before), needsOf(c.now)); got != c.want {
			t.Errorf("%q after %q is new: %v", c.now, c.before, got)
		}
	}
}

// What needs a person is of the same kind for any number and in every language, and of
// another one for another destination.
func TestKindsOfNeeds(t *testing.T) {

	kinds := func(r view.Reader, parked int, id core.DestinationID) (all []string) {
		o := view.NewOverview(view.Snapshot{Now: now, NoKey: true, Unfit: parked, Removals: parked, Disk: view.Disk{FreeBytes: 1 << 40}, Destinations: []view.Destination{
			{ID: id, Exports: map[core.ExportState]int{core.ExportParked: parked}},
		}}, r)
		for _, need := range o.Needs {
			all = append(all, need.Kind)
		}
		return all
	}
	one := kinds(view.Reader{}, 1, "sleep")
	if len(one) < 3 {
		t.Fatalf("only %q", one)
	}
	for _, code := range []string{"fr", "sw"} {
		if got := kinds(view.Reader{Tongue: tongue.In(code)}, 7, "sleep"); !slices.Equal(got, one) {
			t.Errorf("7 in %s are %q, not %q", code, got, one)
		}
	}
	if got := kinds(view.Reader{}, 1, "gait"); slices.Equal(got, one) {
		t.Errorf("another destination's are %q, too", got)
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
