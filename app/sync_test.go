package main_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
)

// A pause that is said while nothing runs comes before all that is due.
func TestAPauseComesFirst(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.start()
	token := s.enrol("p1")
	s.command(nil, "sync", "pause")
	s.command(nil, "config", "set", "time_zone", "UTC")
	from := time.Now().UTC().Add(2 * time.Hour)
	s.command(nil, "config", "set", "sync.hours", from.Format("15:04")+"-"+from.Add(time.Hour).Format("15:04"))
	p := &parcel{name: "walk.bin", body: []byte("steps")}
	if _, err := s.send(token, p); err != nil {
		t.Fatal(err)
	}
	eventually(t, func() bool { return strings.Contains(s.command(nil, "status"), "1 record held back") })
	s.kill()
	s.command(nil, "sync", "resume") // which the hours hold back
	s.command(nil, "config", "set", "sync.hours", "")
	if said := s.command(nil, "sync", "pause"); !strings.Contains(said, "1 record held back") {
		t.Errorf("it is told %s", said)
	}
	if there, _ := os.ReadDir(filepath.Join(s.root, testStudy, "raw-data")); len(there) > 0 {
		t.Error("it was sent first")
	}
	s.start()
	s.command(nil, "sync", "resume")
	s.exported(p.ID)
}

// While sending is paused, or it is not the hour, nothing is sent; what waits says
// so, also after a restart. Then it is sent.
func TestSendingIsHeldUp(t *testing.T) {
	hour := time.Now().UTC().Add(2 * time.Hour).Format("15:04") // "time_zone" is UTC below
	later := time.Now().UTC().Add(3 * time.Hour).Format("15:04")
	for name, test := range map[string]struct {
		hold, free []string
		says       string
		state      string
	}{
		"by a person":     {[]string{"sync", "pause"}, []string{"sync", "resume"}, ": 1 record held back.", "paused"},
		"by the settings": {[]string{"config", "set", "sync.hours", hour + "-" + later}, []string{"config", "set", "sync.hours", ""}, "the settings say that records are sent at another time of day", "outside_hours"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			s.command(nil, "config", "set", "time_zone", "UTC")
			s.start()
			token := s.enrol("p1")
			eventually(t, func() bool { return !strings.Contains(s.command(nil, "status"), "processed") })
			s.command(nil, test.hold...)
			time.Sleep(300 * time.Millisecond) // settings are taken up within a second
			s.kill()
			s.start()
			p := &parcel{name: "walk.bin", body: []byte("steps")}
			if _, err := s.send(token, p); err != nil {
				t.Fatal(err)
			}
			eventually(t, func() bool { return strings.Contains(s.command(nil, "status"), test.says) })
			if status, shown := s.command(nil, "status"), s.command(nil, "upload", "show", p.ID); !strings.Contains(status, "sleep: 1 record waits since ") || !strings.Contains(shown, "Waiting to be sent to sleep since ") {
				t.Errorf("since when is not told: %s\n%s", status, shown)
			}
			if shown := s.command(nil, "upload", "show", p.ID, "--json"); !strings.Contains(shown, `"exportReason": "`+test.state+`"`) {
				t.Errorf("it is shown as %s", shown)
			}
			if there, _ := os.ReadDir(filepath.Join(s.home, "repository", testStudy, "raw-data")); len(there) > 0 {
				t.Fatal("it was sent")
			}
			s.command(nil, test.free...)
			if files := s.exported(p.ID); len(files) != 1 {
				t.Errorf("there are %v", files)
			}
		})
	}
}

// A redrive of a range sends the same records to the same places.
func TestARangeIsRedriven(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.start()
	token := s.enrol("p1")
	var sent []*parcel
	for _, body := range []string{"one", "two", "three"} {
		p := &parcel{name: "walk.bin", body: []byte(body)}
		if _, err := s.send(token, p); err != nil {
			t.Fatal(err)
		}
		s.exported(p.ID)
		sent = append(sent, p)
	}
	slot := &parcel{name: "walk.bin", body: []byte("never sent")}
	if err := s.slot(token, slot); err != nil {
		t.Fatal(err)
	}
	if said := s.command(nil, "upload", "redrive", "--study", testStudy, "--dry-run"); !strings.Contains(said, "3 uploads would be processed again; 1 passed over") {
		t.Errorf("dry: %s", said)
	}
	if err := os.RemoveAll(filepath.Join(s.home, "repository", testStudy, "raw-data")); err != nil {
		t.Fatal(err)
	}
	since := time.Now().Add(-time.Hour).UTC().Format(time.RFC3339)
	if said := s.command(nil, "upload", "redrive", "--since", since); !strings.Contains(said, sent[0].ID) || !strings.Contains(said, "3 uploads are processed again") {
		t.Errorf("done: %s", said)
	}
	for _, p := range sent {
		checkExported(t, s, p)
	}
}

// What could not be opened is told, and is processed again all at once, without the rest.
func TestTheRefusedAreRedriven(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.start()
	token := s.enrol("p1")
	good, bad := &parcel{name: "walk.bin", body: []byte("one")}, &parcel{name: "walk.bin", body: []byte("sealed by nobody"), encrypted: true}
	for _, p := range []*parcel{good, bad} {
		if _, err := s.send(token, p); err != nil {
			t.Fatal(err)
		}
	}
	s.exported(good.ID)
	told := "1 upload could not be opened (footbridge upload list --standing refused says why)."
	if status := s.command(nil, "status", "--json"); !strings.Contains(status, `"refused": 1`) || !strings.Contains(status, told) {
		t.Errorf("the status is %s", status)
	}
	if said := s.command(nil, "upload", "redrive", "--refused"); !strings.Contains(said, bad.ID) || strings.Contains(said, good.ID) || !strings.Contains(said, "1 upload is processed again; 0 passed over") {
		t.Errorf("redriven: %s", said)
	}
	eventually(t, func() bool { return strings.Contains(s.command(nil, "status"), told) })
}

// Whoever stops sharing leaves a decision to a person; on their word the records are
// taken out of the repository, and never sent again.
func TestRecordsAreWithdrawn(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.start()
	token := s.enrol("p1")
	var sent []*parcel
	for _, body := range []string{"one", "two"} {
		p := &parcel{name: "walk.bin", body: []byte(body)}
		if _, err := s.send(token, p); err != nil {
			t.Fatal(err)
		}
		s.exported(p.ID)
		sent = append(sent, p)
	}
	eventually(t, func() bool { return strings.Contains(s.command(nil, "upload", "show", sent[1].ID), "Sent to") })
	if err := s.call("POST", "/v3/users/self/dataSharing", token, map[string]string{"scope": "no_sharing"}, nil); err != nil {
		t.Fatal(err)
	}
	if status := s.command(nil, "status"); !strings.Contains(status, "1 participant stopped sharing after records of theirs were sent") {
		t.Errorf("status says %s", status)
	}
	pending := strings.Fields(s.command(nil, "upload", "withdraw", "--pending"))
	if len(pending) == 0 {
		t.Fatal("nobody waits for a decision")
	}
	for _, args := range [][]string{{}, {"--keep"}, {"--keep", "--participant", pending[0], sent[0].ID}} {
		s.refused(append([]string{"upload", "withdraw"}, args...)...)
	}
	if said := s.command(nil, "upload", "withdraw", "--participant", pending[0], "--dry-run"); !strings.Contains(said, "2 records would be taken out") {
		t.Errorf("dry: %s", said)
	}
	if said := s.command(nil, "upload", "withdraw", "--participant", pending[0]); !strings.Contains(said, "2 records taken out") {
		t.Errorf("it says %s", said)
	}
	gone := func() {
		t.Helper()
		for _, p := range sent {
			if files := s.filesOf(testStudy, p.ID); len(files) > 0 {
				t.Errorf("still there: %v", files)
			}
			if shown := s.command(nil, "upload", "show", p.ID); !strings.Contains(shown, "Withdrawn from sleep.") {
				t.Errorf("shown as %s", shown)
			}
		}
	}
	gone()
	if status := s.command(nil, "status"); strings.Contains(status, "stopped sharing") {
		t.Errorf("it is decided, but %s", status)
	}
	if err := s.call("POST", "/v3/users/self/dataSharing", token, map[string]string{"scope": "sponsors_and_partners"}, nil); err != nil {
		t.Fatal(err)
	}
	if said := s.command(nil, "upload", "redrive", sent[0].ID); !strings.Contains(said, "1 upload is processed again; 0 passed over, because no file came or it came before. 1 of them was withdrawn, and is not sent.") {
		t.Errorf("it says %s", said)
	}
	if said := s.command(nil, "upload", "withdraw", sent[0].ID); said != "Nothing is done. 1 record was withdrawn before.\n" {
		t.Errorf("it says %s", said)
	}
	s.command(nil, "upload", "redrive", "--all")
	time.Sleep(time.Second)
	gone()
	eventually(t, func() bool { return !strings.Contains(s.command(nil, "view", "--study", testStudy), "raw-data/") })
}

// A record that was sent to another repository than the settings name now is removed
// as soon as they name that one again, and never from another.
func TestARecordIsRemovedWhereItWasSent(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.start()
	p := &parcel{name: "walk.bin", body: []byte("steps")}
	if _, err := s.send(s.enrol("p1"), p); err != nil {
		t.Fatal(err)
	}
	s.exported(p.ID)
	eventually(t, func() bool { return strings.Contains(s.command(nil, "upload", "show", p.ID), "Sent to") })
	s.command(nil, "config", "set", "repository", "folder:elsewhere")
	eventually(t, func() bool { return strings.Contains(s.logs(), "settings taken up") })
	if said := s.refused("upload", "withdraw", p.ID); !strings.Contains(said, "was sent to another repository") {
		t.Errorf("it says %s", said)
	}
	if len(s.filesOf(testStudy, p.ID)) == 0 {
		t.Error("it is gone already")
	}
	if status := s.command(nil, "status"); !strings.Contains(status, "1 withdrawn record may still lie in the repository") {
		t.Errorf("status says %s", status)
	}
	s.kill()
	s.start()
	s.command(nil, "config", "set", "repository", "folder:repository")
	eventually(t, func() bool { return len(s.filesOf(testStudy, p.ID)) == 0 })
	eventually(t, func() bool { return !strings.Contains(s.command(nil, "status"), "withdrawn record") })
}

// What is missing, differs, lacks its annotations or belongs to nobody is listed, and
// mended where it is asked for.
func TestReconcile(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.start()
	token := s.enrol("p1")
	var sent []*parcel
	for _, body := range []string{"missing", "differs", "bare", "fine"} {
		p := &parcel{name: "walk.bin", body: []byte(body)}
		if _, err := s.send(token, p); err != nil {
			t.Fatal(err)
		}
		eventually(t, func() bool { return strings.Contains(s.command(nil, "upload", "show", p.ID), "Sent to sleep.") })
		sent = append(sent, p)
	}
	checkVersions(t, s, 1)
	if said := s.command(nil, "sync", "reconcile"); said != "sleep: all is there.\n" {
		t.Errorf("at first: %s", said)
	}
	file := func(folder, name string) string {
		found, _ := filepath.Glob(filepath.Join(s.home, "repository", testStudy, folder, "*", name))
		if len(found) != 1 {
			t.Fatalf("%s/%s is there as %v", folder, name, found)
		}
		return found[0]
	}
	view := filepath.Join(s.home, "repository", testStudy, "file-view", filepath.Base(filepath.Dir(file("raw-data", sent[3].ID+"-*")))+".parquet")
	eventually(t, func() bool { // nothing is about to be written then
		text, err := os.ReadFile(view)
		if err != nil {
			return false
		}
		table, err := parquet.OpenFile(bytes.NewReader(text), int64(len(text)))
		return err == nil && table.NumRows() == int64(len(sent))
	})
	orphan := filepath.Join(filepath.Dir(file("raw-data", sent[3].ID+"-*")), "of-nobody.bin")
	err := errors.Join(
		os.Remove(file("raw-data", sent[0].ID+"-*")),
		os.WriteFile(file("raw-data", sent[1].ID+"-*"), []byte("DIFFERS"), 0o600), // as long as before
		os.Remove(file("annotations", sent[2].ID+".json")),
		os.WriteFile(orphan, []byte("x"), 0o600),
		os.WriteFile(filepath.Join(s.home, "repository", testStudy, "participant-versions", "participant_versions.csv"), []byte("healthCode,participantVersion\n"), 0o600),
	)
	if err := errors.Join(err, os.Truncate(view, 100)); err != nil {
		t.Fatal(err)
	}
	var plan struct {
		Destinations []struct {
			Missing, Differing, Unannotated, Orphans []string
			Rows                                     struct{ Missing, Duplicate []string }
			Tables                                   []struct{ Path string }
		}
		Repaired int
	}
	reconcile := func(args ...string) bool {
		t.Helper()
		name, err := program()
		if err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(name, append([]string{"--home", s.home, "sync", "reconcile", "--json"}, args...)...).Output()
		plan.Destinations = nil
		if failed := json.Unmarshal(out, &plan); failed != nil || len(plan.Destinations) != 1 {
			t.Fatalf("%s, %v", out, failed)
		}
		return err == nil
	}
	if reconcile() {
		t.Error("it says that all is well")
	}
	if p := plan.Destinations[0]; !slices.Equal(p.Missing, []string{sent[0].ID}) || !slices.Equal(p.Differing, []string{sent[1].ID}) ||
		!slices.Equal(p.Unannotated, []string{sent[2].ID}) || len(p.Orphans) != 1 || len(p.Rows.Missing) != 1 || len(p.Tables) != 2 {
		t.Errorf("it found %+v", p)
	}
	if said := s.refused("sync", "reconcile"); !strings.Contains(said, "sync reconcile --repair mends it") {
		t.Errorf("it says %s", said)
	}
	if reconcile("--repair") || len(plan.Destinations[0].Orphans) != 1 || plan.Repaired != 6 {
		t.Errorf("after a repair %+v", plan)
	}
	if said := s.refused("sync", "reconcile"); !strings.Contains(said, "sync reconcile --remove-orphans removes it") {
		t.Errorf("it says %s", said)
	}
	if !reconcile("--repair", "--remove-orphans") {
		t.Errorf("in the end %+v", plan)
	}
	for _, p := range sent {
		checkExported(t, s, p)
	}
}
