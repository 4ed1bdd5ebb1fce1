package setup_test

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"footbridge/app/appliance/appliancetest"
	"footbridge/app/config"
	"footbridge/app/control"
	"footbridge/app/door"
	"footbridge/app/local/setup"
	"footbridge/core"
	"footbridge/ui/view"

	"github.com/google/go-cmp/cmp"
)

// settingsOf lists the settings by their keys.
func settingsOf(ctx context.Context, t *testing.T, client *control.Client) map[string]view.Setting {
	t.Helper()
	var listed struct{ Items []view.Setting }
	if err := client.Call(ctx, http.MethodGet, "/local/v1/settings", nil, &listed); err != nil {
		t.Fatal(err)
	}
	all := map[string]view.Setting{}
	for _, s := range listed.Items {
		all[s.Key] = s
	}
	return all
}

// What Footbridge was started with is told beside what the settings say, where the two
// differ.
func TestASettingThatIsForced(t *testing.T) {
	a := appliancetest.Open(t, appliancetest.Make(t))
	a.Start(map[string]string{"listen": "127.0.0.1:18443", "plain_http": "false"})
	appliancetest.Run(t, a, func(ctx context.Context, client *control.Client) {
		all := settingsOf(ctx, t, client)
		if s := all["listen"]; s.Value != ":8443" || s.InForce != "127.0.0.1:18443" {
			t.Errorf("where devices come in is told as %+v", s)
		}
		if s := all["plain_http"]; s.InForce != "" {
			t.Errorf("what is as it is written is told as %+v", s)
		}
		var now view.Setting
		if err := client.Call(ctx, http.MethodPatch, "/local/v1/settings", setup.SettingAsked{Key: "listen", Value: "127.0.0.1:18443"}, &now); err != nil || now.InForce != "" {
			t.Errorf("once it is written, it is %+v (%v)", now, err)
		}
		if err := client.Call(ctx, http.MethodPatch, "/local/v1/settings", setup.SettingAsked{Key: "listen", Value: ":9443"}, &now); err != nil || now.InForce == "" {
			t.Errorf("once it is written otherwise, it is %+v (%v)", now, err)
		}
	})
}

// Of a port that was free is told which one it is.
func TestAFreePort(t *testing.T) {
	a := appliancetest.Open(t, appliancetest.Make(t))
	a.Start(map[string]string{"listen": "127.0.0.1:0"})
	in, err := door.Open(door.Place{Address: "127.0.0.1:0"}, a.Identity)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Listener.Close()
	a.Opened(in)
	appliancetest.Run(t, a, func(ctx context.Context, client *control.Client) {
		if s := settingsOf(ctx, t, client)["listen"]; s.InForce != in.Listener.Addr().String() {
			t.Errorf("where devices come in is told as %+v", s)
		}
	})
}

// A setting is tried without a change, changed in the file, taken up at once, and in the
// audit once.
func TestASettingIsChanged(t *testing.T) {
	home := appliancetest.Make(t)
	a := appliancetest.Open(t, home)
	appliancetest.Run(t, a, func(ctx context.Context, client *control.Client) {
		try := func(key, value string) (tried view.SettingTry) {
			t.Helper()
			if err := client.Call(ctx, http.MethodPost, "/local/v1/settings/try", setup.SettingAsked{Key: key, Value: value}, &tried); err != nil {
				t.Fatal(err)
			}
			return tried
		}
		for _, c := range []struct{ key, value, why string }{
			{"sync.transfers", "2", ""}, {"sync.transfers", "17", "must be 1 to 16"}, {"listen", "8443", `must be an address and a port, such as ":8443" or "127.0.0.1:8443"`},
		} {
			if diff := cmp.Diff(view.SettingTry{OK: c.why == "", Why: c.why}, try(c.key, c.value)); diff != "" {
				t.Errorf("%s = %s (-want +got):\n%s", c.key, c.value, diff)
			}
		}
		if got := settingsOf(ctx, t, client)["sync.transfers"].Value; got != "4" {
			t.Errorf("to try made it %s", got)
		}

		var now view.Setting
		for range 2 { // the second changes nothing
			if err := client.Call(ctx, http.MethodPatch, "/local/v1/settings", setup.SettingAsked{Key: "sync.transfers", Value: "2"}, &now); err != nil || now.Value != "2" {
				t.Fatalf("now it is %+v (%v)", now, err)
			}
		}
		if got := a.Settings().Sync.Transfers; got != 2 {
			t.Errorf("the appliance goes by %d", got)
		}
		if err := client.Call(ctx, http.MethodPatch, "/local/v1/settings", setup.SettingAsked{Key: "oldest_app_versions.Android", Value: "7"}, &now); err != nil || now.Value != "7" {
			t.Errorf("now it is %+v (%v)", now, err)
		}
		if err := client.Call(ctx, http.MethodPatch, "/local/v1/settings", setup.SettingAsked{Key: "sync.transfers", Value: "17"}, nil); err == nil || !strings.Contains(err.Error(), "sync.transfers must be 1 to 16.") {
			t.Errorf("what cannot work is refused with %v", err)
		}
		if diff := cmp.Diff([]string{"sync.transfers", "oldest_app_versions.Android"}, settingDeeds(ctx, t, client)); diff != "" {
			t.Errorf("the audit (-want +got):\n%s", diff)
		}
	})
	settings, err := config.Load(filepath.Join(home, config.FileName))
	if err != nil || settings.Sync.Transfers != 2 || settings.OldestVersions["Android"] != 7 {
		t.Errorf("the file says %+v (%v)", settings, err)
	}
}

// settingDeeds are the names of settings that the audit says were changed.
func settingDeeds(ctx context.Context, t *testing.T, client *control.Client) (all []string) {
	t.Helper()
	body, err := client.Open(ctx, http.MethodGet, "/local/v1/audit", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer body.Close()
	for lines := json.NewDecoder(body); lines.More(); {
		var d core.Deed
		if err := lines.Decode(&d); err != nil {
			t.Fatal(err)
		}
		if d.Did == core.DeedSettingsChanged {
			all = append(all, d.With["settings"])
		}
	}
	return all
}

// A key or a password is neither shown nor taken, unless whoever asks knows what they do.
func TestSecretsInSettings(t *testing.T) {
	home := appliancetest.Make(t)
	const secret = "rclone::s3,provider=AWS,secret_access_key=tell-nobody:bucket"
	appliancetest.Run(t, appliancetest.Open(t, home), func(ctx context.Context, client *control.Client) {
		asked := setup.SettingAsked{Key: "repository", Value: secret}
		if err := client.Call(ctx, http.MethodPatch, "/local/v1/settings", asked, nil); err == nil || !strings.Contains(err.Error(), "rclone.conf") || strings.Contains(err.Error(), "nobody") {
			t.Errorf("a secret is refused with %v", err)
		}
		asked.Secrets = true
		var now view.Setting
		if err := client.Call(ctx, http.MethodPatch, "/local/v1/settings", asked, &now); err != nil || strings.Contains(now.Value, "nobody") {
			t.Errorf("the answer is %+v (%v)", now, err)
		}
		if got := settingsOf(ctx, t, client)["repository"].Value; got != "rclone::s3,provider=AWS,secret_access_key=***:bucket" {
			t.Errorf("it is shown as %s", got)
		}
	})
	if text, err := os.ReadFile(filepath.Join(home, config.FileName)); err != nil || !strings.Contains(string(text), "tell-nobody") {
		t.Errorf("the file has no secret (%v)", err)
	}
}
