package api_test

import (
	"context"
	"errors"
	"testing"

	"footbridge/app/api"
	"footbridge/core"
	"footbridge/core/participant"

	"github.com/google/go-cmp/cmp"
)

// unreadable is what views meet when the rows of schedules cannot be read.
type unreadable struct{}

var errUnreadable = errors.New("the rows cannot be read")

func (unreadable) Metadata(context.Context, core.StudyID, string) (map[string]string, error) {
	return nil, errUnreadable
}

func (unreadable) OfInstance(context.Context, core.StudyID, core.UserID, string) ([]any, error) {
	return nil, errUnreadable
}

func (unreadable) OfUpload(context.Context, core.StudyID, core.UserID, core.UploadID) ([]any, error) {
	return nil, errUnreadable
}

func views(id string) (app, study, worker, workerStudy string) {
	return "/v3/uploads/" + id + "/exporter3", "/v5/studies/" + testStudy + "/uploads/" + id + "/exporter3",
		"/v1/apps/" + testApp + "/uploads/" + id + "/exporter3",
		"/v1/apps/" + testApp + "/studies/" + testStudy + "/uploads/" + id + "/exporter3"
}

// scheduled begins an upload that names an instance of its owner's timeline.
func (s *site) scheduled(token string, metadata map[string]any) *parcel {
	s.t.Helper()
	p := &parcel{body: body, mimeType: "application/octet-stream"}
	request := p.request()
	request["metadata"] = metadata
	slot := s.call("POST", "/v3/uploads", token, request, "User-Agent", "walk/7 (Pixel 9; Android/16)").want(s.t, 200)
	p.id, p.url = slot.text("id"), slot.text("url")
	return p
}

// The view of one upload, as its participant, a coordinator and a worker see it:
// the same for all, whatever the route.
func TestTheViewOfAnUpload(t *testing.T) {
	s := newSite(t, nil)
	s.configured()
	s.planned(walkPlan)
	owner, coordinator, worker := s.participant("p1"), s.staff(core.RoleStudyCoordinator), s.staff(core.RoleWorker)
	code := []core.HealthCode{s.code("p1")}
	p := s.scheduled(owner, map[string]any{"instanceGuid": "a-1", "eventTimestamp": "2026-11-20T08:00:00.000Z", "startedOn": "2026-11-20T09:00:00.000Z", "declined": false, "os": map[string]any{"n": 9}, "gone": nil})
	s.put(p).want(t, 200)
	s.call("POST", "/v3/uploads/"+p.id+"/complete", owner, nil).want(t, 200)
	s.process()
	s.exported()
	app, study, byWorker, byWorkerStudy := views(p.id)
	const everything = "?fetchTimeline=true&fetchAdherence=true"
	whole := s.call("GET", study+everything, coordinator, nil).wantCodes(t, 200, code)
	whole.golden(t, "view-coordinator")
	if again := s.call("GET", byWorkerStudy+everything, worker, nil).wantCodes(t, 200, code); again.raw != whole.raw {
		t.Errorf("a worker sees %s", again.raw)
	}
	own := s.call("GET", app+"?fetchTimeline=true&fetchAdherence=false", owner, nil).wantCodes(t, 200, code)
	own.golden(t, "view-participant")
	bare := s.call("GET", byWorker, worker, nil).wantCodes(t, 200, code)
	bare.golden(t, "view-worker")
	for path, token := range map[string]string{app: owner, study: owner} {
		if got := s.call("GET", path, token, nil); got.raw != bare.raw {
			t.Errorf("%s: %s", path, got.raw)
		}
	}
	keys := map[string]bool{}
	for key := range whole.object() {
		keys[key] = true
	}
	want := map[string]bool{"id": true, "healthCode": true, "userId": true, "adherenceRecordsForSchedule": true,
		"adherenceRecordsForUpload": true, "record": true, "timelineMetadata": true, "upload": true, "type": true}
	if diff := cmp.Diff(want, keys); diff != "" {
		t.Error(diff)
	}
}

func (a answer) object() map[string]any {
	object, _ := a.field().(map[string]any)
	return object
}

// What the view shows on the way: the upload from the request on, its record from
// the completion on, and where it stands.
func TestTheViewOnTheWay(t *testing.T) {
	s := newSite(t, nil)
	s.configured()
	owner := s.participant("p1")
	code := []core.HealthCode{s.code("p1")}
	p := s.scheduled(owner, map[string]any{"n": 1.5})
	app, study, _, _ := views(p.id)
	look := func(words ...string) answer {
		t.Helper()
		return s.call("GET", app, owner, nil).wantCodes(t, 200, code, words...)
	}
	if got := look(`"status":"requested"`); got.field("record") != nil {
		t.Errorf("%s", got.raw)
	}
	s.put(p).want(t, 200)
	if got := look(`"status":"requested"`); got.field("record") != nil {
		t.Errorf("%s", got.raw)
	}
	s.call("POST", "/v3/uploads/"+p.id+"/complete", owner, nil).want(t, 200)
	look(`"status":"validation_in_progress"`, `"exported":false`, `"exportState":"waiting"`, `"metadata":{"n":"1.5"}`, `"participantVersion":1`).golden(t, "view-in-progress")
	s.process()
	look(`"status":"succeeded"`, `"exported":false`, `"exportState":"waiting"`)
	s.exported()
	look(`"exported":true`, `"exportState":"exported"`, `"exportedStudyRecords":{"`+testStudy+`":`)

	got := s.call("GET", study+"?fetchAdherence=true&fetchTimeline=true", owner, nil).wantCodes(t, 200, code, `"adherenceRecordsForUpload":[]`)
	for _, key := range []string{"adherenceRecordsForSchedule", "timelineMetadata"} { // it names no instance
		if _, there := got.object()[key]; there {
			t.Errorf("it has %s: %s", key, got.raw)
		}
	}
}

// Where a record is not exported the view says why, as soon as that is known; and
// nothing waits to be exported.
func TestWhyARecordIsNotExported(t *testing.T) {
	for name, row := range map[string]struct {
		project, shares, encrypted, process bool
		want                                []string // words of the record; none where there is no record
	}{
		"no sharing":              {project: true, process: true, want: []string{`"exportState":"withheld"`, `"exportReason":"no_sharing_at_upload"`, `"sharingScope":"no_sharing"`}},
		"no sharing, in progress": {project: true, want: []string{`"exportState":"withheld"`, `"exportReason":"no_sharing_at_upload"`}},
		"no project":              {shares: true, process: true, want: []string{`"exportState":"withheld"`, `"exportReason":"no_study_configured"`}},
		"no project, in progress": {shares: true},
		"it cannot be opened":     {project: true, shares: true, encrypted: true, process: true, want: []string{`"exportState":"parked"`, `"exportReason":"validation_failed"`}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t, nil)
			if row.project {
				s.configured()
			}
			owner := s.participant("p1")
			if !row.shares {
				s.call("POST", "/v3/users/self/dataSharing", owner, map[string]any{"scope": "no_sharing"}).want(t, 200)
			}
			slot := s.call("POST", "/v3/uploads", owner, with(map[string]any{"encrypted": row.encrypted})).want(t, 200)
			p := &parcel{body: body, mimeType: "application/zip", id: slot.text("id"), url: slot.text("url")}
			s.put(p).want(t, 200)
			s.call("POST", "/v3/uploads/"+p.id+"/complete", owner, nil).want(t, 200)
			if row.process {
				s.process()
				if n := s.store.Counts()["exports/"+testStudy+"/waiting"]; n != 0 {
					t.Errorf("%d exports wait", n)
				}
			}
			app, _, _, _ := views(p.id)
			got := s.call("GET", app, owner, nil).wantCodes(t, 200, []core.HealthCode{s.code("p1")}, row.want...)
			if (got.field("record") != nil) != (row.want != nil) || row.want != nil && got.field("record", "exported") != false {
				t.Errorf("%s", got.raw)
			}
		})
	}
}

// A record of two studies and the app says where it lies in each project.
func TestARecordOfTwoStudies(t *testing.T) {
	s := newSite(t, nil)
	s.configured()
	admin := s.staff(core.RoleAdmin)
	s.call("POST", "/v5/studies", admin, map[string]any{"identifier": "gait", "name": "Gait", "exporter3Configuration": complete}).want(t, 201)
	s.call("POST", "/v1/apps/self/exporter3", admin, nil).want(t, 201)
	owner := s.participant("p1")
	if _, err := s.roster.Enrol(t.Context(), "gait", s.accountOf("p1").ID, participant.Membership{}); err != nil {
		t.Fatal(err)
	}
	p := s.sent(owner, body)
	s.process()
	s.exported()
	app, _, _, _ := views(p.id)
	got := s.call("GET", app, admin, nil).wantCodes(t, 200, []core.HealthCode{s.code("p1")})
	got.golden(t, "view-two-studies")
}

func (s *site) accountOf(externalID string) core.Account {
	s.t.Helper()
	a, err := s.store.AccountByLogin(s.t.Context(), core.ExternalLogin(externalID))
	if err != nil {
		s.t.Fatal(err)
	}
	return a
}

// Who may open the view by which route; and who learns that an upload exists.
func TestWhoOpensTheView(t *testing.T) {
	s := newSite(t, nil)
	owner := s.participant("p1")
	p := s.sent(owner, body)
	if _, err := s.store.CreateStudy(t.Context(), core.Study{ID: "gait", App: testApp}); err != nil {
		t.Fatal(err)
	}
	s.account("gait", participant.Form{Email: "elsewhere@example.org", Roles: []core.Role{core.RoleStudyCoordinator}})
	s.account(testStudy, participant.Form{ExternalIDs: map[core.StudyID]string{testStudy: "silent"}})
	silent := s.call("POST", "/v4/auth/signIn", "", map[string]any{"appId": testApp, "externalId": "silent", "password": password}).want(t, 412).text("sessionToken")
	tokens := map[string]string{
		"nobody": "", "owner": owner, "another": s.participant("p2"), "without consent": silent,
		"coordinator elsewhere": s.signIn(map[string]any{"email": "elsewhere@example.org"}),
	}
	for _, role := range core.Roles() {
		tokens[string(role)] = s.staff(role)
	}
	app, study, worker, workerStudy := views(p.id)
	const gait = "/v5/studies/gait/uploads/"
	paths := []string{app, study, worker, workerStudy, gait + p.id + "/exporter3", gait + "unknown/exporter3", "/v3/uploads/unknown/exporter3"}
	for who, want := range map[string][]int{
		//                     app, study, worker's two, in another study, unknown there, unknown
		"nobody":                {401, 401, 401, 401, 401, 401, 401},
		"without consent":       {412, 412, 403, 403, 412, 412, 412},
		"owner":                 {200, 200, 403, 403, 404, 404, 404},
		"another":               {403, 403, 403, 403, 403, 404, 404},
		"study_coordinator":     {403, 200, 403, 403, 404, 404, 404}, // of every study
		"coordinator elsewhere": {403, 403, 403, 403, 404, 404, 404},
		"developer":             {200, 200, 403, 403, 404, 404, 404},
		"researcher":            {200, 200, 403, 403, 404, 404, 404},
		"worker":                {200, 200, 200, 200, 404, 404, 404},
		"admin":                 {200, 200, 200, 200, 404, 404, 404},
	} {
		for i, path := range paths {
			var codes []core.HealthCode
			if want[i] == 200 {
				codes = []core.HealthCode{s.code("p1")}
			}
			if got := s.call("GET", path, tokens[who], nil).wantCodes(t, want[i], codes); want[i] == 404 && got.text("entityClass") != "UploadViewEx3" {
				t.Errorf("%s, %s: %s", who, path, got.raw)
			}
		}
	}
	admin := tokens["admin"]
	s.call("GET", "/v1/apps/other/uploads/"+p.id+"/exporter3", admin, nil).want(t, 404, "There is no such app")
	s.call("GET", "/v1/apps/"+testApp+"/studies/gait/uploads/"+p.id+"/exporter3", admin, nil).want(t, 404, "UploadViewEx3 not found.")

	// Whoever was in the study once is still found there.
	if _, err := s.roster.Withdraw(t.Context(), testStudy, s.accountOf("p1").ID, "", ""); err != nil {
		t.Fatal(err)
	}
	s.call("GET", study, tokens["study_coordinator"], nil).wantCodes(t, 200, []core.HealthCode{s.code("p1")})
}

func TestQueriesOfTheView(t *testing.T) {
	s := newSite(t, nil)
	owner := s.participant("p1")
	p := s.sent(owner, body)
	app, study, worker, workerStudy := views(p.id)
	admin := s.staff(core.RoleAdmin)
	code := []core.HealthCode{s.code("p1")}
	for _, path := range []string{app, worker} {
		s.call("GET", path+"?fetchAdherence=true", admin, nil).want(t, 400, "Adherence requires study ID", "BadRequestException")
		s.call("GET", path+"?fetchAdherence=false&fetchTimeline=TRUE", admin, nil).wantCodes(t, 200, code)
	}
	for _, path := range []string{app, study, worker, workerStudy} {
		s.call("GET", path+"?fetchTimeline=perhaps", admin, nil).want(t, 400, "fetchTimeline must be true or false", "BadRequestException")
		s.call("GET", path+"?fetchAdherence=%zz", admin, nil).want(t, 400, "BadRequestException")
	}
	s.call("GET", "/v3/uploads/unknown/exporter3?fetchAdherence=true", owner, nil).want(t, 400, "Adherence requires study ID")
}

// An instance that is no text, or that no timeline has, has no timeline metadata;
// records are looked for by whatever text is there.
func TestInstancesThatNobodyKnows(t *testing.T) {
	s := newSite(t, nil)
	s.participant("p1")
	owner := s.signIn(map[string]any{"externalId": "p1"})
	code := []core.HealthCode{s.code("p1")}
	for i, row := range []struct {
		instance any
		named    bool
	}{{nil, false}, {7, false}, {map[string]any{"guid": "x"}, false}, {"", false}, {"elsewhere", true}, {"a@b", true}} {
		p := s.scheduled(owner, map[string]any{"instanceGuid": row.instance, "i": i})
		_, study, _, _ := views(p.id)
		got := s.call("GET", study+"?fetchTimeline=true&fetchAdherence=true", owner, nil).wantCodes(t, 200, code, `"adherenceRecordsForUpload":[]`)
		_, there := got.object()["adherenceRecordsForSchedule"]
		if got.field("timelineMetadata") != nil || there != row.named {
			t.Errorf("%v: %s", row.instance, got.raw)
		}
	}
}

func TestAViewOfWhatCannotBeRead(t *testing.T) {
	s := newSite(t, func(_ *site, c *api.Config) { c.Schedules = unreadable{} })
	s.expects = true
	owner := s.participant("p1")
	p := s.scheduled(owner, map[string]any{"instanceGuid": "elsewhere"})
	_, study, _, _ := views(p.id)
	for _, query := range []string{"?fetchTimeline=true", "?fetchAdherence=true"} {
		s.call("GET", study+query, owner, nil).want(t, 500, "BridgeServiceException")
	}
	s.call("GET", study, owner, nil).wantCodes(t, 200, []core.HealthCode{s.code("p1")})
}
