package remote_test

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/pkg/xattr"
	_ "github.com/rclone/rclone/backend/memory" // stands for a remote that is no folder

	"footbridge/core"
	"footbridge/sync/remote"
)

const path = "raw-data/2026-11-20/0199f3a2-1111-7000-8000-000000000001-tapping.zip"

func open(t testing.TB, root string) *remote.Remote {
	t.Helper()
	r, err := remote.Open(t.Context(), "folder:"+root, "")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func digest(data []byte) core.Digest {
	sum := md5.Sum(data)
	return core.Digest{Size: int64(len(data)), MD5: hex.EncodeToString(sum[:])}
}

// object gives data as an object that counts how often it is opened.
func object(path string, data []byte, metadata map[string]string) (core.Object, *int) {
	opened := new(int)
	return core.Object{
		Path: path, Digest: digest(data), ContentType: "application/zip", Metadata: metadata,
		ModTime: time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC),
		Open: func(context.Context) (io.ReadCloser, error) {
			*opened++
			return io.NopCloser(bytes.NewReader(data)), nil
		},
	}, opened
}

// onDisk gives every file under root and its content.
func onDisk(t *testing.T, root string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(root, func(name string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		short, _ := filepath.Rel(root, name)
		found[filepath.ToSlash(short)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func holds(t *testing.T, root string, want map[string]string) {
	t.Helper()
	if diff := cmp.Diff(want, onDisk(t, root)); diff != "" {
		t.Error(diff)
	}
}

func hasAttributes(root string) bool {
	err := xattr.Set(root, "user.try", []byte("1"))
	_ = xattr.Remove(root, "user.try")
	return err == nil
}

func TestPutVerifyRemove(t *testing.T) {
	root := filepath.Join(t.TempDir(), "not", "there yet")
	r := open(t, root)
	ctx := t.Context()
	if err := r.Make(ctx); err != nil {
		t.Fatal(err)
	}
	data := []byte("some bytes")

	if err := r.Verify(ctx, path, digest(data)); !errors.Is(err, core.ErrNotFound) {
		t.Errorf("verify of nothing: %v", err)
	}
	obj, opened := object(path, data, nil)
	for range 2 {
		if err := r.Put(ctx, obj); err != nil {
			t.Fatal(err)
		}
	}
	if *opened != 1 {
		t.Errorf("the same bytes were sent %d times", *opened)
	}
	holds(t, root, map[string]string{path: "some bytes"})
	if err := r.Verify(ctx, path, digest(data)); err != nil {
		t.Error(err)
	}
	for _, other := range []string{"some bytez", "some more bytes"} {
		if err := r.Verify(ctx, path, digest([]byte(other))); !errors.Is(err, core.ErrDigestMismatch) {
			t.Errorf("verify against %q: %v", other, err)
		}
	}
	if err := r.PutBytes(ctx, "annotations/2026-11-20/1.json", []byte("{}\n"), "application/json"); err != nil {
		t.Fatal(err)
	}
	list, err := r.List(ctx, ".")
	if diff := cmp.Diff([]string{"annotations/2026-11-20/1.json", path}, list); err != nil || diff != "" {
		t.Error(err, diff)
	}
	if list, err = r.List(ctx, "file-view"); err != nil || len(list) > 0 {
		t.Error("list of a folder that is not there:", list, err)
	}
	for range 2 {
		if err := r.Remove(ctx, path); err != nil {
			t.Error(err)
		}
	}
	holds(t, root, map[string]string{"annotations/2026-11-20/1.json": "{}\n"})
}

func TestPutReplacesOtherBytes(t *testing.T) {
	root := t.TempDir()
	r := open(t, root)
	for _, data := range []string{"first", "later", "longer than before", ""} {
		if err := r.PutBytes(t.Context(), path, []byte(data), ""); err != nil {
			t.Fatal(err)
		}
		holds(t, root, map[string]string{path: data})
	}
}

func TestMetadata(t *testing.T) {
	root := t.TempDir()
	if !hasAttributes(root) {
		t.Skip("no extended attributes here")
	}
	r := open(t, root)
	ctx := t.Context()
	put := func(metadata map[string]string, sent int) map[string]string {
		t.Helper()
		obj, opened := object(path, []byte("bytes"), metadata)
		if err := r.Put(ctx, obj); err != nil {
			t.Fatal(err)
		}
		if *opened != sent {
			t.Errorf("sent %d times, want %d", *opened, sent)
		}
		got, err := r.Metadata(ctx, path)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}

	got := put(map[string]string{"recordId": "1", "mode": "walking", "uid": "0", "mtime": "noon", "meta_mode": "x", "empty": ""}, 1)
	want := map[string]string{"recordid": "1", "meta_meta_mode": "walking", "meta_uid": "0", "meta_mtime": "noon", "meta_mode": "x", "empty": ""}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	value, err := xattr.Get(filepath.Join(root, path), "user.recordid")
	if err != nil || string(value) != "1" {
		t.Errorf("attribute is %q, %v", value, err)
	}
	info, err := os.Stat(filepath.Join(root, path))
	if err != nil || !info.ModTime().Equal(time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)) {
		t.Error("the time of the file is", info.ModTime(), err)
	}

	small := map[string]string{"recordId": "2"}
	put(small, 1)
	if diff := cmp.Diff(map[string]string{"recordid": "2"}, put(small, 0)); diff != "" {
		t.Error(diff)
	}

	much := map[string]string{"recordId": strings.Repeat("r", 36), "healthCode": strings.Repeat("h", 36)}
	for i := range 60 {
		much["key"+strings.Repeat("x", i)] = strings.Repeat("v", i*20)
	}
	put(much, 1)
	got = put(much, 0)
	if got["recordid"] == "" || got["healthcode"] == "" || got["key"+strings.Repeat("x", 59)] != "" || len(got) < 5 {
		t.Errorf("kept %d: %v", len(got), got)
	}
}

// One key that the file system cannot hold must not cost the others.
func TestKeysTooLongForTheFileSystem(t *testing.T) {
	root := t.TempDir()
	if !hasAttributes(root) || runtime.GOOS == "darwin" { // where names are shorter still
		t.Skip("no extended attributes of 255 bytes here")
	}
	r := open(t, root)
	longest, tooLong := strings.Repeat("k", 250), strings.Repeat("k", 251)
	metadata := map[string]string{
		"recordId": "1", "healthCode": "2", "participantVersion": "3", "taskId": "tapping",
		longest: "as long as may be", tooLong: "a byte too long", strings.Repeat("x", 5000): "far too long",
		"huge": strings.Repeat("v", 1<<20),
	}
	want := map[string]string{"recordid": "1", "healthcode": "2", "participantversion": "3", "taskid": "tapping", longest: "as long as may be"}
	obj, opened := object(path, []byte("bytes"), metadata)
	for range 2 {
		if err := r.Put(t.Context(), obj); err != nil {
			t.Fatal(err)
		}
		got, err := r.Metadata(t.Context(), path)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Error(err, diff)
		}
	}
	if *opened != 1 {
		t.Errorf("the bytes were sent %d times", *opened)
	}
}

func TestInterruptedPut(t *testing.T) {
	root := t.TempDir()
	r := open(t, root)
	data := bytes.Repeat([]byte("0123456789abcdef"), 1<<18) // 4 MiB
	obj, _ := object(path, data, nil)
	broken := errors.New("the key was lost")

	ctx, cancel := context.WithCancel(t.Context())
	for name, test := range map[string]struct {
		ctx  context.Context
		tail io.Reader
		want error
	}{
		"the source breaks":       {t.Context(), reader(func([]byte) (int, error) { return 0, broken }), broken},
		"the source ends early":   {t.Context(), strings.NewReader(""), core.ErrDigestMismatch},
		"the source has too much": {t.Context(), bytes.NewReader(data), core.ErrDigestMismatch},
		"other bytes":             {t.Context(), bytes.NewReader(bytes.ToUpper(data[len(data)/2:])), core.ErrDigestMismatch},
		"cancelled":               {ctx, reader(func([]byte) (int, error) { cancel(); return 0, ctx.Err() }), context.Canceled},
		"no room":                 {t.Context(), reader(func([]byte) (int, error) { return 0, &os.PathError{Op: "write", Err: noSpace} }), core.ErrNoSpace},
	} {
		t.Run(name, func(t *testing.T) {
			bad := obj
			bad.Open = func(context.Context) (io.ReadCloser, error) {
				return io.NopCloser(io.MultiReader(bytes.NewReader(data[:len(data)/2]), test.tail)), nil
			}
			if err := r.Put(test.ctx, bad); !errors.Is(err, test.want) {
				t.Errorf("got %v, want %v", err, test.want)
			}
			holds(t, root, map[string]string{})
		})
	}
	bad := obj
	bad.Open = func(context.Context) (io.ReadCloser, error) { return nil, broken }
	if err := r.Put(t.Context(), bad); !errors.Is(err, broken) {
		t.Error(err)
	}
	if err := r.Put(t.Context(), obj); err != nil {
		t.Fatal(err)
	}
	holds(t, root, map[string]string{path: string(data)})
}

type reader func([]byte) (int, error)

func (r reader) Read(p []byte) (int, error) { return r(p) }

// A killed run is one that never came to tidy up: its partial file is found
// while it writes, and put back afterwards.
func TestWhatAKilledRunLeavesIsGoneAfterThePut(t *testing.T) {
	root := t.TempDir()
	long := "raw-data/2026-11-20/" + strings.Repeat("é", 125) + ".zip"
	for _, path := range []string{path, long} {
		r := open(t, root)
		obj, _ := object(path, []byte("the bytes"), map[string]string{"a": "b"})
		inner := obj.Open
		var left string
		obj.Open = func(ctx context.Context) (io.ReadCloser, error) {
			in, err := inner(ctx)
			return struct {
				io.Reader
				io.Closer
			}{reader(func(p []byte) (int, error) {
				for name := range onDisk(t, root) {
					if name == path && left == "" {
						t.Error("half-written under its final name")
					}
					if name != path {
						left = name
					}
				}
				return in.Read(p)
			}), in}, err
		}
		if err := r.Put(t.Context(), obj); err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(left, ".partial") || len(filepath.Base(left)) > 255 {
			t.Fatalf("the bytes were written to %q", left)
		}
		for range 2 { // once where the bytes are there already, once where they are not
			if err := os.WriteFile(filepath.Join(root, left), []byte("half of something longer"), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := open(t, root).Put(t.Context(), obj); err != nil {
				t.Fatal(err)
			}
			holds(t, root, map[string]string{path: "the bytes"})
			if err := os.Truncate(filepath.Join(root, path), 3); err != nil {
				t.Fatal(err)
			}
		}
		if err := r.Remove(t.Context(), path); err != nil {
			t.Fatal(err)
		}
	}
}

// A folder whose disk is away must not be made anew, or what is put there is
// hidden when the disk is back; nor does it hold nothing, it just cannot be asked.
func TestAFolderThatIsGoneIsNotMadeAnew(t *testing.T) {
	root := filepath.Join(t.TempDir(), "stick")
	made := open(t, root)
	if err := errors.Join(made.Make(t.Context()), os.RemoveAll(root)); err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]*remote.Remote{"unplugged": made, "after a restart": open(t, root)} {
		obj, opened := object(path, []byte("bytes"), nil)
		_, exists := r.Exists(t.Context(), path)
		_, list := r.List(t.Context(), ".")
		_, metadata := r.Metadata(t.Context(), path)
		for verb, err := range map[string]error{
			"put": r.Put(t.Context(), obj), "put bytes": r.PutBytes(t.Context(), path, []byte("bytes"), ""),
			"verify": r.Verify(t.Context(), path, digest(nil)), "exists": exists, "list": list, "metadata": metadata,
			"remove": r.Remove(t.Context(), path),
		} {
			if err == nil || !strings.Contains(err.Error(), "is not there; connect its disk") || errors.Is(err, core.ErrNotFound) {
				t.Errorf("%s, %s: %v", name, verb, err)
			}
		}
		if _, err := os.Stat(root); err == nil || *opened > 0 {
			t.Error(name, "the folder was made anew, or bytes were read for it")
		}
	}
	if err := os.Mkdir(root, 0o700); err != nil { // connected again
		t.Fatal(err)
	}
	obj, _ := object(path, []byte("bytes"), map[string]string{"recordId": "1"})
	if err := made.Put(t.Context(), obj); err != nil {
		t.Error(err)
	}
	holds(t, root, map[string]string{path: "bytes"})
}

func TestMake(t *testing.T) {
	root := filepath.Join(t.TempDir(), "not", "there yet")
	r := open(t, root)
	if _, err := os.Stat(root); err == nil {
		t.Error("it is there before it was made")
	}
	for range 2 {
		if err := r.Make(t.Context()); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(root)
		if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
			t.Error(info, err)
		}
		if err := r.PutBytes(t.Context(), "project.json", []byte("{}"), ""); err != nil {
			t.Error(err)
		}
	}
	holds(t, root, map[string]string{"project.json": "{}"})
	if err := open(t, filepath.Join(root, "project.json", "below")).Make(t.Context()); err == nil {
		t.Error("made a folder in a file")
	}
}

func TestExists(t *testing.T) {
	folder := open(t, t.TempDir())
	store, err := remote.Open(t.Context(), "rclone::memory:exists/here", "")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []*remote.Remote{folder, store} {
		if err := errors.Join(r.Make(t.Context()), r.Make(t.Context())); err != nil {
			t.Fatal(r, err)
		}
		for _, data := range []string{"bytes", ""} {
			if held, err := r.Exists(t.Context(), path); held || err != nil {
				t.Error(r, "nothing was put:", held, err)
			}
			if err := r.PutBytes(t.Context(), path, []byte(data), ""); err != nil {
				t.Fatal(r, err)
			}
			if held, err := r.Exists(t.Context(), path); !held || err != nil {
				t.Error(r, held, err)
			}
			if held, err := r.Exists(t.Context(), "raw-data"); held || err != nil {
				t.Error(r, "a folder is no object:", held, err)
			}
			if err := r.Remove(t.Context(), path); err != nil {
				t.Error(r, err)
			}
		}
		if held, err := r.Exists(t.Context(), "../"+path); held || err == nil {
			t.Error(r, "outside:", held, err)
		}
	}
}

// Errors are logged. A file's name is what a participant's device called it.
func TestErrorsNameTheFolderOnly(t *testing.T) {
	const personal = "Ada's tapping.zip"
	record := "0199f3a2-1111-7000-8000-000000000001-"
	for _, name := range []string{record + personal, record + strings.Repeat("Ada ", 50) + ".zip", "Ada.zip"} {
		root := t.TempDir()
		r := open(t, root)
		file := "raw-data/2026-11-20/" + name
		if err := os.MkdirAll(filepath.Join(root, file, "in the way"), 0o700); err != nil {
			t.Fatal(err)
		}
		obj, _ := object(file, []byte("bytes"), nil)
		_, metadataErr := r.Metadata(t.Context(), file)
		outside := open(t, root).PutBytes(t.Context(), "../"+name, nil, "")
		for verb, err := range map[string]error{
			"put a file in raw-data/2026-11-20: ":                  r.Put(t.Context(), obj),
			"verify a file in raw-data/2026-11-20: ":               r.Verify(t.Context(), file, obj.Digest),
			"read the metadata of a file in raw-data/2026-11-20: ": metadataErr,
			"put a file in ..: ":                                   outside,
		} {
			if err == nil || !strings.HasPrefix(err.Error(), verb) || strings.Contains(err.Error(), "Ada") {
				t.Errorf("%q: %v", verb, err)
			}
		}
	}
	root := t.TempDir()
	if os.Geteuid() != 0 {
		r := open(t, root)
		if err := r.PutBytes(t.Context(), "raw-data/Ada.zip", nil, ""); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(filepath.Join(root, "raw-data"), 0o500); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.Chmod(filepath.Join(root, "raw-data"), 0o700) })
		for _, err := range []error{r.PutBytes(t.Context(), "raw-data/Ada.zip", []byte("other"), ""), r.Remove(t.Context(), "raw-data/Ada.zip")} {
			if !errors.Is(err, os.ErrPermission) || strings.Contains(err.Error(), "Ada") {
				t.Error(err)
			}
		}
	}
	if err := open(t, root).Verify(t.Context(), "project.json", digest(nil)); err == nil || !strings.HasPrefix(err.Error(), "verify a file in the top folder: ") {
		t.Error(err)
	}
}

func TestPathsStayWithin(t *testing.T) {
	root := t.TempDir()
	r := open(t, filepath.Join(root, "repository"))
	if err := r.Make(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"../out", "/out", "a/../../out", "", "a//b"} {
		if err := r.PutBytes(t.Context(), path, []byte("bytes"), ""); err == nil {
			t.Errorf("put %q", path)
		}
	}
	holds(t, root, map[string]string{})
}

func TestPutTakesConstantMemory(t *testing.T) {
	const size = 256 << 20
	sum := md5.New()
	io.Copy(sum, io.LimitReader(pattern(), size))
	r := open(t, t.TempDir())
	var before, now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	peak := uint64(0)
	err := r.Put(t.Context(), core.Object{
		Path: path, Digest: core.Digest{Size: size, MD5: hex.EncodeToString(sum.Sum(nil))},
		Open: func(context.Context) (io.ReadCloser, error) {
			in, reads := io.LimitReader(pattern(), size), 0
			return io.NopCloser(reader(func(p []byte) (int, error) {
				if reads++; reads%64 == 0 {
					runtime.ReadMemStats(&now)
					peak = max(peak, now.HeapInuse)
				}
				return in.Read(p)
			})), nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	over := int64(peak) - int64(before.HeapInuse)
	t.Logf("%d KiB more in use", over>>10)
	if over > 24<<20 {
		t.Errorf("256 MiB took %d MiB of memory", over>>20)
	}
}

// pattern gives bytes without end, always the same ones, that never come again.
func pattern() io.Reader { return rand.NewChaCha8([32]byte{}) }
