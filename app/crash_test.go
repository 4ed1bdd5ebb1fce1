package main_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/core/crash"
)

// The program ends at every named point, one after the other. After a restart
// whatever was acknowledged is there, with equal bytes, once.
func TestWhateverWasAcknowledgedOutlastsACrashAtAnyPoint(t *testing.T) {
	enrolled := enrolledOnce(t)
	for _, point := range crashPoints(t) {
		if strings.HasPrefix(point, "project.") || strings.HasPrefix(point, "append.") || strings.HasPrefix(point, "bucket.") || point == "push.attachment" || point == "push.data" || point == "notify.told" {
			continue // no schemaless upload to a folder passes there, and nobody subscribed
		}
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			crashAt(t, enrolled, point)
		})
	}
}

// A project may be asked for again after a crash at any step; then its study is
// exported, with those who were in it before.
func TestAProjectIsMadeAgainAfterACrashAtAnyStep(t *testing.T) {
	points := slices.DeleteFunc(crashPoints(t), func(point string) bool { return !strings.HasPrefix(point, "project.") })
	for _, point := range points {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			s.command(nil, "study", "create", "naps")
			s.command(nil, "participant", "create", "--study", "naps", "--external-id", "n1")
			s.start("FOOTBRIDGE_CRASH_AT=" + point)
			admin := s.admin()
			if err := s.call("POST", "/v5/studies/naps/exporter3", admin, nil, nil); err == nil {
				t.Error("it was answered")
			}
			if code := s.gone(); code != crash.Status {
				t.Fatalf("the program ended with %d, not at the point\n%s", code, s.out)
			}
			s.start()
			var made struct {
				Configured bool
				ProjectID  string
			}
			for range 2 {
				if err := s.call("POST", "/v5/studies/naps/exporter3", s.admin(), nil, &made); err != nil || !made.Configured || made.ProjectID != "naps" {
					t.Fatalf("%+v, %v", made, err)
				}
			}
			token, err := s.signIn("n1")
			if err != nil {
				t.Fatal(err)
			}
			p := &parcel{name: "a.bin", body: []byte("a nap")}
			if v, err := s.send(token, p); err != nil || v.Record.ParticipantVersion != 1 {
				t.Fatalf("%+v (%v)", v, err)
			}
			if rows := s.command(nil, "view", "--study", "naps", "--join", "submitted"); strings.Count(rows, p.ID) == 0 {
				eventually(t, func() bool {
					return strings.Contains(s.command(nil, "view", "--study", "naps", "--join", "submitted"), p.ID)
				})
			}
		})
	}
}

// crashPoints finds the points in the source; those of the export's journal are
// named after its steps.
func crashPoints(t *testing.T) []string {
	t.Helper()
	out, err := exec.Command("grep", "-rhoE", "--include=*.go", `crash\.Point\("[^"]+"`, "..").Output()
	if err != nil {
		t.Fatal(err)
	}
	var points []string
	for _, match := range regexp.MustCompile(`"([^"]+)"`).FindAllStringSubmatch(string(out), -1) {
		if match[1] == "push." {
			for _, step := range []core.ExportStep{core.StepPlanned, core.StepPut, core.StepVerified, core.StepAnnotated} {
				points = append(points, "push."+string(step), "push."+string(step)+".journalled")
			}
			continue
		}
		points = append(points, match[1])
	}
	slices.Sort(points)
	if points = slices.Compact(points); len(points) < 15 {
		t.Fatalf("found only the points %v", points)
	}
	return points
}

// enrolledOnce makes a home with a participant who is signed in; what it gives makes a
// copy of that, and gives the participant's token. A home takes a key that is slow to make.
func enrolledOnce(t *testing.T) func(home string) (token string, err error) {
	s := newSite(t)
	s.start()
	token := s.enrol("p1")
	s.kill()
	return func(home string) (string, error) {
		return token, filepath.WalkDir(s.home, func(name string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			at := filepath.Join(home, strings.TrimPrefix(name, s.home))
			info, err := d.Info()
			switch {
			case err != nil:
				return err
			case d.IsDir():
				return os.Mkdir(at, info.Mode().Perm())
			case !info.Mode().IsRegular():
				return nil // the socket of the program that is gone
			}
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			return os.WriteFile(at, text, info.Mode().Perm())
		})
	}
}

func crashAt(t *testing.T, enrolled func(home string) (token string, err error), point string) {
	s := &site{t: t, home: filepath.Join(t.TempDir(), "h"), http: &http.Client{Timeout: 20 * time.Second}}
	s.root = filepath.Join(s.home, "repository")
	t.Cleanup(func() { s.kill() })
	token, err := enrolled(s.home)
	if err != nil {
		t.Fatal(err)
	}
	s.start("FOOTBRIDGE_CRASH_AT=" + passes(point))
	acknowledged := sendUntilCrash(s, token)
	if code := s.gone(); code != crash.Status {
		t.Fatalf("the program ended with %d, not at the point\n%s", code, s.out)
	}
	s.start()
	for _, p := range acknowledged {
		v, err := s.complete(token, p.ID, "?synchronous=true")
		if err != nil || v.Status != "succeeded" {
			t.Fatalf("acknowledged upload %s is %q (%v)", p.ID, v.Status, err)
		}
		checkExported(t, s, p)
	}
	checkVersions(t, s, 1)
	checkLeftovers(t, s)
}

// passes lets the start's own passes of a point by, so that it is an upload that
// meets it.
func passes(point string) string {
	if strings.HasPrefix(point, "segment.") && point != "segment.full" {
		return point + ":20"
	}
	return point
}

// sendUntilCrash uploads small and large files until the program is gone, and
// gives those whose PUT was acknowledged.
func sendUntilCrash(s *site, token string) []*parcel {
	var acknowledged []*parcel
	for i := range 2000 {
		body := bytes.Repeat([]byte(fmt.Sprintf("upload %d of many. ", i)), 13000) // under 256 KiB: shares the log
		if i%2 == 1 && i < 4 {
			body = bytes.Repeat(body, 3) // gets a file of its own
		}
		p := &parcel{name: "walk.bin", body: body}
		if s.slot(token, p) != nil || s.put(p) != nil {
			break
		}
		acknowledged = append(acknowledged, p)
		if _, err := s.complete(token, p.ID, ""); err != nil {
			break
		}
		if i >= 4 && i < 20 {
			time.Sleep(100 * time.Millisecond) // the transfer into bbolt and the tables come by the clock
		}
	}
	return acknowledged
}

func checkExported(t *testing.T, s *site, p *parcel) {
	t.Helper()
	files := s.exported(p.ID)
	if len(files) != 1 {
		t.Fatalf("record %s is in the repository as %v", p.ID, files)
	}
	got, err := os.ReadFile(files[0])
	if err != nil || !bytes.Equal(got, p.body) {
		t.Fatalf("record %s was exported with other bytes (%d, not %d; %v)", p.ID, len(got), len(p.body), err)
	}
}

// checkVersions waits until the Participant Versions table has one row for each
// version.
func checkVersions(t *testing.T, s *site, want int) {
	t.Helper()
	name := filepath.Join(s.root, testStudy, "participant-versions", "participant_versions.csv")
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		text, err := os.ReadFile(name)
		if rows := strings.Count(string(text), "\n") - 1; err == nil && rows == want {
			return
		} else if time.Now().After(deadline) {
			t.Fatalf("%d rows of participant versions, want %d (%v)", rows, want, err)
		}
	}
}

// checkLeftovers finds files that nothing names.
func checkLeftovers(t *testing.T, s *site) {
	t.Helper()
	for _, pattern := range []string{"blobs/files/.landing-*", "keys/.new-*"} {
		if left, _ := filepath.Glob(filepath.Join(s.home, pattern)); len(left) > 0 {
			t.Errorf("left over: %v", left)
		}
	}
}
