package api_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"footbridge/app/api"
	"footbridge/core"
)

// local is one route of each kind.
func (s *site) local() []api.LocalRoute {
	stream := func(write func(io.Writer) error) func(*http.Request) (any, error) {
		return func(*http.Request) (any, error) { return api.Stream{ContentType: "text/csv", Write: write}, nil }
	}
	return []api.LocalRoute{
		{Pattern: "GET /local/v1/thing", Answer: func(*http.Request) (any, error) { return map[string]int{"n": 7}, nil }},
		{Pattern: "GET /local/v1/near", For: api.ThisMachine, Answer: func(*http.Request) (any, error) { return api.Message("near"), nil }},
		{Pattern: "GET /local/v1/open", For: api.Everyone, Answer: func(*http.Request) (any, error) { return nil, api.Unavailable("Not now.") }},
		{Pattern: "GET /local/v1/study", Answer: func(r *http.Request) (any, error) { return s.store.Study(r.Context(), "nowhere") }},
		{Pattern: "GET /local/v1/wrong", Answer: func(*http.Request) (any, error) { return nil, api.BadRequest("That is wrong.") }},
		{Pattern: "GET /local/v1/table", Answer: stream(func(w io.Writer) error { _, err := io.WriteString(w, "a,b\n"); return err })},
		{Pattern: "GET /local/v1/broken", Answer: stream(func(w io.Writer) error {
			io.WriteString(w, "a,b\n1,")
			return errors.New("the rest cannot be read")
		})},
	}
}

func TestLocalRoutes(t *testing.T) {
	s := newSite(t, nil)
	admin := s.staff(core.RoleAdmin)
	s.call("GET", "/local/v1/thing", admin, nil).want(t, 200, `"n":7`)
	s.call("GET", "/local/v1/study", admin, nil).want(t, 404, "Study nowhere was not found.", `"type":"EntityNotFoundException"`)
	s.call("GET", "/local/v1/wrong", admin, nil).want(t, 400, "That is wrong.", `"type":"BadRequestException"`)
	s.call("GET", "/local/v1/nothing", admin, nil).want(t, 404, `"type":"EndpointNotFoundException"`)
	s.call("GET", "/local/v1/thing", s.staff(core.RoleResearcher), nil).want(t, 403)
	s.call("GET", "/local/v1/thing", "", nil).want(t, 401)
}

// Half a table is never taken for a whole one: the connection breaks.
// Some local routes need no session, from this machine or from anywhere.
func TestWhoMayAskLocalRoutes(t *testing.T) {
	s := newSite(t, nil)
	admin, owner := s.staff(core.RoleAdmin), s.participant("p1")
	for path, want := range map[string][4]int{ // from here, from elsewhere: nobody, a participant, an admin
		"/local/v1/thing": {401, 401, 403, 200}, "/local/v1/near": {200, 401, 403, 200}, "/local/v1/open": {503, 503, 503, 503},
	} {
		s.call("GET", path, "", nil).want(t, want[0])
		for i, token := range []string{"", owner, admin} {
			r := httptest.NewRequest("GET", path, nil) // from 192.0.2.1
			if token == admin {
				r.RemoteAddr = "127.0.0.1:1" // where the admin signed in
			}
			r.Header.Set("Bridge-Session", token)
			w := httptest.NewRecorder()
			s.server.Handler().ServeHTTP(w, r)
			if w.Code != want[i+1] {
				t.Errorf("%s, caller %d from elsewhere: %d %s", path, i, w.Code, w.Body)
			}
		}
	}
}

func TestAStreamThatFailsIsNotWhole(t *testing.T) {
	s := newSite(t, nil)
	s.expects = true
	admin := s.staff(core.RoleAdmin)
	for path, whole := range map[string]bool{"/local/v1/table": true, "/local/v1/broken": false} {
		r, err := http.NewRequest("GET", s.base+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Bridge-Session", admin)
		answer, err := http.DefaultClient.Do(r)
		if err == nil {
			_, err = io.ReadAll(answer.Body)
			answer.Body.Close()
		}
		if (err == nil) != whole {
			t.Errorf("%s: %v", path, err)
		}
	}
	if len(s.told()) == 0 {
		t.Error("the log was told nothing")
	}
}
