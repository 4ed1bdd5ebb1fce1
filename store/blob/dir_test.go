package blob_test

import (
	"bytes"
	"context"
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"testing/iotest"

	"footbridge/core"
	"footbridge/store/blob"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func open(t *testing.T, path string, sync func(*os.File) error) *blob.Dir {
	t.Helper()
	d, err := blob.Open(path, sync)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func names(t *testing.T, path string) (all []string) {
	t.Helper()
	entries, err := os.ReadDir(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

func digest(p []byte) core.Digest {
	sum5, sum256 := md5.Sum(p), sha256.Sum256(p)
	return core.Digest{Size: int64(len(p)), MD5: hex.EncodeToString(sum5[:]), SHA256: hex.EncodeToString(sum256[:])}
}

// However bytes are split, the digest is that of all of them.
func TestHasherIsMD5AndSHA256(t *testing.T) {
	all := make([]byte, 600<<10)
	for i := range all {
		all[i] = byte(i * 131 >> 7)
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, len(all)).Draw(t, "size")
		h := blob.NewHasher()
		defer h.Stop()
		for left := all[:n]; len(left) > 0; {
			part := left[:min(len(left), rapid.SampledFrom([]int{1, 100, 64<<10 - 1, 64 << 10, 200 << 10}).Draw(t, "part"))]
			if rapid.Bool().Draw(t, "aside") {
				h.Add(part)
			} else if wrote, err := h.Write(part); wrote != len(part) || err != nil {
				t.Fatal(wrote, err)
			}
			left = left[len(part):]
		}
		if diff := cmp.Diff(digest(all[:n]), h.Digest()); diff != "" {
			t.Fatal(diff)
		}
		h.Stop()
	})
}

func TestLandKeepOpenRemove(t *testing.T) {
	path := filepath.Join(t.TempDir(), "not", "there yet")
	d := open(t, path, nil)
	for _, size := range []int{0, 1, 512 << 10, 1<<20 + 1} {
		body := bytes.Repeat([]byte{7}, size)
		l, err := d.Land(t.Context(), iotest.HalfReader(bytes.NewReader(body)))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(digest(body), l.Digest()); diff != "" {
			t.Error(diff)
		}
		if err := l.Keep("name"); err != nil {
			t.Fatal(err)
		}
		l.Discard()
		f, err := d.Open("name")
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(f); !bytes.Equal(got, body) || err != nil {
			t.Errorf("%d bytes were read back, %v", len(got), err)
		}
		f.Close()
		if info, err := os.Stat(filepath.Join(path, "name")); err != nil || info.Mode().Perm() != 0o600 {
			t.Error(info.Mode(), err)
		}
		for range 2 {
			if err := d.Remove("name"); err != nil {
				t.Error(err)
			}
		}
		if _, err := d.Open("name"); !errors.Is(err, core.ErrNotFound) {
			t.Error(err)
		}
	}
	if left := names(t, path); len(left) > 0 {
		t.Errorf("left %v", left)
	}
}

func TestWhatADeadWriterLeftIsSwept(t *testing.T) {
	path := t.TempDir()
	d := open(t, path, nil)
	if _, err := d.Land(t.Context(), bytes.NewReader([]byte("never kept"))); err != nil {
		t.Fatal(err)
	}
	kept, err := d.Land(t.Context(), bytes.NewReader([]byte("kept")))
	if err != nil || kept.Keep("kept") != nil {
		t.Fatal(err)
	}
	open(t, path, nil)
	if diff := cmp.Diff([]string{"kept"}, names(t, path)); diff != "" {
		t.Error(diff)
	}
}

func TestALandingThatFails(t *testing.T) {
	gone, stop := context.WithCancel(t.Context())
	stop()
	broken := errors.New("broken")
	full := func(*os.File) error { return &os.PathError{Op: "sync", Path: "secret", Err: syscall.ENOSPC} }
	for name, test := range map[string]struct {
		ctx  context.Context
		tail io.Reader
		sync func(*os.File) error
		want error
	}{
		"the connection broke": {t.Context(), iotest.ErrReader(io.ErrUnexpectedEOF), nil, io.ErrUnexpectedEOF},
		"the source broke":     {t.Context(), iotest.ErrReader(broken), nil, broken},
		"the caller left":      {gone, bytes.NewReader(nil), nil, context.Canceled},
		"the disk is full":     {t.Context(), bytes.NewReader(nil), full, core.ErrNoSpace},
		"the quota is used up": {t.Context(), bytes.NewReader(nil), func(*os.File) error { return syscall.EDQUOT }, core.ErrNoSpace},
		"the disk fails":       {t.Context(), bytes.NewReader(nil), func(*os.File) error { return syscall.EIO }, syscall.EIO},
	} {
		t.Run(name, func(t *testing.T) {
			path := t.TempDir()
			d := open(t, path, test.sync)
			_, err := d.Land(test.ctx, io.MultiReader(bytes.NewReader(make([]byte, 600<<10)), test.tail))
			if !errors.Is(err, test.want) || bytes.Contains([]byte(err.Error()), []byte("secret")) {
				t.Errorf("got %v", err)
			}
			if left := names(t, path); len(left) > 0 {
				t.Errorf("left %v", left)
			}
		})
	}
}

// A name that is not durable is not kept, though the file may be there.
func TestKeepPromisesTheName(t *testing.T) {
	syncs := 0
	d := open(t, t.TempDir(), func(f *os.File) error {
		if syncs++; syncs == 2 {
			return syscall.ENOSPC
		}
		return f.Sync()
	})
	l, err := d.Land(t.Context(), bytes.NewReader([]byte("bytes")))
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Keep("name"); !errors.Is(err, core.ErrNoSpace) {
		t.Errorf("got %v", err)
	}
	if syncs != 2 {
		t.Errorf("%d syncs, want that of the file and that of the folder", syncs)
	}
}
