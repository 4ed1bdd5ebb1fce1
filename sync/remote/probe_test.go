package remote_test

import (
	"os"
	"path/filepath"
	"testing"

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
	away := filepath.Join(t.TempDir(), "away")
	if checks := reach(t, "folder:"+away).Probe(t.Context()); len(checks) != 1 || checks[0].OK || checks[0].Trouble != remote.NoFolder {
		t.Errorf("on a folder that is away: %+v", checks)
	}
}
