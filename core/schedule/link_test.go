package schedule_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/core/schedule"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// activities are those of a participant who has done nothing yet: a session of
// two assessments, and one of one assessment in a persistent window.
func activities() *core.Activities {
	place := func(session, assessment, persistent string) core.TimelineMetadata {
		return core.TimelineMetadata{SessionInstanceGUID: session, AssessmentInstanceGUID: assessment, TimeWindowPersistent: persistent}
	}
	one, two := place("s-1", "", ""), place("s-2", "", "true")
	one.Assessments, two.Assessments = []string{"a-1", "a-2"}, []string{"a-3"}
	return &core.Activities{Study: study, User: user, Metadata: map[string]core.TimelineMetadata{
		"s-1": one, "a-1": place("s-1", "a-1", ""), "a-2": place("s-1", "a-2", ""), "s-2": two, "a-3": place("s-2", "a-3", "true"),
	}}
}

// upload is one that was completed, with metadata of any JSON kind.
func upload(id core.UploadID, on time.Time, metadata map[string]any) core.Upload {
	u := core.Upload{ID: id, User: user, Facts: &core.Facts{UploadedOn: on}, Request: core.Request{Metadata: map[string]json.RawMessage{}}}
	for key, value := range metadata {
		u.Request.Metadata[key], _ = json.Marshal(value)
	}
	return u
}

func linkTo(a *core.Activities, u core.Upload) {
	schedule.Link(u, map[core.StudyID]*core.Activities{study: a})
}

// rows are the records that readers see, in order, and then those that wait.
func rows(a *core.Activities) (seen, waiting []string) {
	for _, r := range a.Records {
		if r.Waits() {
			waiting = append(waiting, lines([]core.AdherenceRecord{r})...)
		} else {
			seen = append(seen, lines([]core.AdherenceRecord{r})...)
		}
	}
	slices.Sort(seen)
	slices.Sort(waiting)
	return seen, waiting
}

func TestUploadsAreLinked(t *testing.T) {
	type meta = map[string]any
	at := func(guid string) meta {
		return meta{"instanceGuid": guid, "eventTimestamp": "2026-05-12T02:00:00+02:00"}
	}
	begun := func(guid, started string) meta {
		m := at(guid)
		m["startedOn"] = started
		return m
	}
	for name, test := range map[string]struct {
		before        []core.AdherenceRecord
		uploads       []meta
		after         []core.AdherenceRecord
		seen, waiting []string
	}{
		"to the record that is there": {before: []core.AdherenceRecord{did("a-1", hour(1), hour(2))},
			uploads: []meta{at("a-1")}, seen: []string{"a-1 01:00 02:00 u0", "s-1 01:00 -"}},
		"whose start stays": {before: []core.AdherenceRecord{did("a-1", hour(1), hour(2))},
			uploads: []meta{begun("a-1", "2026-05-12T05:00:00Z")}, seen: []string{"a-1 01:00 02:00 u0", "s-1 01:00 -"}},
		"to one that was declined": {before: []core.AdherenceRecord{declined("a-1")},
			uploads: []meta{begun("a-1", "2026-05-12T05:00:00Z")}, seen: []string{"a-1 - - declined u0"}},
		"to one that is made": {uploads: []meta{begun("a-1", "2026-05-12T03:00:00.0009Z")},
			seen: []string{"a-1 03:00 - u0", "s-1 03:00 -"}},
		"both to one": {uploads: []meta{begun("a-1", "2026-05-12T03:00:00Z"), begun("a-1", "2026-05-12T05:00:00Z")},
			seen: []string{"a-1 03:00 - u0 u1", "s-1 03:00 -"}},
		"each to its own start in a persistent window": {
			uploads: []meta{begun("a-3", "2026-05-12T03:00:00Z"), begun("a-3", "2026-05-12T05:00:00Z"), begun("a-3", "2026-05-12T05:00Z")},
			seen:    []string{"a-3 03:00 - u0", "a-3 05:00 - u1 u2", "s-2 03:00 -"}},
		"to a session": {uploads: []meta{begun("s-1", "2026-05-12T03:00:00Z")}, seen: []string{"s-1 03:00 - u0"}},
		"later":        {uploads: []meta{at("a-1"), at("a-1"), at("a-3")}, waiting: []string{"a-1 - - u0 u1", "a-3 - - u2"}},
		"once the record is there": {uploads: []meta{at("a-1"), at("a-1"), at("a-3")},
			after: []core.AdherenceRecord{did("a-1", hour(1), time.Time{}), did("a-3", hour(2), time.Time{}), did("a-3", hour(3), time.Time{})},
			seen:  []string{"a-1 01:00 - u0 u1", "a-3 02:00 - u2", "a-3 03:00 -", "s-1 01:00 -", "s-2 02:00 -"}},
		"once it is declined": {uploads: []meta{at("a-1")}, after: []core.AdherenceRecord{declined("a-1")}, seen: []string{"a-1 - - declined u0"}},
		"once a later upload makes it": {uploads: []meta{at("a-1"), begun("a-1", "2026-05-12T03:00:00Z")},
			seen: []string{"a-1 03:00 - u0 u1", "s-1 03:00 -"}},
		"once a session is there": {uploads: []meta{at("s-1")}, after: []core.AdherenceRecord{did("a-1", hour(1), time.Time{})},
			seen: []string{"a-1 01:00 -", "s-1 01:00 - u0"}},
		"once the device asks what its session came to": {before: []core.AdherenceRecord{did("a-3", hour(1), time.Time{})},
			uploads: []meta{at("s-2")}, after: []core.AdherenceRecord{did("s-2", time.Time{}, time.Time{})},
			seen: []string{"a-3 01:00 -", "s-2 01:00 - u0"}},
		"to another performance of a session": {before: []core.AdherenceRecord{did("a-3", hour(2), time.Time{})},
			uploads: []meta{begun("s-2", "2026-05-12T01:00:00Z")}, after: []core.AdherenceRecord{did("a-3", hour(2), hour(3)), did("s-2", hour(1), hour(4))},
			seen: []string{"a-3 02:00 03:00", "s-2 01:00 04:00 u0", "s-2 02:00 03:00"}},
		"to a session that the device began": {before: []core.AdherenceRecord{did("s-2", hour(1), time.Time{})},
			uploads: []meta{at("s-2")}, after: []core.AdherenceRecord{did("a-3", hour(2), time.Time{})},
			seen: []string{"a-3 02:00 -", "s-2 01:00 - u0"}},
		"not to another event": {before: []core.AdherenceRecord{did("a-1", hour(1), hour(2))},
			uploads: []meta{{"instanceGuid": "a-1", "eventTimestamp": "2026-05-12T00:00:00.001Z"}},
			seen:    []string{"a-1 01:00 02:00", "s-1 01:00 -"}, waiting: []string{"a-1 - - u0"}},
		"to the latest start in a persistent window": {before: []core.AdherenceRecord{did("a-3", hour(3), hour(4)), did("a-3", hour(1), hour(2))},
			uploads: []meta{at("a-3")}, after: []core.AdherenceRecord{did("a-3", hour(5), time.Time{})},
			seen: []string{"a-3 01:00 02:00", "a-3 03:00 04:00 u0", "a-3 05:00 -", "s-2 01:00 04:00"}},
		"to one that was started by the event itself": {before: []core.AdherenceRecord{did("a-3", day, hour(2))},
			uploads: []meta{at("a-3")}, seen: []string{"a-3 00:00 02:00 u0", "s-2 00:00 02:00"}},
		"never, where its start cannot be read": {uploads: []meta{begun("a-1", "at noon"), {"instanceGuid": "a-1", "eventTimestamp": "2026-05-12", "startedOn": 7}}},
		"never, where the event cannot be read": {uploads: []meta{{"instanceGuid": "a-1", "eventTimestamp": "at noon", "startedOn": "2026-05-12T03:00:00Z"}}},
		"never, where it is no text":            {uploads: []meta{{"instanceGuid": 7, "eventTimestamp": "2026-05-12"}, {"instanceGuid": "a-1", "eventTimestamp": 7}}},
		"never, where something is missing":     {uploads: []meta{{"instanceGuid": "a-1"}, {"eventTimestamp": "2026-05-12"}, {}, nil}},
	} {
		t.Run(name, func(t *testing.T) {
			a := activities()
			schedule.Save(a, keyed(test.before))
			for range 2 { // a redrive changes nothing
				for i, metadata := range test.uploads {
					linkTo(a, upload(core.UploadID(fmt.Sprint("u", i)), hour(10+i), metadata))
				}
			}
			schedule.Save(a, keyed(test.after))
			seen, waiting := rows(a)
			if diff := cmp.Diff(test.seen, seen); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(test.waiting, waiting); diff != "" {
				t.Error("waiting: ", diff)
			}
			for _, r := range a.Records {
				if len(r.UploadIDs) > 0 && !slices.Contains([]time.Time{hour(10), hour(11), hour(12)}, r.UploadedOn) {
					t.Errorf("uploaded on %s", r.UploadedOn)
				}
				if slices.Contains(r.UploadIDs, "u0") && !r.UploadedOn.Equal(hour(10)) {
					t.Errorf("uploaded first on %s", r.UploadedOn)
				}
			}
		})
	}
}

// A session that was only waited for follows its assessments once they are there,
// and waits again when they are gone.
func TestASessionThatWasWaitedFor(t *testing.T) {
	type meta = map[string]any
	to := func(guid string) meta { return meta{"instanceGuid": guid, "eventTimestamp": "2026-05-12"} }
	for _, guids := range [][2]string{{"s-1", "a-1"}, {"s-2", "a-3"}} {
		a := activities()
		check := func(waits bool, started time.Time, uploads int) {
			t.Helper()
			var of []core.AdherenceRecord
			for _, r := range a.Records {
				if r.InstanceGUID == guids[0] {
					of = append(of, r)
				}
			}
			if len(of) != 1 || of[0].Waits() != waits || !of[0].StartedOn.Equal(started) || len(of[0].UploadIDs) != uploads {
				t.Errorf("%s: %+v", guids[0], of)
			}
		}
		linkTo(a, upload("u1", hour(9), to(guids[0])))
		check(true, time.Time{}, 1)
		schedule.Save(a, keyed([]core.AdherenceRecord{did(guids[1], hour(2), time.Time{})}))
		check(false, hour(2), 1)
		schedule.Save(a, keyed([]core.AdherenceRecord{did(guids[1], hour(1), time.Time{})}))
		check(false, hour(1), 1)
		for _, n := range []int{1, 2} {
			schedule.Remove(a, keyed([]core.AdherenceRecord{did(guids[1], hour(n), time.Time{})})[0])
		}
		check(true, time.Time{}, 1)
	}
}

// What waits apart from a session waits with it when its assessments are gone.
func TestLinksThatWaitAreJoined(t *testing.T) {
	a := activities()
	record := keyed([]core.AdherenceRecord{did("a-3", hour(1), time.Time{})})
	schedule.Save(a, record)
	metadata := map[string]any{"instanceGuid": "s-2", "eventTimestamp": "2026-05-12"}
	linkTo(a, upload("u1", hour(9), metadata))
	metadata["startedOn"] = core.FormatTime(hour(1))
	linkTo(a, upload("u2", hour(8), metadata))
	seen, waiting := rows(a)
	if diff := cmp.Diff([]string{"a-3 01:00 -", "s-2 01:00 - u1 u2"}, seen); diff != "" || len(waiting) > 0 {
		t.Error(diff, waiting)
	}
	schedule.Remove(a, record[0])
	if len(a.Records) != 1 || len(a.Records[0].UploadIDs) != 2 || !a.Records[0].UploadedOn.Equal(hour(8)) || !a.Records[0].InstanceTimestamp.Equal(day) {
		t.Errorf("%+v", a.Records)
	}
}

// keyed gives records as Diary hands them to Save.
func keyed(records []core.AdherenceRecord) []core.AdherenceRecord {
	all := slices.Clone(records)
	for i := range all {
		all[i].Study, all[i].User = study, user
	}
	return all
}

func TestAnUploadIsLinkedInEveryStudyThatKnowsIt(t *testing.T) {
	here, there := activities(), activities()
	there.Study = "sleep"
	schedule.Link(upload("u", hour(9), map[string]any{"instanceGuid": "a-1", "eventTimestamp": "2026-05-12", "startedOn": "2026-05-12T01:00Z"}),
		map[core.StudyID]*core.Activities{study: here, "sleep": there})
	for _, a := range []*core.Activities{here, there} {
		if len(a.Records) != 2 || a.Records[0].Study != a.Study {
			t.Errorf("%+v", a.Records)
		}
	}
}

// Whatever is saved and linked, in whatever order: keys are unique and never
// change, what was linked is somewhere, a session is as its assessments are, and
// linking again changes nothing.
func TestNoLinkIsLost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := activities()
		guid := rapid.SampledFrom([]string{"s-1", "a-1", "a-2", "s-2", "a-3", "unknown"})
		event := rapid.SampledFrom([]time.Time{day, hour(1)})
		start := rapid.SampledFrom([]time.Time{{}, day, hour(1), hour(2)})
		first := map[core.UploadID]time.Time{}
		for i := range rapid.IntRange(1, 30).Draw(t, "steps") {
			instance, on := guid.Draw(t, "instance"), event.Draw(t, "event")
			started := start.Draw(t, "started")
			if rapid.Bool().Draw(t, "save") {
				r := core.AdherenceRecord{Study: study, User: user, InstanceGUID: instance, EventTimestamp: on, StartedOn: started,
					Declined: rapid.Bool().Draw(t, "declined")}
				if !started.IsZero() && rapid.Bool().Draw(t, "finished") {
					r.FinishedOn = hour(3)
				}
				schedule.Save(a, []core.AdherenceRecord{r})
			} else if a.Metadata[instance].InstanceGUID() != "" {
				metadata := map[string]any{"instanceGuid": instance, "eventTimestamp": core.FormatTime(on)}
				if !started.IsZero() {
					metadata["startedOn"] = core.FormatTime(started)
				}
				u := upload(core.UploadID(fmt.Sprint("u", i)), hour(rapid.IntRange(10, 20).Draw(t, "on")), metadata)
				linkTo(a, u)
				first[u.ID] = u.Facts.UploadedOn
				before := slices.Clone(a.Records)
				linkTo(a, u)
				sorted(before)
				sorted(a.Records)
				if diff := cmp.Diff(before, a.Records); diff != "" {
					t.Fatal("linked again: ", diff)
				}
			}
			check(t, a, first)
		}
	})
}

func key(r core.AdherenceRecord) string {
	return fmt.Sprint(r.InstanceGUID, r.EventTimestamp.UnixMilli(), r.InstanceTimestamp.UnixMilli())
}

func sorted(records []core.AdherenceRecord) {
	slices.SortFunc(records, func(a, b core.AdherenceRecord) int {
		if key(a) < key(b) {
			return -1
		}
		return 1
	})
}

func check(t *rapid.T, a *core.Activities, first map[core.UploadID]time.Time) {
	keys, linked := map[string]bool{}, map[core.UploadID]bool{}
	for _, r := range a.Records {
		if keys[key(r)] || r.InstanceTimestamp.IsZero() || r.Study != study || r.User != user {
			t.Fatalf("the key of %+v is there twice, or wrong", r)
		}
		keys[key(r)] = true
		if r.Waits() && len(r.UploadIDs) == 0 {
			t.Fatalf("nothing waits for %+v", r)
		}
		earliest := time.Time{}
		for _, id := range r.UploadIDs {
			linked[id] = true
			if earliest.IsZero() || first[id].Before(earliest) {
				earliest = first[id]
			}
		}
		if !r.UploadedOn.Equal(earliest) {
			t.Fatalf("uploaded on %s, first on %s", r.UploadedOn, earliest)
		}
		if r.Derived && r.InstanceGUID != "s-1" && r.InstanceGUID != "s-2" {
			t.Fatalf("%+v is no session's", r)
		}
	}
	if len(linked) != len(first) {
		t.Fatalf("%d of %d uploads are linked", len(linked), len(first))
	}
}
