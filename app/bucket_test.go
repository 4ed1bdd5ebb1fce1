package main_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"footbridge/core/crash"
	"footbridge/sync/remote"
	"footbridge/sync/remote/remotetest"
	"footbridge/sync/synapse/synapsetest"
)

// studyBucket is a bucket of studies on an S3 server.
type studyBucket struct {
	*remotetest.Server
	owner *remote.Remote // with the owner's keys
}

// inBucket is a site whose records go to a stand-in of Synapse, and their bytes to a
// bucket that the settings name; its owner has let nobody in yet.
func inBucket(t *testing.T) (*site, *synapsetest.Server, studyBucket) {
	t.Helper()
	b := studyBucket{Server: remotetest.Start(t, "s3")}
	server := synapsetest.Start(t, synapsetest.Config{
		Polls: -1, PerMinute: 100_000, AccessKey: remotetest.User, SecretKey: remotetest.Key,
		Object: func(bucket, key string) ([]byte, bool) {
			data, err := os.ReadFile(filepath.Join(b.Root, bucket, filepath.FromSlash(key)))
			return data, err == nil
		},
	})
	var err error
	if b.owner, err = remote.Open(t.Context(), b.Spec(), ""); err != nil {
		t.Fatal(err)
	}
	s := newSite(t, "FOOTBRIDGE_REPOSITORY_TOKEN="+synapsetest.Token)
	for _, set := range [][2]string{
		{"repository", "synapse:" + server.URL}, {"repository.s3.bucket", remotetest.Place},
		{"repository.s3.endpoint", "http://" + b.Guarded(t, server.Guard)}, {"repository.s3.provider", "Rclone"},
	} {
		s.command(nil, "config", "set", set[0], set[1])
	}
	return s, server, b
}

// admit lets the site in to a study's part; without a study, to the app's.
func (b studyBucket) admit(t *testing.T, study string) {
	t.Helper()
	if err := b.owner.PutBytes(t.Context(), path.Join(testApp, study, "owner.txt"), []byte("exporter\n"), "text/plain"); err != nil {
		t.Fatal(err)
	}
}

// of gives the keys of a record's objects.
func (b studyBucket) of(t *testing.T, id string) (keys []string) {
	t.Helper()
	all, err := b.owner.List(t.Context(), testApp)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range all {
		if strings.Contains(key, id) {
			keys = append(keys, key)
		}
	}
	return keys
}

// reaches waits until a record is at every destination.
func reaches(t *testing.T, s *site, id string, destinations ...string) {
	t.Helper()
	for _, d := range destinations {
		eventually(t, func() bool { return strings.Contains(s.command(nil, "upload", "show", id), "Sent to "+d+".") })
	}
}

// A bucket is taken once its owner has let us in; until then a person is told what to
// do, and what was uploaded waits.
func TestABucketThatIsNotOursYet(t *testing.T) {
	t.Parallel()
	s, _, b := inBucket(t)
	s.start()
	wants := []string{"bucket " + remotetest.Place, "key " + testApp + "/sleep/owner.txt", "word exporter"}
	said := s.refused("study", "create-project", testStudy)
	status := s.command(nil, "status", "--json")
	for _, want := range wants {
		if !strings.Contains(said, want) || !strings.Contains(status, want) {
			t.Errorf("nobody is told %q: %s\n%s", want, said, status)
		}
	}
	if !strings.Contains(status, `"state": "needs_person"`) {
		t.Errorf("status says %s", status)
	}
	p := &parcel{name: "walk.bin", body: []byte("steps")}
	if _, err := s.send(s.enrol("p1"), p); err != nil {
		t.Fatal(err)
	}
	b.admit(t, testStudy)
	s.command(nil, "study", "create-project", testStudy)
	b.admit(t, "") // and the app's
	if err := s.call("POST", "/v1/apps/self/exporter3", s.admin(), nil, nil); err != nil {
		t.Fatal(err)
	}
	s.command(nil, "sync", "now")
	reaches(t, s, p.ID, testStudy, testApp)
	date := regexp.MustCompile(`/\d{4}-\d\d-\d\d/`)
	keys := strings.Join(b.of(t, p.ID), " ")
	if want := testApp + "/DATE/" + p.ID + "-walk.bin " + testApp + "/sleep/DATE/" + p.ID + "-walk.bin"; date.ReplaceAllString(keys, "/DATE/") != want {
		t.Errorf("in the bucket are %s", keys)
	}
	if status := s.command(nil, "status"); strings.Contains(status, "owner.txt") {
		t.Errorf("status says %s", status)
	}
}

// The main job with a bucket: records of two studies lie in it under their keys,
// annotated, and in the repository; keys that run out are renewed, what is wrong is
// found and mended, and what is withdrawn is gone from both.
func TestExportToABucket(t *testing.T) {
	t.Parallel()
	s, server, b := inBucket(t)
	s.start()
	b.admit(t, testStudy)
	b.admit(t, "naps")
	s.command(nil, "study", "create-project", testStudy)
	s.command(nil, "study", "create", "naps")
	s.command(nil, "study", "create-project", "naps")
	r := newReceiver(t)
	s.subscribe(r, "--study", "naps")
	token := s.enrol("p1")
	var who struct{ ID string }
	if err := s.call("GET", "/v3/participants/externalid:p1", s.admin(), nil, &who); err != nil {
		t.Fatal(err)
	}
	if err := s.call("POST", "/v5/studies/naps/enrollments", s.admin(), map[string]string{"userId": who.ID, "externalId": "n1"}, nil); err != nil {
		t.Fatal(err)
	}
	records := []*parcel{}
	for n := range 3 {
		p := &parcel{name: "walk.bin", body: []byte(strings.Repeat(fmt.Sprint("steps ", n), 1000)), metadata: map[string]any{"taskId": "walk"}}
		if _, err := s.send(token, p); err != nil {
			t.Fatal(err)
		}
		reaches(t, s, p.ID, testStudy, "naps")
		server.ExpireAfter(n) // now, or in the middle of the next
		records = append(records, p)
	}
	for _, p := range records {
		keys := b.of(t, p.ID)
		if len(keys) != 2 {
			t.Fatalf("record %s is in the bucket as %v", p.ID, keys)
		}
		for _, key := range keys {
			held, err := b.owner.Metadata(t.Context(), key)
			if err != nil || held["recordid"] != p.ID || held["taskid"] != "walk" || held["participantversion"] != "2" || held["healthcode"] == "" {
				t.Errorf("%s has %v (%v)", key, held, err)
			}
		}
	}
	eventually(t, func() bool { times, _, _ := r.of(records[2].ID); return times > 0 })
	if _, _, body := r.of(records[2].ID); !strings.Contains(body, `"s3Bucket":"`+remotetest.Place+`"`) || !strings.Contains(body, `"s3Key":"`+testApp+`/naps/2`) {
		t.Errorf("the receiver is told %s", body)
	}
	if len(server.Bare()) > 0 || len(server.Effects("upload")) > 0 {
		t.Errorf("without annotations %v, uploads %v", server.Bare(), server.Effects("upload"))
	}

	spoiled := b.of(t, records[0].ID)[0]
	if err := b.owner.PutBytes(t.Context(), spoiled, []byte("spoiled"), ""); err != nil {
		t.Fatal(err)
	}
	if said := s.refused("sync", "reconcile"); !strings.Contains(said, "differs: "+records[0].ID) {
		t.Errorf("reconcile says %s", said)
	}
	s.command(nil, "sync", "reconcile", "--repair")
	if held, err := b.owner.Hash(t.Context(), spoiled); err != nil || held.Size != int64(len(records[0].body)) {
		t.Errorf("mended is %+v (%v)", held, err)
	}

	s.command(nil, "upload", "withdraw", records[1].ID)
	if left := b.of(t, records[1].ID); len(left) > 0 || len(b.of(t, records[2].ID)) != 2 {
		t.Errorf("left in the bucket is %v", left)
	}
	if given := s.command(nil, "credentials", "--study", testStudy, "--format", "rclone"); !strings.Contains(given, remotetest.Place+"/"+testApp+"/sleep, until ") || !strings.Contains(given, "\nendpoint = http://127.") || !strings.Contains(given, "\nprovider = Rclone\n") {
		t.Errorf("credentials are %s", given)
	}
	for _, text := range []string{s.logs(), s.out.String()} {
		if strings.Contains(text, "session-read") || strings.Contains(text, remotetest.Key) || strings.Contains(text, synapsetest.Token) {
			t.Errorf("the log tells keys: %s", text)
		}
	}
}

// The program ends at every step of a record. In the end there is one object and one
// file, and the bytes were not sent again.
func TestABucketAfterACrashAtAnyStep(t *testing.T) {
	for _, point := range crashPoints(t) {
		if !strings.HasPrefix(point, "push.") && !strings.HasPrefix(point, "bucket.") || point == "push.attachment" || point == "push.data" {
			continue
		}
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			s, server, b := inBucket(t)
			b.admit(t, testStudy)
			s.command(nil, "participant", "create", "--study", testStudy, "--external-id", "p1")
			s.command([]string{"FOOTBRIDGE_REPOSITORY_TOKEN=" + synapsetest.Token}, "study", "create-project", testStudy)
			s.start("FOOTBRIDGE_CRASH_AT=" + point)
			p := &parcel{name: "walk.bin", body: []byte("steps")}
			if token, err := s.signIn("p1"); err == nil {
				s.send(token, p)
			}
			if code := s.gone(); code != crash.Status {
				t.Fatalf("the program ended with %d, not at the point\n%s", code, s.out)
			}
			s.start()
			if p.ID == "" {
				token, err := s.signIn("p1")
				if err == nil {
					_, err = s.send(token, p)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			reaches(t, s, p.ID, testStudy)
			if keys := b.of(t, p.ID); len(keys) != 1 || len(server.Effects("object")) != 1 {
				t.Errorf("in the bucket are %v, sent %d times", keys, len(server.Effects("object")))
			}
			if files := rawFiles(t, server); len(files) != 1 || string(server.Bytes(files[p.ID+"-walk.bin"])) != "steps" || len(server.Bare()) > 0 {
				t.Errorf("there are the files %v", files)
			}
		})
	}
}

// A provider of S3 lends keys for one study where it has a token service, and in words
// where it has none.
func TestCredentialsOfAnS3Remote(t *testing.T) {
	t.Parallel()
	s3 := remotetest.Start(t, "s3")
	var lends atomic.Bool
	addr := s3.Guarded(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case r.Method != http.MethodPost || r.URL.Path != "/":
				next.ServeHTTP(w, r)
			case !lends.Load():
				w.WriteHeader(http.StatusMethodNotAllowed)
				fmt.Fprint(w, "<Error><Code>MethodNotAllowed</Code></Error>")
			default:
				fmt.Fprintf(w, `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><Credentials><AccessKeyId>for-a-while</AccessKeyId><SecretAccessKey>lent</SecretAccessKey>`+
					`<SessionToken>token</SessionToken><Expiration>%s</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>`, time.Now().Add(time.Hour).UTC().Format(time.RFC3339))
			}
		})
	})
	s := newSiteAt(t, s3.Through(addr), s3.Folder())
	if said := s.refused("credentials", "--study", testStudy); !strings.Contains(said, "hands out no temporary credentials") || strings.Contains(said, remotetest.Key) {
		t.Errorf("it says %s", said)
	}
	lends.Store(true)
	var given map[string]any
	if err := json.Unmarshal([]byte(s.command(nil, "credentials", "--study", testStudy, "--format", "json")), &given); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{"bucket": remotetest.Place, "baseKey": testStudy, "provider": "Rclone", "endpoint": "http://" + addr, "accessKeyId": "for-a-while", "secretAccessKey": "lent", "sessionToken": "token"} {
		if given[key] != want {
			t.Errorf("%s is %v", key, given[key])
		}
	}
}
