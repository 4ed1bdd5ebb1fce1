package main_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"footbridge/core/crash"
	"footbridge/testdata"
)

const walkSchema = `{"name":"Walk","schemaId":"walk","revision":1,"schemaType":"ios_data","fieldDefinitions":[
	{"name":"steps","type":"int"},{"name":"gait.json.path","type":"attachment_v2"},{"name":"film.mp4","type":"attachment_v2"}]}`

// walkBundle is a legacy bundle of that schema.
func walkBundle(t *testing.T, film []byte) []byte {
	t.Helper()
	return testdata.Bundle(t,
		"info.json", `{"format":"v2_generic","item":"walk","schemaRevision":1,"dataFilename":"data.json","createdOn":"2026-11-20T09:15:30.250-05:00"}`,
		"data.json", `{"steps":1204}`, "gait.json", `{"path":[1,2,3]}`, "film.mp4", string(film))
}

// Participants of a study without a project send legacy bundles; the app's own
// project takes their records. The program ends at every step of the export: in the
// end all that a record refers to is there, once.
func TestALegacyRecordIsWholeAfterACrashAtAnyStep(t *testing.T) {
	points := slices.DeleteFunc(crashPoints(t), func(point string) bool { return !strings.HasPrefix(point, "push.") || strings.Contains(point, "table") })
	if len(points) < 10 {
		t.Fatalf("only the points %v", points)
	}
	for _, point := range points {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			schema := filepath.Join(t.TempDir(), "walk.json")
			if err := os.WriteFile(schema, []byte(walkSchema), 0o600); err != nil {
				t.Fatal(err)
			}
			s.command(nil, "schema", "create", schema)
			s.command(nil, "study", "create", "gait")
			s.command(nil, "participant", "create", "--study", "gait", "--external-id", "g1")
			s.start()
			if err := s.call("POST", "/v1/apps/self/exporter3", s.admin(), nil, nil); err != nil {
				t.Fatal(err)
			}
			s.kill()
			s.start("FOOTBRIDGE_CRASH_AT=" + point)
			token, err := s.signIn("g1")
			if err != nil {
				t.Fatal(err)
			}
			film := bytes.Repeat([]byte("a frame of a film. "), 20_000)
			p := &parcel{name: "walk.zip", body: walkBundle(t, film)}
			if err := s.slot(token, p); err != nil {
				t.Fatal(err)
			}
			if err := s.put(p); err != nil {
				t.Fatal(err)
			}
			s.complete(token, p.ID, "") // it may be gone before it answers
			if code := s.gone(); code != crash.Status {
				t.Fatalf("the program ended with %d, not at the point\n%s", code, s.out)
			}
			s.start()
			if v, err := s.complete(token, p.ID, "?synchronous=true"); err != nil || v.Status != "succeeded" || len(v.MessageList) > 0 {
				t.Fatalf("%+v, %v", v, err)
			}
			want := map[string]string{
				"raw-data/" + p.ID + "-walk.zip": string(p.body), "attachments/" + p.ID + "-film.mp4": string(film),
				"attachments/" + p.ID + "-gait.json.path": "[1,2,3]", "data/" + p.ID + ".json": "", "annotations/" + p.ID + ".json": "",
			}
			var got map[string]string
			eventually(t, func() bool { got = s.filesOf(testApp, p.ID); return got["annotations/"+p.ID+".json"] != "" })
			if len(got) != len(want) {
				t.Errorf("there are %d files, not %d", len(got), len(want))
			}
			for name, content := range want {
				if got[name] == "" || content != "" && got[name] != content {
					t.Errorf("%s has %d bytes, not %d", name, len(got[name]), len(content))
				}
			}
		})
	}
}

// filesOf gives what a project holds of a record, by folder and name, without the
// dates and without what is still being written.
func (s *site) filesOf(project, record string) map[string]string {
	s.t.Helper()
	root, all := filepath.Join(s.home, "repository", project), map[string]string{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasPrefix(entry.Name(), record) {
			return nil // it may move meanwhile
		}
		content, err := os.ReadFile(path)
		if err == nil {
			all[filepath.Base(filepath.Dir(filepath.Dir(path)))+"/"+entry.Name()] = string(content)
		}
		return nil
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return all
}

// A project that comes later gets all that was uploaded before, but what its
// participants did not share then.
func TestAProjectGetsItsHistory(t *testing.T) {
	s := newSite(t)
	s.command(nil, "study", "create", "gait")
	for _, id := range []string{"g1", "g2"} {
		s.command(nil, "participant", "create", "--study", "gait", "--external-id", id)
	}
	s.start()
	var sent []*parcel
	for _, who := range []string{"g1", "g1", "g2"} {
		token, err := s.signIn(who)
		if err != nil {
			t.Fatal(err)
		}
		if who == "g2" {
			if err := s.call("POST", "/v3/users/self/dataSharing", token, map[string]string{"scope": "no_sharing"}, nil); err != nil {
				t.Fatal(err)
			}
		}
		p := &parcel{name: "walk.zip", body: walkBundle(t, []byte(who+strings.Repeat("!", len(sent))))}
		if v, err := s.send(token, p); err != nil || v.Status != "succeeded" || v.Record.ExportReason != "no_study_configured" {
			t.Fatalf("%+v, %v", v, err)
		}
		sent = append(sent, p)
	}
	s.command(nil, "study", "create-project", "gait")
	for _, p := range sent[:2] {
		eventually(t, func() bool { return len(s.filesOf("gait", p.ID)) == 3 })
	}
	if files := s.filesOf("gait", sent[2].ID); len(files) > 0 {
		t.Errorf("what was not shared is there: %v", files)
	}
	if shown := s.command(nil, "upload", "show", sent[2].ID); !strings.Contains(shown, "shared with nobody") {
		t.Errorf("it is shown as %s", shown)
	}
}
