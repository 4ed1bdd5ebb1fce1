package setup_test

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"footbridge/app/appliance/appliancetest"
	"footbridge/app/config"
	"footbridge/app/control"
	"footbridge/core"
	"footbridge/ui/view"

	"github.com/google/go-cmp/cmp"
)

// What opens the repository is kept where it is looked for, for nobody else to read, stands
// in the audit by its kind alone, and is told by no answer.
func TestWhatOpensTheRepository(t *testing.T) {
	t.Setenv("FOOTBRIDGE_REPOSITORY_TOKEN", "")
	home := appliancetest.Make(t)
	conf := filepath.Join(home, "rclone.conf")
	if err := os.WriteFile(conf, []byte("[server]\ntype = webdav\nurl = http://127.0.0.1:9\npass = old\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	appliancetest.Run(t, appliancetest.Open(t, home), func(ctx context.Context, client *control.Client) {
		keep := func(given any) error {
			return client.Call(ctx, http.MethodPut, "/local/v1/repository/secrets", given, nil)
		}
		asks := func(want view.Secrets) {
			t.Helper()
			var got view.Secrets
			if err := client.Call(ctx, http.MethodGet, "/local/v1/repository/secrets", nil, &got); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		}
		refuses := func(given any, want string) {
			t.Helper()
			if err := keep(given); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "s3cret") {
				t.Errorf("%v is answered with %v", given, err)
			}
		}
		asks(view.Secrets{Asks: []string{}})
		refuses(map[string]string{"password": "s3cret"}, "takes no key and no password here")

		change(t, client, "repository", "rclone:server:studies")
		asks(view.Secrets{Asks: []string{"password"}})
		refuses(map[string]string{"password": " "}, "must be one line")
		refuses(map[string]string{"password": "s3cret\n[other]"}, "must be one line")
		refuses(map[string]string{"password": "s3cret", "token": "s3cret"}, "it takes password")
		refuses(map[string]int{"password": 5}, "no JSON object of texts")
		if err := keep(map[string]string{"password": "s3cret"}); err != nil {
			t.Fatal(err)
		}
		if text, err := os.ReadFile(conf); err != nil || strings.Contains(string(text), "old") || strings.Contains(string(text), "s3cret") || !strings.Contains(string(text), "127.0.0.1:9") {
			t.Errorf("rclone.conf is %q (%v)", text, err)
		}

		change(t, client, "repository", "synapse:http://127.0.0.1:9")
		asks(view.Secrets{Asks: []string{"token"}})
		if err := keep(map[string]string{"token": " s3cret "}); err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(home, "keys", "repository.token")
		if text, err := os.ReadFile(name); string(text) != "s3cret\n" || err != nil {
			t.Errorf("the token is kept as %q (%v)", text, err)
		}
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("it is kept as %v (%v)", info, err)
		}
		t.Setenv("FOOTBRIDGE_REPOSITORY_TOKEN", "s3cret")
		asks(view.Secrets{Asks: []string{}, Variable: "FOOTBRIDGE_REPOSITORY_TOKEN"})
		refuses(map[string]string{"token": "s3cret"}, "FOOTBRIDGE_REPOSITORY_TOKEN, which alone counts")

		var deeds view.DeedPage
		if err := client.Call(ctx, http.MethodGet, "/local/v1/deeds?pageSize=10", nil, &deeds); err != nil {
			t.Fatal(err)
		}
		given := 0
		for _, d := range deeds.Deeds {
			if d.Did == core.DeedRepositoryKeyGiven {
				given++
				if len(d.With) > 0 {
					t.Errorf("the audit tells %v", d.With)
				}
			}
		}
		if given != 2 {
			t.Errorf("the audit tells of %d, among %+v", given, deeds.Deeds)
		}
	})
}

// change changes a setting.
func change(t *testing.T, client *control.Client, key, value string) {
	t.Helper()
	var now view.Setting
	if err := client.Call(t.Context(), http.MethodPatch, "/local/v1/settings", map[string]string{"key": key, "value": value}, &now); err != nil || now.Value != config.Shown(value) {
		t.Fatalf("%s is %+v (%v)", key, now, err)
	}
}
