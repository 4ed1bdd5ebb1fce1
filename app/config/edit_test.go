package config_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"footbridge/app/config"

	"github.com/google/go-cmp/cmp"
)

// A setting is changed where it stands, and the rest of the file is left alone.
func TestChange(t *testing.T) {
	const listen = "listen = \":1\" # on the ward's network\n"
	for name, test := range map[string]struct{ text, key, value, want string }{
		"in its place":       {"# ours\n  listen = \":1\"  # \"here\"\nplain_http = true\n", "listen", ":2", "# ours\n  listen = \":2\" # \"here\"\nplain_http = true\n"},
		"a # in a text":      {"repository = \"folder:a#b\"\n", "repository", "folder:#1", "repository = \"folder:#1\"\n"},
		"a quote in a text":  {"", "repository", `folder:C:\"x"`, "repository = \"folder:C:\\\\\\\"x\\\"\"\n"},
		"not there yet":      {listen, "time_zone", "UTC", "time_zone = \"UTC\"\n" + listen},
		"in its table":       {listen + "[uploads]\nmax_size = 5\n[validation]\n", "uploads.max_size", "7", listen + "[uploads]\nmax_size = 7\n[validation]\n"},
		"new in its table":   {listen + "[validation]\n# how\n", "validation.strictness", "strict", listen + "[validation]\nstrictness = \"strict\"\n# how\n"},
		"in a new table":     {listen, "validation.strictness", "warning", listen + "\n[validation]\nstrictness = \"warning\"\n"},
		"in no file":         {"", "plain_http", "true", "plain_http = true\n"},
		"written with dots":  {"uploads.max_size = 5\n", "uploads.max_size", "7", "uploads.max_size = 7\n"},
		"a list":             {"[participants]\n", "participants.data_groups", "a, b,", "[participants]\ndata_groups = [\"a\", \"b\"]\n"},
		"a list, emptied":    {"participants.data_groups = [\"a\"]\n", "participants.data_groups", "", "participants.data_groups = []\n"},
		"of people's own":    {"[oldest_app_versions]\n\"Android\" = 3\n", "oldest_app_versions.iPhone OS", "4", "[oldest_app_versions]\n\"iPhone OS\" = 4\n\"Android\" = 3\n"},
		"of people's, again": {"[oldest_app_versions]\n\"iPhone OS\" = 3\n", "oldest_app_versions.iPhone OS", "4", "[oldest_app_versions]\n\"iPhone OS\" = 4\n"},
	} {
		home := t.TempDir()
		path := file(t, home, test.text)
		if err := config.Change(home, test.key, test.value); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got, err := os.ReadFile(path)
		if diff := cmp.Diff(test.want, string(got)); diff != "" || err != nil {
			t.Errorf("%s: %s %v", name, diff, err)
		}
		if _, err := config.Load(path); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if left, _ := filepath.Glob(filepath.Join(home, ".*")); len(left) > 0 {
			t.Errorf("%s: left %v", name, left)
		}
	}
}

// What is wrong is said, and changes nothing.
func TestChangesThatAreRefused(t *testing.T) {
	for key, test := range map[string]struct{ value, says string }{
		"colour":                {"red", `there is no setting "colour"; there are listen, plain_http, time_zone, language, repository, awake, repository.s3.bucket, repository.s3.region, repository.s3.endpoint, repository.s3.provider, uploads.max_size`},
		"uploads":               {"1", "there is no setting"},
		"oldest_app_versions":   {"1", "there is no setting"},
		"validation.strictness": {"lax", `strictness must be "warning", "report" or "strict"; the settings stay as they are`},
		"uploads.max_size":      {"5 GiB", "uploads.max_size must be a whole number"},
		"plain_http":            {"yes", "plain_http must be true or false"},
		"time_zone":             {"Mars/Phobos", "time_zone must be a name"},
	} {
		home := t.TempDir()
		path := file(t, home, "# as it was\n")
		err := config.Change(home, key, test.value)
		if err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v", key, err)
		}
		if got, _ := os.ReadFile(path); string(got) != "# as it was\n" {
			t.Errorf("%s: now the file is %q", key, got)
		}
	}
}

func TestValues(t *testing.T) {
	s := config.Default()
	s.OldestVersions = map[string]int{"Android": 3}
	for key, want := range map[string]any{"validation.strictness": "report", "plain_http": false, "oldest_app_versions.Android": 3} {
		if got, err := s.Value(key); err != nil || got != want {
			t.Errorf("%s: %v, %v", key, got, err)
		}
	}
	var unknown *config.UnknownError
	for _, key := range []string{"", "uploads", "oldest_app_versions.iOS"} {
		if got, err := s.Value(key); !errors.As(err, &unknown) {
			t.Errorf("%s: %v, %v", key, got, err)
		}
	}
	if all := s.List(); len(all) != 18 || all[0].Key != "listen" || all[17].Key != "sync.transfers" {
		t.Errorf("%+v", all)
	}
}

// What may be secret in the name of a repository is not shown.
func TestShown(t *testing.T) {
	for spec, want := range map[string]string{
		"folder:repository": "folder:repository", "synapse:https://repo.example.org": "synapse:https://repo.example.org", "rclone:hospital:studies": "rclone:hospital:studies",
		"rclone::s3,provider=AWS,access_key_id=AKIA,secret_access_key='a,b:c''d',region=eu:bucket/key=1": "rclone::s3,provider=AWS,access_key_id=***,secret_access_key=***,region=eu:bucket/key=***",
		`rclone::sftp,host=h,user=u,pass="x:y":data`:                                                     "rclone::sftp,host=h,user=u,pass=***:data",
	} {
		if got := config.Shown(spec); got != want {
			t.Errorf("%s is shown as %s", spec, got)
		}
	}
}
