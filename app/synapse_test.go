package main_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"footbridge/core/crash"
	"footbridge/sync/synapse/synapsetest"
)

// onSynapse is a site whose records go to a stand-in of Synapse.
func onSynapse(t *testing.T) (*site, *synapsetest.Server) {
	t.Helper()
	server := synapsetest.Start(t, synapsetest.Config{Polls: -1})
	s := newSite(t, "FOOTBRIDGE_REPOSITORY_TOKEN="+synapsetest.Token)
	s.command(nil, "config", "set", "repository", "synapse:"+server.URL)
	return s, server
}

// project gives what is in a study's project on Synapse, by name.
func inProject(t *testing.T, server *synapsetest.Server) map[string]string {
	t.Helper()
	projects := server.Children("")
	if len(projects) != 1 {
		t.Fatalf("there are the projects %v", projects)
	}
	for _, id := range projects {
		return server.Children(id)
	}
	return nil
}

// rawFiles gives the files of a project by name.
func rawFiles(t *testing.T, server *synapsetest.Server) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, date := range server.Children(inProject(t, server)["Bridge Raw Data"]) {
		for name, id := range server.Children(date) {
			files[name] = id
		}
	}
	return files
}

// The main job on Synapse: the project with its parts, files that are annotated from
// their first moment, and one row for each participant version.
func TestExportToSynapse(t *testing.T) {
	t.Parallel()
	s, server := onSynapse(t)
	s.start()
	if err := s.call("POST", "/v5/studies/"+testStudy+"/exporter3", s.admin(), nil, nil); err != nil {
		t.Fatal(err)
	}
	parts := inProject(t, server)
	for _, name := range []string{"Bridge Raw Data", "Participant Versions", "Participant Versions Demographics", "Participant Versions Demographics Joined View"} {
		if parts[name] == "" {
			t.Errorf("the project has no %s: %v", name, parts)
		}
	}
	token := s.enrol("p1")
	long := strings.Repeat("a long answer ", 50)
	p := &parcel{name: "walk.bin", body: bytes.Repeat([]byte("steps "), 100_000), metadata: map[string]any{"taskId": "walk", "note": long}}
	if v, err := s.send(token, p); err != nil || v.Record.ExportState == "" {
		t.Fatalf("%+v, %v", v, err)
	}
	var files map[string]string
	eventually(t, func() bool { files = rawFiles(t, server); return len(files) == 1 })
	id := files[p.ID+"-walk.bin"]
	if !bytes.Equal(server.Bytes(id), p.body) {
		t.Errorf("the file has %d bytes", len(server.Bytes(id)))
	}
	eventually(t, func() bool {
		view := map[string]any{}
		return s.call("GET", "/v3/uploads/"+p.ID+"/exporter3", token, nil, &view) == nil && strings.Contains(fmt.Sprint(view["record"]), "fileEntityId:"+id)
	})
	annotations := server.Annotations(id)
	for _, key := range []string{"recordId", "healthCode", "exportedOn", "uploadedOn", "contentType", "taskId"} {
		if len(annotations[key].Value) != 1 {
			t.Errorf("annotation %s is %+v", key, annotations[key])
		}
	}
	if version := annotations["participantVersion"]; version.Type != "LONG" || version.Value[0] != "1" {
		t.Errorf("the version is %+v", version)
	}
	eventually(t, func() bool { return strings.Contains(s.command(nil, "upload", "show", p.ID), "Sent to sleep.") })
	if shown := s.command(nil, "upload", "show", p.ID); !strings.Contains(shown, `Annotation "note" is cut to 500 characters`) {
		t.Errorf("what was cut is not told: %s", shown)
	}
	if rows := server.Rows(parts["Participant Versions"]); len(rows) != 1 || rows[0]["participantVersion"] != "1" || rows[0]["studyMemberships"] != "|sleep=p1|" {
		t.Errorf("the table has %v", rows)
	}
	if view := s.command(nil, "view", "--study", testStudy, "--join", "submitted"); strings.Count(view, p.ID) != 2 {
		t.Errorf("the view has %s", view)
	}
	if bare := server.Bare(); len(bare) > 0 {
		t.Errorf("files were there without annotations: %v", bare)
	}
	if logs := s.logs(); strings.Contains(logs, synapsetest.Token) || strings.Contains(s.out.String(), synapsetest.Token) {
		t.Error("the log tells the token")
	}
}

// logs gives all that the home's logs hold.
func (s *site) logs() string {
	s.t.Helper()
	var all strings.Builder
	names, _ := filepath.Glob(filepath.Join(s.home, "logs", "*"))
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			s.t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}

// The program ends at every step, of the project and of a record. In the end there
// is one of each, and nothing lacks its annotations.
func TestSynapseAfterACrashAtAnyStep(t *testing.T) {
	points := slices.DeleteFunc(crashPoints(t), func(point string) bool {
		return point == "push.attachment" || point == "push.data" || !strings.HasPrefix(point, "push.") && !strings.HasPrefix(point, "project.")
	})
	for _, point := range points {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			s, server := onSynapse(t)
			s.command(nil, "participant", "create", "--study", testStudy, "--external-id", "p1")
			s.start("FOOTBRIDGE_CRASH_AT=" + point)
			p := &parcel{name: "walk.bin", body: []byte("steps")}
			if s.call("POST", "/v5/studies/"+testStudy+"/exporter3", s.admin(), nil, nil) == nil {
				if token, err := s.signIn("p1"); err == nil {
					s.send(token, p)
				}
			}
			if code := s.gone(); code != crash.Status {
				t.Fatalf("the program ended with %d, not at the point\n%s", code, s.out)
			}
			s.start()
			token, err := s.signIn("p1")
			if err != nil {
				t.Fatal(err)
			}
			if p.ID == "" {
				if _, err := s.send(token, p); err != nil {
					t.Fatal(err)
				}
			}
			eventually(t, func() bool { return strings.Contains(s.command(nil, "upload", "show", p.ID), "Sent to sleep.") })
			if files := rawFiles(t, server); len(files) != 1 || string(server.Bytes(files[p.ID+"-walk.bin"])) != "steps" {
				t.Errorf("there are the files %v", files)
			}
			eventually(t, func() bool { return len(server.Rows(inProject(t, server)["Participant Versions"])) > 0 })
			if rows := server.Rows(inProject(t, server)["Participant Versions"]); len(rows) != 1 {
				t.Errorf("the table has %v", rows)
			}
			if teams := server.Effects("team"); len(teams) != 1 || len(server.Bare()) > 0 {
				t.Errorf("%d teams, files without annotations %v", len(teams), server.Bare())
			}
		})
	}
}

// A repository that is away when the home is made gets its project when it answers;
// until then uploads are schemaless and say what they wait for.
func TestAProjectIsMadeWhenTheRepositoryAnswers(t *testing.T) {
	t.Parallel()
	s, server := onSynapse(t)
	server.Maintain("DOWN", "back tomorrow", 0)
	s.start()
	var made map[string]any
	if err := s.call("POST", "/v5/studies/"+testStudy+"/exporter3", s.admin(), nil, &made); err == nil {
		t.Errorf("it was made: %v", made)
	}
	token := s.enrol("p1")
	p := &parcel{name: "no bundle.zip", body: []byte("steps")}
	if v, err := s.send(token, p); err != nil || v.Status != "succeeded" {
		t.Fatalf("%+v, %v", v, err)
	}
	eventually(t, func() bool {
		var shown struct{ Destinations []map[string]any }
		err := json.Unmarshal([]byte(s.command(nil, "upload", "show", p.ID, "--json")), &shown)
		return err == nil && len(shown.Destinations) == 1 && shown.Destinations[0]["exportReason"] == "project_pending"
	})
	s.kill()
	server.Maintain("READ_WRITE", "", 0)
	s.start()
	for begun := time.Now(); !strings.Contains(s.command(nil, "upload", "show", p.ID), "Sent to sleep."); time.Sleep(100 * time.Millisecond) {
		if time.Since(begun) > time.Minute {
			t.Fatalf("it was not sent: %s\n%s", s.command(nil, "upload", "show", p.ID), s.out)
		}
	}
	if files := rawFiles(t, server); len(files) != 1 {
		t.Errorf("there are the files %v", files)
	}
}

// Nobody may read a new project but those who made it, until a person says so; then
// their way to its storage is open for some hours.
func TestAccessToAProject(t *testing.T) {
	t.Parallel()
	s, server := onSynapse(t)
	env := []string{"FOOTBRIDGE_REPOSITORY_TOKEN=" + synapsetest.Token}
	s.command(env, "study", "create-project", testStudy)
	if said := s.command(env, "study", "request-access", testStudy, "--account", "jo"); !strings.Contains(said, `footbridge study grant sleep --account "jo"`) {
		t.Errorf("the request says %s", said)
	}
	jo := server.AddUser(synapsetest.User{Name: "jo", Token: "of-jo"})
	s.command(env, "study", "create", "gait")
	if err := os.WriteFile(filepath.Join(s.home, "keys", "repository.token"), []byte(synapsetest.Token), 0o600); err != nil {
		t.Fatal(err)
	}
	if said := s.refused("study", "grant", "gait", "--account", "jo"); !strings.Contains(said, "has no project yet") {
		t.Errorf("where there is no project, the grant says %s", said)
	}
	if said := s.command(env, "study", "grant", testStudy, "--account", "jo"); !strings.Contains(said, "jo may read the project of study sleep") {
		t.Errorf("the grant says %s", said)
	}
	for name, id := range inProject(t, server) {
		if permissions := server.Grants(id)[jo]; !slices.Contains(permissions, "DOWNLOAD") || slices.Contains(permissions, "UPDATE") {
			t.Errorf("jo may %v in %s", permissions, name)
		}
	}
	if listed := s.command(env, "study", "access", testStudy); strings.Count(listed, "jo") != 1 {
		t.Errorf("listed are %s", listed)
	}
	for format, has := range map[string]string{"env": "export AWS_SESSION_TOKEN='", "aws": "[footbridge-sleep]\naws_access_key_id = ", "rclone": "type = s3", "json": `"sessionToken": "`} {
		if given := s.command(env, "credentials", "--study", testStudy, "--format", format); !strings.Contains(given, has) {
			t.Errorf("%s: %s", format, given)
		}
	}
	for _, deed := range []string{"asked for access to a study’s project: account jo", "gave access to a study’s project: account jo", "was given credentials that read a study’s storage: study sleep"} {
		if audit := s.command(env, "audit"); !strings.Contains(audit, deed) {
			t.Errorf("the audit misses %q: %s", deed, audit)
		}
	}
}

// What has the same ids in another Synapse is somebody else's: nothing is put there.
// The project is made anew, and everything goes to it again.
func TestAMoveToAnotherSynapse(t *testing.T) {
	t.Parallel()
	s, _ := onSynapse(t)
	s.start("FOOTBRIDGE_REPOSITORY_TOKEN=" + synapsetest.Token)
	s.command(nil, "study", "create-project", testStudy)
	before := &parcel{name: "a.bin", body: []byte("before")}
	token := s.enrol("p1")
	if _, err := s.send(token, before); err != nil {
		t.Fatal(err)
	}
	eventually(t, func() bool { return strings.Contains(s.command(nil, "upload", "show", before.ID), "Sent to sleep.") })

	other, server := onSynapse(t)
	env := []string{"FOOTBRIDGE_REPOSITORY_TOKEN=" + synapsetest.Token}
	other.command(env, "study", "create-project", testStudy)
	theirs := inProject(t, server)["Bridge Raw Data"]
	s.command(nil, "config", "set", "repository", "synapse:"+server.URL)
	eventually(t, func() bool { return strings.Contains(s.logs(), "settings taken up") })
	after := &parcel{name: "b.bin", body: []byte("after")}
	if _, err := s.send(token, after); err != nil {
		t.Fatal(err)
	}
	eventually(t, func() bool {
		return strings.Contains(s.command(nil, "upload", "show", after.ID), "the repository does not hold the project any more")
	})
	s.command(nil, "study", "create-project", testStudy)
	s.command(nil, "sync", "reconcile", "--repair")
	if said := s.command(nil, "sync", "reconcile"); said != "sleep: all is there.\n" {
		t.Errorf("it says %s", said)
	}
	if dates := server.Children(theirs); len(dates) > 0 || len(server.Children("")) != 2 {
		t.Errorf("somebody else's project has %v", dates)
	}
}

// Of two projects one is broken: the other has the record, and the broken one says
// why it has not, since when, and what helps.
func TestOneOfTwoProjectsIsBroken(t *testing.T) {
	t.Parallel()
	s, server := onSynapse(t)
	s.start("FOOTBRIDGE_REPOSITORY_TOKEN=" + synapsetest.Token)
	admin, token := s.admin(), s.enrol("p1")
	s.command(nil, "study", "create", "naps")
	var who struct{ ID string }
	if err := s.call("GET", "/v3/participants/externalid:p1", admin, nil, &who); err != nil {
		t.Fatal(err)
	}
	if err := s.call("POST", "/v5/studies/naps/enrollments", admin, map[string]string{"userId": who.ID, "externalId": "n1"}, nil); err != nil {
		t.Fatal(err)
	}
	s.command(nil, "study", "create-project", testStudy)
	s.command(nil, "study", "create-project", "naps")
	for name, id := range server.Children("") {
		if strings.HasPrefix(name, "naps ") {
			server.Trash(server.Children(id)["Bridge Raw Data"])
		}
	}
	p := &parcel{name: "a.bin", body: []byte("a nap and a night")}
	if _, err := s.send(token, p); err != nil {
		t.Fatal(err)
	}
	eventually(t, func() bool {
		shown := s.command(nil, "upload", "show", p.ID)
		return strings.Contains(shown, "Sent to sleep.") && strings.Contains(shown, "Waiting to be sent to naps") && strings.Contains(shown, "does not hold the project any more")
	})
	if words := s.command(nil, "status"); !strings.Contains(words, "does not hold the project of naps") {
		t.Errorf("status says %s", words)
	}
	s.command(nil, "study", "create-project", "naps")
	eventually(t, func() bool { return strings.Contains(s.command(nil, "upload", "show", p.ID), "Sent to naps.") })
}
