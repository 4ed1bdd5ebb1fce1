package remote_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"footbridge/core"
	"footbridge/sync/remote"
	"footbridge/sync/remote/remotetest"
)

// reach opens a spec, and makes what it names.
func reach(t testing.TB, spec string) *remote.Remote {
	t.Helper()
	r, err := remote.Open(t.Context(), spec, "")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// onServers runs a test against each kind of server.
func onServers(t *testing.T, test func(t *testing.T, s *remotetest.Server)) {
	for _, kind := range remotetest.Kinds {
		t.Run(kind, func(t *testing.T) { test(t, remotetest.Start(t, kind)) })
	}
}

func TestServersHoldWhatTheyAreGiven(t *testing.T) {
	onServers(t, func(t *testing.T, s *remotetest.Server) {
		r, ctx := reach(t, s.Spec()), t.Context()
		data := []byte("some bytes")
		if held, err := r.Exists(ctx, path); held || err != nil {
			t.Error("before it was put:", held, err)
		}
		if err := r.Verify(ctx, path, digest(data)); !errors.Is(err, core.ErrNotFound) {
			t.Error("verify of nothing:", err)
		}
		if err := r.Remove(ctx, path); err != nil {
			t.Error("remove of nothing:", err)
		}
		obj, opened := object(path, data, map[string]string{"recordId": "1"})
		for range 3 {
			if err := r.Put(ctx, obj); err != nil {
				t.Fatal(err)
			}
			if err := r.Verify(ctx, path, obj.Digest); err != nil {
				t.Error(err)
			}
			if err := r.Verify(ctx, path, obj.Digest); err != nil {
				t.Error("asked again:", err)
			}
		}
		again := reach(t, s.Spec()) // after a restart
		if err := again.Put(ctx, obj); err != nil || *opened != 1 {
			t.Errorf("the same bytes were sent %d times (%v)", *opened, err)
		}
		holds(t, s.Folder(), map[string]string{path: "some bytes"})
		for _, other := range []string{"some bytez", "more bytes than there are"} {
			if err := r.Verify(ctx, path, digest([]byte(other))); !errors.Is(err, core.ErrDigestMismatch) {
				t.Errorf("verify against %q: %v", other, err)
			}
		}
		if got, err := r.Hash(ctx, path); err != nil || got != obj.Digest {
			t.Error(got, err)
		}
		for _, text := range []string{"longer than it was", "short", ""} {
			if err := r.PutBytes(ctx, path, []byte(text), ""); err != nil {
				t.Fatal(err)
			}
			holds(t, s.Folder(), map[string]string{path: text})
			if err := r.Verify(ctx, path, digest([]byte(text))); err != nil {
				t.Error(err)
			}
			if err := reach(t, s.Spec()).Verify(ctx, path, digest([]byte(text))); err != nil {
				t.Error(err)
			}
		}
		for range 2 {
			if err := r.Remove(ctx, path); err != nil {
				t.Error(err)
			}
		}
		holds(t, s.Folder(), map[string]string{})
		if err := r.Put(ctx, obj); err != nil {
			t.Error("after it was removed:", err)
		}
	})
}

// Names are what participants' devices called their files.
func TestServersHoldOddNames(t *testing.T) {
	onServers(t, func(t *testing.T, s *remotetest.Server) {
		r, ctx := reach(t, s.Spec()), t.Context()
		var want []string
		for _, name := range []string{
			"with space.zip", " led and trailed ", "it's \"quoted\".zip", "100%.zip", "a+b&c=d?e#f;g.zip", "ünïcødé ✓.zip",
			"back\\slash", "-rf", "~", "$(id)`id`.zip", strings.Repeat("x", 255), "<xml>&amp;.zip", "e\u0301.zip",
		} {
			file := "raw-data/odd one/" + name
			data := []byte("bytes of " + name)
			if err := r.PutBytes(ctx, file, data, ""); err != nil {
				t.Errorf("put %q: %v", name, err)
				continue
			}
			if err := reach(t, s.Spec()).Verify(ctx, file, digest(data)); err != nil {
				t.Errorf("verify %q: %v", name, err)
			}
			want = append(want, file)
		}
		slices.Sort(want)
		got, err := r.List(ctx, ".")
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Error(err, diff)
		}
		for _, file := range want {
			if err := r.Remove(ctx, file); err != nil {
				t.Errorf("remove %q: %v", file, err)
			}
		}
		holds(t, s.Folder(), map[string]string{})
	})
}

func TestServersAreWalked(t *testing.T) {
	onServers(t, func(t *testing.T, s *remotetest.Server) {
		want := map[string]int64{}
		for _, folder := range []string{"sleep/raw-data/2026-11-20", "sleep/raw-data/2026-11-21", "sleep/annotations/2026-11-20"} {
			if err := os.MkdirAll(filepath.Join(s.Folder(), folder), 0o700); err != nil {
				t.Fatal(err)
			}
			for i := range 700 { // more than a page of S3 in all
				name := folder + "/" + strings.Repeat("f", i%7) + strings.Repeat("0", i/7%10) + strings.Repeat("x", i/70) + ".json"
				want[name] = int64(i % 5)
				if err := os.WriteFile(filepath.Join(s.Folder(), name), bytes.Repeat([]byte("a"), i%5), 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
		s = remotetest.Serve(t, s.Kind, s.Root, nil) // one that has not looked yet
		r, ctx := reach(t, s.Spec()), t.Context()
		if list, err := r.List(ctx, "naps"); err != nil || len(list) > 0 {
			t.Error("what is not there is listed as", list, err)
		}
		got := map[string]int64{}
		err := r.Walk(ctx, "sleep", func(path string, size int64, sum string) error {
			got[path] = size
			if data := bytes.Repeat([]byte("a"), int(size)); sum != "" && sum != digest(data).MD5 || s.Kind == "s3" && sum == "" {
				t.Errorf("%s: the MD5 is %q", path, sum)
			}
			return nil
		})
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Error(err, diff)
		}
		stop, seen := errors.New("enough"), 0
		if err := r.Walk(ctx, ".", func(string, int64, string) error { seen++; return stop }); !errors.Is(err, stop) || seen != 1 {
			t.Error("it went on:", err, seen)
		}
	})
}

func TestStoresHoldMetadata(t *testing.T) {
	s := remotetest.Start(t, "s3")
	r, ctx := reach(t, s.Spec()), t.Context()
	metadata := map[string]string{
		"recordId": "1", "mtime": "noon", "tier": "first", "empty": "", "spaces": "  two  and ", "control": "a\nb\x00c\td",
		"unicode": "Grüße ✓ " + strings.Repeat("ü", 50), "word": "=?utf-8?q?x?=", "odd key/é": "v", "clientInfo": `{"appName":"Füße","n":1}`,
	}
	want := map[string]string{
		"recordid": "1", "meta_mtime": "noon", "meta_tier": "first", "empty": "", "spaces": "  two  and ", "control": "a\nb\x00c\td",
		"unicode": "Grüße ✓ " + strings.Repeat("ü", 50), "word": "=?utf-8?q?x?=", "odd_key__": "v", "clientinfo": `{"appName":"Füße","n":1}`,
	}
	obj, opened := object(path, []byte("bytes"), metadata)
	for range 2 {
		if err := r.Put(ctx, obj); err != nil {
			t.Fatal(err)
		}
		got, err := reach(t, s.Spec()).Metadata(ctx, path)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Error(err, diff)
		}
	}
	if *opened != 1 {
		t.Errorf("the bytes were sent %d times", *opened)
	}
	obj.Metadata = map[string]string{"recordId": "2", "healthCode": "h", "participantVersion": "7"}
	for i := range 40 {
		obj.Metadata["key"+strings.Repeat("x", i)] = strings.Repeat("ü", i*5)
	}
	if err := r.Put(ctx, obj); err != nil || *opened != 2 {
		t.Error("other metadata:", err, *opened)
	}
	got, err := r.Metadata(ctx, path)
	if err != nil || got["recordid"] != "2" || got["healthcode"] != "h" || got["participantversion"] != "7" || len(got) < 5 {
		t.Error(err, got)
	}
}
