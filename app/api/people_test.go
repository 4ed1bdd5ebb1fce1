package api_test

import (
	"net/url"
	"strings"
	"testing"

	"footbridge/core"
	"footbridge/core/participant"
)

const members = "/v5/studies/" + testStudy + "/participants"

func TestParticipants(t *testing.T) {
	s := newSite(t, nil)
	staff := s.staff(core.RoleResearcher)
	created := s.call("POST", members, staff, map[string]any{
		"externalId": "p1", "email": "ann@example.org", "firstName": "Ann", "password": password,
		"sharingScope": "Sponsors_And_PARTNERS", "dataGroups": []string{"b", "a", "b"}, "languages": []string{"sw"},
		"clientTimeZone": "Africa/Nairobi", "attributes": map[string]string{"ward": "3"}, "new": true,
	}).want(t, 201)
	created.golden(t, "created")
	id := created.text("identifier")
	for _, name := range []string{id, "externalid:p1", "ExternalId:p1", "email:ann@example.org"} {
		s.call("GET", members+"/"+url.PathEscape(name), staff, nil).want(t, 200).golden(t, "participant")
		s.call("GET", "/v3/participants/"+url.PathEscape(name), staff, nil).want(t, 200).golden(t, "participant")
	}
	a, err := s.store.Account(t.Context(), core.UserID(id))
	if err != nil {
		t.Fatal(err)
	}
	s.call("GET", "/v3/participants/healthcode:"+string(a.HealthCode), staff, nil).want(t, 200, id)
	s.signIn(map[string]any{"externalId": "p1"})

	// An update replaces everything but password, scope, status and memberships.
	s.call("POST", members+"/"+id, staff, map[string]any{"lastName": "Ott"}).want(t, 200, `"Participant updated."`, "StatusMessage")
	s.call("GET", members+"/"+id, staff, nil).want(t, 200).golden(t, "participant-replaced")
	s.signIn(map[string]any{"externalId": "p1"})
	s.call("POST", "/v4/auth/signIn", "", in(map[string]any{"email": "ann@example.org"})).want(t, 404)

	s.call("GET", members, staff, nil).want(t, 200).golden(t, "participants")
	for _, path := range []string{"/v3/participants/nobody", members + "/nobody", members + "/externalid:p9", "/v3/participants/healthcode:x", "/v5/studies/other/participants/" + id} {
		s.call("GET", path, staff, nil).want(t, 404, "There is no such account", `"entityClass":"Account"`)
		s.call("POST", path, staff, "{}").want(t, 404, "There is no such account")
	}
}

func TestWhatIsWrongWithAParticipant(t *testing.T) {
	s := newSite(t, nil)
	staff := s.staff(core.RoleResearcher)
	s.participant("p1")
	for name, row := range map[string]struct {
		path, body string
		want       int
		words      string
	}{
		"an external id that is taken": {members, `{"externalId":"p1"}`, 409, "belongs to another account"},
		"an e-mail that is taken":      {members, `{"email":"Researcher@example.org"}`, 409, `"type":"EntityAlreadyExistsException"`},
		"an unknown study":             {"/v5/studies/other/participants", `{}`, 404, "Study other was not found."},
		"a study in externalIds":       {"/v3/participants", `{"externalIds":{"other":"x"}}`, 400, `"externalIds[other]":["externalIds[other] is not a study"]`},
		"a blank external id":          {"/v3/participants", `{"externalIds":{"sleep":" "}}`, 400, `"externalIds[sleep]":["externalIds[sleep] cannot be blank"]`},
		"an external id of no study":   {"/v3/participants", `{"externalId":"x"}`, 400, `"externalId":["externalId must be given with its study, as externalIds"]`},
		"an e-mail that is none":       {members, `{"email":"ann"}`, 400, `"email":["email does not appear to be an email address"]`},
		"half a phone":                 {members, `{"phone":{"number":"1"}}`, 400, `"phone":["phone needs a number and a regionCode"]`},
		"a weak password":              {members, `{"password":"password"}`, 400, `"password":["password must contain a digit"]`},
		"a scope":                      {members, `{"sharingScope":"everyone"}`, 400, `"sharingScope":["sharingScope must be no_sharing, sponsors_and_partners or all_qualified_researchers"]`},
		"a status":                     {members, `{"status":"asleep"}`, 400, `"status":["status must be enabled or disabled"]`},
		"a data group":                 {members, `{"dataGroups":["a b"]}`, 400, `"dataGroups":["dataGroups must each have`},
		"a time zone":                  {members, `{"clientTimeZone":"Mars"}`, 400, `"clientTimeZone":["clientTimeZone is not a recognized IANA time zone name"]`},
		"a long name":                  {members, `{"firstName":"` + strings.Repeat("x", 256) + `"}`, 400, `"firstName":["firstName must be at most 255 characters"]`},
		"a long note":                  {members, `{"note":"` + strings.Repeat("x", 65536) + `"}`, 400, `"note":["note must be at most 65535 characters"]`},
		"a wrong type":                 {members, `{"attributes":{"a":1}}`, 400, "fields: attributes"},
		"a role":                       {members, `{"roles":["developer"]}`, 403, "this needs the role admin"},
	} {
		t.Run(name, func(t *testing.T) { s.call("POST", row.path, staff, row.body).want(t, row.want, row.words) })
	}
	s.call("POST", "/v3/participants", s.staff(core.RoleAdmin), `{"roles":["king"]}`).want(t, 400, `"roles":["roles has no role of that name`)
}

// Only an admin makes staff, and only an admin changes staff: whoever sets a
// password can act as its owner.
func TestOnlyAnAdminTouchesStaff(t *testing.T) {
	s := newSite(t, nil)
	admin, editor := s.staff(core.RoleAdmin), s.staff(core.RoleResearcher)
	made := s.call("POST", "/v3/participants", admin, map[string]any{"email": "new@example.org", "password": password, "roles": []string{"WORKER"}}).want(t, 201)
	s.signIn(map[string]any{"email": "new@example.org"})
	for _, id := range []string{made.text("identifier"), "email:admin@example.org"} {
		s.call("POST", "/v3/participants/"+id, editor, map[string]any{"password": "Taken-over-1"}).want(t, 403, "this needs the role admin")
	}
	s.call("POST", "/v5/studies/"+testStudy+"/enrollments", editor, map[string]any{"userId": made.text("identifier")}).want(t, 403)
	s.call("POST", "/v3/participants/"+made.text("identifier"), admin, map[string]any{"email": "new@example.org"}).want(t, 200)
	roles := func() int {
		got := s.call("GET", "/v3/participants/"+made.text("identifier"), admin, nil).want(t, 200)
		all, _ := got.field("roles").([]any)
		return len(all)
	}
	if roles() != 1 {
		t.Error("an update that says nothing of roles took them away")
	}
	s.call("POST", "/v3/participants/"+made.text("identifier"), admin, map[string]any{"email": "new@example.org", "roles": []string{}}).want(t, 200)
	if roles() != 0 {
		t.Error("roles stayed")
	}
	for _, change := range []map[string]any{{"roles": []string{"worker"}}, {"status": "disabled"}} {
		change["email"] = "admin@example.org"
		s.call("POST", "/v3/participants/email:admin@example.org", admin, change).want(t, 400, "cannot take the administrator's role from yourself")
	}
	s.call("POST", "/v3/participants/email:admin@example.org", admin, map[string]any{"email": "admin@example.org", "password": "Changed-it-1"}).want(t, 200)
	s.call("GET", "/v5/studies", admin, nil).want(t, 401) // sessions end with the password
}

func TestEnrolments(t *testing.T) {
	s := newSite(t, nil)
	staff := s.staff(core.RoleResearcher)
	id := string(s.account("", participant.Form{Email: "ann@example.org"}))
	enrol := "/v5/studies/" + testStudy + "/enrollments"
	s.call("POST", enrol, staff, "{}").want(t, 400, `"userId":["userId is required"]`)
	s.call("POST", enrol, staff, map[string]any{"userId": id, "externalId": " "}).want(t, 400, `"externalId":["externalId cannot be blank"]`)
	s.call("POST", enrol, staff, map[string]any{"userId": "nobody"}).want(t, 404, "Account nobody was not found.")
	s.call("POST", "/v5/studies/other/enrollments", staff, map[string]any{"userId": id}).want(t, 404, "Study other was not found.")
	s.participant("p1")
	s.call("POST", enrol, staff, map[string]any{"userId": id, "externalId": "p1"}).want(t, 409, "belongs to another account")
	s.call("POST", enrol, staff, map[string]any{"userId": id, "externalId": "p2", "consentRequired": true}).want(t, 201).golden(t, "enrolled")
	s.call("POST", enrol, staff, map[string]any{"userId": id}).want(t, 201, `"externalId":"p2"`)
	s.call("DELETE", enrol+"/externalid:p2?withdrawalNote=moved", staff, nil).want(t, 200).golden(t, "withdrawn")
	s.call("DELETE", enrol+"/"+id, staff, nil).want(t, 404)
	s.call("DELETE", enrol+"/nobody", staff, nil).want(t, 404)
	if got := s.call("GET", members+"/"+id, staff, nil).want(t, 200); len(got.field("studyIds").([]any)) != 0 {
		t.Errorf("still in a study: %s", got.raw)
	}
	s.call("POST", enrol, staff, map[string]any{"userId": id}).want(t, 201)
}

func TestStudies(t *testing.T) {
	s := newSite(t, nil)
	developer, researcher := s.staff(core.RoleDeveloper), s.staff(core.RoleResearcher)
	s.call("POST", "/v5/studies", developer, map[string]any{"identifier": "gait-2", "name": "Gait", "extra": 1}).want(t, 201).golden(t, "study-created")
	s.call("GET", "/v5/studies/gait-2", researcher, nil).want(t, 200).golden(t, "study")
	for name, row := range map[string]struct {
		body  string
		want  int
		words string
	}{
		"again":         {`{"identifier":"gait-2"}`, 409, "There is a study with this identifier already"},
		"no identifier": {`{"name":"x"}`, 400, `"identifier":["identifier is required"]`},
		"upper case":    {`{"identifier":"Gait"}`, 400, "must have 2 to 60 characters"},
		"a path":        {`{"identifier":"../x"}`, 400, "must have 2 to 60 characters"},
		"the app's":     {`{"identifier":"` + testApp + `"}`, 400, "is the app's identifier"},
		"a long name":   {`{"identifier":"ok","name":"` + strings.Repeat("é", 256) + `"}`, 400, `"name":["name must be at most 255 characters"]`},
	} {
		t.Run(name, func(t *testing.T) { s.call("POST", "/v5/studies", developer, row.body).want(t, row.want, row.words) })
	}
	// The last of the five ids configures the study, though the form says disabled.
	half := map[string]any{"projectId": "p", "rawDataFolderId": "r", "participantVersionTableId": "v", "dataAccessTeamId": 1}
	s.call("POST", "/v5/studies/gait-2", developer, map[string]any{"exporter3Configuration": half, "version": 1}).want(t, 200, `"type":"VersionHolder"`)
	s.call("GET", "/v5/studies/gait-2", developer, nil).want(t, 200, `"configured":false`, `"exporter3Enabled":false`)
	half["storageLocationId"], half["configured"] = 2, false
	s.call("POST", "/v5/studies/gait-2", developer, map[string]any{"exporter3Configuration": half, "exporter3Enabled": false}).want(t, 200)
	s.call("GET", "/v5/studies/gait-2", developer, nil).want(t, 200).golden(t, "study-configured")
	s.call("POST", "/v5/studies/gait-2", developer, map[string]any{"exporter3Enabled": false}).want(t, 200)
	s.call("GET", "/v5/studies/gait-2", developer, nil).want(t, 200, `"exporter3Enabled":false`, `"configured":true`)

	s.call("POST", "/v5/studies/gait-2", developer, map[string]any{"name": "x", "version": 1}).want(t, 409, `"type":"ConcurrentModificationException"`, "Read it again")
	s.call("POST", "/v5/studies/none", developer, "{}").want(t, 404, "Study none was not found.")
	s.call("GET", "/v5/studies/none", developer, nil).want(t, 404)
	s.call("GET", "/v5/studies", researcher, nil).want(t, 200).golden(t, "studies")
}

func TestProjects(t *testing.T) {
	s := newSite(t, nil)
	s.expects = true
	developer := s.staff(core.RoleDeveloper)
	path := "/v5/studies/" + testStudy + "/exporter3"
	s.away.Store(true)
	s.call("POST", path, developer, nil).want(t, 503, "ServiceUnavailableException", "The repository did not take the project")
	if told := s.told(); len(told) != 1 {
		t.Errorf("the log was told of %v", told)
	}
	s.away.Store(false)
	for range 2 {
		s.call("POST", path, developer, "ignored").want(t, 201).golden(t, "exporter3")
		s.call("POST", "/v1/apps/self/exporter3", developer, nil).want(t, 201).golden(t, "exporter3")
	}
	s.call("POST", "/v5/studies/none/exporter3", developer, nil).want(t, 404)
	s.call("GET", "/v1/apps/self/publicKey", developer, nil).want(t, 200).golden(t, "publickey")
	s.call("GET", "/v3/studies/self/publicKey", developer, nil).want(t, 200, "CmsPublicKey")
}

// Who may call which route: the answer to callers of each role.
func TestRoles(t *testing.T) {
	s := newSite(t, nil)
	tokens := map[string]string{"-": "", "participant": s.participant("p1")}
	for _, role := range core.Roles() {
		tokens[string(role)] = s.staff(role)
	}
	editors := "developer researcher study_coordinator"
	for route, allowed := range map[string]string{
		"GET /v3/participants/externalid:p1":                      "developer researcher worker",
		"GET " + members:                                          editors,
		"GET " + members + "/externalid:p1":                       editors + " worker",
		"POST " + members + "/nobody":                             editors,
		"POST /v3/participants/nobody":                            "developer researcher",
		"DELETE /v5/studies/" + testStudy + "/enrollments/nobody": editors,
		"POST /v5/studies/" + testStudy + "/enrollments":          editors,
		"GET /v5/studies":                                         editors + " worker",
		"GET /v5/studies/" + testStudy:                            editors + " worker participant",
		"GET /v5/studies/another":                                 editors + " worker",
		"POST /v5/studies/another":                                "developer",
		"POST /v5/studies":                                        "developer",
		"POST /v5/studies/another/exporter3":                      "developer",
		"POST /v1/apps/self/exporter3":                            "developer",
		"GET /v1/apps/self/publicKey":                             "developer",
		"GET /local/v1/thing":                                     "",
	} {
		method, path, _ := strings.Cut(route, " ")
		for who, token := range tokens {
			got := s.call(method, path, token, "{")
			switch may := who == "admin" || strings.Contains(" "+allowed+" ", " "+who+" "); {
			case who == "-":
				got.want(t, 401, "NotAuthenticatedException")
			case may && (got.status == 401 || got.status == 403), !may && got.status != 403:
				t.Errorf("%s by %s: %d %s", route, who, got.status, got.raw)
			}
		}
	}
}

func TestEveryAnswerIsGuarded(t *testing.T) {
	s := newSite(t, nil)
	for _, path := range []string{"/healthz", "/nowhere", "/v3/uploads", "/put/x"} {
		got := s.call("GET", path, "", nil)
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Cache-Control": "no-store",
			"X-Permitted-Cross-Domain-Policies": "none", "Referrer-Policy": "no-referrer",
			"Content-Security-Policy": "default-src 'none'", "Strict-Transport-Security": "",
			"Content-Type": "application/json; charset=utf-8",
		} {
			if got.header.Get(name) != want {
				t.Errorf("%s: %s is %q, want %q", path, name, got.header.Get(name), want)
			}
		}
	}
	for _, route := range []string{"POST /", "GET /nowhere", "GET /v3/uploads", "DELETE /v3/uploads", "PUT /v3/uploads", "POST /v4/auth/signUp", "BREW /healthz"} {
		method, path, _ := strings.Cut(route, " ")
		s.call(method, path, "", nil).want(t, 404, "EndpointNotFoundException")
	}
}
