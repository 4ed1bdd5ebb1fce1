package schedule_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/core/schedule"

	"github.com/google/go-cmp/cmp"
)

// walking is a schedule with a session of two assessments on day 1, a burst of
// one on day 3 that may be repeated, and fields of which nothing is known here.
const walking = `{
	"duration": "P4W", "type": "Timeline", "totalMinutes": 1.50, "later": {"b": [1, 2], "a": "<&>"},
	"schedule": [
		{"instanceGuid": "s-1", "refGuid": "morning", "timeWindowGuid": "w-1", "startDay": 1, "endDay": "2", "startTime": "08:00",
		 "assessments": [{"refKey": "k-walk", "instanceGuid": "a-1"}, {"refKey": "k-tap", "instanceGuid": "a-2"}]},
		{"instanceGuid": "s-2", "refGuid": "evening", "timeWindowGuid": "w-2", "startEventId": "study_burst:main:02", "startDay": 3, "endDay": 3,
		 "persistent": true, "studyBurstId": "main", "studyBurstNum": 2, "assessments": [{"refKey": "k-tap", "instanceGuid": "a-3"}]},
		{"instanceGuid": "s-3", "refGuid": "evening"}
	],
	"assessments": [
		{"key": "k-walk", "guid": "g-walk", "appId": "shared", "identifier": "walk-and-balance", "revision": 3},
		{"key": "k-tap", "guid": "g-tap", "identifier": "finger-tapping", "revision": "1", "colorScheme": null}
	],
	"sessions": [
		{"guid": "morning", "label": "Morning", "startEventId": "enrollment"},
		{"guid": "evening", "name": "Evening walk", "label": "Evening"}
	]
}`

func put(t *testing.T, d *schedule.Diary, document string) core.Timeline {
	t.Helper()
	timeline, err := d.PutTimeline(t.Context(), "memory", []byte(document))
	must(t, err)
	return timeline
}

func TestEveryInstanceHasItsMetadata(t *testing.T) {
	d := newDiary(t)
	put(t, d.Diary, strings.Replace(walking, "{", `{"scheduleGuid": "plan", "modifiedOn": "2026-11-01T09:00:00+01:00", "published": true,`, 1))
	whole := map[string]string{"scheduleGuid": "plan", "scheduleModifiedOn": "2026-11-01T08:00:00.000Z", "schedulePublished": "true"}
	morning := map[string]string{"sessionInstanceGuid": "s-1", "sessionGuid": "morning", "sessionName": "Morning", "timeWindowGuid": "w-1",
		"sessionInstanceStartDay": "1", "sessionInstanceEndDay": "2", "sessionStartEventId": "enrollment"}
	evening := map[string]string{"sessionInstanceGuid": "s-2", "sessionGuid": "evening", "sessionName": "Evening walk", "timeWindowGuid": "w-2",
		"sessionInstanceStartDay": "3", "sessionInstanceEndDay": "3", "sessionStartEventId": "study_burst:main:02", "timeWindowPersistent": "true",
		"studyBurstId": "main", "studyBurstNum": "2"}
	for guid, parts := range map[string][]map[string]string{
		"s-1": {whole, morning},
		"a-1": {whole, morning, {"assessmentInstanceGuid": "a-1", "assessmentGuid": "g-walk", "assessmentId": "walk-and-balance", "assessmentRevision": "3"}},
		"a-2": {whole, morning, {"assessmentInstanceGuid": "a-2", "assessmentGuid": "g-tap", "assessmentId": "finger-tapping", "assessmentRevision": "1"}},
		"s-2": {whole, evening},
		"a-3": {whole, evening, {"assessmentInstanceGuid": "a-3", "assessmentGuid": "g-tap", "assessmentId": "finger-tapping", "assessmentRevision": "1"}},
		"s-3": {whole, {"sessionInstanceGuid": "s-3", "sessionGuid": "evening", "sessionName": "Evening walk"}},
	} {
		want := map[string]string{}
		for _, part := range parts {
			for key, value := range part {
				want[key] = value
			}
		}
		got, err := d.Metadata(t.Context(), guid)
		must(t, err)
		if diff := cmp.Diff(want, got["memory"].Strings()); diff != "" || len(got) != 1 || got["memory"].InstanceGUID() != guid {
			t.Errorf("%s in %d studies: %s", guid, len(got), diff)
		}
	}
	if got, err := d.Metadata(t.Context(), "unknown"); len(got) != 0 || err != nil {
		t.Errorf("%v, %v", got, err)
	}
}

func TestADocumentComesBackAsItWas(t *testing.T) {
	d := newDiary(t)
	timeline := put(t, d.Diary, walking)
	var came, goes map[string]any
	must(t, json.Unmarshal([]byte(walking), &came))
	must(t, json.Unmarshal(timeline.Document, &goes))
	came["scheduleGuid"], came["modifiedOn"] = timeline.ScheduleGUID, core.FormatTime(d.now)
	if diff := cmp.Diff(came, goes); diff != "" || len(timeline.ScheduleGUID) != 36 {
		t.Error(diff)
	}
	if text := string(timeline.Document); !strings.Contains(text, "1.50") || !strings.Contains(text, `"<&>"`) {
		t.Errorf("values were rewritten: %s", text)
	}
	kept, err := d.Timeline(t.Context(), "memory")
	must(t, err)
	if diff := cmp.Diff(timeline, kept); diff != "" {
		t.Error(diff)
	}
}

func TestAScheduleKeepsItsGuidAndIsAsOldAsItsLastPut(t *testing.T) {
	d := newDiary(t)
	first := put(t, d.Diary, walking)
	d.now = d.now.Add(time.Hour)
	second := put(t, d.Diary, walking)
	if second.ScheduleGUID != first.ScheduleGUID || !second.ModifiedOn.Equal(d.now) {
		t.Errorf("%+v", second)
	}
	d.now = d.now.Add(time.Hour)
	third := put(t, d.Diary, string(second.Document)) // edited and sent back with what it was given
	if third.ScheduleGUID != first.ScheduleGUID || !third.ModifiedOn.Equal(d.now) || !strings.Contains(string(third.Document), core.FormatTime(d.now)) {
		t.Errorf("%s", third.Document)
	}
	own := `{"scheduleGuid": "its own", "modifiedOn": 1577836800000, "schedule": []}`
	for range 2 {
		d.now = d.now.Add(time.Hour)
		if fourth := put(t, d.Diary, own); fourth.ScheduleGUID != "its own" || core.FormatTime(fourth.ModifiedOn) != "2020-01-01T00:00:00.000Z" || fourth.Published {
			t.Errorf("%+v", fourth)
		}
	}
}

func TestAnInstanceThatIsLeftOutStaysKnown(t *testing.T) {
	d := newDiary(t)
	put(t, d.Diary, walking)
	put(t, d.Diary, strings.ReplaceAll(strings.ReplaceAll(walking, `"a-1"`, `"a-9"`), "k-walk", "k-run"))
	for _, guid := range []string{"a-1", "a-9"} {
		if got, err := d.Metadata(t.Context(), guid); err != nil || got["memory"].AssessmentID != "walk-and-balance" {
			t.Errorf("%s: %+v, %v", guid, got, err)
		}
	}
}

func TestTimelinesOfStudiesThatAreNot(t *testing.T) {
	d := newDiary(t)
	if _, err := d.Timeline(t.Context(), "memory"); !errors.Is(err, core.ErrNotFound) {
		t.Error(err)
	}
	if _, err := d.PutTimeline(t.Context(), "nowhere", []byte(walking)); !errors.Is(err, core.ErrNotFound) {
		t.Error(err)
	}
	if got, err := d.Metadata(t.Context(), "a-1"); len(got) != 0 || err != nil {
		t.Errorf("a refused timeline left %v, %v", got, err)
	}
}

func TestWhatIsWrongWithADocument(t *testing.T) {
	long := strings.Repeat("x", 256)
	for document, want := range map[string][]string{
		`nonsense`:           {"Timeline must be a JSON object"},
		`null`:               {"Timeline must be a JSON object"},
		`[]`:                 {"Timeline must be a JSON object"},
		`{"schedule":null}`:  {"schedule cannot be null"},
		`{"schedule":[[]]}`:  {"Timeline has an unexpected structure: schedule cannot be of kind array"},
		`{"schedule":"all"}`: {"Timeline has an unexpected structure: schedule cannot be of kind string"},
		`{"schedule":[null]}`: {"schedule[0].instanceGuid cannot be null or blank",
			"schedule[0].refGuid cannot be null or blank"},
		`{"schedule":[],"scheduleGuid":" ","modifiedOn":"soon","published":"maybe"}`: {"modifiedOn must be an ISO 8601 time",
			"published must be true or false", "scheduleGuid cannot be null or blank"},
		`{"schedule":[{"instanceGuid":{},"refGuid":"s"},{"instanceGuid":"i","refGuid":"t"}],"sessions":[{"guid":"s"},{"guid":"s"},{}]}`: {
			"schedule[0].instanceGuid must be a text", "schedule[1].refGuid is the guid of none of the sessions",
			`sessions[1].guid is there twice: "s"`, "sessions[2].guid cannot be null or blank"},
		`{"schedule":[{"instanceGuid":"i","refGuid":"s","startDay":-1,"endDay":-2,"studyBurstNum":1.5,"persistent":1}],"sessions":[{"guid":"s"}]}`: {
			"schedule[0].endDay cannot be negative", "schedule[0].endDay cannot be before startDay", "schedule[0].persistent must be true or false",
			"schedule[0].startDay cannot be negative", "schedule[0].studyBurstNum must be a whole number"},
		`{"schedule":[{"instanceGuid":"i","refGuid":"s","startDay":3,"endDay":2}],"sessions":[{"guid":"s","label":"` + long + `"}]}`: {
			"schedule[0].endDay cannot be before startDay", "sessions[0].label must have at most 255 characters"},
		`{"schedule":[{"instanceGuid":"i","refGuid":"s","assessments":[{"instanceGuid":"i","refKey":"k"},{"instanceGuid":"` + long + `","refKey":"l"},null]}],` +
			`"sessions":[{"guid":"s"}],"assessments":[{"key":"k","revision":[]}]}`: {
			"assessments[0].revision must be a whole number",
			`schedule[0].assessments[0].instanceGuid is there twice: "i"`, "schedule[0].assessments[1].instanceGuid must have at most 255 bytes",
			"schedule[0].assessments[1].refKey is the key of none of the assessments",
			"schedule[0].assessments[2].instanceGuid cannot be null or blank", "schedule[0].assessments[2].refKey cannot be null or blank"},
	} {
		_, err := schedule.Parse([]byte(document))
		var invalid *core.Invalid
		if !errors.As(err, &invalid) || invalid.Entity != "Timeline" {
			t.Errorf("%.80s: %v", document, err)
			continue
		}
		if got := strings.Join(want, "; "); err.Error() != "Timeline is invalid: "+got {
			t.Errorf("%.80s:\n got %v\nwant %s", document, err, got)
		}
	}
}

func TestDocumentsHaveAnEnd(t *testing.T) {
	var many []string
	for i := range 100_000 {
		many = append(many, fmt.Sprintf(`{"instanceGuid":"%d","refGuid":"s"}`, i))
	}
	for document, want := range map[string]string{
		`{"schedule":[]` + strings.Repeat(" ", 4<<20) + `}`: "Timeline must have at most 4194304 bytes",
		`{"sessions":[{"guid":"s"}],"schedule":[` + strings.Join(many, ",") + `]}`: "schedule has too many instances: " +
			"what has to be kept of them is more than 16777216 bytes",
	} {
		if _, err := schedule.Parse([]byte(document)); err == nil || err.Error() != "Timeline is invalid: "+want {
			t.Errorf("%.200v", err)
		}
	}
	var wrong strings.Builder
	wrong.WriteString(`{"schedule":[null`)
	wrong.WriteString(strings.Repeat(",null", 10_000) + "]}")
	var invalid *core.Invalid
	if _, err := schedule.Parse([]byte(wrong.String())); !errors.As(err, &invalid) || len(invalid.Fields) != 100 {
		t.Errorf("%d complaints", len(invalid.Fields))
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(walking))
	f.Add([]byte(`{"schedule":[{"instanceGuid":"i","refGuid":"s","assessments":[{"refKey":1,"instanceGuid":true}]}],"sessions":[{"guid":"s"}],"assessments":[{"key":"1"}]}`))
	f.Fuzz(func(t *testing.T, document []byte) {
		_, err := schedule.Parse(document)
		var invalid *core.Invalid
		if err != nil && (!errors.As(err, &invalid) || len(invalid.Fields) == 0) {
			t.Errorf("%v", err)
		}
	})
}
