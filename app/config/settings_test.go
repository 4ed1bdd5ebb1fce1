package config_test

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"footbridge/app/config"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func file(t interface {
	Fatal(...any)
}, dir, text string) string {
	name := filepath.Join(dir, config.FileName)
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestWrongSettingsAreNamed(t *testing.T) {
	const listen = `listen must be an address and a port, such as ":8443" or "127.0.0.1:8443"`
	const zone = `time_zone must be a name of the tz database, such as "America/Los_Angeles" or "Africa/Nairobi"`
	for text, want := range map[string]string{
		"colour = 1":                             `line 1: there is no setting "colour"`,
		"\n[uploads]\nmax_sise = 1":              `line 3: there is no setting "uploads.max_sise"`,
		"[new]\na = 1":                           `line 1: there is no setting "new"`,
		"listen = 5":                             "line 1: listen must be a text in quotes, not a TOML integer",
		"plain_http = \"yes\"":                   "line 1: plain_http must be true or false, not a TOML string",
		"# why\n[uploads]\nmax_size = \"5 GiB\"": "line 3: uploads.max_size must be a whole number, not a TOML string",
		"[uploads]\nmax_size = 1.5":              "line 2: uploads.max_size must be a whole number, not a TOML float",
		"uploads = 3":                            "line 1: uploads must be a table, not a TOML integer",
		"listen = ":                              "line 1: expected value, not end of input",
		"listen = \":1\"\nlisten = \":2\"":       "line 2: key listen is already defined",
		"listen = \"8443\"":                      "line 1: " + listen,
		"listen = \":http\"":                     "line 1: " + listen,
		"listen = \":65536\"":                    "line 1: " + listen,
		"plain_http = true\n  listen=\"\"":       "line 2: " + listen,
		"time_zone = \"Mars/Phobos\"":            "line 1: " + zone,
		"time_zone = \"\"":                       "line 1: " + zone,
		"\"time_zone\" = \"Local\"":              "line 1: " + zone,
		"language = \"de\"":                      `line 1: language must be one of en, es, fr, pt, sw, or ""`,
		"repository = \"usb\"":                   `line 1: repository must begin with "folder:", "rclone:" or "synapse:"`,
		"repository = \"folder:\"":               `line 1: repository must name a place behind "folder:"`,
		"[uploads] # here\r\nmax_size = 0\r\n":   "line 2: max_size must be over 0 bytes",
		"[uploads]\nfree_space_floor = -1":       "line 2: free_space_floor must not be under 0 bytes",
		"validation.strictness = \"lax\"":        `line 1: strictness must be "warning", "report" or "strict"`,
		"sync.hours = \"at night\"":              `line 1: hours must be two different times of day, such as "22:00-06:00", or ""`,
		"sync.hours = \"22:00-22:00\"":           `line 1: hours must be two different times of day, such as "22:00-06:00", or ""`,
		"[sync]\ntransfers = 0":                  "line 2: transfers must be 1 to 16",
		"[sync]\nbandwidth = -1":                 "line 2: bandwidth must not be under 0 bytes a second",
		"uploads.max_size = -1":                  "line 1: max_size must be over 0 bytes",
		"uploads = {max_size = -1}":              "FILE: max_size must be over 0 bytes",
	} {
		if want[0] == 'l' {
			want = "FILE " + want
		}
		want = config.FileName + want[len("FILE"):]
		got, err := config.Load(file(t, t.TempDir(), text))
		if err == nil || err.Error() != want {
			t.Errorf("%q:\ngot  %v\nwant %s", text, err, want)
		}
		if !reflect.DeepEqual(got, config.Default()) {
			t.Errorf("%q: wrong settings are handed out", text)
		}
	}
}

func TestSettingsThatAreRight(t *testing.T) {
	changed := func(change func(*config.Settings)) config.Settings {
		s := config.Default()
		change(&s)
		return s
	}
	for text, want := range map[string]config.Settings{
		"":                          config.Default(),
		"\ufefflisten = \":0\"\r\n": changed(func(s *config.Settings) { s.Listen = ":0" }),
		"listen = \"[::1]:80\"":     changed(func(s *config.Settings) { s.Listen = "[::1]:80" }),
		"time_zone = \"UTC\"":       changed(func(s *config.Settings) { s.TimeZone = "UTC" }),
		"repository = 'folder:D:\\Data'\n[uploads]\nfree_space_floor = 0": changed(func(s *config.Settings) {
			s.Repository, s.Uploads.FreeSpaceFloor = `folder:D:\Data`, 0
		}),
	} {
		got, err := config.Load(file(t, t.TempDir(), text))
		if err != nil {
			t.Errorf("%q: %v", text, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
	if got, err := config.Load(filepath.Join(t.TempDir(), "none")); err != nil || !reflect.DeepEqual(got, config.Default()) {
		t.Errorf("a missing file: %+v, %v", got, err)
	}
	if _, err := config.Load(t.TempDir()); err == nil {
		t.Error("a folder is taken for a file")
	}
}

// What Text writes, Load reads.
func TestTextRoundTrips(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		want := config.Settings{
			Listen:     rapid.SampledFrom([]string{":0", "127.0.0.1:8443", "[::1]:1"}).Draw(t, "listen"),
			PlainHTTP:  rapid.Bool().Draw(t, "plain"),
			TimeZone:   rapid.SampledFrom([]string{"UTC", "Africa/Nairobi"}).Draw(t, "zone"),
			Repository: "rclone:" + rapid.StringN(1, 40, -1).Draw(t, "repository"),
			Uploads: config.Uploads{
				MaxSize:        rapid.Int64Min(1).Draw(t, "max"),
				FreeSpaceFloor: rapid.Int64Min(0).Draw(t, "floor"),
			},
			Validation: config.Validation{Strictness: rapid.SampledFrom([]string{"warning", "report", "Strict"}).Draw(t, "strictness")},
			Sync:       config.Sync{Hours: "22:00-06:00", Bandwidth: rapid.Int64Min(0).Draw(t, "bandwidth"), Transfers: rapid.IntRange(1, 16).Draw(t, "transfers")},
		}
		got, err := config.Load(file(t, dir, want.Text()))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v became %+v, %v", want, got, err)
		}
	})
}
