package api_test

import (
	"testing"
	"time"

	"footbridge/core"
	"footbridge/core/participant"
)

// exported settles what waits for export as if the repository had taken it.
func (s *site) exported() {
	s.t.Helper()
	for {
		e, _, ok, err := s.store.ClaimExport(s.t.Context(), "", 0, func(core.DestinationID) time.Time { return time.Time{} })
		if err != nil {
			s.t.Fatal(err)
		}
		if !ok {
			return
		}
		now := s.now().UTC()
		e.State, e.Step, e.ExportedOn, e.Since = core.ExportExported, core.StepRecorded, now, now
		if err := s.store.SettleExport(s.t.Context(), e); err != nil {
			s.t.Fatal(err)
		}
	}
}

// configured makes the study's project, so that uploads need no schema.
func (s *site) configured() {
	s.t.Helper()
	if _, err := s.CreateForStudy(s.t.Context(), testStudy); err != nil {
		s.t.Fatal(err)
	}
}

// An upload is found by its own id and by its record's; the two answers are equal.
func TestOneUpload(t *testing.T) {
	s := newSite(t, nil)
	s.configured()
	owner, worker := s.participant("p1"), s.staff(core.RoleWorker)
	code := []core.HealthCode{s.code("p1")}
	p := s.slot(owner, body)
	one, byRecord := "/v3/uploads/"+p.id, "/v3/uploads/recordId:"+p.id

	s.call("GET", one, worker, nil).wantCodes(t, 200, code, `"status":"requested"`, `"type":"Upload"`)
	s.call("GET", byRecord, worker, nil).want(t, 404, "There is no record with this id.", `"entityClass":"HealthData"`)
	s.put(p).want(t, 200)
	s.call("POST", one+"/complete", owner, nil).want(t, 200)
	s.call("GET", one, worker, nil).wantCodes(t, 200, code, `"status":"validation_in_progress"`, `"completedBy":"app"`)
	s.call("GET", byRecord, worker, nil).want(t, 404)
	s.process()
	s.exported()
	got := s.call("GET", one, worker, nil).wantCodes(t, 200, code)
	got.golden(t, "upload")
	if again := s.call("GET", byRecord, worker, nil).wantCodes(t, 200, code); again.raw != got.raw {
		t.Errorf("by its record it is %s", again.raw)
	}
	if again := s.call("GET", "/v3/uploads/recordId%3A"+p.id, worker, nil).wantCodes(t, 200, code); again.raw != got.raw {
		t.Errorf("with the colon escaped it is %s", again.raw)
	}
	for _, unknown := range []string{"unknown", "recordid:" + p.id, "recordId:", "recordId:unknown", "recordId:recordId:" + p.id} {
		s.call("GET", "/v3/uploads/"+unknown, worker, nil).want(t, 404, `"type":"EntityNotFoundException"`)
	}
	s.call("GET", "/v3/uploads/unknown", worker, nil).want(t, 404, "Upload unknown was not found.")
}

// Workers and admins read every upload, developers their own without its health
// code, and nobody else any.
func TestWhoReadsOneUpload(t *testing.T) {
	s := newSite(t, nil)
	owner := s.participant("p1")
	p := s.sent(owner, body)
	s.process()
	s.account("", participant.Form{Email: "dev@example.org", Roles: []core.Role{core.RoleDeveloper}, SharingScope: core.SponsorsAndPartners})
	developer := s.signIn(map[string]any{"email": "dev@example.org"})
	own := s.sent(developer, body)
	s.process()
	tokens := map[string]string{"nobody": "", "owner": owner, "another": s.participant("p2")}
	for _, role := range core.Roles() {
		tokens[string(role)] = s.staff(role)
	}
	for who, want := range map[string]int{
		"nobody": 401, "owner": 403, "another": 403, "study_coordinator": 403, "researcher": 403,
		"developer": 403, "worker": 200, "admin": 200,
	} {
		var codes []core.HealthCode
		if want == 200 {
			codes = []core.HealthCode{s.code("p1")}
		}
		s.call("GET", "/v3/uploads/"+p.id, tokens[who], nil).wantCodes(t, want, codes)
		s.call("GET", "/v3/uploads/recordId:"+p.id, tokens[who], nil).wantCodes(t, want, codes)
	}
	s.call("GET", "/v3/uploads/"+own.id, developer, nil).want(t, 200, `"healthData":{`, `"uploadId":"`+own.id)
	s.call("GET", "/v3/uploads/"+p.id, developer, nil).want(t, 403, "belongs to someone else")
}
