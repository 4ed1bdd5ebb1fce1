package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"footbridge/app/config"

	"github.com/google/go-cmp/cmp"
)

const onSynapse = "repository = \"synapse:https://repo.example.org\"\n"

// The table stands beside the text of the same name, written as people write it or
// as TOML wants it.
func TestABucketBesideTheRepository(t *testing.T) {
	for text, want := range map[string]config.Bucket{
		onSynapse: {},
		onSynapse + "[repository.s3]\nbucket = \"study-data\"\nregion = \"eu-central-1\"\n":     {Name: "study-data", Region: "eu-central-1"},
		onSynapse + "  [ repository . s3 ] # ours\nbucket = 'b.1'\n[uploads]\nmax_size = 5\n":   {Name: "b.1"},
		onSynapse + "[\"repository.s3\"]\nendpoint = \"https://s3.example.org\"\n":              {Endpoint: "https://s3.example.org"},
		onSynapse + "[repository.s3]\nendpoint = \"http://127.0.0.1:9000\"\nprovider='Minio'\n": {Endpoint: "http://127.0.0.1:9000", Provider: "Minio"},
		"repository = \"folder:a\"\n[repository.s3]\nbucket = \"\"\n":                           {},
	} {
		got, err := config.Load(file(t, t.TempDir(), text))
		if diff := cmp.Diff(want, got.Bucket); diff != "" || err != nil {
			t.Errorf("%q: %s %v", text, diff, err)
		}
	}
}

func TestBucketsThatAreWrong(t *testing.T) {
	const head = onSynapse + "[repository.s3]\n"
	for text, want := range map[string]string{
		head + "bucked = \"b\"":                                            `line 3: there is no setting "repository.s3.bucked"`,
		head + "bucket = 5":                                                "line 3: repository.s3.bucket must be a text in quotes, not a TOML integer",
		head + "region = \"eu-1\"\nbucket = \"My_Bucket\"":                 "line 4: bucket must be the name of a bucket",
		head + "region = \"Frankfurt am Main\"":                            "line 3: region must be the name of a region",
		head + "endpoint = \"http://s3.example.org\"":                      `line 3: endpoint must read "https://HOST"`,
		head + "endpoint = \"https://user:secret@s3.example.org\"":         `line 3: endpoint must read "https://HOST"`,
		head + "provider = \"a,b\"":                                        "line 3: provider must be a provider of S3",
		"repository = \"rclone:r\"\n\n[repository.s3]\nbucket = \"abc\"\n": `line 4: bucket is for a repository that begins with "synapse:"`,
	} {
		_, err := config.Load(file(t, t.TempDir(), text))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// The bucket is set in its place, shown by its key, and taken up at once; a new
// home's file says how it is written.
func TestSettingABucket(t *testing.T) {
	settings := config.Default()
	settings.Repository = "synapse:https://repo.example.org"
	if text := settings.Text(); !strings.Contains(text, "\n# [repository.s3]\n# bucket = ") {
		t.Errorf("a new home says %s", text)
	}
	home, live, told := watched(t, settings.Text())
	for i, set := range [][2]string{{"repository.s3.region", "eu-central-1"}, {"repository.s3.bucket", "first"}, {"repository.s3.bucket", "second"}} {
		if err := config.Change(home, set[0], set[1]); err != nil {
			t.Fatal(err)
		}
		if err := next(t, told); err != nil {
			t.Fatal(i, err)
		}
	}
	if diff := cmp.Diff(config.Bucket{Name: "second", Region: "eu-central-1"}, live.Settings().Bucket); diff != "" {
		t.Error(diff)
	}
	if got, err := live.Settings().Value("repository.s3.bucket"); got != "second" || err != nil {
		t.Errorf("%v, %v", got, err)
	}
	text, err := os.ReadFile(filepath.Join(home, config.FileName))
	if err != nil || strings.Count(string(text), "\n[repository.s3]\n") != 1 || strings.Count(string(text), "\nbucket = ") != 1 {
		t.Errorf("the file is %s (%v)", text, err)
	}
	if err := config.Change(home, "repository", "folder:repository"); err == nil || !strings.Contains(err.Error(), "take it out") {
		t.Errorf("a folder with a bucket: %v", err)
	}
}
