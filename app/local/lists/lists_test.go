package lists_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"footbridge/app/local/lists"
	"footbridge/core"
	"footbridge/core/participant"
	"footbridge/store"
	"footbridge/ui/view"
)

// site is a store with a study, and what shows it to people.
type site struct {
	t     *testing.T
	store *store.Store
	mux   *http.ServeMux
	shown any // what was answered last
}

func open(t *testing.T) *site {
	t.Helper()
	s, err := store.Open(t.TempDir(), store.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	if _, err := s.SaveApp(t.Context(), "test-app", func(*core.App) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if _, err := s.CreateStudy(t.Context(), core.Study{ID: "sleep", App: "test-app"}); err != nil {
		t.Fatal(err)
	}
	h := &lists.Handlers{
		App: "test-app", Store: s, Reader: func(*http.Request) view.Reader { return view.Reader{Now: time.Now(), Zone: time.UTC} },
		Explain: func(_ context.Context, e core.Export) core.Export { return e },
	}
	st := &site{t: t, store: s, mux: http.NewServeMux()}
	for _, route := range h.Routes() {
		st.mux.HandleFunc(route.Pattern, func(_ http.ResponseWriter, r *http.Request) {
			if st.shown, err = route.Answer(r); err != nil {
				t.Errorf("%s: %v", r.URL, err)
			}
		})
	}
	return st
}

// show gives what is answered at a path.
func show[T any](s *site, path string) T {
	s.t.Helper()
	s.shown = nil
	s.mux.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(s.t.Context(), http.MethodGet, path, nil))
	shown, ok := s.shown.(T)
	if !ok {
		s.t.Fatalf("%s is answered with %T", path, s.shown)
	}
	return shown
}

// roster enrolls as if it were so many days ago, and an hour.
func (s *site) roster(days int) *participant.Roster {
	at := time.Now().Add(-time.Duration(days)*24*time.Hour - time.Hour)
	return participant.NewRoster(s.store, "test-app", participant.Config{Now: func() time.Time { return at }})
}

// announced stores uploads of an account that were announced, a millisecond each after the
// other, and gives their ids.
func (s *site) announced(who core.UserID, names ...string) (ids []core.UploadID) {
	s.t.Helper()
	from := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	for i, name := range names {
		at := from.Add(time.Duration(i) * time.Millisecond)
		u := core.Upload{
			ID: core.UploadID(core.NewID(at)), App: "test-app", User: who, HealthCode: "h", State: core.StateRequested,
			RequestedOn: at, ExpiresOn: at.Add(time.Hour), Request: core.Request{Name: name, ContentMD5: name},
		}
		if _, err := s.store.Begin(s.t.Context(), u, at, func(*core.Upload) core.Upload { return u }); err != nil {
			s.t.Fatal(err)
		}
		ids = append(ids, u.ID)
	}
	return ids
}
