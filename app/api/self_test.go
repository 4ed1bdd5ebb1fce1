package api_test

import (
	"strings"
	"testing"
	"time"

	"footbridge/app/api"
	"footbridge/core"
	"footbridge/core/participant"
)

const (
	ownPage   = "/v3/participants/self"
	signature = "/v3/subpopulations/" + testApp + "/consents/signature"
)

// newcomer makes a participant who has not consented, and signs in.
func (s *site) newcomer(externalID string) (token string) {
	s.t.Helper()
	s.account(testStudy, participant.Form{ExternalIDs: map[core.StudyID]string{testStudy: externalID}})
	return s.call("POST", "/v4/auth/signIn", "", in(map[string]any{"externalId": externalID})).want(s.t, 412).text("sessionToken")
}

func TestADeviceSignsInAgainWithoutThePassword(t *testing.T) {
	s := newSite(t, nil)
	s.participant("p1")
	session := s.call("POST", "/v4/auth/signIn", "", in(map[string]any{"externalId": "p1"})).want(t, 200)
	again := func(token string, want int) answer {
		t.Helper()
		return s.call("POST", "/v3/auth/reauth", "", map[string]any{"appId": testApp, "externalId": "p1", "reauthToken": token}).want(t, want)
	}
	tokens := []string{session.text("reauthToken")}
	if len(tokens[0]) != 21 {
		t.Errorf("a reauth token of %d signs", len(tokens[0]))
	}
	for range 3 {
		renewed := again(tokens[len(tokens)-1], 200)
		renewed.golden(t, "session-renewed")
		tokens = append(tokens, renewed.text("reauthToken"))
		s.call("GET", ownPage, renewed.text("sessionToken"), nil).want(t, 200)
	}
	again(tokens[0], 404).want(t, 404, `"type":"EntityNotFoundException"`)
	again(tokens[1], 200)                                                  // the answer may have been lost
	s.call("GET", ownPage, session.text("sessionToken"), nil).want(t, 200) // it has not expired

	s.ahead.Store(int64(13 * time.Hour))
	s.call("GET", ownPage, again(tokens[3], 200).text("sessionToken"), nil).want(t, 200)
	for name, row := range map[string]struct {
		body any
		want int
		word string
	}{
		"no app":       {map[string]any{"externalId": "p1", "reauthToken": tokens[3]}, 400, "appId is required"},
		"no token":     {map[string]any{"appId": testApp, "externalId": "p1"}, 400, "reauthToken is required"},
		"no name":      {map[string]any{"appId": testApp, "reauthToken": tokens[3]}, 400, "requires an email, phone or externalId"},
		"another app":  {map[string]any{"appId": "other", "externalId": "p1", "reauthToken": tokens[3]}, 404, "no account"},
		"another name": {map[string]any{"appId": testApp, "externalId": "p2", "reauthToken": tokens[3]}, 404, "no account"},
	} {
		t.Run(name, func(t *testing.T) { s.call("POST", "/v3/auth/reauth", "", row.body).want(t, row.want, row.word) })
	}
}

// What a device speaks is learnt where nobody said it: the most wanted first.
func TestLanguagesAreLearnt(t *testing.T) {
	s := newSite(t, nil)
	s.account(testStudy, participant.Form{ExternalIDs: map[core.StudyID]string{testStudy: "p1"}, SharingScope: core.SponsorsAndPartners})
	speaks := func(header string) answer {
		return s.call("POST", "/v3/auth/signIn", "", in(map[string]any{"externalId": "p1"}), "Accept-Language", header).want(t, 200)
	}
	for _, nothing := range []string{"*", ";;;", "x-klingon;q=2", "en;q=0"} {
		if got := speaks(nothing).field("languages").([]any); len(got) != 0 {
			t.Errorf("%q taught %v", nothing, got)
		}
	}
	for _, header := range []string{"en;q=0.5, sw-KE, en-GB;q=0.9, fil;q=0.2, *;q=0.1", "de"} { // the second time it is known
		if got := speaks(header).raw; !strings.Contains(got, `"languages":["sw","en","fil"]`) {
			t.Errorf("%q: %s", header, got)
		}
	}
	worker := s.staff(core.RoleWorker)
	got := s.call("GET", "/v1/apps/"+testApp+"/participants/externalid:p1/versions", worker, nil)
	if got.status != 200 || got.field("total") != 2.0 {
		t.Errorf("learning a language makes a participant version: %s", got.raw)
	}
}

func TestParticipantsChangeWhatIsTheirs(t *testing.T) {
	s := newSite(t, nil)
	token := s.participant("p1")
	s.call("POST", ownPage, token, map[string]any{
		"firstName": "Ann", "attributes": map[string]string{"ward": "3"}, "clientData": map[string]any{"theme": "dark"},
		"clientTimeZone": "Africa/Nairobi", "dataGroups": []string{"left"}, "languages": []string{"sw", "en-GB"},
		"sharingScope": "ALL_QUALIFIED_RESEARCHERS", "notifyByEmail": false,
		"roles": []string{"admin"}, "email": "other@example.org", "externalIds": map[string]string{testStudy: "p9"}, "status": "disabled", "note": "mine",
	}).want(t, 200).golden(t, "session-edited")
	s.call("POST", ownPage, token, map[string]any{"lastName": "Ott", "attributes": nil}).want(t, 200, `"firstName":"Ann"`, `"lastName":"Ott"`, `"attributes":{}`, `"sw","en"`)
	s.call("GET", ownPage, token, nil).want(t, 200).golden(t, "own-page")

	for body, words := range map[string]string{
		`{"clientTimeZone":"Mars"}`:   `"clientTimeZone":["clientTimeZone is not a recognized IANA time zone name"]`,
		`{"dataGroups":["a b"]}`:      `"dataGroups":["dataGroups must each have`,
		`{"sharingScope":"everyone"}`: `"sharingScope":["sharingScope must be`,
		`{"languages":["aa","ab","ac","ad","ae","af","ag","ah","ai","aj","ak"]}`: `"languages":["languages must be at most 10"]`,
		`{"dataGroups":[` + strings.Repeat(`"g",`, 100) + `"g"]}`:                `"dataGroups":["dataGroups must be at most 100"]`,
		`{"attributes":{"ward":3}}`:                                              "fields: attributes",
		`{"clientData":"` + strings.Repeat("x", 65536) + `"}`:                    `"clientData":["clientData must be at most`,
		`[]`: "must be an object",
	} {
		s.call("POST", ownPage, token, body).want(t, 400, "InvalidEntityException", words)
	}
	newcomer := s.newcomer("p2")
	s.call("POST", ownPage, newcomer, map[string]any{"sharingScope": "sponsors_and_partners", "firstName": "Bo"}).
		want(t, 200, `"sharingScope":"no_sharing"`, `"firstName":"Bo"`, `"consented":false`)
}

// Test users see their health code on their own page, to find what they sent;
// once a test user, always one.
func TestTestUsers(t *testing.T) {
	s := newSite(t, nil)
	developer, worker := s.staff(core.RoleDeveloper), s.staff(core.RoleWorker)
	s.call("POST", members, developer, map[string]any{"externalId": "p1", "password": password, "sharingScope": "sponsors_and_partners"}).want(t, 201)
	token := s.signIn(map[string]any{"externalId": "p1"})
	s.call("POST", ownPage, token, map[string]any{"dataGroups": []string{"control"}}).want(t, 200, `"dataGroups":["control","test_user"]`)
	own := s.call("GET", ownPage, token, nil)
	seen := s.call("GET", "/v1/apps/"+testApp+"/participants/externalid:p1", worker, nil)
	if code := own.text("healthCode"); code == "" || code != seen.text("healthCode") {
		t.Errorf("the participant sees %q, a worker %q", code, seen.text("healthCode"))
	}
	s.call("GET", members+"/externalid:p1", s.staff(core.RoleResearcher), nil).want(t, 200)
	s.call("GET", "/v1/apps/other/participants/externalid:p1", worker, nil).want(t, 404, `"entityClass":"App"`)
}

func TestConsent(t *testing.T) {
	s := newSite(t, nil)
	token := s.newcomer("p1")
	s.call("POST", "/v3/uploads", token, with(nil)).want(t, 412).golden(t, "session-not-consented-known")
	for body, words := range map[string]string{
		`{}`:                         `"name":["name cannot be missing, null, or blank"]`,
		`{"name":"Ann","scope":"x"}`: `"scope":["scope must be`,
		`{"name":"Ann","scope":"no_sharing","birthdate":"tomorrow"}`:      `"birthdate":["birthdate must be a date`,
		`{"name":"Ann","scope":"no_sharing","imageData":"***"}`:           `"imageData":["imageData must be base64"]`,
		`{"name":"Ann","scope":"no_sharing","imageMimeType":"image/png"}`: `"imageMimeType":["imageMimeType must be given with imageData`,
	} {
		s.call("POST", signature, token, body).want(t, 400, words)
	}
	s.call("POST", "/v3/subpopulations/other/consents/signature", token, `{"name":"Ann","scope":"no_sharing"}`).want(t, 404, `"entityClass":"Subpopulation"`)

	signed := map[string]any{"name": "Ann Ott", "birthdate": "1990-12-31", "scope": "Sponsors_And_Partners", "imageData": "aGk=", "imageMimeType": "image/png"}
	for range 2 { // the first answer may have been lost
		s.call("POST", signature, token, signed).want(t, 201).golden(t, "session-signed")
	}
	s.call("POST", signature, token, map[string]any{"name": "Eve", "scope": "no_sharing"}).want(t, 409, "EntityAlreadyExistsException")
	s.call("POST", "/v3/uploads", token, with(nil)).want(t, 200)
	s.call("POST", "/v3/users/self/dataSharing", token, `{"scope":"no_sharing"}`).want(t, 200, `"dataSharing":false`, `"consented":true`)
	s.call("POST", "/v3/users/self/dataSharing", token, `{"scope":"all_qualified_researchers"}`).want(t, 200, `"dataSharing":true`)
	s.call("POST", "/v3/users/self/dataSharing", token, `{}`).want(t, 400, `"scope":["scope must be`)

	s.call("POST", signature+"/withdraw", token, `{"reason":"moved away"}`).want(t, 200, `"consented":false`, `"sharingScope":"no_sharing"`)
	s.call("POST", signature+"/withdraw", token, nil).want(t, 404, `"entityClass":"Consent"`)
	s.call("POST", "/v3/uploads", token, with(nil)).want(t, 412, `"type":"UserSessionInfo"`)
	s.call("POST", "/v3/users/self/dataSharing", token, `{"scope":"no_sharing"}`).want(t, 412, `"type":"UserSessionInfo"`)

	s.ahead.Store(int64(time.Hour))
	s.call("POST", signature, token, map[string]any{"name": "Ann Ott", "scope": "no_sharing"}).want(t, 201, `"consented":true`, `"sharingScope":"no_sharing"`)
	s.call("POST", "/v3/uploads", token, with(nil)).want(t, 200)
	s.call("GET", ownPage+"?consents=true", token, nil).want(t, 200).golden(t, "own-page-consents")
	s.call("POST", "/v3/consents/signature/withdraw", token, "").want(t, 200, `"consented":false`)
}

func TestParticipantVersionsAreRead(t *testing.T) {
	s := newSite(t, nil)
	worker := s.staff(core.RoleWorker)
	token := s.newcomer("p1")
	at := "/v1/apps/" + testApp + "/participants/externalid:p1/versions"
	if got := s.call("GET", at, worker, nil).want(t, 200); got.field("total") != 0.0 {
		t.Errorf("before consent: %s", got.raw)
	}
	s.call("GET", at+"/latest", worker, nil).want(t, 404, `"entityClass":"ParticipantVersion"`)
	s.call("POST", signature, token, map[string]any{"name": "Ann", "scope": "sponsors_and_partners"}).want(t, 201)
	s.call("POST", ownPage, token, map[string]any{"firstName": "Ann"}).want(t, 200) // not visible
	s.call("POST", ownPage, token, map[string]any{"clientTimeZone": "Africa/Nairobi", "dataGroups": []string{"b", "a"}}).want(t, 200)
	s.call("POST", "/v3/users/self/dataSharing", token, `{"scope":"no_sharing"}`).want(t, 200) // shows nothing more of them

	for path, name := range map[string]string{"": "versions", "/latest": "version-2", "/2": "version-2", "/1": "version-1"} {
		got := s.call("GET", at+path, worker, nil)
		if got.status != 200 {
			t.Errorf("%s: %d", path, got.status)
		}
		got.golden(t, name)
	}
	s.call("GET", at+"/3", worker, nil).want(t, 404)
	s.call("GET", at+"/0", worker, nil).want(t, 404)
	s.call("GET", at+"/first", worker, nil).want(t, 400, "Invalid version", "BadRequestException")
	s.call("POST", strings.TrimSuffix(at, "versions")+"exporter3/versions/backfill", worker, nil).want(t, 201)
	s.call("GET", at, s.staff(core.RoleResearcher), nil).want(t, 403)
	s.call("GET", at, token, nil).want(t, 403)
}

// Whoever coordinates one study has nothing to say in another; whoever is in none
// coordinates all.
func TestCoordinatorsOfOneStudy(t *testing.T) {
	s := newSite(t, nil)
	admin, everywhere := s.staff(core.RoleAdmin), s.staff(core.RoleStudyCoordinator)
	s.call("POST", "/v5/studies", admin, map[string]any{"identifier": "gait", "name": "Gait"}).want(t, 201)
	s.call("POST", "/v5/studies/gait/participants", admin, map[string]any{"email": "gait@example.org", "password": password, "roles": []string{"study_coordinator"}}).want(t, 201)
	gait := s.signIn(map[string]any{"email": "gait@example.org"})
	s.participant("p1")
	id := s.call("GET", members+"/externalid:p1", everywhere, nil).want(t, 200).text("id")
	for route, body := range map[string]any{
		"GET " + members: nil, "GET " + members + "/externalid:p1": nil, "POST " + members: "{}", "POST " + members + "/externalid:p1": "{}",
		"GET /v5/studies/" + testStudy + "/enrollments": nil, "DELETE /v5/studies/" + testStudy + "/enrollments/" + id: nil,
		"POST /v5/studies/" + testStudy + "/enrollments": map[string]any{"userId": id}, "GET /v5/studies/" + testStudy: nil,
	} {
		method, path, _ := strings.Cut(route, " ")
		s.call(method, path, gait, body).want(t, 403, "UnauthorizedException")
	}
	s.call("POST", "/v5/studies/gait/enrollments", gait, map[string]any{"userId": id}).want(t, 404) // it is not theirs to bring
	s.call("POST", "/v5/studies/gait/participants", gait, map[string]any{"externalIds": map[string]string{testStudy: "x"}}).want(t, 403)
	s.call("POST", "/v5/studies/gait/participants", gait, map[string]any{"externalId": "g1"}).want(t, 201)
	if got := s.call("GET", "/v5/studies", gait, nil).want(t, 200, `"gait"`); got.field("total") != 1.0 {
		t.Errorf("sees %s", got.raw)
	}
	s.call("POST", "/v5/studies/gait/enrollments", everywhere, map[string]any{"userId": id}).want(t, 201)
	if got := s.call("GET", "/v5/studies/gait/participants/"+id, gait, nil).want(t, 200, `"studyIds":["gait"]`); strings.Contains(got.raw, testStudy) || strings.Contains(got.raw, "p1") {
		t.Errorf("they see of another study: %s", got.raw)
	}
	if got := s.call("GET", members+"/"+id, everywhere, nil).want(t, 200, `"studyIds":["gait","sleep"]`); got.text("externalId") != "p1" {
		t.Errorf("in this study they are %s", got.raw)
	}
	s.call("POST", members+"/"+id, everywhere, map[string]any{"externalIds": map[string]string{testStudy: "p1"}}).want(t, 200)
	list := s.call("GET", "/v5/studies/gait/enrollments?enrollmentFilter=enrolled&pageSize=2&offsetBy=1", gait, nil).want(t, 200)
	list.golden(t, "enrollments")
	s.call("GET", "/v5/studies/gait/enrollments?enrollmentFilter=withdrawn", gait, nil).want(t, 200, `"total":0`)
	staff := s.call("GET", "/v3/participants/email:gait@example.org", admin, nil).want(t, 200).text("id")
	s.call("DELETE", "/v5/studies/gait/enrollments/"+staff, admin, nil).want(t, 200)
	for _, study := range []string{testStudy, "gait"} { // whose one study is over has none
		s.call("GET", "/v5/studies/"+study+"/participants", gait, nil).want(t, 403)
	}
	s.call("POST", "/v5/studies/gait/enrollments", admin, map[string]any{"userId": staff}).want(t, 201)
	for _, query := range []string{"enrollmentFilter=some", "pageSize=0", "pageSize=x", "offsetBy=-1"} {
		s.call("GET", "/v5/studies/gait/enrollments?"+query, gait, nil).want(t, 400, "BadRequestException")
	}
}

// Apps that are too old are told so wherever a participant acts, and at sign-in.
func TestOldApps(t *testing.T) {
	s := newSite(t, func(_ *site, c *api.Config) {
		c.Oldest = func(system string) int { return map[string]int{"iPhone OS": 12}[system] }
	})
	token := s.participant("p1")
	for agent, want := range map[string]int{
		"Walk/11 (iPhone 12; iPhone OS/17.1)": 410, "Walk/11 (iPhone 12; iOS/17.1) BridgeSDK/4": 410, "Walk/12 (iPhone 12; iPhone OS/17.1)": 200,
		"Walk/1 (Pixel; Android/13)": 200, "Walk (iPhone 12; iPhone OS/17.1)": 200, "Mozilla/5.0 (X11; Linux) Gecko/1 Firefox/1": 200, "": 200,
	} {
		for path, body := range map[string]any{"/v3/uploads": with(nil), "/v4/auth/signIn": in(map[string]any{"externalId": "p1"}), ownPage: "{}"} {
			got := s.call("POST", path, token, body, "User-Agent", agent).want(t, want)
			if want == 410 {
				got.want(t, 410, `"type":"UnsupportedVersionException"`, `"appVersion":11`, "update the app")
			}
		}
	}
}

func TestWhatBrowsersAndAppMakersAreTold(t *testing.T) {
	s := newSite(t, nil)
	good := []string{"User-Agent", "Walk/12 (iPhone 12; iPhone OS/17.1)", "Accept-Language", "en"}
	for name, row := range map[string]struct {
		path    string
		headers []string
		want    []string
	}{
		"nothing is wrong": {"/v3/uploads", good, nil},
		"a browser":        {"/v3/uploads", []string{"User-Agent", "Mozilla/5.0 (X11; Linux) Gecko/1 Firefox/1", "Accept-Language", "en"}, []string{"Send a User-Agent"}},
		"no language":      {"/v3/uploads", good[:2], []string{"Send an Accept-Language"}},
		"an old route":     {"/api/v1/upload", append([]string{}, good...), []string{"deprecated"}},
		"all of it":        {"/api/v1/upload", []string{"User-Agent", ""}, []string{"Send a User-Agent", "; Send an Accept-Language", "; This endpoint is deprecated"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := s.call("POST", row.path, "", "{}", row.headers...).want(t, 401).header.Get("Bridge-Api-Status")
			if (got == "") != (row.want == nil) {
				t.Errorf("Bridge-Api-Status %q", got)
			}
			for _, words := range row.want {
				if !strings.Contains(got, words) {
					t.Errorf("Bridge-Api-Status %q lacks %q", got, words)
				}
			}
		})
	}
	preflight := s.call("OPTIONS", "/v3/uploads", "", nil, "Origin", "https://app.example.org", "Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", "bridge-session, content-type")
	if h := preflight.header; preflight.status != 200 || h.Get("Access-Control-Allow-Origin") != "*" || h.Get("Access-Control-Allow-Headers") != "bridge-session, content-type" || !strings.Contains(h.Get("Access-Control-Allow-Methods"), "POST") {
		t.Errorf("%d %v", preflight.status, h)
	}
	if h := s.call("GET", "/healthz", "", nil, "X-Request-Id", "abc-1").header; h.Get("X-Request-Id") != "abc-1" || h.Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("%v", h)
	}
	if id := s.call("GET", "/healthz", "", nil, "X-Request-Id", "a b<script>").header.Get("X-Request-Id"); len(id) != 36 {
		t.Errorf("request id %q", id)
	}
	page := s.call("GET", "/", "", nil)
	if page.status != 200 || !strings.HasPrefix(page.header.Get("Content-Type"), "text/html") || !strings.Contains(page.raw, `href="/openapi.json"`) || strings.Contains(page.raw, "http") {
		t.Errorf("%d %v %s", page.status, page.header, page.raw)
	}
}
