package remote_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"footbridge/core"
	"footbridge/sync/remote"
	"footbridge/sync/remote/remotetest"
)

// A folder elsewhere that is not there yet is made, as the project of a study would
// make it; one of this machine may be on a disk that is away.
func TestAProbeMakesTheFolder(t *testing.T) {
	for _, kind := range []string{"sftp", "webdav"} {
		s := remotetest.Start(t, kind)
		for range 2 {
			for _, check := range reach(t, remotetest.Spec(kind, s.Addr, remotetest.Key, "new/studies")).Probe(t.Context()) {
				if !check.OK {
					t.Errorf("%s: %+v", kind, check)
				}
			}
		}
		if _, err := os.Stat(filepath.Join(s.Root, "new", "studies")); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := remote.Open(t.Context(), "folder:"+file, ""); remote.TroubleOf(err) != remote.NotFolder || !errors.Is(err, core.ErrNoFolder) {
		t.Errorf("where a file is: %v", err)
	}
	for _, path := range []string{filepath.Join(file, "behind"), filepath.Join(t.TempDir(), "later")} {
		r := reach(t, "folder:"+path)
		if filepath.Base(path) == "later" {
			if err := os.WriteFile(path, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if checks := r.Probe(t.Context()); len(checks) != 1 || checks[0].OK || checks[0].Trouble != remote.NotFolder || checks[0].Advice == "" {
			t.Errorf("where a file is: %+v", checks)
		}
		if err := r.Make(t.Context()); remote.TroubleOf(err) != remote.NotFolder || !errors.Is(err, core.ErrNoFolder) {
			t.Errorf("where a file is, to make a folder fails with %v", err)
		}
	}
	away := filepath.Join(t.TempDir(), "away")
	if checks := reach(t, "folder:"+away).Probe(t.Context()); len(checks) != 1 || checks[0].OK || checks[0].Trouble != remote.NoFolder {
		t.Errorf("on a folder that is away: %+v", checks)
	}
}
