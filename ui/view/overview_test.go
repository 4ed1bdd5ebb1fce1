package view_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/ui/view"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files")

var (
	now  = time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
	room = view.Disk{FreeBytes: 80 << 30, FloorBytes: 512 << 20}
)

// exports counts what stands where.
func exports(waiting, exported, withheld, parked int) map[core.ExportState]int {
	return map[core.ExportState]int{
		core.ExportWaiting: waiting, core.ExportExported: exported, core.ExportWithheld: withheld, core.ExportParked: parked,
	}
}

// snapshots are the main states that people meet.
var snapshots = map[string]view.Snapshot{
	"new":        {Now: now, Disk: room},
	"well":       {Now: now, Disk: room, Uploads: map[core.State]int{core.StateSucceeded: 40, core.StateRequested: 1, core.StateReceived: 1}, Destinations: []view.Destination{{ID: "sleep", Exports: exports(0, 40, 2, 0), LastSuccess: now.Add(-time.Hour)}}},
	"one":        {Now: now, Disk: room, Destinations: []view.Destination{{ID: "sleep", Exports: exports(0, 1, 0, 0)}}},
	"unopened":   {Now: now, Disk: room, Uploads: map[core.State]int{core.StateFailed: 2}, Destinations: []view.Destination{{ID: "sleep", Exports: exports(0, 1, 0, 0)}}},
	"processing": {Now: now, Disk: room, Uploads: map[core.State]int{core.StateCompleted: 1}},
	"sending": {Now: now, Disk: room, Uploads: map[core.State]int{core.StateCompleted: 2}, Destinations: []view.Destination{
		{ID: "sleep", Exports: exports(1, 0, 0, 0), Oldest: now}, {ID: "gait", Exports: exports(2, 5, 0, 0), Oldest: now}}},
	"away": {Now: now, Disk: room, Destinations: []view.Destination{
		{ID: "sleep", Exports: exports(12, 0, 0, 0), Oldest: now.Add(-3 * time.Hour), Reason: core.ReasonRepositoryAway, NextTry: now.Add(time.Minute)},
		{ID: "gait", Exports: exports(1, 7, 0, 0), Oldest: now.Add(-49 * time.Hour), Reason: core.ReasonRepositoryAway, NextTry: now.Add(time.Minute), LastSuccess: now.Add(-50 * time.Hour)}}},
	"refused": {Now: now, Disk: room, Destinations: []view.Destination{{ID: "sleep", Exports: exports(3, 0, 0, 0), Oldest: now.Add(-time.Hour), Reason: core.ReasonRepositoryRefused, NextTry: now.Add(time.Hour)}}},
	"parked": {Now: now, Disk: room, Uploads: map[core.State]int{core.StateFailed: 3}, Destinations: []view.Destination{
		{ID: "sleep", Exports: exports(0, 3, 0, 1), Parked: now.Add(-2 * time.Hour), ParkedReason: core.ReasonNeedsKey},
		{ID: "gait", Exports: exports(1, 0, 0, 2), Oldest: now.Add(-time.Minute), Parked: now.Add(-time.Hour), ParkedReason: core.ReasonBytesDamaged}}},
	"maintained": {Now: now, Disk: room, Destinations: []view.Destination{{ID: "sleep", Exports: exports(1, 0, 0, 0), Oldest: now, Reason: core.ReasonMaintenance, NextTry: now.Add(time.Minute)}}},
	"throttled":  {Now: now, Disk: room, Destinations: []view.Destination{{ID: "sleep", Exports: exports(0, 4, 0, 0), Since: now, Reason: core.ReasonThrottled, NextTry: now.Add(time.Minute)}}},
	"token": {Now: now, Disk: room, Destinations: []view.Destination{
		{ID: "sleep", Exports: exports(2, 0, 0, 1), Oldest: now.Add(-time.Hour), Reason: core.ReasonNeedsToken, NextTry: now.Add(time.Minute), Parked: now.Add(-time.Minute), ParkedReason: core.ReasonRepositoryInvalid},
		{ID: "gait", Exports: exports(0, 0, 0, 0), Since: now.Add(-time.Hour), Reason: core.ReasonProjectPending, Cause: core.ReasonNeedsToken, NextTry: now.Add(time.Minute)}}},
	"pending": {Now: now, Disk: room, Destinations: []view.Destination{
		{ID: "sleep", Exports: exports(2, 0, 0, 0), Oldest: now.Add(-time.Hour), Reason: core.ReasonProjectPending, Cause: core.ReasonRepositoryAway, NextTry: now.Add(time.Minute)},
		{ID: "gait", Exports: exports(0, 0, 0, 0), Since: now.Add(-time.Hour), Reason: core.ReasonProjectPending, Cause: core.ReasonRepositoryAway, NextTry: now.Add(time.Minute)}}},
	"ungranted": {Now: now, Disk: room, Destinations: []view.Destination{{ID: "sleep", Exports: exports(0, 0, 0, 0), Since: now, Reason: core.ReasonProjectPending, Cause: core.ReasonRepositoryRefused}}},
	"untaken":   {Now: now, Disk: room, Destinations: []view.Destination{{ID: "sleep", Exports: exports(0, 4, 0, 0), Since: now, Reason: core.ReasonRepositoryInvalid, NextTry: now.Add(time.Minute)}}},
	"unmakable": {Now: now, Disk: room, Destinations: []view.Destination{{ID: "sleep", Exports: exports(0, 0, 0, 0), Since: now, Reason: core.ReasonProjectPending, Cause: core.ReasonRepositoryInvalid}}},
	"paused":    {Now: now, Disk: room, Paused: now.Add(-time.Minute), Destinations: []view.Destination{{ID: "sleep", Exports: exports(3, 0, 0, 0), Oldest: now.Add(-time.Hour), Reason: core.ReasonPaused}, {ID: "gait", Exports: exports(0, 3, 0, 0)}}},
	"closed":    {Now: now, Disk: room, Hours: "22:00-06:00", Zone: "UTC", Destinations: []view.Destination{{ID: "sleep", Exports: exports(3, 0, 0, 0), Oldest: now.Add(-time.Hour), Reason: core.ReasonOutsideHours, NextTry: now.Add(time.Hour)}}},
	"versions":  {Now: now, Disk: room, Destinations: []view.Destination{{ID: "sleep", Exports: exports(1, 0, 0, 0), Oldest: now, Reason: core.ReasonVersionPending, NextTry: now}}},
	"full":      {Now: now, Disk: view.Disk{FreeBytes: -1, FloorBytes: 512 << 20, Paused: true}},
	"broken":    {Now: now, Disk: room, Broken: "sync the log: input/output error", Destinations: []view.Destination{{ID: "sleep", Exports: exports(1, 0, 0, 0)}}},
	"bucket":    {Now: now, Disk: room, Refused: map[core.DestinationID]string{"sleep": "the bucket is closed"}, Destinations: []view.Destination{{ID: "sleep", Exports: exports(3, 0, 0, 0), Oldest: now, Reason: core.ReasonProjectPending, Cause: core.ReasonRepositoryRefused}}},
	"unplugged": {Now: now, Disk: room, Folder: "/media/clinic/records", Destinations: []view.Destination{
		{ID: "sleep", Exports: exports(2, 0, 0, 0), Oldest: now.Add(-time.Hour), Reason: core.ReasonRepositoryMissing, NextTry: now.Add(time.Minute)},
		{ID: "gait", Exports: exports(1, 0, 0, 0), Oldest: now, Reason: core.ReasonRepositoryMissing, NextTry: now.Add(time.Minute)}}},
	"misplaced": {Now: now, Disk: room, Folder: "/media/clinic/records", Destinations: []view.Destination{{ID: "sleep", Exports: exports(2, 0, 0, 0), Oldest: now, Reason: core.ReasonRepositoryFile, NextTry: now.Add(time.Minute)}}},
	"locked":    {Now: now, Disk: room, Destinations: []view.Destination{{ID: "sleep", Exports: exports(2, 0, 0, 0), Oldest: now, Reason: core.ReasonRepositoryLocked, NextTry: now.Add(time.Minute)}}},
	"unfit":     {Now: now, Disk: room, Unfit: 2},
	"another":   {Now: now, Disk: room, Destinations: []view.Destination{{ID: "sleep", Exports: exports(1, 0, 0, 0), Oldest: now, Reason: core.ReasonRepositoryChanged, NextTry: now.Add(time.Minute)}}},
	"trashed":   {Now: now, Disk: room, Synapse: true, Destinations: []view.Destination{{ID: "sleep", Exports: exports(1, 0, 0, 0), Oldest: now, Reason: core.ReasonRepositoryChanged, NextTry: now.Add(time.Minute)}}},
}

func TestOverviews(t *testing.T) {
	for name, snapshot := range snapshots {
		var got bytes.Buffer
		encoder := json.NewEncoder(&got)
		encoder.SetIndent("", "  ")
		if err := encoder.Encode(view.NewOverview(snapshot, view.Reader{})); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join("testdata", name+".json")
		if *update {
			os.MkdirAll("testdata", 0o755)
			if err := os.WriteFile(file, got.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", file, diff)
		}
	}
}

func TestSentences(t *testing.T) {
	for name, want := range map[string]string{
		"new":        "All is well: nothing waits, 0 records in the repository.",
		"well":       "All is well: nothing waits, 40 records in the repository.",
		"one":        "All is well: nothing waits, 1 record in the repository.",
		"unopened":   "Nothing waits, 1 record in the repository; but 2 uploads could not be opened (footbridge upload list --standing refused says why).",
		"processing": "1 upload being processed.",
		"sending":    "2 uploads being processed, 3 records being sent.",
		"away":       "Waiting: 12 records for sleep, the oldest for 3 hours: the repository cannot be reached; 1 record for gait, the oldest for 2 days: the repository cannot be reached.",
		"refused":    "The repository does not let Footbridge write to sleep. Ask whoever looks after it for permission, and see that its token or key is still good.",
		"parked":     "1 record for sleep cannot be sent since 06:00:00 UTC on 2026-11-20 and waits for a decision; footbridge upload list --standing needs_person says which, and why. 2 records for gait cannot be sent, the oldest since 07:00:00 UTC on 2026-11-20, and wait for a decision; footbridge upload list --standing needs_person says which, and why.",
		"bucket":     "What is for sleep waits: the bucket is closed.",
		"unplugged":  "The folder of the repository (/media/clinic/records) is not there, and nothing is sent. Connect its disk, and what waits is sent by itself; if it is gone for good, make the project anew (footbridge study create-project) and send again what it had (footbridge sync reconcile --repair).",
		"misplaced":  "A file is where the folder of the repository (/media/clinic/records) should be, and nothing is sent. Move the file away, or name another folder in the settings; what waits is sent by itself then.",
		"unfit":      "2 files in inbox/refused: the texts beside them say why. Put them right into the inbox again, or take them away.",
		"another":    "The repository does not hold the project of sleep any more. Connect the right disk or folder; if this one is meant, make the project anew (footbridge study create-project) and send again what it had (footbridge sync reconcile --repair).",
		"trashed":    "The repository does not hold the project of sleep any more. Take it out of the trash there, or make the project anew (footbridge study create-project) and send again what it had (footbridge sync reconcile --repair).",
		"maintained": "Waiting: 1 record for sleep: the repository is being maintained, and comes back by itself.",
		"throttled":  "Waiting: the tables for sleep: the repository asks for a pause, because it has too much to do.",
		"pending":    "Waiting: 2 records for sleep, the oldest for 1 hour: the project is not made yet, because the repository cannot be reached; the project for gait, the oldest for 1 hour: the project is not made yet, because the repository cannot be reached.",
		"ungranted":  "The repository does not let Footbridge make the project of sleep. Ask whoever looks after it for permission, and see that its token or key is still good.",
		"untaken":    "Waiting: the tables for sleep: the repository does not take it as it is.",
		"unmakable":  "The repository does not take the project of sleep as Footbridge makes it; the log says why.",
		"paused":     "Sending is paused since 07:59:00 UTC on 2026-11-20: 3 records held back. Send again with footbridge sync resume.",
		"closed":     "Waiting: 3 records for sleep, the oldest for 1 hour: the settings say that records are sent at another time of day. The hours are 22:00-06:00 in UTC (sync.hours).",
		"versions":   "1 record being sent.",
		"full":       "The disk is full: 0 bytes are free and 512.0 MiB must stay free. Devices keep their data until there is room.",
		"broken":     "Nothing can be stored: sync the log: input/output error. Start Footbridge again; if that does not help, call your technician.",
	} {
		if got := view.NewOverview(snapshots[name], view.Reader{}).Sentence; got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, want)
		}
	}
}

// That a person is needed for something does not hide that sending is paused.
func TestPausedAndAPersonIsNeeded(t *testing.T) {
	s := snapshots["unfit"]
	s.Paused = now.Add(-time.Minute)
	o := view.NewOverview(s, view.Reader{})
	paused := "Sending is paused since 07:59:00 UTC on 2026-11-20: 0 records held back. Send again with footbridge sync resume."
	if o.State != "needs_person" || len(o.NeedsPerson) != 1 || o.Sentence != o.NeedsPerson[0]+" "+paused {
		t.Errorf("%s: %s", o.State, o.Sentence)
	}
}

// An upload that could not be opened is led to in the window whatever else there is, and
// never beside the mark of what is well; where the window counts what needs a person, so
// much stands below.
func TestWhatCouldNotBeOpenedIsSeen(t *testing.T) {
	for name, want := range map[string]string{"token": "needs_person", "sending": "working", "well": "refused"} {
		s, r := snapshots[name], view.Reader{Window: true, Now: now, Zone: time.UTC}
		s.Uploads = map[core.State]int{core.StateFailed: 1}
		f := view.NewFront(view.NewOverview(s, r), r)
		led := slices.ContainsFunc(f.Needs, func(n view.Need) bool {
			return n.Place == view.PlaceRefused && strings.HasPrefix(n.Sentence, "1 upload could not be opened")
		})
		if f.State != want || !led {
			t.Errorf("%s: %+v", name, f)
		}
		if needs := r.Count("front.needs", len(f.Needs)); want != "working" && f.Sentence != needs {
			t.Errorf("%s: %s, not %s", name, f.Sentence, needs)
		}
	}
}

// Each destination says of what is not sent why, since when and when it is tried next.
func TestDestinationsSayWhatWaits(t *testing.T) {
	for name, want := range map[string][]string{
		"well":       {""},
		"sending":    {"1 record is on the way since 08:00:00 UTC on 2026-11-20.", "2 records are on the way, the oldest since 08:00:00 UTC on 2026-11-20."},
		"away":       {"12 records wait, the oldest since 05:00:00 UTC on 2026-11-20: the repository cannot be reached; it is tried again at 08:01:00 UTC on 2026-11-20.", "1 record waits since 07:00:00 UTC on 2026-11-18: the repository cannot be reached; it is tried again at 08:01:00 UTC on 2026-11-20."},
		"maintained": {"1 record waits since 08:00:00 UTC on 2026-11-20: the repository is being maintained, and comes back by itself; it is tried again at 08:01:00 UTC on 2026-11-20."},
		"throttled":  {"Its tables wait since 08:00:00 UTC on 2026-11-20: the repository asks for a pause, because it has too much to do; it is tried again at 08:01:00 UTC on 2026-11-20."},
		"token": {
			"2 records wait, the oldest since 07:00:00 UTC on 2026-11-20: there is no token or key that the repository takes; it is tried again at 08:01:00 UTC on 2026-11-20. 1 record needs a person since 07:59:00 UTC on 2026-11-20: the repository does not take it as it is. Once that is mended, footbridge upload retry sends it.",
			"Its project waits to be made since 07:00:00 UTC on 2026-11-20: there is no token or key that the repository takes; it is tried again at 08:01:00 UTC on 2026-11-20."},
		"paused":   {"3 records wait, the oldest since 07:00:00 UTC on 2026-11-20: sending is paused; footbridge sync resume sends again.", ""},
		"closed":   {"3 records wait, the oldest since 07:00:00 UTC on 2026-11-20: the settings say that records are sent at another time of day; it is tried again at 09:00:00 UTC on 2026-11-20."},
		"versions": {"1 record waits since 08:00:00 UTC on 2026-11-20: the row of its participant version goes to the repository first; it is tried again at 08:00:00 UTC on 2026-11-20."},
		"parked": {
			"1 record needs a person since 06:00:00 UTC on 2026-11-20: the key that opens it is gone from this site. Once that is mended, footbridge upload retry sends it.",
			"1 record is on the way since 07:59:00 UTC on 2026-11-20. 2 records need a person, the oldest since 07:00:00 UTC on 2026-11-20: the stored bytes are damaged. Once that is mended, footbridge upload retry sends them. Damaged bytes are mended by putting the file back in its place in the home folder from a backup; that is for whoever looks after this computer."},
	} {
		for i, line := range view.NewOverview(snapshots[name], view.Reader{}).Destinations {
			if line.Sentence != want[i] {
				t.Errorf("%s:\ngot  %s\nwant %s", name, line.Sentence, want[i])
			}
		}
	}
	o := view.NewOverview(snapshots["token"], view.Reader{})
	if len(o.NeedsPerson) != 2 || !strings.Contains(o.NeedsPerson[0], "keys/repository.token") || !strings.Contains(o.NeedsPerson[1], "waits for a decision") {
		t.Errorf("a person is told %q", o.NeedsPerson)
	}
}

// Every reason is said in words of its own.
func TestReasons(t *testing.T) {
	said := map[string]core.ExportReason{}
	for _, r := range reasons {
		words := (view.Reader{}).Reason(r)
		if other, ok := said[words]; ok || words == "" || strings.Contains(words, "_") {
			t.Errorf("%q says %q, as does %q", r, words, other)
		}
		said[words] = r
	}
}

func TestSizes(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 bytes", 1: "1 byte", 1023: "1023 bytes", 1024: "1.0 KiB", 1536: "1.5 KiB", 1<<20 - 1: "1.0 MiB",
		512 << 20: "512.0 MiB", 5 << 30: "5.0 GiB", 3 << 40: "3.0 TiB", math.MaxInt64: "8388608.0 TiB",
	} {
		if got := (view.Reader{}).Bytes(n); got != want {
			t.Errorf("%d: got %s, want %s", n, got, want)
		}
	}
}
