package schedule_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/core/schedule"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// A week in May: the morning session of one event was done, that of the next was
// begun and its tapping declined; tapping was repeated in the evening; something
// that no timeline knows was done too.
func filled(t *testing.T) *diary {
	d := newDiary(t)
	put(t, d.Diary, walking)
	later := func(r core.AdherenceRecord) core.AdherenceRecord { r.EventTimestamp = hour(24); return r }
	with := func(r core.AdherenceRecord, ids ...core.UploadID) core.AdherenceRecord { r.UploadIDs = ids; return r }
	d.save(with(did("a-1", hour(1), hour(2)), "u1", "u2"), did("a-2", hour(3), hour(4)),
		later(with(did("a-1", hour(25), time.Time{}), "u3")), later(declined("a-2")),
		did("a-3", hour(5), hour(6)), with(did("a-3", hour(7), hour(8)), "u4"),
		later(did("else", hour(26), time.Time{})), did("else", hour(9), time.Time{}))
	return d
}

func TestSearches(t *testing.T) {
	d := filled(t)
	yes, no := true, false
	all := []string{"a-1 01:00 02:00 u1 u2", "a-1 01:00 - u3", "a-2 - - declined", "a-2 03:00 04:00", "a-3 05:00 06:00", "a-3 07:00 08:00 u4",
		"else 09:00 -", "else 02:00 -", "s-1 01:00 04:00", "s-1 01:00 -", "s-2 05:00 06:00"}
	all[10] = "s-2 05:00 08:00"
	without := func(lines ...string) []string {
		return slices.DeleteFunc(slices.Clone(all), func(line string) bool { return slices.Contains(lines, line) })
	}
	for name, test := range map[string]struct {
		search schedule.Search
		want   []string
	}{
		"nothing":                    {schedule.Search{}, all},
		"words in any case":          {schedule.Search{Predicate: "AND", SortOrder: "Asc", StringSearchPosition: "Infix"}, all},
		"instances":                  {schedule.Search{InstanceGUIDs: []string{"a-2", "else", "none"}}, []string{all[2], all[3], all[6], all[7]}},
		"an instance and its start":  {schedule.Search{InstanceGUIDs: []string{"a-3@2026-05-12T07:00:00Z", "a-1@2026-05-12"}}, []string{all[5]}},
		"an assessment":              {schedule.Search{AssessmentIDs: []string{"finger-tapping"}}, all[2:6]},
		"a session":                  {schedule.Search{SessionGUIDs: []string{"evening"}}, []string{all[4], all[5], all[10]}},
		"a time window":              {schedule.Search{TimeWindowGUIDs: []string{"w-1", "w-9"}}, append(slices.Clone(all[:4]), all[8], all[9])},
		"assessments":                {schedule.Search{RecordType: "ASSESSMENT"}, all[:6]},
		"sessions":                   {schedule.Search{RecordType: "session"}, all[8:]},
		"the first of repeats":       {schedule.Search{IncludeRepeats: &no}, without(all[5])},
		"the last of repeats":        {schedule.Search{IncludeRepeats: &no, SortOrder: "desc"}, without(all[4])},
		"every one of them":          {schedule.Search{IncludeRepeats: &yes}, all},
		"an event at its time":       {schedule.Search{EventTimestamps: map[string]time.Time{"enrollment": hour(24)}}, []string{all[1], all[2], all[9]}},
		"an event at another":        {schedule.Search{EventTimestamps: map[string]time.Time{"enrollment": hour(1)}}, []string{}},
		"several events":             {schedule.Search{EventTimestamps: map[string]time.Time{"enrollment": day, "study_burst:main:02": day}}, []string{all[0], all[3], all[4], all[5], all[8], all[10]}},
		"current times":              {schedule.Search{CurrentTimestampsOnly: true}, without(all[0], all[3], all[6], all[8])},
		"a current time by name":     {schedule.Search{CurrentTimestampsOnly: true, EventTimestamps: map[string]time.Time{"enrollment": day}}, without(all[1], all[2], all[6], all[9])},
		"a range of events":          {schedule.Search{EventTimestampStart: hour(23), EventTimestampEnd: hour(25)}, []string{all[1], all[2], all[7], all[9]}},
		"its end is not in it":       {schedule.Search{EventTimestampStart: hour(-1), EventTimestampEnd: hour(0)}, []string{}},
		"a range of starts":          {schedule.Search{StartTime: hour(3), EndTime: hour(7)}, []string{all[3], all[4], all[5], all[10]}},
		"what was declined":          {schedule.Search{Declined: &yes}, all[2:3]},
		"what was not":               {schedule.Search{Declined: &no}, without(all[2])},
		"an upload":                  {schedule.Search{UploadID: "u2"}, all[:1]},
		"many uploads":               {schedule.Search{HasMultipleUploadIDs: true}, all[:1]},
		"no uploads":                 {schedule.Search{HasNoUploadIDs: true}, without(all[0], all[1], all[5])},
		"this and that":              {schedule.Search{AssessmentIDs: []string{"finger-tapping"}, Declined: &no, StartTime: hour(4), EndTime: hour(9)}, all[4:6]},
		"this or that":               {schedule.Search{Predicate: "or", AssessmentIDs: []string{"walk-and-balance"}, Declined: &yes}, all[:3]},
		"this or that, of an upload": {schedule.Search{Predicate: "OR", UploadID: "u1", AssessmentIDs: []string{"finger-tapping"}}, []string{}},
		"or nothing":                 {schedule.Search{Predicate: "or"}, all},
	} {
		t.Run(name, func(t *testing.T) {
			got := lines(d.search(test.search))
			slices.Sort(got)
			want := slices.Clone(test.want)
			slices.Sort(want)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// An event of the app's own may be named with or without its prefix.
func TestEventsOfTheApp(t *testing.T) {
	d := newDiary(t)
	put(t, d.Diary, strings.ReplaceAll(walking, `"enrollment"`, `"custom:visit"`))
	d.save(did("a-1", hour(1), time.Time{}))
	for _, id := range []string{"visit", "custom:visit"} {
		if got := d.search(schedule.Search{EventTimestamps: map[string]time.Time{id: day.Add(time.Microsecond)}}); len(got) != 2 {
			t.Errorf("%s: %v", id, lines(got))
		}
	}
}

func TestOthersAreNotFound(t *testing.T) {
	d := filled(t)
	must(t, d.Save(t.Context(), study, "user2", []core.AdherenceRecord{did("a-1", hour(1), time.Time{})}))
	must(t, d.Save(t.Context(), "sleep", user, []core.AdherenceRecord{did("a-1", hour(1), time.Time{})}))
	count := func(study core.StudyID, user core.UserID, want int) {
		t.Helper()
		if _, total, err := d.Search(t.Context(), study, user, schedule.Search{}); err != nil || total != want {
			t.Errorf("%d of %s in %s, %v, want %d", total, user, study, err, want)
		}
	}
	count(study, user, 11)
	count(study, "user2", 2)
	count(study, "", 13)
	count(study, "use", 0)
	count("sleep", user, 1)
	count("nowhere", user, 0)
	no := false
	found, _, err := d.Search(t.Context(), study, "", schedule.Search{InstanceGUIDs: []string{"a-1"}, IncludeRepeats: &no, CurrentTimestampsOnly: true})
	if err != nil || len(found) != 2 || found[0].User == found[1].User || found[0].AssessmentGUID != "g-walk" || found[0].SessionGUID != "" {
		t.Errorf("%+v, %v", found, err)
	}
}

func TestWhatIsWrongWithASearch(t *testing.T) {
	d := newDiary(t)
	many := make([]string, 501)
	events := map[string]time.Time{}
	for i := range 51 {
		events[fmt.Sprint(i)] = day
	}
	size := func(n int) *int { return &n }
	for _, test := range []struct {
		search schedule.Search
		want   string
	}{
		{schedule.Search{InstanceGUIDs: many, AssessmentIDs: many, SessionGUIDs: many, TimeWindowGUIDs: many}, "assessmentIds exceeds maximum size of 500 entries; " +
			"instanceGuids exceeds maximum size of 500 entries; sessionGuids exceeds maximum size of 500 entries; timeWindowGuids exceeds maximum size of 500 entries"},
		{schedule.Search{EventTimestamps: events}, "eventTimestamps exceeds maximum size of 50 entries"},
		{schedule.Search{StartTime: day, EventTimestampEnd: day}, "endTime must be provided if startTime is provided; " +
			"eventTimestampStart must be provided if eventTimestampEnd is provided"},
		{schedule.Search{StartTime: hour(1), EndTime: day, EventTimestampStart: day, EventTimestampEnd: day},
			"endTime is before startTime; eventTimestampEnd must be after eventTimestampStart"},
		{schedule.Search{HasMultipleUploadIDs: true, HasNoUploadIDs: true}, "AdherenceRecordsSearch cannot specify both hasMultipleUploadIds and hasNoUploadIds"},
		{schedule.Search{OffsetBy: -1, PageSize: size(0)}, "offsetBy cannot be negative; pageSize must be 1-500 records"},
		{schedule.Search{PageSize: size(501)}, "pageSize must be 1-500 records"},
		{schedule.Search{RecordType: "a", Predicate: "b", SortOrder: "c", StringSearchPosition: "d"}, "adherenceRecordType must be one of assessment, session; " +
			"predicate must be one of and, or; sortOrder must be one of asc, desc; stringSearchPosition must be one of infix, prefix, postfix, exact"},
		{schedule.Search{InstanceGUIDs: []string{"a", "b@noon"}}, "instanceGuids[1] must be a guid, or a guid, @ and an ISO 8601 time"},
	} {
		_, _, err := d.Search(t.Context(), study, user, test.search)
		var invalid *core.Invalid
		if !errors.As(err, &invalid) || err.Error() != "AdherenceRecordsSearch is invalid: "+test.want {
			t.Errorf("got %v\nwant %s", err, test.want)
		}
	}
}

// Pages are without gaps and overlaps, and in order.
func TestPages(t *testing.T) {
	d := filled(t)
	rapid.Check(t, func(rt *rapid.T) {
		size := rapid.IntRange(1, 12).Draw(rt, "size")
		order := rapid.SampledFrom([]string{"", "asc", "desc"}).Draw(rt, "order")
		var all []core.AdherenceRecord
		for offset := 0; ; offset += size {
			page, total, err := d.Search(t.Context(), study, user, schedule.Search{SortOrder: order, OffsetBy: offset, PageSize: &size})
			if err != nil || total != 11 || len(page) != min(size, max(0, 11-offset)) {
				rt.Fatalf("%d of %d at %d, %v", len(page), total, offset, err)
			}
			if len(page) == 0 {
				break
			}
			all = append(all, page...)
		}
		seen := map[string]bool{}
		for i, r := range all {
			seen[key(r)] = true
			if i > 0 && (order == "desc") == all[i-1].StartedOn.Before(r.StartedOn) && !all[i-1].StartedOn.Equal(r.StartedOn) {
				rt.Fatalf("%v", lines(all))
			}
		}
		if len(seen) != 11 {
			rt.Fatalf("%d records", len(seen))
		}
	})
}
