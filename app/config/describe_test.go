package config_test

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"footbridge/app/config"

	"github.com/google/go-cmp/cmp"
)

// What is described is what is checked: every default, every choice and both limits are
// taken, and what lies beyond is not.
func TestWhatIsDescribedIsChecked(t *testing.T) {
	home := t.TempDir()
	file(t, home, "# as it was\n")
	takes := func(key, value string, want bool) {
		t.Helper()
		if err := config.Try(home, key, value); (err == nil) != want {
			t.Errorf("%s = %q: %v", key, value, err)
		}
	}
	limits := 0
	for _, d := range config.Default().Describe() {
		takes(d.Key, d.Default, true)
		for _, choice := range d.Choices {
			takes(d.Key, choice, true)
		}
		if d.Kind == config.KindChoice {
			takes(d.Key, "none of these", false)
			if !slices.Contains(d.Choices, d.Default) {
				t.Errorf("%s: %q is no choice of %q", d.Key, d.Default, d.Choices)
			}
		}
		if d.Least != nil {
			limits++
			takes(d.Key, strconv.FormatInt(*d.Least, 10), true)
			takes(d.Key, strconv.FormatInt(*d.Least-1, 10), false)
		}
		if d.Most != nil {
			limits++
			takes(d.Key, strconv.FormatInt(*d.Most, 10), true)
			takes(d.Key, strconv.FormatInt(*d.Most+1, 10), false)
		}
		if d.Kind == config.KindNumber {
			takes(d.Key, "many", false)
			if d.Least == nil {
				t.Errorf("%s has no least number", d.Key)
			}
		}
		if d.Kind == config.KindSwitch {
			takes(d.Key, "true", true)
			takes(d.Key, "yes", false)
		}
	}
	if limits < 7 {
		t.Errorf("only %d limits are described", limits)
	}
	if text, err := os.ReadFile(home + "/" + config.FileName); string(text) != "# as it was\n" || err != nil {
		t.Errorf("now the file is %q (%v)", text, err)
	}
}

func TestDescribe(t *testing.T) {
	s := config.Default()
	s.OldestVersions = map[string]int{"Windows": 3, "Android": 4}
	all := map[string]config.Description{}
	for _, d := range s.Describe() {
		all[d.Key] = d
	}
	one, sixteen, zero := int64(1), int64(16), int64(0)
	for _, want := range []config.Description{
		{Key: "listen", Kind: config.KindText, Default: ":8443", Asks: true},
		{Key: "plain_http", Kind: config.KindSwitch, Default: "false", Asks: true},
		{Key: "repository.s3.bucket", Kind: config.KindText},
		{Key: "uploads.max_size", Kind: config.KindNumber, Default: "5368709120", Least: &one, Unit: "bytes"},
		{Key: "oldest_app_versions.Windows", Kind: config.KindNumber, Default: "0", Least: &zero},
		{Key: "oldest_app_versions.iPhone OS", Kind: config.KindNumber, Default: "0", Least: &zero},
		{Key: "participants.data_groups", Kind: config.KindList},
		{Key: "validation.strictness", Kind: config.KindChoice, Default: "report", Choices: []string{"warning", "report", "strict"}},
		{Key: "sync.transfers", Kind: config.KindNumber, Default: "4", Least: &one, Most: &sixteen, Unit: "records"},
	} {
		if diff := cmp.Diff(want, all[want.Key]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", want.Key, diff)
		}
	}
}

// What Written gives, Change takes.
func TestWritten(t *testing.T) {
	s := config.Default()
	s.OldestVersions, s.Participants.DataGroups = map[string]int{"Android": 4}, []string{"a", "b"}
	for key, want := range map[string]string{
		"plain_http": "false", "participants.data_groups": "a, b", "oldest_app_versions.Android": "4", "oldest_app_versions.iPhone OS": "0", "uploads.max_size": "5368709120",
	} {
		if got, err := s.Written(key); got != want || err != nil {
			t.Errorf("%s: %q (%v)", key, got, err)
		}
	}
	if got, err := s.Written("oldest_app_versions"); err == nil {
		t.Errorf("a whole table is %q", got)
	}
}

// Why a value is not taken is said without the name of what was asked for.
func TestWhyNot(t *testing.T) {
	for _, c := range []struct{ key, value, want string }{
		{"uploads.max_size", "many", "must be a whole number"},
		{"uploads.max_size", "0", "must be over 0 bytes"},
		{"sync.transfers", "17", "must be 1 to 16"},
		{"repository", "usb", `must begin with "folder:", "rclone:" or "synapse:"`},
		{"repository", "folder:x", config.FileName + ` line 4: bucket is for a repository`}, // of another setting
	} {
		home := t.TempDir()
		file(t, home, "repository = \"synapse:https://repo.example.org\"\n\n[repository.s3]\nbucket = \"abc\"\n")
		if c.want[0] == 'm' {
			home = t.TempDir()
		}
		err := config.Try(home, c.key, c.value)
		if err == nil {
			t.Errorf("%s = %s is taken", c.key, c.value)
		} else if got := config.WhyNot(c.key, err); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s = %s: %q", c.key, c.value, got)
		}
	}
}
