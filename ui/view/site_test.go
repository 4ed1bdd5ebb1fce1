package view_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/ui/view"
)

// What the window says first, of every snapshot.
func TestFronts(t *testing.T) {
	var got strings.Builder
	for _, name := range slices.Sorted(maps.Keys(snapshots)) {
		f := view.NewFront(view.NewOverview(snapshots[name], reader), reader)
		fmt.Fprintf(&got, "== %s\n%s: %s\n", name, f.State, f.Sentence)
		for _, need := range f.Needs {
			fmt.Fprintf(&got, "  ! %s [%s]\n", need.Sentence, need.Place)
		}
		for _, q := range f.Queues {
			fmt.Fprintf(&got, "  %d %s\n", q.Number, q.Words)
		}
		for _, d := range f.Destinations {
			fmt.Fprintf(&got, "  %s, %s: %s %s\n", d.Name, d.State, d.Facts, d.Sentence)
		}
		fmt.Fprintf(&got, "  %s\n\n", f.Disk)
	}
	golden(t, "fronts.txt", got.String())
	if strings.Contains(got.String(), "footbridge ") || strings.Contains(got.String(), " UTC on ") {
		t.Error("the window speaks of commands, or by another clock")
	}
}

// No reason is said in the window in terms of the command line, nor is where a record stands.
func TestTheWindowNamesNoCommands(t *testing.T) {
	for _, u := range uploads {
		d := view.NewUploadDetail(u.upload, u.exports, "", reader)
		for _, stage := range d.Stages {
			if _, text := reader.Stage(stage); strings.Contains(text, "footbridge ") || strings.Contains(text, " UTC on ") {
				t.Errorf("%s says %s", u.name, text)
			}
		}
		if row := reader.Row(d.UploadRow); strings.Contains(row.Sentence, "footbridge ") {
			t.Errorf("%s says %s", u.name, row.Sentence)
		}
	}
}

func TestWhen(t *testing.T) {
	for want, at := range map[string]time.Time{
		"15:00:00":         noon,
		"yesterday 23:59":  time.Date(2026, 11, 19, 20, 59, 0, 0, time.UTC),
		"00:01:00":         time.Date(2026, 11, 19, 21, 1, 0, 0, time.UTC), // it is today already
		"3 February 08:07": time.Date(2026, 2, 3, 5, 7, 0, 0, time.UTC),
		"3 February 2025":  time.Date(2025, 2, 3, 5, 7, 0, 0, time.UTC),
	} {
		if got := reader.When(at); got != want {
			t.Errorf("%s is said as %s, not %s", at, got, want)
		}
	}
}

func TestDeedsInTheWindow(t *testing.T) {
	for want, deed := range map[string]core.Deed{
		"15:00:00 Someone at this computer paused sending.": {At: noon, Did: core.DeedSyncPaused},
		"15:00:00 Account 0199f3a2… at 10.0.0.7 gave access to a study’s project: account jo, study sleep.": {
			At: noon, Who: "0199f3a2-3333", Address: "10.0.0.7", Did: core.DeedAccessGranted, With: map[string]string{"study": "sleep", "account": "jo"}},
	} {
		if when, what := reader.Deed(view.DeedRow{Deed: deed}); when+" "+what != want {
			t.Errorf("got %s %s, want %s", when, what, want)
		}
	}
}

// The end of a list says how far back a search has come.
func TestListEnds(t *testing.T) {
	next := core.UploadID(core.NewID(time.Date(2026, 2, 3, 5, 7, 0, 0, time.UTC)))
	search := view.UploadQuery{Text: "walk"}
	for want, got := range map[string]string{
		"none":                                 reader.ListEnd(search, "none", 0, "", false),
		"2 uploads.":                           reader.ListEnd(search, "none", 2, "", false),
		"0 uploads so far; older ones follow.": reader.ListEnd(view.UploadQuery{}, "none", 0, next, false),
		"0 uploads found back to 3 February 08:07; older ones are being looked through.": reader.ListEnd(search, "none", 0, next, false),
		"1 upload so far; older ones follow.":                                            reader.ListEnd(search, "none", 1, "x", false),
		"The newest 10000 uploads. Older ones are found by a search.":                    reader.ListEnd(search, "none", 10_000, next, true),
	} {
		if got != want {
			t.Errorf("said is %q, not %q", got, want)
		}
	}
}
