package api_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"footbridge/core"
)

const sleepSurvey = `{"name":"Sleep diary","identifier":"sleep-diary","copyrightNotice":"ours <&>","guid":"mine","published":true,"elements":[
	{"type":"SurveyInfoScreen","identifier":"welcome","title":"Good morning"},
	{"type":"SurveyQuestion","identifier":"hours","prompt":"How long?","constraints":{"dataType":"decimal","unit":"hours"}}]}`

const surveys = "/v3/surveys"

// versionAt is the path of the version that a holder names.
func (a answer) versionAt() string {
	return surveys + "/" + a.text("guid") + "/revisions/" + a.text("createdOn")
}

// named shows the surveys of a list.
func (a answer) named(t testing.TB) string {
	t.Helper()
	var all []string
	items, _ := a.want(t, 200, `"type":"ResourceList"`).field("items").([]any)
	for _, item := range items {
		s := item.(map[string]any)
		all = append(all, fmt.Sprintf("%v %v", s["name"], s["version"]))
	}
	return strings.Join(all, ", ")
}

func TestASurvey(t *testing.T) {
	s := newSite(t, nil)
	developer, participant := s.staff(core.RoleDeveloper), s.participant("p1")
	held := s.call("POST", surveys, developer, sleepSurvey).want(t, 201, `"version":1`, `"type":"GuidCreatedOnVersionHolder"`)
	held.golden(t, "survey-holder")
	at, all := held.versionAt(), surveys+"/"+held.text("guid")+"/revisions"
	if held.text("guid") == "mine" {
		t.Error("the caller chose the guid")
	}
	s.call("POST", surveys, developer, sleepSurvey).want(t, 409, "EntityAlreadyExistsException", "Make a new version of that one")
	s.call("POST", surveys, developer, `{"elements":[{"identifier":"row_id"},{}]}`).want(t, 400, "InvalidEntityException", `"name"`, `"identifier"`, `"elements[0].identifier"`, `"elements[1].identifier"`)
	s.call("GET", all+"/published", participant, nil).want(t, 404, `"entityClass":"Survey"`)

	s.call("POST", at, developer, strings.Replace(sleepSurvey, "How long?", "How long did you sleep?", 1)).want(t, 200, `"version":2`)
	s.call("POST", at, developer, `{"name":"Diary","version":1}`).want(t, 409, "ConcurrentModificationException")
	s.call("POST", at, developer, `{"name":"Diary","identifier":"nap"}`).want(t, 400, `"errors":{"identifier":["identifier cannot change: it is sleep-diary in every version`)
	s.call("POST", at+"/publish", developer, nil).want(t, 200, `"version":3`)
	s.call("POST", at+"/publish?newSchemaRev=true", developer, nil).want(t, 200, `"version":3`)
	s.call("POST", at, developer, sleepSurvey).want(t, 400, "PublishedSurveyException", "Make a new version of it")

	// The app asks for it in any way of writing the time.
	shown := s.call("GET", at, participant, nil).want(t, 200, "did you sleep", `"schemaRevision":1`)
	shown.golden(t, "survey")
	created, err := time.Parse(time.RFC3339, held.text("createdOn"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{
		"published", "recent", strconv.FormatInt(created.UnixMilli(), 10), created.In(time.FixedZone("", -8*3600)).Format("2006-01-02T15:04:05.000-07:00"),
		strings.Replace(created.In(time.FixedZone("", 5*3600+1800)).Format("2006-01-02T15:04:05.000-07:00"), "+", "%2B", 1),
		created.In(time.FixedZone("", 2*3600)).Format("2006-01-02T15:04:05.000-0700"),
	} {
		if got := s.call("GET", all+"/"+path, developer, nil).want(t, 200); got.raw != shown.raw {
			t.Errorf("%s: %s", path, got.raw)
		}
	}
	s.call("GET", all+"/published", participant, nil).want(t, 200)
	s.call("GET", all+"/yesterday", participant, nil).want(t, 400, "createdOn in the path must be an ISO 8601 time")
	s.call("GET", all+"/0", participant, nil).want(t, 404, "of 1970-01-01T00:00:00.000Z was not found")
	s.call("GET", "/v3/uploadschemas/sleep-diary/recent", developer, nil).want(t, 200).golden(t, "survey-schema")
}

func TestVersionsOfASurvey(t *testing.T) {
	s := newSite(t, nil)
	developer, admin, worker := s.staff(core.RoleDeveloper), s.staff(core.RoleAdmin), s.staff(core.RoleWorker)
	first := s.call("POST", surveys, developer, sleepSurvey).want(t, 201)
	all := surveys + "/" + first.text("guid") + "/revisions"
	s.call("POST", first.versionAt()+"/publish", developer, nil).want(t, 200)
	second := s.call("POST", first.versionAt()+"/version", developer, nil).want(t, 201, `"version":1`)
	if first.text("createdOn") >= second.text("createdOn") {
		t.Errorf("%s is not newer than %s", second.raw, first.raw)
	}
	s.call("POST", second.versionAt(), developer, `{"name":"Diary of sleep","elements":[]}`).want(t, 200)
	list := func(path string) string { return s.call("GET", path, developer, nil).named(t) }
	for path, want := range map[string]string{
		surveys: "Diary of sleep 2", surveys + "/recent": "Diary of sleep 2", surveys + "/published": "Sleep diary 2", all: "Diary of sleep 2, Sleep diary 2",
	} {
		if got := list(path); got != want {
			t.Errorf("%s: %s", path, got)
		}
	}
	s.call("GET", all+"/published", worker, nil).want(t, 200, `"Sleep diary"`)
	s.call("POST", second.versionAt()+"/publish", developer, nil).want(t, 200)
	s.call("GET", "/v4/uploadschemas/sleep-diary/revisions/1", worker, nil).want(t, 200, `"version":2`, `"surveyCreatedOn":"`+second.text("createdOn"), `"name":"Diary of sleep"`)
	third := s.call("POST", second.versionAt()+"/version", developer, nil).want(t, 201)
	s.call("POST", third.versionAt()+"/publish?newSchemaRev=true", developer, nil).want(t, 200)
	s.call("GET", third.versionAt(), worker, nil).want(t, 200, `"schemaRevision":2`)
	s.call("GET", "/v4/uploadschemas/sleep-diary", developer, nil).want(t, 200, `"total":2`)

	// A deleted version is still found by whoever names it, as its answers are still in the field.
	s.call("DELETE", third.versionAt(), developer, nil).want(t, 200)
	s.call("DELETE", third.versionAt(), developer, nil).want(t, 404)
	s.call("GET", third.versionAt(), worker, nil).want(t, 200, `"deleted":true`)
	s.call("POST", third.versionAt()+"/version", developer, nil).want(t, 404)
	s.call("GET", all+"/published", worker, nil).want(t, 200, `"createdOn":"`+second.text("createdOn"))
	if got := list(all + "?includeDeleted=true"); got != "Diary of sleep 3, Diary of sleep 3, Sleep diary 2" {
		t.Error(got)
	}
	s.call("DELETE", third.versionAt()+"?physical=true", developer, nil).want(t, 404) // it is deleted already
	s.call("DELETE", third.versionAt()+"?physical=true", admin, nil).want(t, 200, "removed for good")
	s.call("GET", third.versionAt(), worker, nil).want(t, 404)
}

// The answers to a survey never go into the schema of something else.
func TestASurveyThatHasTheNameOfASchema(t *testing.T) {
	s := newSite(t, nil)
	developer := s.staff(core.RoleDeveloper)
	const refusal = "The survey's identifier sleep-diary is that of a schema which is not its own; make the survey under another one."
	held := s.call("POST", surveys, developer, sleepSurvey).want(t, 201)
	s.call("POST", "/v4/uploadschemas", developer, like(`"schemaId":"sleep-diary"`)).want(t, 201)
	s.call("POST", held.versionAt()+"/publish", developer, nil).want(t, 400, "BadRequestException", refusal)
	s.call("GET", held.versionAt(), developer, nil).want(t, 200, `"published":false`)
	s.call("DELETE", held.versionAt()+"?physical=true", s.staff(core.RoleAdmin), nil).want(t, 200)
	s.call("POST", surveys, developer, sleepSurvey).want(t, 400, "BadRequestException", refusal)
}
