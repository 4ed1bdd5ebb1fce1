package store_test

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
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/iotest"
	"time"

	"footbridge/core"
	"footbridge/core/upload"
	"footbridge/store"

	"github.com/google/go-cmp/cmp"
)

func pattern(n int) []byte {
	body := make([]byte, n)
	for i := range body {
		body[i] = byte(i * 31 >> 3)
	}
	return body
}

func TestBodiesAreReadBackAsTheyCame(t *testing.T) {
	for name, test := range map[string]struct {
		size  int
		files int // of their own
	}{
		"one byte":               {1, 0},
		"the largest small one":  {small, 0},
		"the smallest large one": {small + 1, 1},
		"several chunks":         {3<<19 + 7, 1},
		"a chunk and none":       {1 << 19, 1},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t, store.Config{})
			body := pattern(test.size)
			u := s.begin(s.participant("1"), body)
			must(t, s.put(u.ID, body))
			if got := len(s.files()); got != test.files {
				t.Errorf("%d files, want %d", got, test.files)
			}
			for range 2 {
				u = s.upload(u.ID)
				sum5, sum256 := md5.Sum(body), sha256.Sum256(body)
				want := core.Digest{Size: int64(test.size), MD5: hex.EncodeToString(sum5[:]), SHA256: hex.EncodeToString(sum256[:])}
				if diff := cmp.Diff(want, u.Blob.Digest); diff != "" {
					t.Error(diff)
				}
				if !bytes.Equal(s.read(*u.Blob), body) {
					t.Error("other bytes were read back")
				}
				s = s.reopen()
				defer s.Close()
			}
		})
	}
}

func (s *site) read(b core.Blob) []byte {
	s.t.Helper()
	body, err := s.Open(context.Background(), b)
	must(s.t, err)
	defer body.Close()
	got, err := io.ReadAll(body)
	must(s.t, err)
	return got
}

// What is expected to be small and is not lands whole all the same.
func TestABodyLargerThanExpectedLandsWhole(t *testing.T) {
	s := newSite(t, store.Config{})
	body := pattern(small + 100)
	for _, expected := range []int64{-1, 10} {
		landed, err := s.Land(t.Context(), bytes.NewReader(body), expected)
		must(t, err)
		if sum := md5.Sum(body); landed.Digest().MD5 != hex.EncodeToString(sum[:]) || landed.Digest().Size != small+100 {
			t.Errorf("landed %+v", landed.Digest())
		}
		landed.Discard()
		landed.Discard()
	}
	if left := s.files(); len(left) > 0 {
		t.Errorf("left %v", left)
	}
}

func TestALandingThatBreaksLeavesNothing(t *testing.T) {
	s := newSite(t, store.Config{})
	gone, stop := context.WithCancel(t.Context())
	stop()
	for name, test := range map[string]struct {
		ctx  context.Context
		tail io.Reader
		size int64
		want error
	}{
		"small, the connection broke": {t.Context(), iotest.ErrReader(io.ErrUnexpectedEOF), 100, io.ErrUnexpectedEOF},
		"large, the connection broke": {t.Context(), iotest.ErrReader(io.ErrUnexpectedEOF), small + 1, io.ErrUnexpectedEOF},
		"large, the caller left":      {gone, bytes.NewReader(nil), small + 1, context.Canceled},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := s.Land(test.ctx, io.MultiReader(bytes.NewReader(pattern(50)), test.tail), test.size)
			wants(t, err, test.want)
			if left := s.files(); len(left) > 0 {
				t.Errorf("left %v", left)
			}
		})
	}
}

func TestARefusedKeepLeavesNothing(t *testing.T) {
	refused := errors.New("refused")
	for _, size := range []int{10, small + 1} {
		s := newSite(t, store.Config{})
		body := pattern(size)
		u := s.begin(s.participant("1"), body)
		for id, want := range map[core.UploadID]error{u.ID: refused, "unknown": core.ErrNotFound} {
			landed, err := s.Land(t.Context(), bytes.NewReader(body), int64(size))
			must(t, err)
			_, err = landed.Keep(t.Context(), id, func(u *core.Upload, b core.Blob) error {
				u.Blob = &b
				return refused
			})
			wants(t, err, want)
			landed.Discard()
		}
		if diff := cmp.Diff(u, s.upload(u.ID)); diff != "" {
			t.Error(diff)
		}
		if left := s.files(); len(left) > 0 {
			t.Errorf("left %v", left)
		}
		s = s.reopen()
		must(t, s.put(u.ID, body))
		must(t, s.Close())
	}
}

func TestTwoBodiesAtOnceOnOneSlot(t *testing.T) {
	for _, size := range []int{10, small + 1} {
		s := newSite(t, store.Config{})
		body := pattern(size)
		u := s.begin(s.participant("1"), body)
		var devices sync.WaitGroup
		for range 8 {
			devices.Go(func() {
				if err := s.put(u.ID, body); err != nil {
					t.Error(err)
				}
			})
		}
		devices.Wait()
		if !bytes.Equal(s.read(*s.upload(u.ID).Blob), body) {
			t.Error("other bytes are kept")
		}
		if want := min(1, size/small); len(s.files()) != want {
			t.Errorf("%d files are left, want %d", len(s.files()), want)
		}
		s = s.reopen()
		if !bytes.Equal(s.read(*s.upload(u.ID).Blob), body) {
			t.Error("other bytes are kept after a restart")
		}
		must(t, s.Close())
	}
}

// A kill between the body's final name and the row leaves a file that no row
// names.
func TestOrphansAreSwept(t *testing.T) {
	s := newSite(t, store.Config{})
	body := pattern(small + 1)
	a := s.participant("1")
	kept := s.begin(a, body)
	must(t, s.put(kept.ID, body))
	other := pattern(small + 2)
	u := s.begin(a, other)
	landed, err := s.Land(t.Context(), bytes.NewReader(other), int64(len(other)))
	must(t, err)
	left := t.TempDir()
	_, err = landed.Keep(t.Context(), u.ID, func(*core.Upload, core.Blob) error {
		// The file has its final name here, and the row is not written.
		must(t, os.CopyFS(filepath.Join(left, "blobs"), os.DirFS(filepath.Join(s.home, "blobs"))))
		return errors.New("killed")
	})
	if err == nil {
		t.Fatal("kept")
	}
	after := open(t, left, s.clock, store.Config{})
	defer after.Close()
	if got := after.files(); len(got) != 1 {
		t.Errorf("files after the restart: %v", got)
	}
	if !bytes.Equal(after.read(*after.upload(kept.ID).Blob), body) {
		t.Error("the body that was kept is not what it was")
	}
	must(t, after.put(u.ID, other))
}

// A device that is told "here already" deletes its copy. Nobody may be told so
// of bytes whose own promise could not be given.
func TestNothingIsPromisedAfterAFailedSync(t *testing.T) {
	for _, size := range []int{10, small + 1} {
		var broken atomic.Bool
		s := newSite(t, store.Config{Sync: func(f *os.File) error {
			if info, err := f.Stat(); broken.Load() && err == nil && filepath.Ext(info.Name()) == ".log" {
				return syscall.EIO
			}
			return f.Sync()
		}})
		body := pattern(size)
		u := s.begin(s.participant("1"), body)
		landed, err := s.Land(t.Context(), bytes.NewReader(body), int64(size))
		must(t, err)
		_, err = landed.Keep(t.Context(), u.ID, func(u *core.Upload, b core.Blob) error {
			broken.Store(true) // the body is durable, its row will not be
			u.Blob, u.State = &b, core.StateReceived
			return nil
		})
		wants(t, err, syscall.EIO)
		landed.Discard()
		broken.Store(false)
		wants(t, s.put(u.ID, body), syscall.EIO)

		// The row may have reached the disk; then its bytes must be there too.
		again := s.crash(t.TempDir())
		if blob := again.upload(u.ID).Blob; blob != nil && !bytes.Equal(again.read(*blob), body) {
			t.Error("a row without its bytes")
		}
		must(t, again.put(u.ID, body))
		must(t, again.Close())
	}
}

// Whoever hears "here already" while the first PUT still waits for its sync
// waits for the same sync.
func TestHereAlreadyIsAPromiseToo(t *testing.T) {
	var slow atomic.Bool
	reached, open := make(chan struct{}, 8), make(chan struct{})
	s := newSite(t, store.Config{Sync: func(f *os.File) error {
		if slow.Load() {
			reached <- struct{}{}
			<-open
		}
		return f.Sync()
	}})
	body := []byte("bytes")
	u := s.begin(s.participant("1"), body)
	slow.Store(true)
	answers := make(chan error, 2)
	go func() { answers <- s.put(u.ID, body) }()
	<-reached
	go func() { answers <- s.put(u.ID, body) }()
	for s.upload(u.ID).State != core.StateReceived {
		time.Sleep(time.Millisecond)
	}
	select {
	case err := <-answers:
		t.Fatalf("answered %v before the sync", err)
	case <-time.After(50 * time.Millisecond):
	}
	slow.Store(false)
	close(open)
	for range 2 {
		must(t, <-answers)
	}
}

func TestAFullDiskIsRecognised(t *testing.T) {
	for _, size := range []int{10, small + 1} {
		var full atomic.Bool
		s := newSite(t, store.Config{Sync: func(f *os.File) error {
			if full.Load() {
				return &os.PathError{Op: "sync", Path: f.Name(), Err: syscall.ENOSPC}
			}
			return f.Sync()
		}})
		body := pattern(size)
		u := s.begin(s.participant("1"), body)
		full.Store(true)
		wants(t, s.put(u.ID, body), core.ErrNoSpace)
		if left := s.files(); len(left) > 0 {
			t.Errorf("left %v", left)
		}
	}
}

func TestBodiesThatAreGoneOrDamaged(t *testing.T) {
	s := newSite(t, store.Config{})
	a := s.participant("1")
	for _, size := range []int{10, small + 1} {
		body := pattern(size)
		u := s.begin(a, body)
		must(t, s.put(u.ID, body))
		blob := *s.upload(u.ID).Blob
		if size < small {
			log := filepath.Join(s.home, "blobs", "log", "00000001.log")
			data, err := os.ReadFile(log)
			must(t, err)
			data[bytes.LastIndex(data, body)] ^= 1
			must(t, os.WriteFile(log, data, 0o600))
			_, err = s.Open(t.Context(), blob)
			wants(t, err, core.ErrDigestMismatch)
		}
		must(t, os.RemoveAll(filepath.Join(s.home, "blobs")))
		_, err := s.Open(t.Context(), blob)
		wants(t, err, core.ErrNotFound)
		must(t, os.MkdirAll(filepath.Join(s.home, "blobs", "files"), 0o700))
	}
	_, err := s.Open(t.Context(), core.Blob{Place: "nowhere"})
	wants(t, err, core.ErrNotFound)
}

func TestReceiveRefusesOtherBytes(t *testing.T) {
	s := newSite(t, store.Config{})
	body, other := []byte("the bytes"), []byte("not them!")
	u := s.begin(s.participant("1"), body)
	r := u.Request
	declared := upload.Declared{Length: r.ContentLength, Type: r.ContentType, MD5: r.ContentMD5}
	for name, sent := range map[string][]byte{"other": other, "longer": append(body, '!'), "shorter": body[:3]} {
		_, err := s.desk.Receive(t.Context(), u.ID, declared, bytes.NewReader(sent))
		if !errors.Is(err, core.ErrDigestMismatch) {
			t.Errorf("%s: %v", name, err)
		}
	}
	wants(t, s.complete(u.ID, false), upload.ErrNothingReceived)
	must(t, s.put(u.ID, body))
}
