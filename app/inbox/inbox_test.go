package inbox_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"footbridge/app/inbox"
	"footbridge/core"

	"github.com/google/go-cmp/cmp"
)

// desk remembers what it took, and refuses whoever is called nobody.
type desk struct {
	mu    sync.Mutex
	taken map[string]int // participant and content → times
	fails int            // so many times
}

func (d *desk) Take(_ context.Context, externalID string, file inbox.File) (core.UploadID, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	content, err := os.ReadFile(file.Path)
	if err != nil || int64(len(content)) != file.Size {
		return "", errors.Join(err, errors.New("it changes"))
	}
	if d.fails > 0 {
		d.fails--
		return "", core.ErrNoSpace
	}
	if externalID == "nobody" {
		return "", &inbox.Refusal{Why: "There is no such participant."}
	}
	if d.taken == nil {
		d.taken = map[string]int{}
	}
	d.taken[externalID+": "+string(content)]++
	return "u-1", nil
}

func (d *desk) has() map[string]int {
	d.mu.Lock()
	defer d.mu.Unlock()
	all := map[string]int{}
	for what, times := range d.taken {
		all[what] = times
	}
	return all
}

// put puts a file there at once, so that nobody sees it before it has its content.
func put(t *testing.T, content string, path ...string) string {
	t.Helper()
	name, made := filepath.Join(path...), filepath.Join(t.TempDir(), "made")
	err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(made, []byte(content), 0o600), os.Rename(made, name))
	if err != nil {
		t.Fatal(err)
	}
	return name
}

// files lists what a folder holds, texts with what they say.
func files(t *testing.T, dir string) (all []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // it went elsewhere meanwhile
		}
		if err != nil || e.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if strings.HasSuffix(name, ".why.txt") {
			text, _ := os.ReadFile(path)
			name += ": " + strings.TrimSpace(string(text))
		}
		all = append(all, name)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(all)
	return all
}

// watch watches a folder until the test ends, and tells what was tried again.
func watch(t *testing.T, dir string, d inbox.Desk, rest time.Duration) (failed func() []error, stop func()) {
	t.Helper()
	var mu sync.Mutex
	var errs []error
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	b := inbox.New(dir, d, inbox.Config{Rest: rest, Look: 50 * time.Millisecond, Failed: func(err error) {
		mu.Lock()
		defer mu.Unlock()
		errs = append(errs, err)
	}})
	go func() { done <- b.Watch(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(stop)
	return func() []error { mu.Lock(); defer mu.Unlock(); return slices.Clone(errs) }, stop
}

func eventually(t *testing.T, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it never came to pass")
		}
	}
}

// What is put there is taken, and lies where it belongs then, with words where it
// was refused.
func TestFilesAreTaken(t *testing.T) {
	dir, d := t.TempDir(), &desk{}
	put(t, "before", dir, "p1", "walk.zip")
	failed, _ := watch(t, dir, d, 20*time.Millisecond)
	put(t, "after", dir, "p2", "walk.zip")
	put(t, "x", dir, "nobody", "walk.zip")
	put(t, "x", dir, "loose.zip")
	put(t, "", dir, "p1", "empty.bin")
	put(t, "x", dir, "p1", "folder", "inside.bin")
	put(t, "under way", dir, "p1", "copying.zip.part")
	put(t, "hidden", dir, "p1", ".DS_Store")
	if err := os.Symlink("/etc/hostname", filepath.Join(dir, "p1", "link")); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"done/p1/u-1-walk.zip", "done/p2/u-1-walk.zip", "p1/.DS_Store", "p1/copying.zip.part",
		"refused/loose.zip", "refused/loose.zip.why.txt: This file is in nobody's folder. Put it into a folder of the inbox that has the participant's external id for its name.",
		"refused/nobody/walk.zip", "refused/nobody/walk.zip.why.txt: There is no such participant.",
		"refused/p1/empty.bin", "refused/p1/empty.bin.why.txt: This file is empty.",
		"refused/p1/folder.why.txt: This is a folder. One upload is one file: zip the folder and put the zip here.", "refused/p1/folder/inside.bin",
		"refused/p1/link", "refused/p1/link.why.txt: This is no file but a link or a device. Put the file itself here.",
	}
	eventually(t, func() bool { return slices.Equal(files(t, dir), want) })
	if err := os.Remove(filepath.Join(dir, "refused", "p1", "empty.bin")); err != nil {
		t.Fatal(err)
	}
	if n := inbox.CountRefused(dir); n != 4 {
		t.Errorf("%d that were refused lie there", n)
	}
	if diff := cmp.Diff(map[string]int{"p1: before": 1, "p2: after": 1}, d.has()); diff != "" || len(failed()) > 0 {
		t.Error(diff, failed())
	}
}

// The same name again is kept beside the first.
func TestNothingIsOverwritten(t *testing.T) {
	dir, d := t.TempDir(), &desk{}
	watch(t, dir, d, 20*time.Millisecond)
	for _, content := range []string{"one", "two", "three"} {
		put(t, content, dir, "p1", "walk.tar.gz")
		eventually(t, func() bool { return d.has()["p1: "+content] == 1 })
		eventually(t, func() bool { _, err := os.Lstat(filepath.Join(dir, "p1", "walk.tar.gz")); return err != nil })
	}
	want := []string{"done/p1/u-1-walk.tar (2).gz", "done/p1/u-1-walk.tar (3).gz", "done/p1/u-1-walk.tar.gz"}
	if diff := cmp.Diff(want, files(t, dir)); diff != "" {
		t.Error(diff)
	}
}

// A copy that is under way is not cut off.
func TestAFileIsTakenWhenItHasRested(t *testing.T) {
	dir, d := t.TempDir(), &desk{}
	watch(t, dir, d, 3*time.Second)
	f, err := os.Create(put(t, "", dir, "p1", "film.mp4"))
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if _, err := f.WriteString("frame "); err != nil {
			t.Fatal(err)
		}
		time.Sleep(50 * time.Millisecond)
		if len(d.has()) > 0 {
			t.Fatalf("it was taken while it was written: %v", d.has())
		}
	}
	f.Close()
	eventually(t, func() bool { return d.has()["p1: "+strings.Repeat("frame ", 20)] == 1 })
}

// What cannot be taken now stays where it is and is tried again; the errors name no
// file.
func TestTroubleIsTriedAgain(t *testing.T) {
	dir, d := t.TempDir(), &desk{fails: 3}
	failed, _ := watch(t, dir, d, 20*time.Millisecond)
	put(t, "steps", dir, "p1", "private.zip")
	eventually(t, func() bool { return d.has()["p1: steps"] == 1 })
	eventually(t, func() bool { return slices.Equal(files(t, dir), []string{"done/p1/u-1-private.zip"}) })
	if errs := failed(); len(errs) != 3 || !errors.Is(errs[0], core.ErrNoSpace) || strings.Contains(errs[0].Error(), "private") {
		t.Errorf("%v", errs)
	}
}
