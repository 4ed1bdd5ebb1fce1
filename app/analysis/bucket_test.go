package analysis_test

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"footbridge/app/analysis"
	"footbridge/core"
	"footbridge/sync/export"
	"footbridge/sync/reconcile"
	"footbridge/sync/remote"
	"footbridge/sync/remote/remotetest"
	"footbridge/sync/synapse/synapsetest"

	"github.com/google/go-cmp/cmp"
)

// bucket is an S3 server with the study's bucket, behind the token service's guard.
type bucket struct {
	*remotetest.Server
	named analysis.Bucket // in settings

	mu   sync.Mutex
	sent map[string]http.Header // with the bytes of a key
}

// withBucket is a repository with a bucket that its owner gave it.
func withBucket(t *testing.T, config synapsetest.Config) (*synapsetest.Server, *bucket, *memory, *analysis.Repository) {
	t.Helper()
	b := &bucket{Server: remotetest.Start(t, "s3"), sent: map[string]http.Header{}}
	config.Polls, config.PerMinute, config.AccessKey, config.SecretKey = -1, 100_000, remotetest.User, remotetest.Key
	config.Object = func(name, key string) ([]byte, bool) {
		data, err := os.ReadFile(filepath.Join(b.Root, name, filepath.FromSlash(key)))
		return data, err == nil
	}
	server, m := synapsetest.Start(t, config), &memory{sent: map[int]bool{}, memos: map[string][]byte{}}
	addr := b.Guarded(t, func(next http.Handler) http.Handler { return b.watch(server.Guard(next)) })
	b.named = analysis.Bucket{Name: remotetest.Place, Endpoint: "http://" + addr, Provider: "Rclone"}
	m.bucket = b.named
	r := open(t, server, m)
	b.put(t, "walk/sleep/owner.txt", "exporter\n")
	makeProject(t, m, r)
	return server, b, m, r
}

// watch notes what is sent with bytes.
func (b *bucket) watch(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPut {
			b.mu.Lock()
			b.sent[strings.TrimPrefix(r.URL.Path, "/"+remotetest.Place+"/")] = r.Header.Clone()
			b.mu.Unlock()
		}
		next.ServeHTTP(w, r)
	})
}

// put writes an object as the owner of the bucket does.
func (b *bucket) put(t *testing.T, key, text string) {
	t.Helper()
	at := filepath.Join(b.Folder(), filepath.FromSlash(key))
	if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.WriteFile(at, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// holds gives key → text of what is in the bucket.
func (b *bucket) holds(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(b.Folder(), func(at string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || entry.Name() == "owner.txt" {
			return err
		}
		text, err := os.ReadFile(at)
		name, _ := filepath.Rel(b.Folder(), at)
		all[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// keysOf counts how often keys were lent.
func keysOf(s *synapsetest.Server) int { return len(s.Effects("credentials")) }

// A project gets the bucket once its owner let us in, and keeps what it was made with.
func TestAProjectWithABucket(t *testing.T) {
	server, m, r := project(t, synapsetest.Config{})
	before := m.parts
	m.bucket = analysis.Bucket{Name: "naps"}
	makeProject(t, m, r)
	put(t, r, object("r1-walk"))
	if m.parts != before || keysOf(server) > 0 {
		t.Errorf("%+v became %+v, and keys were lent %d times", before, m.parts, keysOf(server))
	}

	m = &memory{sent: map[int]bool{}, memos: map[string][]byte{}, bucket: m.bucket}
	r = open(t, server, m)
	plan := analysis.Plan{Name: "Naps", Token: "vwxyz", BaseKey: "walk/naps", Save: func(_ context.Context, parts core.RepositoryConfig) error {
		m.parts = parts
		return nil
	}}
	_, err := r.MakeProject(t.Context(), plan)
	var refused *analysis.Refusal
	if !errors.As(err, &refused) || !errors.Is(err, os.ErrPermission) || errors.Is(err, os.ErrInvalid) {
		t.Fatalf("a bucket of nobody: %v", err)
	}
	for _, word := range []string{"bucket naps", "key walk/naps/owner.txt", "word exporter"} {
		if !strings.Contains(refused.Sentence, word) {
			t.Errorf("it does not say %q: %s", word, refused.Sentence)
		}
	}
	if m.parts.RawDataFolder == "" || m.parts.StorageLocation != 0 {
		t.Errorf("made is %+v", m.parts)
	}
	server.PutObject("naps", "walk/naps/owner.txt", []byte("Exporter"))
	plan.Parts = m.parts
	if parts, err := r.MakeProject(t.Context(), plan); err != nil || !parts.Complete() || parts.RawDataFolder != m.parts.RawDataFolder {
		t.Fatalf("%+v, %v", parts, err)
	}
	made := m.parts
	m.bucket = analysis.Bucket{}
	plan.Parts = made
	if parts, err := r.MakeProject(t.Context(), plan); parts != made || err != nil {
		t.Errorf("%+v became %+v, %v", made, parts, err)
	}
	if _, err := r.Put(t.Context(), sleepStudy, object("r1-walk")); !errors.As(err, &refused) || !strings.Contains(refused.Sentence, "repository.s3.bucket naps") {
		t.Errorf("without the bucket in the settings: %v", err)
	}
}

// Bytes lie in the bucket under the key that they have to, annotated, once, and the
// repository has the file. What is no raw data stays with the repository.
func TestObjectsInABucket(t *testing.T) {
	server, b, m, r := withBucket(t, synapsetest.Config{Children: 8})
	o := object("r1-walk")
	o.Metadata = map[string]string{"recordId": "r1", "healthCode": "code", "participantVersion": "3", "clientInfo": `{"appName":"Walk"}`}
	id := put(t, r, o)
	key := "walk/sleep/2026-11-20/r1-walk"
	if diff := cmp.Diff(map[string]string{key: "bytes of r1-walk"}, b.holds(t)); diff != "" {
		t.Fatal(diff)
	}
	for name, want := range map[string]string{"X-Amz-Meta-Recordid": "r1", "X-Amz-Meta-Healthcode": "code", "X-Amz-Meta-Participantversion": "3", "X-Amz-Meta-Clientinfo": `{"appName":"Walk"}`, "Content-Type": "text/plain"} {
		if got := b.sent[key].Get(name); got != want {
			t.Errorf("%s is %q", name, got)
		}
	}
	if string(server.Bytes(id)) != "bytes of r1-walk" || server.Annotations(id)["participantVersion"].Type != "LONG" || len(server.Bare()) > 0 {
		t.Errorf("the file has %q and %v", server.Bytes(id), server.Annotations(id))
	}
	if bucket, at, ok := r.Stored(m.parts, o.Path); bucket != remotetest.Place || at != key || !ok {
		t.Errorf("it is stored in %s at %s (%v)", bucket, at, ok)
	}
	again := open(t, server, m)
	if same := put(t, again, o); same != id {
		t.Errorf("%s became %s", id, same)
	}
	for n := 2; n < 10; n++ { // more than a folder takes
		put(t, again, object(fmt.Sprintf("r%d", n)))
	}
	empty := object("r-nothing")
	empty.Digest, empty.Open = export.DigestOf(nil), func(context.Context) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(nil)), nil }
	put(t, again, empty)
	beside := object("r1")
	beside.Path = "attachments/2026-11-20/r1"
	put(t, again, beside)
	if n := len(server.Effects("object")); n != 10 || len(server.Effects("upload")) != 1 || keysOf(server) != 2 {
		t.Errorf("%d objects were sent, %d uploads, and keys were lent %d times", n, len(server.Effects("upload")), keysOf(server))
	}
	for at := range b.holds(t) {
		if !strings.HasPrefix(at, "walk/sleep/2026-11-20/r") {
			t.Errorf("in the bucket is %s", at)
		}
	}
	if err := again.Check(t.Context(), sleepStudy, beside); err != nil {
		t.Errorf("what the repository keeps: %v", err)
	}
}

// Keys are renewed before they run out, for large objects long before.
func TestKeysAreRenewed(t *testing.T) {
	for life, want := range map[time.Duration]int{12 * time.Hour: 1, 29 * time.Minute: 3} {
		server, _, _, r := withBucket(t, synapsetest.Config{Life: life})
		for _, name := range []string{"r1", "r2", "r3"} {
			if _, err := r.Put(t.Context(), sleepStudy, object(name)); err != nil {
				t.Fatal(err)
			}
		}
		if n := keysOf(server); n != want {
			t.Errorf("keys that live %s were lent %d times, want %d", life, n, want)
		}
	}
	server, _, _, r := withBucket(t, synapsetest.Config{Life: time.Hour})
	large := object("r2")
	large.Size = 1 << 30 // so it says
	for _, o := range []core.Object{object("r1"), large} {
		if _, err := r.Put(t.Context(), sleepStudy, o); (err == nil) != (o.Size < 1<<30) {
			t.Fatal(err)
		}
	}
	if n := keysOf(server); n != 2 {
		t.Errorf("keys were lent %d times for a large object", n)
	}
}

// Keys that run out at any request of an upload are renewed once, and the object is
// there as if nothing had been.
func TestKeysThatRunOut(t *testing.T) {
	for after := 1; after <= 4; after++ {
		server, b, _, r := withBucket(t, synapsetest.Config{})
		put(t, r, object("r0"))
		server.ExpireAfter(after)
		put(t, r, object("r1"))
		server.ExpireAfter(0)
		if err := r.Check(t.Context(), sleepStudy, object("r1")); err != nil {
			t.Error(err)
		}
		if got := b.holds(t)["walk/sleep/2026-11-20/r1"]; got != "bytes of r1" || len(server.Bare()) > 0 {
			t.Errorf("after %d requests there is %q", after, got)
		}
		if n := keysOf(server); n < 2 || n > 3 {
			t.Errorf("keys that run out after %d requests were lent %d times", after, n)
		}
	}
}

// A bucket that lets nobody in is told in words for a person, and without keys.
func TestABucketThatLetsNobodyIn(t *testing.T) {
	server, b, m, _ := withBucket(t, synapsetest.Config{})
	closed := b.Guarded(t, func(http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusForbidden)
			io.WriteString(w, "<Error><Code>AccessDenied</Code><Message>"+r.Header.Get("X-Amz-Security-Token")+" is denied</Message></Error>")
		})
	})
	m.bucket.Endpoint = "http://" + closed
	r := open(t, server, m)
	_, err := r.Put(t.Context(), sleepStudy, object("r1"))
	if !errors.Is(err, os.ErrPermission) || errors.Is(err, os.ErrInvalid) || strings.Contains(err.Error(), "session-") || strings.Contains(err.Error(), remotetest.Key) {
		t.Errorf("it says %v", err)
	}
	if n := keysOf(server); n != 2 {
		t.Errorf("keys were lent %d times", n)
	}
	// What the repository does not see in the bucket is no fault of one record.
	m.bucket = b.named
	server.Inject(synapsetest.Refused(400, "Unable to access the file at bucket").At("POST", "/file/v1/externalFileHandle/s3"))
	var refused *analysis.Refusal
	if _, err := open(t, server, m).Put(t.Context(), sleepStudy, object("r1")); !errors.As(err, &refused) || errors.Is(err, os.ErrInvalid) {
		t.Errorf("it says %v", err)
	}
	// Nor is a location that another account made.
	server.AddUser(synapsetest.User{Name: "other", Token: "other"})
	server.Inject(synapsetest.Refused(403, "Only the creator can access storage location settings").At("GET", "/repo/v1/storageLocation/*"))
	if _, err := open(t, server, m).Put(t.Context(), sleepStudy, object("r1")); !errors.As(err, &refused) || !strings.Contains(refused.Sentence, "another account") {
		t.Errorf("it says %v", err)
	}
	if _, err := r.Put(t.Context(), sleepStudy, object("r1")); err != nil {
		t.Errorf("once the settings are right: %v", err)
	}
}

// What is wrong with an object is found and mended by putting it again, and it is
// removed with its file.
func TestObjectsAreCheckedAndRemoved(t *testing.T) {
	server, b, m, r := withBucket(t, synapsetest.Config{})
	o, key := object("r1-walk"), "walk/sleep/2026-11-20/r1-walk"
	id := put(t, r, o)
	other := object("r1-walk")
	other.Metadata = map[string]string{"recordId": "another"}
	owner, err := remote.Open(t.Context(), b.Spec(), "")
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		spoil func() error
		want  error
	}{
		"changed":     {func() error { return owner.PutBytes(t.Context(), key, []byte("BYTES of r1-walk"), "") }, core.ErrDigestMismatch},
		"gone":        {func() error { return owner.Remove(t.Context(), key) }, core.ErrNotFound},
		"unannotated": {func() error { _, err := r.Put(t.Context(), sleepStudy, other); return err }, reconcile.ErrUnannotated},
	} {
		if err := test.spoil(); err != nil {
			t.Fatal(err)
		}
		again := open(t, server, m)
		if err := again.Check(t.Context(), sleepStudy, o); !errors.Is(err, test.want) {
			t.Errorf("%s: %v", name, err)
		}
		if same := put(t, again, o); same != id {
			t.Errorf("%s: %s became %s", name, id, same)
		}
		if err := again.Check(t.Context(), sleepStudy, o); err != nil {
			t.Errorf("%s, mended: %v", name, err)
		}
	}
	receipt, err := r.Put(t.Context(), sleepStudy, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := owner.Remove(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	if err := open(t, server, m).Verify(t.Context(), sleepStudy, o, receipt); !errors.Is(err, core.ErrNotFound) {
		t.Errorf("an object that is gone before it is verified: %v", err)
	}
	put(t, open(t, server, m), o)
	for range 2 {
		if err := r.Remove(t.Context(), sleepStudy, o); err != nil {
			t.Fatal(err)
		}
	}
	if left := b.holds(t); len(left) > 0 || len(server.Children(server.Children(m.parts.RawDataFolder)["2026-11-20"])) > 0 {
		t.Errorf("left is %v", slices.Collect(maps.Keys(left)))
	}
}

// An object that goes in parts is sent anew where the keys run out between them.
func TestKeysThatRunOutBetweenParts(t *testing.T) {
	server, b, _, r := withBucket(t, synapsetest.Config{})
	const size = 201 << 20
	o := object("r1-film")
	sum := md5.New()
	io.CopyN(sum, zeros{}, size)
	o.Digest = core.Digest{Size: size, MD5: hex.EncodeToString(sum.Sum(nil))}
	o.Open = func(context.Context) (io.ReadCloser, error) { return io.NopCloser(io.LimitReader(zeros{}, size)), nil }
	server.ExpireAfter(20)
	put(t, r, o)
	if err := r.Check(t.Context(), sleepStudy, o); err != nil {
		t.Error(err)
	}
	at, err := os.Stat(filepath.Join(b.Folder(), "walk/sleep/2026-11-20/r1-film"))
	if err != nil || at.Size() != size || keysOf(server) != 2 {
		t.Errorf("it is %+v, %v, and keys were lent %d times", at, err, keysOf(server))
	}
}

// zeros has no end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
