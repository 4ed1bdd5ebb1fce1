package appliance_test

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"footbridge/app/appliance"
	"footbridge/app/config"
	"footbridge/app/local/studies"
	"footbridge/core"
)

// Before the repository was asked where a project's bytes lie, the settings say it.
func TestWhereARecordIsStored(t *testing.T) {
	home := made(t)
	for _, test := range []struct{ key, value, destination, bucket, at string }{
		{"time_zone", "UTC", "sleep", "repository", "sleep/raw-data/2026-11-20/r1-walk"},
		{"repository", "rclone:site:records/a/b", "sleep", "records", "a/b/sleep/raw-data/2026-11-20/r1-walk"},
		{"repository", "rclone:site:records", "test-app", "records", "test-app/raw-data/2026-11-20/r1-walk"},
		{"repository", "synapse:http://127.0.0.1:1", "sleep", "synapse", "raw-data/2026-11-20/r1-walk"},
		{"repository.s3.bucket", "study-data", "sleep", "study-data", "test-app/sleep/2026-11-20/r1-walk"},
		{"repository.s3.region", "eu-central-1", "test-app", "study-data", "test-app/2026-11-20/r1-walk"},
	} {
		if err := config.Change(home, test.key, test.value); err != nil {
			t.Fatal(err)
		}
		a, err := appliance.Open(t.Context(), home, nil)
		if err != nil {
			t.Fatal(err)
		}
		bucket, at := a.Stored(core.DestinationID(test.destination), core.RepositoryConfig{StorageLocation: 5}, "raw-data/2026-11-20/r1-walk")
		if bucket != test.bucket || at != test.at {
			t.Errorf("with %s it lies in %s at %s", test.key, bucket, at)
		}
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestCredentialsAreNotShown(t *testing.T) {
	c := studies.Credentials{Bucket: "study-data", AccessKeyID: "ASIA1", SecretAccessKey: "hidden", SessionToken: "hidden"}
	var log strings.Builder
	slog.New(slog.NewTextHandler(&log, nil)).Info("given", "credentials", c)
	for _, text := range []string{fmt.Sprint(c), fmt.Sprintf("%+v", &c), fmt.Sprintf("%#v", c), log.String()} {
		if strings.Contains(text, "hidden") || !strings.Contains(text, "study-data") {
			t.Errorf("they are shown as %s", text)
		}
	}
}
