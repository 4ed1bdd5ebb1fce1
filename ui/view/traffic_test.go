package view_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/ui/tongue"
	"footbridge/ui/view"

	"github.com/google/go-cmp/cmp"
)

// dated is a day in the chart of a test.
func dated(date string, uploads int, bytes int64) core.Day {
	return core.Day{Date: date, Uploads: uploads, Bytes: bytes}
}

// What came lately, for how long the disk lasts, and how long the queue takes, in two
// languages.
func TestTraffic(t *testing.T) {
	days := func(known ...core.Day) view.Traffic {
		return view.Traffic{Today: "2026-11-20", Copies: 1, Days: view.ChartDays(noon, known)}
	}
	quiet, first := days(), days(dated("2026-11-20", 1, 2<<30))
	busy := days(dated("2026-11-03", 44, 70<<20), dated("2026-11-14", 1, 7<<30), dated("2026-11-20", 12, 7<<30))
	twice := days(dated("2026-11-14", 1, 14<<30))
	twice.Copies = 2
	busy.Sending = []view.DestinationRate{{Destination: "sleep", RecordsPerMinute: 4.5, BytesPerMinute: 3 << 20}, {Destination: "gait", RecordsPerMinute: 1200}, {Destination: "slow", RecordsPerMinute: 0.9, BytesPerMinute: 9}, {Destination: "once", RecordsPerMinute: 0.01}}
	busy.Arriving = []view.Transfer{{File: "film.mp4", Bytes: 1 << 20, Of: 1 << 30}, {File: "empty"}}
	for range 6 {
		busy.Leaving = append(busy.Leaving, view.Transfer{File: "walk.zip", Bytes: 3, Of: 4})
	}
	disk := view.Disk{FreeBytes: 41 << 30, FloorBytes: 1 << 30}
	var got strings.Builder
	for _, code := range []string{"en", "sw", "fr"} {
		r := view.Reader{Tongue: tongue.In(code), Window: true, Now: noon, Zone: time.UTC}
		fmt.Fprintf(&got, "== %s\n%s|%s\n", code, r.Chart(quiet).Text, r.Forecast(disk, quiet))
		c := r.Chart(busy)
		fmt.Fprintf(&got, "%s\n%s %s %v\n%s %s %v\n", c.Text, c.Bars[0].Name, c.Bars[0].Text, c.Bars[0].Today, c.Bars[29].Name, c.Bars[29].Text, c.Bars[29].Today)
		for _, known := range []view.Traffic{busy, twice, first} {
			fmt.Fprintln(&got, r.Forecast(disk, known))
		}
		fmt.Fprintf(&got, "%s|%s\n", r.Forecast(view.Disk{FreeBytes: 4 << 40}, busy), r.Forecast(view.Disk{FreeBytes: 1, FloorBytes: 2}, busy))
		for _, line := range []view.DestinationLine{
			{Destination: "sleep", State: "sending", Waiting: 4}, {Destination: "sleep", State: "sending", Waiting: 50}, {Destination: "sleep", State: "needs_person", Waiting: 500},
			{Destination: "sleep", State: "sending", Waiting: 50_000}, {Destination: "sleep", State: "waiting", Reason: core.ReasonRepositoryAway, Waiting: 50}, {Destination: "sleep", State: "needs_person", Reason: core.ReasonRepositoryMissing, Waiting: 50}, {Destination: "gait", State: "ok"}, {Destination: "quiet", State: "sending", Waiting: 1},
			{Destination: "slow", State: "sending", Waiting: 9}, {Destination: "once", State: "ok"},
		} {
			fmt.Fprintf(&got, "%s\n", r.Pace(line, busy))
		}
		for _, transfers := range [][]view.Transfer{busy.Arriving, busy.Leaving, nil} {
			shown, more := r.Progress(transfers)
			fmt.Fprintf(&got, "%v %s\n", shown, more)
		}
	}
	golden(t, "traffic.txt", got.String())
	if quiet.Moves() || !busy.Moves() {
		t.Error("what moves is not seen to, or what rests is")
	}
}

// Days are those of the reader's clock, from the first on and up to the end of the last.
func TestBetween(t *testing.T) {
	zone := time.FixedZone("east", 3*60*60)
	r := view.Reader{Window: true, Now: noon, Zone: zone} // a Friday
	at := func(day int) time.Time { return time.Date(2026, 11, day, 0, 0, 0, 0, zone) }
	for _, test := range []struct {
		days         view.Days
		from, to     string
		since, until time.Time
		wrong        bool
	}{
		{days: view.DaysAny, from: "nonsense"},
		{days: view.DaysToday, since: at(20)},
		{days: view.DaysWeek, since: at(16)},
		{days: view.DaysMonth, since: at(1)},
		{days: view.DaysChosen},
		{days: view.DaysChosen, from: " 2026-11-03", since: at(3), until: at(4)},
		{days: view.DaysChosen, from: "2026-11-03", to: "2026-11-05 ", since: at(3), until: at(6)},
		{days: view.DaysChosen, to: "2026-11-05", until: at(6)},
		{days: view.DaysChosen, from: "2026-11-05", to: "2026-11-04", wrong: true},
		{days: view.DaysChosen, from: "3.11.", wrong: true},
		{days: view.DaysChosen, from: "2026-11-03", to: "2026-11", wrong: true},
	} {
		since, until, err := r.Between(test.days, test.from, test.to)
		if (err != nil) != test.wrong || !test.wrong && (!since.Equal(test.since) || !until.Equal(test.until)) {
			t.Errorf("%+v: %v to %v (%v)", test, since, until, err)
		}
	}
	if since, _, _ := (view.Reader{Now: noon.AddDate(0, 0, 2), Zone: zone}).Between(view.DaysWeek, "", ""); !since.Equal(at(16)) {
		t.Errorf("on a Sunday the week begins at %v", since)
	}
}

// A span of time holds what was requested in it, and a page begins where it begins.
func TestSpan(t *testing.T) {
	id := func(at time.Time) core.UploadID { return core.UploadID(core.NewID(at)) }
	q := view.UploadQuery{Since: noon, Until: noon.Add(time.Hour)}
	for at, held := range map[time.Time]bool{
		noon.Add(-time.Millisecond): false, noon: true, noon.Add(time.Hour - time.Millisecond): true, noon.Add(time.Hour): false,
	} {
		if q.Span().Holds(id(at)) != held {
			t.Errorf("%v is held %v", at, !held)
		}
	}
	q.Before = id(noon.Add(time.Minute))
	if span := q.Span(); !span.Holds(q.Before) || span.Holds(id(noon.Add(2*time.Minute))) {
		t.Errorf("the page holds %+v", span)
	}
	if span := (view.UploadQuery{}).Span(); span != (core.Span{}) {
		t.Errorf("everything is %+v", span)
	}
}

// What a comparison found, and what can be done about it.
func TestCompared(t *testing.T) {
	r := view.Reader{Window: true, Now: noon, Zone: time.UTC}
	wrong := view.Plan{Destination: "sleep", Missing: []core.UploadID{"1"}, Differing: []core.UploadID{"2", "3"}, Unannotated: []core.UploadID{"4"}, Orphans: []string{"raw-data/x", "raw-data/y"}, Unreadable: 1, Failed: "no line"}
	wrong.Rows.Missing, wrong.Rows.Duplicate, wrong.Rows.Refused = []string{"h/1"}, []string{"h/2"}, []string{"h/3"}
	wrong.Tables = append(wrong.Tables, struct {
		Path string `json:"path"`
	}{"file-view/x"})
	var got strings.Builder
	show := func(c view.Comparison) view.Compared {
		v := r.Compared(c)
		fmt.Fprintf(&got, "%s running %v, mend %v, orphans %d\n", v.Text, v.Running, v.Mend, v.Orphans)
		for _, p := range v.Plans {
			fmt.Fprintf(&got, "  %s\n    %s\n", p.Text, strings.Join(p.Lines, "\n    "))
		}
		return v
	}
	show(view.Comparison{State: "none"})
	show(view.Comparison{State: "running"})
	show(view.Comparison{State: "running", Mends: true})
	show(view.Comparison{State: "failed", Why: "no line"})
	done := view.Comparison{State: "done", Ended: &noon}
	done.Result.Destinations = []view.Plan{{Destination: "gait"}, wrong}
	done.Known = map[string]view.Known{"1": {File: "walk.zip", Participant: "P-17"}, "2": {File: "rest.zip"}, "h/1": {Participant: "P-17"}}
	show(done)
	done.Mends, done.Result.Repaired, done.Result.Destinations = true, 7, []view.Plan{{Destination: "gait"}, {Destination: "sleep", Orphans: wrong.Orphans}}
	show(done)
	golden(t, "compared.txt", got.String())
	if diff := cmp.Diff([]view.Plan{{Destination: "sleep", Orphans: wrong.Orphans}}, done.WithOrphans()); diff != "" {
		t.Error(diff)
	}
}

// What a record is, and how far its ways are.
func TestDossier(t *testing.T) {
	r := view.Reader{Window: true, Now: noon, Zone: time.UTC}
	d := view.Dossier{CreatedOn: noon, Bytes: 1536, MD5: "0a", Schema: "walk", Attachments: 2, Annotations: map[string]string{"b": "2", "a": "1"}}
	var got strings.Builder
	fmt.Fprintln(&got, r.RecordFacts(d), r.Annotations(d))
	for _, e := range []core.Export{
		{Destination: "new", State: core.ExportWaiting, Attempts: 3},
		{Destination: "half", State: core.ExportWaiting, Step: core.StepVerified, ExportedOn: noon, Since: noon},
		{Destination: "done", State: core.ExportExported, Step: core.StepRecorded, ExportedOn: noon, Since: noon.Add(time.Minute)},
	} {
		j := view.NewJournal(e)
		if e.Step == core.StepRecorded {
			j.Place = "/there/file"
		}
		d.Journals = append(d.Journals, j)
		fmt.Fprintf(&got, "%s: %s\n", j.Destination, strings.Join(r.Steps(j), "; "))
	}
	golden(t, "dossier.txt", got.String())
	if folder, place := d.Shown(); folder != "" || place != "/there/file" {
		t.Errorf("it is in %s, at %s", folder, place)
	}
	d.Journals[2].Folder = "/there"
	if folder, place := d.Shown(); folder != "/there" || place != "/there/file" {
		t.Errorf("it is in %s, at %s", folder, place)
	}
	if folder, place := (*view.Dossier)(nil).Shown(); folder+place != "" {
		t.Error("nothing lies somewhere")
	}
}

// What lies behind a list of deeds, and that no two deeds are taken for the same.
func TestDeedsEnd(t *testing.T) {
	r := view.Reader{Window: true, Now: noon, Zone: time.UTC}
	for want, got := range map[string]string{
		"1 entry so far; older ones follow.": r.DeedsEnd(1, true, 100), "Nobody has done anything yet.": r.DeedsEnd(0, false, 0),
		"Nobody has done anything like that.": r.DeedsEnd(0, false, 3), "2 entries.": r.DeedsEnd(2, false, 3),
	} {
		if got != want {
			t.Errorf("said is %q, not %q", got, want)
		}
	}
	if view.Trace(core.Deed{At: noon, Did: core.DeedSyncPaused}) == view.Trace(core.Deed{At: noon.Add(time.Millisecond), Did: core.DeedSyncPaused}) {
		t.Error("a deed is taken for another")
	}
}
