package api_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"footbridge/app/api"
	"footbridge/app/api/uploads"
	"footbridge/core"
	"footbridge/core/participant"
)

func TestComplete(t *testing.T) {
	s := newSite(t, nil)
	token := s.participant("p1")
	p := s.slot(token, body)
	complete, status := "/v3/uploads/"+p.id+"/complete", "/v3/uploadstatuses/"+p.id

	s.call("GET", status, token, nil).want(t, 200).golden(t, "status-requested")
	s.call("POST", complete, token, nil).want(t, 404, "PUT the file to its URL", "EntityNotFoundException")
	if got := s.status(token, p.id); got != "requested" {
		t.Errorf("it is %s", got)
	}
	s.put(p).want(t, 200)
	if got := s.status(token, p.id); got != "requested" {
		t.Errorf("once received it is %s", got)
	}
	s.call("POST", complete, token, `""`).want(t, 200).golden(t, "status-in-progress")
	s.call("POST", complete, token, "{no JSON").want(t, 200, "validation_in_progress")
	s.process()
	s.call("GET", status, token, nil).want(t, 200, `"schemaId":null`, `"schemaRevision":null`).golden(t, "status-succeeded")
	for _, again := range []string{complete, complete + "?synchronous=true", "/api/v1/upload/" + p.id + "/complete"} {
		s.call("POST", again, token, nil).want(t, 200, `"status":"succeeded"`, `"type":"HealthData"`)
	}
	s.call("GET", "/api/v1/upload/"+p.id+"/status", token, nil).want(t, 200, `"status":"succeeded"`)
}

func TestWhoMayCompleteAndAsk(t *testing.T) {
	s := newSite(t, nil)
	owner := s.participant("p1")
	p := s.slot(owner, body)
	s.put(p).want(t, 200)
	tokens := map[string]string{"owner": owner, "another": s.participant("p2"), "nobody": ""}
	for _, role := range core.Roles() {
		tokens[string(role)] = s.staff(role)
	}
	for who, want := range map[string]struct{ ask, complete int }{
		"nobody": {401, 401}, "another": {403, 403}, "owner": {200, 200}, "admin": {200, 200}, "worker": {200, 200},
		"developer": {200, 403}, "researcher": {200, 403}, "study_coordinator": {403, 403},
	} {
		s.call("GET", "/v3/uploadstatuses/"+p.id, tokens[who], nil).want(t, want.ask)
		s.call("POST", "/v3/uploads/"+p.id+"/complete", tokens[who], nil).want(t, want.complete)
	}
	for _, path := range []string{"POST /v3/uploads/unknown/complete", "GET /v3/uploadstatuses/unknown"} {
		method, path, _ := strings.Cut(path, " ")
		s.call(method, path, owner, nil).want(t, 404, "Upload unknown was not found.", "EntityNotFoundException")
		s.call(method, path, "", nil).want(t, 401)
	}
}

func TestQueriesOfComplete(t *testing.T) {
	s := newSite(t, nil)
	token := s.participant("p1")
	p := s.slot(token, body)
	s.put(p).want(t, 200)
	for query, want := range map[string]int{
		"synchronous=perhaps": 400, "redrive=2": 400, "synchronous=%zz": 400, "redrive=yes": 400,
		"synchronous=false&redrive=false": 200, "synchronous=": 200, "synchronous": 200, "redrive=FaLsE": 200, "other=x": 200,
	} {
		got := s.call("POST", "/v3/uploads/"+p.id+"/complete?"+query, token, nil)
		if got.want(t, want); want == 400 && got.text("type") != "BadRequestException" {
			t.Errorf("%s: %s", query, got.raw)
		}
	}
}

// A synchronous complete waits for the processing and gives the record.
func TestSynchronousComplete(t *testing.T) {
	s := newSite(t, nil)
	token := s.participant("p1")
	p := s.slot(token, body)
	s.put(p).want(t, 200)
	answered := make(chan answer)
	go func() { answered <- s.call("POST", "/v3/uploads/"+p.id+"/complete?synchronous=TRUE", token, nil) }()
	for s.status(token, p.id) != "validation_in_progress" {
		time.Sleep(time.Millisecond)
	}
	select {
	case got := <-answered:
		t.Fatalf("it did not wait: %s", got.raw)
	case <-time.After(20 * time.Millisecond):
	}
	s.process()
	got := (<-answered).want(t, 200, `"status":"succeeded"`)
	if got.text("record", "id") != p.id {
		t.Errorf("%s", got.raw)
	}
}

// It does not wait for ever; then the upload is still in progress, and the answer
// says so. A device that goes away meanwhile is no failure of the site.
func TestSynchronousCompleteDoesNotWaitForEver(t *testing.T) {
	leave := func() {}
	s := newSite(t, func(s *site, c *api.Config) {
		c.Await = 50 * time.Millisecond
		c.Bell = impatient{s.store, func() { leave() }}
	})
	token := s.participant("p1")
	p := s.slot(token, body)
	s.put(p).want(t, 200)
	ask := func(ctx context.Context) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(ctx, "POST", "/v3/uploads/"+p.id+"/complete?synchronous=true", http.NoBody)
		r.Header.Set("Bridge-Session", token)
		w := httptest.NewRecorder()
		s.server.Handler().ServeHTTP(w, r)
		return w
	}
	if got := ask(t.Context()); got.Code != 200 || !strings.Contains(got.Body.String(), `"status":"validation_in_progress"`) {
		t.Errorf("%d %s", got.Code, got.Body)
	}
	ctx, cancel := context.WithCancel(t.Context())
	leave = cancel
	ask(ctx)
	if ctx.Err() == nil {
		t.Error("it did not wait")
	}
}

// impatient is a bell whose waiter goes away.
type impatient struct {
	uploads.Bell
	leave func()
}

func (i impatient) Wait(ctx context.Context, after uint64) (uint64, error) {
	i.leave()
	return i.Bell.Wait(ctx, after)
}

func TestRedrive(t *testing.T) {
	s := newSite(t, nil)
	owner, worker := s.participant("p1"), s.staff(core.RoleWorker)
	sealed := &parcel{body: "this is no envelope", mimeType: "application/zip"}
	request := sealed.request()
	request["encrypted"] = true
	slot := s.call("POST", "/v3/uploads", owner, request).want(t, 200)
	sealed.id, sealed.url = slot.text("id"), slot.text("url")
	plain := s.slot(owner, body)
	for _, p := range []*parcel{sealed, plain} {
		s.put(p).want(t, 200)
		s.call("POST", "/v3/uploads/"+p.id+"/complete?redrive=true", owner, nil).want(t, 200, "validation_in_progress")
	}
	s.process()
	if got := s.status(owner, plain.id); got != "succeeded" {
		t.Errorf("it is %s", got)
	}
	s.call("GET", "/v3/uploadstatuses/"+sealed.id, owner, nil).want(t, 200).golden(t, "status-failed")

	failed, fine := "/v3/uploads/"+sealed.id+"/complete", "/v3/uploads/"+plain.id+"/complete"
	s.call("POST", failed, owner, nil).want(t, 200, "validation_failed")
	s.call("POST", failed+"?redrive=true", owner, nil).want(t, 200, "validation_in_progress")
	s.process()
	if got := s.call("GET", "/v3/uploadstatuses/"+sealed.id, owner, nil).want(t, 200, "validation_failed"); len(got.field("messageList").([]any)) != 2 {
		t.Errorf("messages are added to those before: %s", got.raw)
	}
	s.call("POST", fine+"?redrive=true", owner, nil).want(t, 403, "redrive an upload that succeeded", "UnauthorizedException")
	s.call("POST", fine+"?redrive=true", worker, nil).want(t, 200, "validation_in_progress")
	s.process()
	u, err := s.store.Upload(t.Context(), core.UploadID(plain.id))
	if err != nil || u.CompletedBy != core.CompletedByRedrive || s.status(owner, plain.id) != "succeeded" {
		t.Errorf("%+v, %v", u, err)
	}
}

// A record shows metadata as submitted, and as the strings that are exported.
func TestARecord(t *testing.T) {
	s := newSite(t, nil)
	admin := s.staff(core.RoleAdmin)
	s.call("POST", "/v5/studies/"+testStudy+"/exporter3", admin, nil).want(t, 201)
	s.account(testStudy, participant.Form{
		SharingScope: core.AllQualifiedResearchers, DataGroups: []string{"b", "a"},
		ExternalIDs: map[core.StudyID]string{testStudy: "p1"},
	})
	token := s.signIn(map[string]any{"externalId": "p1"})
	p := &parcel{body: body, mimeType: "text/plain"}
	request := p.request()
	request["metadata"] = map[string]any{"task": "walk", "declined": false, "clientData": map[string]any{"os": 9}, "gone": nil}
	slot := s.call("POST", "/v3/uploads", token, request).want(t, 200)
	p.id, p.url = slot.text("id"), slot.text("url")
	s.put(p).want(t, 200)
	s.call("POST", "/v3/uploads/"+p.id+"/complete", token, nil).want(t, 200)
	s.process()
	s.call("GET", "/v3/uploadstatuses/"+p.id, token, nil).want(t, 200).golden(t, "status-record")
}
