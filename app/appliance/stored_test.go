package appliance_test

import (
	"testing"

	"footbridge/app/appliance"
	"footbridge/app/appliance/appliancetest"
	"footbridge/app/config"
	"footbridge/core"
)

// Before the repository was asked where a project's bytes lie, the settings say it.
func TestWhereARecordIsStored(t *testing.T) {
	home := appliancetest.Make(t)
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
