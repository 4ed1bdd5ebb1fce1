package view_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/ui/tongue"
	"footbridge/ui/view"
)

// reasons are all that a record may wait for, or stay for.
var reasons = []core.ExportReason{
	core.ReasonNone, core.ReasonNoSharingAtUpload, core.ReasonNoSharingNow, core.ReasonWithdrawn, core.ReasonNoStudyConfigured,
	core.ReasonProjectPending, core.ReasonRepositoryAway, core.ReasonImpostor, core.ReasonThrottled, core.ReasonMaintenance, core.ReasonNeedsToken,
	core.ReasonRepositoryRefused, core.ReasonRepositoryMissing, core.ReasonRepositoryFile, core.ReasonRepositoryLocked, core.ReasonRepositoryChanged, core.ReasonRepositoryInvalid,
	core.ReasonBytesDamaged, core.ReasonNeedsKey, core.ReasonVersionPending, core.ReasonPaused, core.ReasonOutsideHours, core.ReasonValidationFailed,
}

// needs are tasks that the snapshots lack.
var needs = map[string]view.Snapshot{
	"withdrawn": {Now: now, Disk: room, Removals: 1, Regrets: 2, NoKey: true},
	"nameless": {Now: now, Disk: room, Destinations: []view.Destination{ // an rclone remote may be a folder, too
		{ID: "sleep", Reason: core.ReasonRepositoryMissing}, {ID: "gait", Reason: core.ReasonRepositoryFile}}},
	"stopped": {Now: now, Disk: room, Removals: 3, Regrets: 1},
}

// What is said in the other languages, for someone to look at: by the command line, and
// in the window.
func TestOtherLanguages(t *testing.T) {
	for _, l := range tongue.Languages() {
		if l.Code == "en" {
			continue
		}
		printed, window := view.Reader{Tongue: tongue.In(l.Code), Now: now}, reader
		window.Tongue = printed.Tongue
		var got strings.Builder
		overviews(&got, snapshots, printed)
		overviews(&got, needs, printed)
		overviews(&got, needs, window)
		fmt.Fprintln(&got, "== why")
		for _, reason := range reasons {
			fmt.Fprintf(&got, "%s: %s\n", reason, window.Reason(reason))
		}
		ways(&got, window)
		fmt.Fprintln(&got, "== who did what")
		for _, did := range []core.DeedKind{core.DeedSyncPaused, core.DeedRecordsWithdrawn, "flown"} {
			when, what := window.Deed(view.DeedRow{
				Deed:   core.Deed{At: noon.AddDate(0, 0, -1), Who: "u-1", Address: "10.0.0.7", Did: did, With: map[string]string{"study": "sleep", "user": "u-2", "settings": "sync.hours", "records": "kept"}},
				People: map[string]view.Person{"u-1": {Name: "nurse@clinic.org", Staff: true}, "u-2": {Name: "P-17"}},
			})
			fmt.Fprintf(&got, "%s: %s\n", when, what)
			fmt.Fprintln(&got, printed.DeedLine(view.DeedRow{Deed: core.Deed{At: noon, Did: did}}))
		}
		fmt.Fprintln(&got, "== receivers")
		for _, waiting := range []int{1, 2} {
			for _, failing := range []time.Duration{time.Second, time.Hour, 72 * time.Hour} {
				s := core.Subscription{Reached: core.Reached{Failures: 3, FailingOn: now.Add(-failing), Why: "500", NextTry: now.Add(time.Hour)}}
				fmt.Fprintln(&got, view.NewSubscriptionLine(s, waiting, core.ReasonNone, printed).Sentence)
			}
			fmt.Fprintln(&got, view.NewSubscriptionLine(core.Subscription{}, waiting, core.ReasonPaused, window).Sentence)
			fmt.Fprintln(&got, view.NewSubscriptionLine(core.Subscription{}, waiting, core.ReasonNone, window).Sentence)
		}
		golden(t, l.Code+".txt", got.String())
		if strings.Contains(got.String(), "<no value>") || strings.Contains(got.String(), "{{") {
			t.Errorf("a place is not filled in %s", l.Name)
		}
	}
}

func overviews(got *strings.Builder, all map[string]view.Snapshot, r view.Reader) {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		o := view.NewOverview(all[name], r)
		front := view.NewFront(o, r)
		fmt.Fprintf(got, "== %s\n%s\n%s\n%s\n", name, o.Sentence, front.Sentence, front.Disk)
		for _, d := range front.Destinations {
			fmt.Fprintf(got, "  %s, %s: %s %s\n", d.Name, d.State, d.Facts, d.Sentence)
		}
	}
}

// ways tells of uploads as the window does.
func ways(got *strings.Builder, r view.Reader) {
	for _, u := range uploads {
		d := view.NewUploadDetail(u.upload, u.exports, "P-17", r)
		fmt.Fprintf(got, "== %s\n%s\n%s\n", u.name, d.UploadRow.Sentence, r.Facts(d))
		for _, stage := range d.Stages {
			state, text := r.Stage(stage)
			fmt.Fprintf(got, "  %s: %s\n", state, text)
		}
	}
}

// command is one of the command line.
var command = regexp.MustCompile(`footbridge( [a-z-]+)+`)

// The window names no commands in any language, and the command line names the same ones
// in each.
func TestCommandsInEveryLanguage(t *testing.T) {
	all := maps.Clone(snapshots)
	maps.Copy(all, needs)
	for name, snapshot := range all {
		english := view.NewOverview(snapshot, view.Reader{})
		for _, l := range tongue.Languages() {
			printed, window := view.Reader{Tongue: tongue.In(l.Code)}, reader
			window.Tongue = printed.Tongue
			o := view.NewOverview(snapshot, printed)
			if got, want := command.FindAllString(o.Sentence, -1), command.FindAllString(english.Sentence, -1); len(got) != len(want) {
				t.Errorf("%s names %v in %s, not %v", name, got, l.Name, want)
			}
			if o := view.NewOverview(snapshot, window); command.MatchString(o.Sentence) {
				t.Errorf("the window says of %s in %s: %s", name, l.Name, o.Sentence)
			}
			if o.State != english.State || len(o.NeedsPerson) != len(english.NeedsPerson) {
				t.Errorf("%s is another state in %s", name, l.Name)
			}
		}
	}
}

// Times are said as each language does, and no two moments alike.
func TestTimesInEveryLanguage(t *testing.T) {
	times := []time.Time{noon, noon.AddDate(0, 0, -1), noon.AddDate(0, -3, 0), noon.AddDate(-1, 0, 0)}
	for code, want := range map[string][2]string{
		"en": {"15:00:00, yesterday 15:00, 20 August 15:00, 20 November 2025", "15:00:00, yesterday 15:00, 20 August 15:00, 20 November 2025"},
		"fr": {"15:00:00, hier 15:00, 20 août 15:00, 20 novembre 2025", "15:00:00, hier à 15:00, le 20 août à 15:00, le 20 novembre 2025"},
		"es": {"15:00:00, ayer 15:00, 20 de agosto 15:00, 20 de noviembre de 2025", "las 15:00:00, ayer a las 15:00, el 20 de agosto a las 15:00, el 20 de noviembre de 2025"},
		"pt": {"15:00:00, ontem 15:00, 20 de agosto 15:00, 20 de novembro de 2025", "as 15:00:00, ontem às 15:00, 20 de agosto às 15:00, 20 de novembro de 2025"},
		"sw": {"15:00:00, jana 15:00, 20 Agosti 15:00, 20 Novemba 2025", "15:00:00, jana 15:00, 20 Agosti 15:00, 20 Novemba 2025"},
	} {
		r := reader
		r.Tongue = tongue.In(code)
		var alone, since []string
		for _, at := range times {
			alone, since = append(alone, r.When(at)), append(since, r.Moment(at))
		}
		if got := [2]string{strings.Join(alone, ", "), strings.Join(since, ", ")}; got != want {
			t.Errorf("%s: %q", code, got)
		}
	}
	if got := (view.Reader{Tongue: tongue.In("fr")}).Bytes(1536); got != "1,5 Kio" {
		t.Errorf("1536 bytes are %s", got)
	}
}
