package api_test

import (
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"

	"footbridge/core"
)

// posts is every route that takes a body, but exporter3's, which ignore theirs.
var posts = []string{
	"/v4/auth/signIn", "/v3/auth/signIn", "/v4/auth/signOut", "/v3/uploads", "/v3/uploads/x/complete",
	"/v3/participants", "/v3/participants/externalid:p1", "/v5/studies", "/v5/studies/" + testStudy,
	"/v5/studies/" + testStudy + "/participants", "/v5/studies/" + testStudy + "/participants/externalid:p1",
	"/v5/studies/" + testStudy + "/enrollments", "/v5/studies/unknown/enrollments", "/v1/apps/self/exporter3",
	"/v3/auth/reauth", "/v3/participants/self", "/v3/users/self/dataSharing", signature, signature + "/withdraw", "/v3/consents/signature/withdraw",
}

// No body, however malformed, gets a 500, and every refusal says what is wrong.
func FuzzJSONBodies(f *testing.F) {
	for i := range posts {
		for _, seed := range []string{
			"", "null", "{}", "[]", `"x"`, "{", `{"a":`, `{"name":null}`, "\xff\xfe", "\ufeff{}",
			`{"appId":"test-app","externalId":"p1","password":"x"}`, `{"appId":"test-app","phone":{"number":"1"},"password":"x"}`,
			`{"name":"a/../b","contentLength":1,"contentType":"x","contentMd5":"AAAAAAAAAAAAAAAAAAAAAA==","metadata":{"a":[{}]}}`,
			`{"email":"a@b.c","roles":["ADMIN"],"externalIds":{"sleep":"p9","":""},"sharingScope":"NO_SHARING","dataGroups":["\u0000"]}`,
			`{"identifier":"new-study","name":"x","exporter3Configuration":{"projectId":"p","dataAccessTeamId":9e99}}`,
			`{"userId":"nobody","externalId":" "}`, `{"clientTimeZone":"../../etc/passwd"}`, `{"version":-1}`,
		} {
			f.Add(uint8(i), true, seed)
			f.Add(uint8(i), false, seed)
		}
	}
	s := unserved(f, nil)
	server := httptest.NewServer(s.server.Handler())
	s.base = server.URL
	admin, owner := s.staff(core.RoleAdmin), s.participant("p1")
	server.Close()
	f.Fuzz(func(t *testing.T, route uint8, staff bool, body string) {
		path := posts[int(route)%len(posts)]
		r := httptest.NewRequest("POST", path, strings.NewReader(body))
		r.Header.Set("Bridge-Session", owner)
		if staff {
			r.Header.Set("Bridge-Session", admin)
		}
		if strings.HasSuffix(path, "signOut") {
			r.Header.Del("Bridge-Session")
		}
		w := httptest.NewRecorder()
		s.server.Handler().ServeHTTP(w, r)
		if w.Code >= 500 || !json.Valid(w.Body.Bytes()) {
			t.Fatalf("%s %q: %d %s", path, body, w.Code, w.Body)
		}
		answer{w.Code, w.Header(), w.Body.String()}.want(t, w.Code)
	})
}
