package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"footbridge/core/crash"
	"footbridge/sync/remote/remotetest"
)

// A repository that was unplugged, or swapped for an empty one, is not written
// to, also not by a site that starts meanwhile. What waits says why, and is sent
// once the right one is back.
func TestASwappedRepositoryIsNotWrittenTo(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	repository, away := filepath.Join(s.home, "repository"), filepath.Join(t.TempDir(), "away")
	move := func(from, to string) {
		t.Helper()
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
	}
	s.start()
	token := s.enrol("p1")
	sent := &parcel{name: "b.bin", body: []byte("before")}
	if _, err := s.send(token, sent); err != nil {
		t.Fatal(err)
	}
	s.exported(sent.ID)
	eventually(t, func() bool { return strings.Contains(s.command(nil, "upload", "show", sent.ID), "Sent to") })
	s.kill()
	move(repository, away)
	s.start()
	p := &parcel{name: "a.bin", body: []byte("unplugged")}
	if _, err := s.send(token, p); err != nil {
		t.Fatal(err)
	}
	waits := func(reason string) func() bool {
		return func() bool {
			v, err := s.complete(token, p.ID, "")
			return err == nil && v.Record.ExportState == "waiting" && v.Record.ExportReason == reason
		}
	}
	eventually(t, waits("repository_missing"))
	if words := s.command(nil, "status"); !strings.Contains(words, "("+repository+") is not there, and nothing is sent. Connect its disk") {
		t.Errorf("status says %s", words)
	}
	if _, err := os.Stat(repository); !os.IsNotExist(err) {
		t.Fatalf("the repository was made anew (%v)", err)
	}
	if said := s.refused("sync", "reconcile"); !strings.Contains(said, "sleep: could not be compared: ") {
		t.Errorf("reconcile says %s", said)
	}
	if err := os.Mkdir(repository, 0o700); err != nil { // an empty mount point
		t.Fatal(err)
	}
	eventually(t, waits("repository_changed"))
	if found, _ := os.ReadDir(repository); len(found) > 0 {
		t.Fatalf("%v was written into another repository", found)
	}
	if said := s.refused("sync", "reconcile"); !strings.Contains(said, "sleep: could not be compared: ") {
		t.Errorf("reconcile says %s", said)
	}
	if said := s.refused("upload", "withdraw", sent.ID); !strings.Contains(said, "did not remove them yet") {
		t.Errorf("withdraw says %s", said)
	}
	if words := s.command(nil, "status", "--json"); !strings.Contains(words, `"state": "needs_person"`) || !strings.Contains(words, "Connect the right disk") {
		t.Errorf("status says %s", words)
	}
	if err := os.Remove(repository); err != nil {
		t.Fatal(err)
	}
	move(away, repository)
	checkExported(t, s, p)
	checkVersions(t, s, 1)
	eventually(t, func() bool { return len(s.filesOf(testStudy, sent.ID)) == 0 })
}

// A site moves to another repository: it gets its project anew there, and all that was
// sent before.
func TestAMoveToAnotherRepository(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.start()
	p := &parcel{name: "a.bin", body: []byte("moved")}
	if _, err := s.send(s.enrol("p1"), p); err != nil {
		t.Fatal(err)
	}
	checkExported(t, s, p)
	checkVersions(t, s, 1)
	if err := os.Rename(filepath.Join(s.home, "repository"), filepath.Join(s.home, "before")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(s.home, "repository"), 0o700); err != nil {
		t.Fatal(err)
	}
	s.command(nil, "study", "create-project", testStudy)
	s.command(nil, "sync", "reconcile", "--repair")
	checkExported(t, s, p)
	checkVersions(t, s, 1)
	if said := s.command(nil, "sync", "reconcile"); said != "sleep: all is there.\n" {
		t.Errorf("it says %s", said)
	}
}

// A study that is configured by hand, field by field, exports like one whose
// project was made with the button, also for those who were in it before.
func TestAStudyConfiguredByHand(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.start()
	admin := s.admin()
	s.command(nil, "study", "create", "naps")
	s.command(nil, "participant", "create", "--study", "naps", "--external-id", "n1")
	err := s.call("POST", "/v5/studies/naps", admin, map[string]any{"exporter3Configuration": map[string]any{
		"dataAccessTeamId": 7, "participantVersionTableId": "t", "projectId": "p", "rawDataFolderId": "f", "storageLocationId": 9,
	}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	token, err := s.signIn("n1")
	if err != nil {
		t.Fatal(err)
	}
	p := &parcel{name: "a.bin", body: []byte("a nap")}
	v, err := s.send(token, p)
	if err != nil || v.Record.ParticipantVersion != 1 {
		t.Fatalf("%+v (%v)", v, err)
	}
	eventually(t, func() bool {
		found, _ := filepath.Glob(filepath.Join(s.home, "repository", "naps", "raw-data", "*", p.ID+"-a.bin"))
		_, made := os.Stat(filepath.Join(s.home, "repository", "naps", "project.json"))
		return len(found) == 1 && made == nil
	})
	if rows := s.command(nil, "view", "--study", "naps", "--join", "submitted"); !strings.Contains(rows, "|naps=n1|") {
		t.Errorf("the joined view is %s", rows)
	}
}

// Who takes part in two studies has one record, which goes to the projects of
// both, and to the app-wide one; each is told of its own membership only.
func TestAParticipantInTwoStudies(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.start()
	admin := s.admin()
	token := s.enrol("p1")
	s.command(nil, "study", "create", "naps")
	var who struct{ ID string }
	for _, step := range []struct {
		method, path string
		body, answer any
	}{
		{"POST", "/v5/studies/naps/exporter3", nil, nil},
		{"POST", "/v1/apps/self/exporter3", nil, nil},
		{"GET", "/v3/participants/externalid:p1", nil, &who},
	} {
		if err := s.call(step.method, step.path, admin, step.body, step.answer); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.call("POST", "/v5/studies/naps/enrollments", admin, map[string]string{"userId": who.ID, "externalId": "n1"}, nil); err != nil {
		t.Fatal(err)
	}
	p := &parcel{name: "a.bin", body: []byte("a nap and a night")}
	v, err := s.send(token, p)
	if err != nil || v.Record.ParticipantVersion != 2 {
		t.Fatalf("%+v (%v)", v, err)
	}
	for project, memberships := range map[string]string{testStudy: "|" + testStudy + "=p1|", "naps": "|naps=n1|", testApp: "|naps=n1|" + testStudy + "=p1|"} {
		root := filepath.Join(s.home, "repository", project)
		eventually(t, func() bool {
			found, _ := filepath.Glob(filepath.Join(root, "raw-data", "*", p.ID+"-a.bin"))
			rows, _ := os.ReadFile(filepath.Join(root, "participant-versions", "participant_versions.csv"))
			return len(found) == 1 && strings.Contains(string(rows), memberships)
		})
	}
}

// The whole job with a store or a file server as the repository, over a line that
// goes away in between.
func TestRepositoriesOnServers(t *testing.T) {
	t.Parallel()
	for _, kind := range remotetest.Kinds {
		t.Run(kind, func(t *testing.T) {
			server := remotetest.Start(t, kind)
			line := remotetest.NewLine(t, server.Addr)
			s := newSiteAt(t, server.Through(line.Addr), server.Folder())
			s.start()
			if words := s.command(nil, "status"); strings.Contains(words, remotetest.Key) {
				t.Errorf("status tells the key: %s", words)
			}
			token := s.enrol("p1")
			first := &parcel{name: "a night's sleep, ünicode.bin", body: []byte("a night"), metadata: map[string]any{"taskId": "sleep", "note": "Grüße"}}
			if _, err := s.send(token, first); err != nil {
				t.Fatal(err)
			}
			checkExported(t, s, first)
			checkVersions(t, s, 1)

			line.Cut()
			waits := &parcel{name: "b.bin", body: []byte(strings.Repeat("another night ", 100_000))}
			if _, err := s.send(token, waits); err != nil {
				t.Fatal(err)
			}
			eventually(t, func() bool {
				v, err := s.complete(token, waits.ID, "")
				return err == nil && v.Record.ExportState == "waiting" && v.Record.ExportReason == "repository_unreachable"
			})
			if words := s.command(nil, "status"); !strings.Contains(words, "the repository cannot be reached") {
				t.Errorf("status says %s", words)
			}
			line.Lead(server.Addr)
			s.command(nil, "sync", "now")
			checkExported(t, s, waits)

			s.command(nil, "study", "create", "naps")
			s.command(nil, "study", "create-project", "naps")
			if _, err := os.Stat(filepath.Join(server.Folder(), "naps", "project.json")); err != nil {
				t.Error(err)
			}
			s.kill()
			s.start()
			if v, err := s.complete(token, waits.ID, "?redrive=true"); err != nil && !refused(err, 403) {
				t.Error(v, err)
			}
			checkExported(t, s, waits)
			if strings.Contains(s.out.String(), remotetest.Key) || strings.Contains(s.out.String(), "://"+line.Addr) {
				t.Errorf("the log tells a key or a URL:\n%s", s.out)
			}
		})
	}
}

// The program ends at every step of an export to a store or a file server. In the
// end the record is there, once and whole.
func TestServersAfterACrashAtAnyStep(t *testing.T) {
	for _, kind := range remotetest.Kinds {
		for _, point := range crashPoints(t) {
			if !strings.HasPrefix(point, "push.") || point == "push.attachment" || point == "push.data" {
				continue
			}
			t.Run(kind+"/"+point, func(t *testing.T) {
				t.Parallel()
				server := remotetest.Start(t, kind)
				s := newSiteAt(t, server.Spec(), server.Folder())
				s.command(nil, "participant", "create", "--study", testStudy, "--external-id", "p1")
				s.start("FOOTBRIDGE_CRASH_AT=" + point)
				p := &parcel{name: "a.bin", body: []byte("a night")}
				if token, err := s.signIn("p1"); err == nil {
					s.send(token, p) // it may be gone before it answers
				}
				if code := s.gone(); code != crash.Status {
					t.Fatalf("the program ended with %d, not at the point\n%s", code, s.out)
				}
				s.start()
				token, err := s.signIn("p1")
				if err == nil {
					_, err = s.send(token, p) // the same bytes: the same upload, unless it is complete
				}
				if err != nil {
					t.Fatal(err)
				}
				eventually(t, func() bool {
					found, _ := filepath.Glob(filepath.Join(server.Folder(), testStudy, "raw-data", "*", "*-a.bin"))
					noted, _ := filepath.Glob(filepath.Join(server.Folder(), testStudy, "annotations", "*", "*.json"))
					return len(found) == 1 && len(noted) == 1
				})
			})
		}
	}
}
