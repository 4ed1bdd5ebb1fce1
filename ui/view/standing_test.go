package view_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/ui/tongue"
	"footbridge/ui/view"

	"github.com/google/go-cmp/cmp"
)

var (
	noon   = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	reader = view.Reader{Window: true, Now: noon.Add(time.Hour), Zone: time.FixedZone("EAT", 3*60*60)}
)

// uploads are uploads in every standing, with the exports of their records.
var uploads = []struct {
	name    string
	upload  core.Upload
	exports []core.Export
	want    view.Standing
}{
	{"expected", at(core.StateRequested, false, false), nil, view.StandingExpected},
	{"received", at(core.StateReceived, true, false), nil, view.StandingReceived},
	{"processing", at(core.StateCompleted, true, true), nil, view.StandingProcessing},
	{"refused", at(core.StateFailed, true, true, "The file was encrypted to a key that this site does not hold: serial 6b. Import that key, then redrive the upload. The file is kept.", "It has no name."), nil, view.StandingRefused},
	{"refused in silence", at(core.StateFailed, true, true), nil, view.StandingRefused},
	{"refused again", again(core.StateFailed, 2, "The name ends in .zip, but it is no zip.", "It is damaged.", "It is damaged.", "It has no name."), nil, view.StandingRefused},
	{"given up", givenUp(at(core.StateFailed, true, true, "It is damaged.")), nil, view.StandingKept},
	{"mended", again(core.StateSucceeded, 3, "It is damaged.", "It is damaged.", "It has no name."), []core.Export{export("sleep", core.ExportExported, "")}, view.StandingSent},
	{"duplicate", at(core.StateDuplicate, false, false), nil, view.StandingDuplicate},
	{"sent", at(core.StateSucceeded, true, true, "The name ends in .zip, but it is no zip."), []core.Export{export("sleep", core.ExportExported, ""), export("gait", core.ExportWithheld, core.ReasonNoSharingNow)}, view.StandingSent},
	{"kept", at(core.StateSucceeded, true, true), []core.Export{export("sleep", core.ExportWithheld, core.ReasonNoSharingAtUpload)}, view.StandingKept},
	{"without a study", at(core.StateSucceeded, true, true), nil, view.StandingKept},
	{"moving", at(core.StateSucceeded, true, true), []core.Export{export("sleep", core.ExportWaiting, core.ReasonNone)}, view.StandingWaiting},
	{"waiting", at(core.StateSucceeded, true, true), []core.Export{export("gait", core.ExportExported, ""), export("sleep", core.ExportWaiting, core.ReasonRepositoryAway)}, view.StandingWaiting},
	{"paused", at(core.StateSucceeded, true, true), []core.Export{export("sleep", core.ExportWaiting, core.ReasonPaused)}, view.StandingWaiting},
	{"parked", at(core.StateSucceeded, true, true), []core.Export{export("gait", core.ExportWaiting, core.ReasonRepositoryAway), export("sleep", core.ExportParked, core.ReasonRepositoryInvalid)}, view.StandingPerson},
}

// again is an upload that was processed again; past of its messages are of before.
func again(state core.State, past int, messages ...string) core.Upload {
	u := at(state, true, true, messages...)
	u.Past, u.ProcessedOn = past, noon.Add(20*time.Minute)
	return u
}

func givenUp(u core.Upload) core.Upload {
	u.GivenUp = noon.Add(30 * time.Minute)
	return u
}

func at(state core.State, bytes, completed bool, messages ...string) core.Upload {
	u := core.Upload{
		ID: "0199f3a2-1111-7000-8000-000000000003", State: state, RequestedOn: noon, Messages: messages,
		Request: core.Request{Name: "walk.zip", ContentLength: 1536, Encrypted: true},
	}
	if state == core.StateDuplicate {
		u.DuplicateOf = "0199f3a2-1111-7000-8000-000000000001"
	}
	if bytes {
		u.Blob = &core.Blob{}
	}
	if completed {
		u.Facts = &core.Facts{UploadedOn: noon.Add(5 * time.Second), Studies: []core.StudyID{"sleep"}}
	}
	if state == core.StateSucceeded {
		u.Record = &core.Record{}
	}
	return u
}

func export(d core.DestinationID, state core.ExportState, reason core.ExportReason) core.Export {
	e := core.Export{Record: "r", Destination: d, State: state, Reason: reason, Since: noon.Add(6 * time.Second)}
	if reason == core.ReasonRepositoryAway {
		e.NextTry = noon.Add(time.Minute)
	}
	return e
}

// What the window says of an upload, in a list and of its own.
func TestUploadsInTheWindow(t *testing.T) {
	var got strings.Builder
	for _, u := range uploads {
		d := view.NewUploadDetail(u.upload, u.exports, "P-17", reader)
		if d.Standing != u.want {
			t.Errorf("%s: it stands at %s, not at %s", u.name, d.Standing, u.want)
		}
		row := reader.Row(d.UploadRow)
		fmt.Fprintf(&got, "== %s\n%s | %s | %s | %s | %s\n%s\n", u.name, row.When, row.File, row.Who, row.State, row.Sentence, reader.Facts(d))
		for _, stage := range d.Stages {
			state, text := reader.Stage(stage)
			fmt.Fprintf(&got, "  %s: %s\n", state, text)
		}
		fmt.Fprintf(&got, "retry %t, redrive %t, messages %q\n\n", d.Retry, d.Redrive, reader.Messages(d))
	}
	golden(t, "uploads.txt", got.String())
}

// golden compares a text with the one that is kept.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}

// Every standing has words in every language, and no two the same.
func TestStandingsHaveWords(t *testing.T) {
	for _, l := range tongue.Languages() {
		said := map[string]bool{}
		for _, s := range view.Standings() {
			words := tongue.In(l.Code).Say("standing." + string(s))
			if words == "standing."+string(s) || said[words] {
				t.Errorf("%s is said as %q in %s", s, words, l.Name)
			}
			said[words] = true
		}
	}
	for _, u := range uploads {
		if !slices.Contains(view.Standings(), u.want) {
			t.Errorf("%s is not among the standings", u.want)
		}
	}
}

func TestQueries(t *testing.T) {
	row := view.UploadRow{ID: "0199f3a2-1111", File: "Walk.zip", Participant: "P-17", Standing: view.StandingSent}
	for name, test := range map[string]struct {
		query view.UploadQuery
		want  bool
	}{
		"any":           {view.UploadQuery{}, true},
		"file":          {view.UploadQuery{Text: "walk"}, true},
		"participant":   {view.UploadQuery{Text: " p-17 "}, true},
		"id":            {view.UploadQuery{Text: "0199F3A2-11"}, true},
		"in the id":     {view.UploadQuery{Text: "F3A2-11"}, false}, // a list does not show it
		"another":       {view.UploadQuery{Text: "P-18"}, false},
		"standing":      {view.UploadQuery{Standing: view.StandingSent, Text: "walk"}, true},
		"other":         {view.UploadQuery{Standing: view.StandingWaiting}, false},
		"other, though": {view.UploadQuery{Standing: view.StandingWaiting, Text: "walk"}, false},
	} {
		if got := test.query.Shows(row); got != test.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
