package setup_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"footbridge/app/appliance/appliancetest"
	"footbridge/app/config"
	"footbridge/app/local/setup"
	"footbridge/core"
	"footbridge/store"

	"github.com/google/go-cmp/cmp"
)

// What is changed through the API is not told to the audit a second time; what an editor
// changes while nothing runs is told once.
func TestTheWitness(t *testing.T) {
	home := appliancetest.Make(t)
	s, err := store.Open(home, store.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	open := func() *setup.Handlers {
		t.Helper()
		live, err := config.Open(home)
		if err != nil {
			t.Fatal(err)
		}
		return &setup.Handlers{Home: home, Settings: live.Settings, Witness: setup.NewWitness(live, s)}
	}
	told := func(h *setup.Handlers, want ...string) {
		t.Helper()
		var all []string
		for range 2 { // to look again tells nothing new
			if err := h.Witness.Look(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		deeds, _, err := s.LastDeeds(t.Context(), "", 100)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range deeds {
			if d.Did == core.DeedSettingsChanged {
				all = append(all, d.With["settings"])
			}
		}
		if diff := cmp.Diff(want, all); diff != "" {
			t.Errorf("the audit (-want +got):\n%s", diff)
		}
	}
	h := open()
	told(h)
	for _, route := range h.Routes() {
		if route.Pattern != "PATCH /local/v1/settings" {
			continue
		}
		for _, body := range []string{`{"key":"sync.transfers","value":"2"}`, `{"key":"oldest_app_versions.Android","value":"7"}`} {
			if _, err := route.Answer(httptest.NewRequest("PATCH", "/local/v1/settings", strings.NewReader(body))); err != nil {
				t.Fatal(err)
			}
		}
	}
	if now := h.Settings(); now.Sync.Transfers != 2 || now.OldestVersions["Android"] != 7 {
		t.Fatalf("the settings are %+v", now)
	}
	told(h)
	if err := config.Change(home, "sync.transfers", "3"); err != nil {
		t.Fatal(err)
	}
	told(open(), "sync.transfers")
}
