package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"footbridge/core/crash"
)

// Files that are put into a participant's folder become uploads of theirs and are
// exported; what is refused says why.
func TestTheDropFolder(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.start()
	s.enrol("p1")
	inbox := filepath.Join(s.home, "inbox")
	drop := func(who, name, content string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Join(inbox, who), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(inbox, who, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	drop("p1", "walk.csv", "a,b\n1,2\n")
	drop("p9", "walk.csv", "a,b\n1,2\n")
	done := func(pattern string) []string {
		found, _ := filepath.Glob(filepath.Join(inbox, pattern))
		return found
	}
	eventually(t, func() bool { return len(done("done/p1/*")) == 1 && len(done("refused/p9/*")) == 2 })
	why, _ := os.ReadFile(filepath.Join(inbox, "refused/p9/walk.csv.why.txt"))
	if !strings.Contains(string(why), "no participant with the external id p9") {
		t.Errorf("it says %s", why)
	}
	if status := s.command(nil, "status"); !strings.Contains(status, "1 file in inbox/refused") {
		t.Errorf("status says %s", status)
	}
	if err := os.Remove(filepath.Join(inbox, "refused/p9/walk.csv")); err != nil {
		t.Fatal(err)
	}
	if status := s.command(nil, "status"); strings.Contains(status, "inbox/refused") {
		t.Errorf("it is taken away, but %s", status)
	}
	id := strings.TrimSuffix(filepath.Base(done("done/p1/*")[0]), "-walk.csv")
	if exported := s.exported(id); len(exported) != 1 {
		t.Errorf("it is in the repository as %v", exported)
	}
	drop("p1", "again.csv", "a,b\n1,2\n") // the same bytes under another name
	eventually(t, func() bool { return len(done("done/p1/*")) == 2 })
	if rows := s.command(nil, "view", "--study", testStudy); strings.Count(rows, "raw-data/") != 1 {
		t.Errorf("the view has %s", rows)
	}
	if shown := s.command(nil, "upload", "list", "--study", testStudy); strings.Count(shown, "succeeded") != 1 {
		t.Errorf("there are %s", shown)
	}
}

// A dropped file becomes one upload, wherever the program ends.
func TestADroppedFileIsTakenOnceAfterACrash(t *testing.T) {
	for _, point := range []string{"blob.synced", "blob.renamed", "push.planned", "push.put.journalled"} {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			s.start()
			s.enrol("p1")
			s.kill()
			folder := filepath.Join(s.home, "inbox", "p1")
			if err := os.MkdirAll(folder, 0o700); err != nil {
				t.Fatal(err)
			}
			large := strings.Repeat("steps ", 100_000) // gets a file of its own
			if err := os.WriteFile(filepath.Join(folder, "walk.bin"), []byte(large), 0o600); err != nil {
				t.Fatal(err)
			}
			s.start("FOOTBRIDGE_CRASH_AT=" + point)
			if code := s.gone(); code != crash.Status {
				t.Fatalf("the program ended with %d, not at the point\n%s", code, s.out)
			}
			s.start()
			var found []string
			eventually(t, func() bool {
				found, _ = filepath.Glob(filepath.Join(s.home, "inbox", "done", "p1", "*"))
				return len(found) == 1
			})
			id := strings.TrimSuffix(filepath.Base(found[0]), "-walk.bin")
			if exported := s.exported(id); len(exported) != 1 {
				t.Errorf("it is in the repository as %v", exported)
			}
			since := time.Now().Add(-time.Hour).UTC().Format(time.RFC3339)
			if shown := s.command(nil, "upload", "list", "--study", testStudy, "--since", since); strings.Count(shown, "walk.bin") != 1 {
				t.Errorf("there are %s", fmt.Sprint(shown))
			}
		})
	}
}
