package api_test

import (
	"strings"
	"testing"
	"time"

	"footbridge/core"
)

// Texts that become keys of the store have an end: a key that bbolt refuses would
// stop every later change.
func TestTextsThatBecomeKeys(t *testing.T) {
	s := newSite(t, nil)
	token, staff := s.participant("p1"), s.staff(core.RoleResearcher)
	long := strings.Repeat("x", 40_000)
	sum := hash(body)
	s.call("POST", "/v3/uploads", token, with(map[string]any{"contentMd5": sum[:4] + strings.Repeat("\n", 40_000) + sum[4:]})).want(t, 200)
	for name, row := range map[string]struct {
		path string
		body map[string]any
		want string
	}{
		"an external id":  {members, map[string]any{"externalId": long}, "externalIds[sleep] must be at most 255 characters"},
		"external ids":    {"/v3/participants", map[string]any{"externalIds": map[string]string{testStudy: long}}, "externalIds[sleep] must be at most 255 characters"},
		"a phone":         {members, map[string]any{"phone": map[string]any{"number": long, "regionCode": "US"}}, "phone must be at most 255 characters"},
		"a region":        {members, map[string]any{"phone": map[string]any{"number": "1", "regionCode": long}}, "phone must be at most 255 characters"},
		"at an enrolment": {"/v5/studies/" + testStudy + "/enrollments", map[string]any{"userId": "x", "externalId": long}, "externalId must be at most 255 characters"},
	} {
		t.Run(name, func(t *testing.T) { s.call("POST", row.path, staff, row.body).want(t, 400, row.want) })
	}
	s.call("POST", "/v4/auth/signIn", "", in(map[string]any{"externalId": long})).want(t, 404, "There is no account")
	s.call("GET", "/v3/participants/externalid:"+long, staff, nil).want(t, 404)
	s.call("GET", "/v3/uploadstatuses/"+long, token, nil).want(t, 404)

	time.Sleep(1500 * time.Millisecond) // rows are carried into bbolt every second
	if err := s.store.Failed(); err != nil {
		t.Errorf("the store failed: %v", err)
	}
	p := s.slot(token, "later")
	s.put(p).want(t, 200)
}

// Odd paths are answered, and never by a 500.
func TestOddPaths(t *testing.T) {
	s := newSite(t, nil)
	token := s.staff(core.RoleAdmin)
	for _, path := range []string{
		"/v3/participants/", "/v3/participants/%00", "/v3/participants/externalid:", "/v3/participants/:", "/v3/participants/%2F",
		"//v3//uploads", "/v3/uploads/../uploads", "/v3/uploadstatuses/%2e%2e", "/v3/uploadstatuses/%ff", "/v5/studies/%20", "/%zz", "*",
		"http://elsewhere/v5/studies", "/v5/studies?%zz", "/local/v1/../../put/x",
	} {
		for _, method := range []string{"GET", "POST", "DELETE", "OPTIONS"} {
			got := s.say(method + " " + path + " HTTP/1.1\r\nHost: x\r\nBridge-Session: " + token + "\r\nContent-Length: 2\r\n\r\n{}")
			if got.status >= 500 {
				t.Errorf("%s %s: %d %s", method, path, got.status, got.raw)
			}
		}
	}
}
