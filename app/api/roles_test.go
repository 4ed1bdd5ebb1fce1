package api_test

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"footbridge/core"
)

// callers of every kind. The upload that the routes name is the owner's, who is in
// the study sleep; the outsider is in the study gait.
const (
	nobody    = "nobody"
	owner     = "owner"
	stranger  = "stranger"  // in the same study
	outsider  = "outsider"  // in another study
	newcomer  = "newcomer"  // has not consented
	anywhere  = "anywhere"  // coordinates every study
	sleepOnly = "sleepOnly" // coordinates sleep
	gaitOnly  = "gaitOnly"  // coordinates gait
)

// callers signs one of each kind in.
func (s *site) callers() map[string]string {
	s.t.Helper()
	tokens := map[string]string{nobody: "", owner: s.participant("p1"), stranger: s.participant("p2"), newcomer: s.newcomer("p3")}
	for _, role := range core.Roles() {
		tokens[string(role)] = s.staff(role)
	}
	tokens[anywhere] = tokens[string(core.RoleStudyCoordinator)]
	delete(tokens, string(core.RoleStudyCoordinator))
	admin := tokens["admin"]
	s.call("POST", "/v5/studies", admin, map[string]any{"identifier": "gait"}).want(s.t, 201)
	for who, study := range map[string]string{sleepOnly: testStudy, gaitOnly: "gait"} {
		s.call("POST", "/v5/studies/"+study+"/participants", admin, map[string]any{"email": who + "@example.org", "password": password, "roles": []string{"study_coordinator"}}).want(s.t, 201)
		tokens[who] = s.signIn(map[string]any{"email": who + "@example.org"})
	}
	s.call("POST", "/v5/studies/gait/participants", admin, map[string]any{"externalId": "g1", "password": password, "sharingScope": "sponsors_and_partners"}).want(s.t, 201)
	tokens[outsider] = s.signIn(map[string]any{"externalId": "g1"})
	return tokens
}

// Who may call which route on whose things. An admin may everywhere but where
// participants act for themselves. Who may is
// answered neither 401, 403 nor 412; who may not, 403; nobody, 401. A participant
// without consent is asked for it where that is all that is missing.
func TestRoles(t *testing.T) {
	const (
		app   = "developer researcher"
		study = app + " anywhere sleepOnly"
		other = app + " anywhere gaitOnly"
	)
	s := newSite(t, nil)
	tokens := s.callers()
	p := s.slot(tokens[owner], body)
	s.put(p).want(t, 200)
	s.call("POST", "/v3/uploads/"+p.id+"/complete", tokens[owner], nil).want(t, 200)
	s.process()
	sleep, gait := "/v5/studies/"+testStudy, "/v5/studies/gait"
	own := "/v3/participants/externalid:p1"
	worked := "/v1/apps/" + testApp
	const everyone = "owner stranger outsider newcomer anywhere sleepOnly gaitOnly worker " + app
	matrix := map[string]struct{ may, asked string }{ // asked: whoever is asked for consent
		"POST /api/v1/upload":                                               {"participants owner stranger outsider", newcomer},
		"POST /api/v1/upload/" + p.id + "/complete":                         {"owner worker", newcomer},
		"GET /api/v1/upload/" + p.id + "/status":                            {"owner worker " + app, newcomer},
		"GET /v3/studies/self/uploads":                                      {"", ""},
		"GET /v3/studies/" + testApp + "/uploads":                           {"worker", ""},
		"GET /v3/studies/self/publicKey":                                    {"developer", ""},
		"POST " + signature:                                                 {everyone, ""},
		"POST " + signature + "/withdraw":                                   {everyone, ""},
		"POST /v3/consents/signature/withdraw":                              {everyone, ""},
		"POST /v3/uploads":                                                  {"participants owner stranger outsider", newcomer},
		"POST /v3/uploads/" + p.id + "/complete":                            {"owner worker", newcomer},
		"GET /v3/uploadstatuses/" + p.id:                                    {"owner worker " + app, newcomer},
		"GET /v3/uploads/" + p.id:                                           {"worker", ""},
		"GET /v3/healthdata/" + p.id + "/attachments/" + p.id + "-walk.bin": {"owner worker " + app, newcomer},
		"GET /v3/uploads/recordId:" + p.id:                                  {"worker", ""},
		"POST /v3/uploads/redrive":                                          {"", ""},
		"GET /v3/uploads/" + p.id + "/exporter3":                            {"owner worker " + app, newcomer},
		"GET " + sleep + "/uploads/" + p.id + "/exporter3":                  {"owner worker " + study, newcomer},
		"GET " + worked + "/uploads/" + p.id + "/exporter3":                 {"worker", ""},
		"GET " + worked + "/studies/sleep/uploads/" + p.id + "/exporter3":   {"worker", ""},
		"GET /v1/apps/self/uploads":                                         {"", ""},
		"GET " + worked + "/uploads":                                        {"worker", ""},
		"GET " + own + "/uploads":                                           {"worker " + app, ""},
		"GET " + sleep + "/participants/externalid:p1/uploads":              {"worker " + study, ""},
		"GET " + sleep + "/uploads":                                         {"worker " + study, ""},
		"GET " + gait + "/uploads":                                          {"worker " + other, ""},

		"GET /v3/participants/self":                                                  {everyone, ""},
		"POST /v3/participants/self":                                                 {everyone, ""},
		"POST /v3/users/self/dataSharing":                                            {"participants owner stranger outsider", newcomer},
		"POST /v3/participants":                                                      {app, ""},
		"GET " + own:                                                                 {"worker " + app, ""},
		"POST " + own:                                                                {app, ""},
		"GET " + sleep + "/participants":                                             {study, ""},
		"POST " + sleep + "/participants":                                            {study, ""},
		"POST " + gait + "/participants":                                             {other, ""},
		"GET " + sleep + "/participants/externalid:p1":                               {"worker " + study, ""},
		"POST " + sleep + "/participants/externalid:p1":                              {study, ""},
		"GET " + gait + "/participants/externalid:p1":                                {"worker " + other, ""}, // 404: not a member
		"GET " + sleep + "/enrollments":                                              {study, ""},
		"POST " + sleep + "/enrollments":                                             {study, ""},
		"DELETE " + sleep + "/enrollments/nobody":                                    {study, ""},
		"GET " + worked + "/participants/externalid:p1":                              {"worker", ""},
		"GET " + worked + "/participants/externalid:p1/versions":                     {"worker", ""},
		"GET " + worked + "/participants/externalid:p1/versions/latest":              {"worker", ""},
		"GET " + worked + "/participants/externalid:p1/versions/1":                   {"worker", ""},
		"POST " + worked + "/participants/externalid:p1/exporter3/versions/backfill": {"worker", ""},

		"POST /v3/participants/self/demographics":                        {"participants owner stranger outsider", newcomer},
		"GET /v3/participants/self/demographics":                         {"participants owner stranger outsider", newcomer},
		"DELETE /v3/participants/self/demographics":                      {"participants owner stranger outsider", newcomer},
		"DELETE /v3/participants/self/demographics/x":                    {"participants owner stranger outsider", newcomer},
		"POST " + sleep + "/participants/self/demographics":              {"participants owner stranger", newcomer},
		"GET " + sleep + "/participants/self/demographics":               {"participants owner stranger", newcomer},
		"DELETE " + sleep + "/participants/self/demographics":            {"participants owner stranger", newcomer},
		"DELETE " + sleep + "/participants/self/demographics/x":          {"participants owner stranger", newcomer},
		"GET /v3/participants/demographics":                              {"researcher", ""},
		"POST " + own + "/demographics":                                  {"researcher", ""},
		"GET " + own + "/demographics":                                   {"researcher", ""},
		"DELETE " + own + "/demographics":                                {"researcher", ""},
		"DELETE " + own + "/demographics/x":                              {"researcher", ""},
		"GET " + sleep + "/participants/demographics":                    {"researcher anywhere sleepOnly", ""},
		"POST " + sleep + "/participants/externalid:p1/demographics":     {"researcher anywhere sleepOnly", ""},
		"GET " + sleep + "/participants/externalid:p1/demographics":      {"researcher anywhere sleepOnly", ""},
		"GET " + gait + "/participants/externalid:p1/demographics":       {"researcher anywhere gaitOnly", ""}, // 404: not a member
		"DELETE " + sleep + "/participants/externalid:p1/demographics":   {"researcher anywhere sleepOnly", ""},
		"DELETE " + sleep + "/participants/externalid:p1/demographics/x": {"researcher anywhere sleepOnly", ""},

		"PUT " + sleep + "/timeline":                                                          {"developer anywhere sleepOnly", ""},
		"GET " + sleep + "/timeline":                                                          {"worker " + study, ""},
		"GET " + gait + "/timeline":                                                           {"worker " + other, ""},
		"GET " + sleep + "/participants/self/timeline":                                        {"participants owner stranger", newcomer},
		"GET " + worked + "/timelinemetadata/a-1":                                             {"worker", ""},
		"POST " + sleep + "/participants/self/adherence":                                      {"participants owner stranger", newcomer},
		"POST " + sleep + "/participants/self/adherence/search":                               {"participants owner stranger", newcomer},
		"POST " + sleep + "/participants/externalid:p1/adherence":                             {"worker " + study, ""},
		"POST " + sleep + "/participants/externalid:p1/adherence/search":                      {"worker " + study, ""},
		"POST " + gait + "/participants/externalid:p1/adherence/search":                       {"worker " + other, ""}, // 404: not a member
		"POST " + sleep + "/adherence/search":                                                 {"worker " + study, ""},
		"POST " + gait + "/adherence/search":                                                  {"worker " + other, ""},
		"DELETE " + sleep + "/participants/externalid:p1/adherence/a/2026/2026":               {"worker " + study, ""},
		"DELETE " + sleep + "/participants/self/adherence/a/2026/2026":                        {"worker " + study, ""}, // 404: no account
		"POST " + sleep + "/participants/externalid:p1/adherence/a/2026-11-20/postprocessing": {"worker " + study, ""},

		"POST /v3/uploadschemas":                            {"developer", ""},
		"GET /v3/uploadschemas":                             {app, ""},
		"GET /v3/uploadschemas/walk":                        {app, ""},
		"GET /v3/uploadschemas/walk/recent":                 {app, ""},
		"GET /v3/uploadschemas/walk/revisions/1":            {"worker " + app, ""},
		"DELETE /v3/uploadschemas/walk":                     {"developer", ""},
		"DELETE /v3/uploadschemas/walk/revisions/1":         {"developer", ""},
		"POST /v4/uploadschemas":                            {"developer", ""},
		"GET /v4/uploadschemas":                             {app, ""},
		"GET /v4/uploadschemas/walk":                        {app, ""},
		"GET /v4/uploadschemas/walk/recent":                 {app, ""},
		"GET /v4/uploadschemas/walk/revisions/1":            {"worker " + app, ""},
		"POST /v4/uploadschemas/walk/revisions/1":           {"developer", ""},
		"DELETE /v4/uploadschemas/walk":                     {"developer", ""},
		"DELETE /v4/uploadschemas/walk/revisions/1":         {"developer", ""},
		"GET " + worked + "/uploadschemas/walk/revisions/1": {"worker", ""},
		"POST /v3/surveys":                                  {"developer", ""},
		"GET /v3/surveys":                                   {app, ""},
		"GET /v3/surveys/recent":                            {app, ""},
		"GET /v3/surveys/published":                         {app, ""},
		"GET /v3/surveys/g/revisions":                       {app, ""},
		"GET /v3/surveys/g/revisions/recent":                {app, ""},
		"GET /v3/surveys/g/revisions/published":             {"owner stranger outsider worker " + app, newcomer},
		"GET /v3/surveys/g/revisions/2026-11-20":            {"owner stranger outsider worker " + app, newcomer},
		"POST /v3/surveys/g/revisions/2026-11-20":           {"developer", ""},
		"POST /v3/surveys/g/revisions/2026-11-20/version":   {"developer", ""},
		"POST /v3/surveys/g/revisions/2026-11-20/publish":   {"developer", ""},
		"DELETE /v3/surveys/g/revisions/2026-11-20":         {"developer", ""},

		"GET /v5/studies":              {"worker anywhere sleepOnly gaitOnly " + app, ""},
		"POST /v5/studies":             {"developer", ""},
		"GET " + sleep:                 {"owner stranger newcomer worker " + study, ""},
		"GET " + gait:                  {"outsider worker " + other, ""},
		"POST " + gait:                 {"developer", ""},
		"POST " + gait + "/exporter3":  {"developer", ""},
		"POST /v1/apps/self/exporter3": {"developer", ""},
		"GET /v1/apps/self/publicKey":  {"developer", ""},

		"POST /v1/apps/self/exporter3/notifications/study/subscribe":  {"developer", ""},
		"POST /v1/apps/self/exporter3/notifications/export/subscribe": {"developer", ""},
		"POST " + sleep + "/exporter3/notifications/export/subscribe": {"developer", ""},
		"GET /local/v1/thing": {"", ""},
	}
	s.wholeMatrix(matrix)
	for route, row := range matrix {
		method, path, _ := strings.Cut(route, " ")
		for _, who := range slices.Sorted(maps.Keys(tokens)) {
			got := s.call(method, path, tokens[who], "{")
			want := 403
			switch {
			case who == nobody:
				want = 401
			case who == "admin" && !strings.HasPrefix(row.may, "participants") || slices.Contains(strings.Fields(row.may), who):
				if got.status == 401 || got.status == 403 || got.status == 412 {
					t.Errorf("%s by %s: %d %s", route, who, got.status, got.raw)
				}
				continue
			case who == row.asked:
				want = 412
			}
			if got.status != want {
				t.Errorf("%s by %s: %d %s, want %d", route, who, got.status, got.raw, want)
			}
		}
	}
}

// wholeMatrix finds the routes that no row of a matrix asks, of those that are not
// for everyone.
func (s *site) wholeMatrix(matrix map[string]struct{ may, asked string }) {
	s.t.Helper()
	everyones := []string{
		"POST /v3/auth/signIn", "POST /v4/auth/signIn", "POST /api/v1/auth/signIn", "POST /v3/auth/reauth", "POST /v3/auth/signOut", "POST /v4/auth/signOut",
		"GET /healthz", "GET /pair", "GET /{$}", "GET /openapi.json", "/",
	}
	mux, asked := http.NewServeMux(), map[string]bool{}
	for _, pattern := range s.server.Patterns() {
		mux.HandleFunc(pattern, func(http.ResponseWriter, *http.Request) {})
	}
	for route := range matrix {
		method, path, _ := strings.Cut(route, " ")
		_, pattern := mux.Handler(httptest.NewRequest(method, path, nil))
		asked[pattern] = true
	}
	for _, pattern := range s.server.Patterns() {
		if !asked[pattern] && !slices.Contains(everyones, pattern) && !strings.Contains(pattern, " /local/") {
			s.t.Errorf("the matrix has no row for %s", pattern)
		}
	}
}
