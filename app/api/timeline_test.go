package api_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"footbridge/core"

	"github.com/google/go-cmp/cmp"
)

// walkPlan has a morning of two assessments, and an evening of one that may be
// repeated.
const walkPlan = `{
	"scheduleGuid": "plan-1", "modifiedOn": "2026-11-01T09:00:00.500+01:00", "published": true,
	"duration": "P4W", "totalMinutes": 10, "totalNotifications": 0, "studyBursts": [], "later": {"unknown": "<&>"},
	"schedule": [
		{"instanceGuid": "s-1", "refGuid": "morning", "timeWindowGuid": "w-1", "startEventId": "enrollment", "startDay": 0, "endDay": 1, "startTime": "08:00",
		 "expiration": "PT8H", "assessments": [{"refKey": "k-walk", "instanceGuid": "a-1"}, {"refKey": "k-tap", "instanceGuid": "a-2"}]},
		{"instanceGuid": "s-2", "refGuid": "evening", "timeWindowGuid": "w-2", "startEventId": "study_burst:main:02", "startDay": 3, "endDay": 3, "startTime": "18:00",
		 "expiration": "P1D", "persistent": true, "studyBurstId": "main", "studyBurstNum": 2, "assessments": [{"refKey": "k-tap", "instanceGuid": "a-3"}]}
	],
	"assessments": [
		{"key": "k-walk", "guid": "g-walk", "appId": "test-app", "identifier": "walk-and-balance", "revision": 3, "label": "Walk", "minutesToComplete": 6},
		{"key": "k-tap", "guid": "g-tap", "appId": "test-app", "identifier": "finger-tapping", "revision": 1, "label": "Tap", "minutesToComplete": 4}
	],
	"sessions": [
		{"guid": "morning", "label": "Morning", "startEventId": "enrollment", "performanceOrder": "sequential", "timeWindowGuids": ["w-1"]},
		{"guid": "evening", "label": "Evening", "startEventId": "enrollment", "performanceOrder": "participant_choice", "timeWindowGuids": ["w-2"]}
	]
}`

const (
	studyTimeline = "/v5/studies/" + testStudy + "/timeline"
	ownTimeline   = members + "/self/timeline"
	instances     = "/v1/apps/" + testApp + "/timelinemetadata/"
)

// planned makes a document the study's timeline.
func (s *site) planned(document string) {
	s.t.Helper()
	if _, err := s.diary.PutTimeline(s.t.Context(), testStudy, []byte(document)); err != nil {
		s.t.Fatal(err)
	}
}

func TestATimeline(t *testing.T) {
	s := newSite(t, nil)
	developer, coordinator, worker := s.staff(core.RoleDeveloper), s.staff(core.RoleStudyCoordinator), s.staff(core.RoleWorker)
	participant := s.participant("p1")
	for path, token := range map[string]string{studyTimeline: developer, ownTimeline: participant} {
		s.call("GET", path, token, nil).want(t, 404, `"entityClass":"Timeline"`, "no timeline yet")
	}
	stored := s.call("PUT", studyTimeline, coordinator, walkPlan).want(t, 200)
	stored.golden(t, "timeline")
	for _, token := range []string{developer, coordinator, worker, s.staff(core.RoleResearcher)} {
		if got := s.call("GET", studyTimeline, token, nil).want(t, 200); got.raw != stored.raw {
			t.Errorf("%s", got.raw)
		}
	}
	if got := s.call("GET", ownTimeline, participant, nil).want(t, 200); got.raw != stored.raw {
		t.Errorf("%s", got.raw)
	}
	s.call("GET", instances+"a-3", worker, nil).want(t, 200).golden(t, "timeline-metadata")
	s.call("GET", "/v1/apps/self/timelinemetadata/s-1", worker, nil).want(t, 200, `"sessionInstanceGuid":"s-1"`, `"sessionName":"Morning"`)
	if got := s.call("GET", instances+"unknown", worker, nil).want(t, 200); got.raw != `{"metadata":{},"type":"TimelineMetadata"}`+"\n" {
		t.Errorf("of an unknown instance: %s", got.raw)
	}
	s.call("GET", "/v1/apps/other/timelinemetadata/a-3", worker, nil).want(t, 404, `"entityClass":"App"`)

	// What is edited and sent back is the timeline; the instances that it leaves out
	// stay known.
	var edited map[string]any
	json.Unmarshal([]byte(stored.raw), &edited)
	edited["schedule"], edited["duration"] = []any{}, "P5W"
	s.call("PUT", studyTimeline, developer, edited).want(t, 200, `"duration":"P5W"`, `"scheduleGuid":"plan-1"`)
	s.call("GET", ownTimeline, participant, nil).want(t, 200, `"duration":"P5W"`)
	s.call("GET", instances+"a-3", worker, nil).want(t, 200).golden(t, "timeline-metadata")

	bare := s.call("PUT", studyTimeline, developer, `{"schedule":[],"type":"Schedule2"}`).want(t, 200, `"scheduleGuid":"plan-1"`, `"type":"Timeline"`)
	if _, err := time.Parse("2006-01-02T15:04:05.000Z", bare.text("modifiedOn")); err != nil {
		t.Error(err)
	}
}

// One study's timeline is nothing to another's participants, and nothing to those
// who left.
func TestWhoIsGivenATimeline(t *testing.T) {
	s := newSite(t, nil)
	s.planned(walkPlan)
	developer, token := s.staff(core.RoleDeveloper), s.participant("p1")
	s.call("POST", "/v5/studies", developer, map[string]any{"identifier": "gait"}).want(t, 201)
	s.call("GET", "/v5/studies/gait/participants/self/timeline", token, nil).want(t, 403, "not enrolled in this study")
	s.call("GET", "/v5/studies/nowhere/participants/self/timeline", token, nil).want(t, 403, "not enrolled in this study")
	s.call("GET", "/v5/studies/gait/timeline", developer, nil).want(t, 404, `"entityClass":"Timeline"`)
	for _, study := range []string{"nowhere", testStudy + "%2Fdocument"} {
		s.call("GET", "/v5/studies/"+study+"/timeline", developer, nil).want(t, 404, "EntityNotFoundException")
		s.call("PUT", "/v5/studies/"+study+"/timeline", developer, walkPlan).want(t, 404, "EntityNotFoundException")
	}
	s.call("GET", ownTimeline, s.newcomer("p2"), nil).want(t, 412, `"type":"UserSessionInfo"`)
	if _, err := s.roster.Withdraw(t.Context(), testStudy, s.accountOf("p1").ID, "", ""); err != nil {
		t.Fatal(err)
	}
	s.call("GET", ownTimeline, token, nil).want(t, 403, "not enrolled in this study")
}

// A device that has the timeline is not given it again.
func TestATimelineThatIsKnown(t *testing.T) {
	s := newSite(t, nil)
	s.planned(walkPlan) // of 2026-11-01T08:00:00.500Z
	token := s.participant("p1")
	for since, want := range map[string]int{
		"": 200, "Sun, 01 Nov 2026 08:00:00 GMT": 304, "Sun, 01 Nov 2026 07:59:59 GMT": 200, "Mon, 02 Nov 2026 08:00:00 GMT": 304,
		"Sunday, 01-Nov-26 08:00:00 GMT": 304, "2026-11-01T08:00:00.500Z": 304, "2026-11-01T08:00:00.499Z": 200, "2026-11-01T10:00:00.500+02:00": 304,
		"yesterday": 200, "0": 200, "1762000000000": 200,
	} {
		got := s.call("GET", ownTimeline, token, nil, "If-Modified-Since", since)
		if got.status != want || (got.raw == "") != (want == 304) || got.header.Get("Last-Modified") != "Sun, 01 Nov 2026 08:00:00 GMT" {
			t.Errorf("since %q: %d %v %s", since, got.status, got.header, got.raw)
		}
	}
	s.planned(`{"schedule":[]}`)
	got := s.call("GET", ownTimeline, token, nil, "If-Modified-Since", "Sun, 01 Nov 2026 08:00:00 GMT").want(t, 200, `"schedule":[]`)
	again := s.call("GET", ownTimeline, token, nil, "If-Modified-Since", got.header.Get("Last-Modified"))
	if again.status != 304 {
		t.Errorf("since its own date: %d %s", again.status, again.raw)
	}
	tag := again.header.Get("ETag")
	for tags, want := range map[string]int{tag: 304, `"other", W/` + tag: 304, `"other"`: 200} { // which stands above the date
		if got := s.call("GET", ownTimeline, token, nil, "If-None-Match", tags, "If-Modified-Since", "Sun, 01 Nov 2037 08:00:00 GMT"); got.status != want {
			t.Errorf("with the tag %s: %d %s", tags, got.status, got.raw)
		}
	}
	s.planned(walkPlan) // which is older than what it replaces
	s.call("GET", ownTimeline, token, nil, "If-Modified-Since", got.header.Get("Last-Modified")).want(t, 200, `"k-walk"`)
	s.call("GET", ownTimeline, token, nil, "If-None-Match", tag).want(t, 200)
}

func TestWhatIsWrongWithATimeline(t *testing.T) {
	s := newSite(t, nil)
	developer := s.staff(core.RoleDeveloper)
	for body, want := range map[string]map[string]any{
		`{}`:                   {"schedule": []any{"schedule cannot be null"}},
		`null`:                 {"Timeline": []any{"Timeline must be a JSON object"}},
		`{"schedule":[null]}`:  {"schedule[0].instanceGuid": []any{"schedule[0].instanceGuid cannot be null or blank"}, "schedule[0].refGuid": []any{"schedule[0].refGuid cannot be null or blank"}},
		`{"schedule":{"a":1}}`: {"Timeline": []any{"Timeline has an unexpected structure: schedule cannot be of kind object"}},
		`{"schedule":[],"modifiedOn":"today","scheduleGuid":" "}`: {"modifiedOn": []any{"modifiedOn must be an ISO 8601 time"}, "scheduleGuid": []any{"scheduleGuid cannot be null or blank"}},
		`{"schedule":[{"instanceGuid":"s","refGuid":"x","startDay":3,"endDay":1,"assessments":[{"refKey":"y","instanceGuid":"s"}]}]}`: {
			"schedule[0].refGuid":                     []any{"schedule[0].refGuid is the guid of none of the sessions"},
			"schedule[0].endDay":                      []any{"schedule[0].endDay cannot be before startDay"},
			"schedule[0].assessments[0].refKey":       []any{"schedule[0].assessments[0].refKey is the key of none of the assessments"},
			"schedule[0].assessments[0].instanceGuid": []any{`schedule[0].assessments[0].instanceGuid is there twice: "s"`},
		},
	} {
		got := s.call("PUT", studyTimeline, developer, body).want(t, 400, "InvalidEntityException", "Timeline is invalid")
		if diff := cmp.Diff(any(want), got.field("errors")); diff != "" {
			t.Errorf("%s: %s", body, diff)
		}
	}
	s.call("PUT", studyTimeline, developer, `{"schedule":`).want(t, 400, "Error parsing JSON in request body")
	s.call("PUT", studyTimeline, developer, `{"schedule":[],"x":"`+strings.Repeat("x", 4<<20)+`"}`).want(t, 400, "Timeline must have at most 4194304 bytes")
	s.call("GET", studyTimeline, developer, nil).want(t, 404)
}
