package audit_test

import (
	"bytes"
	"encoding/json"
	"net/http/httptest"
	"testing"
	"time"

	"footbridge/app/api"
	"footbridge/app/local/audit"
	"footbridge/core"
	"footbridge/core/participant"
	"footbridge/store"
	"footbridge/ui/view"

	"github.com/google/go-cmp/cmp"
)

// Who did what is told page by page, the last first, or all of a time, the first first; and
// whom it names as staff know them.
func TestAudit(t *testing.T) {
	s, err := store.Open(t.TempDir(), store.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.SaveApp(t.Context(), "test-app", func(*core.App) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if _, err := s.CreateStudy(t.Context(), core.Study{ID: "sleep", App: "test-app"}); err != nil {
		t.Fatal(err)
	}
	who, err := participant.NewRoster(s, "test-app", participant.Config{Now: time.Now}).Create(t.Context(), "sleep", participant.Form{ExternalIDs: map[core.StudyID]string{"sleep": "P-17"}})
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	for i, d := range []core.Deed{
		{Did: core.DeedSyncPaused},
		{Did: core.DeedRecordsWithdrawn, With: map[string]string{"participant": string(who.HealthCode)}},
		{Did: core.DeedSyncResumed, Who: who.ID},
	} {
		d.At = at.Add(time.Duration(i) * time.Hour)
		if err := s.Note(t.Context(), d); err != nil {
			t.Fatal(err)
		}
	}
	routes := (&audit.Handlers{Store: s}).Routes()
	answer := func(path string) (any, error) {
		r := httptest.NewRequestWithContext(t.Context(), "GET", path, nil)
		for _, route := range routes {
			if route.Pattern == "GET "+r.URL.Path {
				return route.Answer(r)
			}
		}
		t.Fatalf("nothing answers %s", path)
		return nil, nil
	}
	told := func(rows []view.DeedRow) (all []string) {
		for _, d := range rows {
			text := string(d.Did)
			for _, person := range d.People {
				text += " " + person.Name
			}
			all = append(all, text)
		}
		return all
	}
	page := func(query string, want ...string) string {
		t.Helper()
		answered, err := answer("/local/v1/deeds?" + query)
		if err != nil {
			t.Fatal(err)
		}
		p := answered.(view.DeedPage)
		if diff := cmp.Diff(want, told(p.Deeds)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", query, diff)
		}
		return p.Next
	}
	paused, withdrawn, resumed := string(core.DeedSyncPaused), string(core.DeedRecordsWithdrawn)+" P-17", string(core.DeedSyncResumed)+" P-17"
	next := page("pageSize=2", resumed, withdrawn)
	if end := page("before="+next, paused); next == "" || end != "" {
		t.Errorf("it goes on at %q, and then at %q", next, end)
	}
	lines := func(query string, want ...string) {
		t.Helper()
		answered, err := answer("/local/v1/audit?" + query)
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		if err := answered.(api.Stream).Write(&text); err != nil {
			t.Fatal(err)
		}
		var rows []view.DeedRow
		for d := json.NewDecoder(&text); d.More(); {
			var row view.DeedRow
			if err := d.Decode(&row); err != nil {
				t.Fatal(err)
			}
			rows = append(rows, row)
		}
		if diff := cmp.Diff(want, told(rows)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", query, diff)
		}
	}
	lines("", paused, withdrawn, resumed)
	lines("since=2026-11-20T09:30:00Z&until=2026-11-20T10:30:00Z", withdrawn)
	for _, path := range []string{"/local/v1/deeds?pageSize=501", "/local/v1/audit?since=2026-11-20T10:00:00Z&until=2026-11-20T09:00:00Z"} {
		if _, err := answer(path); err == nil {
			t.Errorf("%s is answered", path)
		}
	}
}
