package cms_test

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"footbridge/core/cms"
	"footbridge/testdata"
)

func TestReadersThatTrickle(t *testing.T) {
	key, plain := testdata.Key(t, "test-only"), testdata.Vector(t, "cms/plain.txt")
	for _, name := range sealedVectors(t) {
		for kind, wrap := range map[string]func(io.Reader) io.Reader{
			"one byte": iotest.OneByteReader, "half": iotest.HalfReader, "data and EOF": iotest.DataErrReader,
		} {
			r, err := cms.Open(wrap(bytes.NewReader(testdata.Vector(t, "cms/"+name))), []cms.Key{key})
			if err != nil {
				t.Fatalf("%s, %s: %v", name, kind, err)
			}
			if err := iotest.TestReader(r, plain); err != nil {
				t.Errorf("%s, %s: %v", name, kind, err)
			}
		}
	}
}

func TestErrorsOfTheSourceAreNoVerdict(t *testing.T) {
	key := testdata.Key(t, "test-only")
	message := seal(t, key, make([]byte, 300_000))
	for _, broken := range []error{errors.New("disk on fire"), io.ErrUnexpectedEOF} {
		for _, cut := range []int{0, 1, 5, 30, 300, 500, 70_000, 200_000, len(message) - 1} {
			source := io.MultiReader(bytes.NewReader(message[:cut]), iotest.ErrReader(broken))
			r, err := cms.Open(source, []cms.Key{key})
			if err == nil {
				_, err = io.Copy(io.Discard, r)
			}
			if !errors.Is(err, broken) || isVerdict(err) {
				t.Errorf("cut at %d: got %v, want %v", cut, err, broken)
			}
		}
	}
	if _, err := cms.Open(stuck{}, nil); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("got %v", err)
	}
}

func TestTrailing(t *testing.T) {
	key := testdata.Key(t, "test-only")
	messages := [][]byte{seal(t, key, nil), seal(t, key, oddly(65_000)), seal(t, key, oddly(300_000))}
	for _, name := range sealedVectors(t) {
		messages = append(messages, testdata.Vector(t, "cms/"+name))
	}
	broken := errors.New("disk on fire")
	for _, message := range messages {
		for kind, c := range map[string]struct {
			source io.Reader
			want   bool
			err    error
		}{
			"nothing":                {bytes.NewReader(message), false, nil},
			"nothing, slowly":        {iotest.OneByteReader(bytes.NewReader(message)), false, nil},
			"data and EOF":           {iotest.DataErrReader(bytes.NewReader(message)), false, nil},
			"a byte":                 {bytes.NewReader(append(slices.Clone(message), 0)), true, nil},
			"a byte, slowly":         {iotest.OneByteReader(bytes.NewReader(append(slices.Clone(message), 0))), true, nil},
			"a byte, with EOF":       {iotest.DataErrReader(bytes.NewReader(append(slices.Clone(message), 0))), true, nil},
			"another":                {bytes.NewReader(slices.Concat(message, message)), true, nil},
			"without end":            {io.MultiReader(bytes.NewReader(message), zeros{}), true, nil},
			"a source that fails":    {io.MultiReader(bytes.NewReader(message), iotest.ErrReader(broken)), false, broken},
			"a source that is stuck": {io.MultiReader(bytes.NewReader(message), stuck{}), false, io.ErrNoProgress},
		} {
			r, err := cms.Open(c.source, []cms.Key{key})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := r.Trailing(); err == nil || isVerdict(err) {
				t.Errorf("%s: before the end: %v", kind, err)
			}
			if _, err := io.Copy(io.Discard, r); err != nil {
				t.Errorf("%s: %v", kind, err)
			}
			for range 2 {
				if got, err := r.Trailing(); got != c.want || !errors.Is(err, c.err) || isVerdict(err) {
					t.Errorf("%s: got %v, %v", kind, got, err)
				}
			}
		}
	}
	r, err := cms.Open(strings.NewReader(string(messages[1][:60_000])), []cms.Key{key})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, r); !errors.Is(err, cms.ErrDamaged) {
		t.Error(err)
	}
	if _, err := r.Trailing(); !errors.Is(err, cms.ErrDamaged) {
		t.Errorf("behind a message that is damaged: %v", err)
	}
}

type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }

func TestSealReportsWriteErrors(t *testing.T) {
	key, full := testdata.Key(t, "test-only"), errors.New("disk full")
	for room := range 7 {
		w, err := cms.Seal(&narrow{room, full}, key.Certificate)
		if err == nil {
			_, err = w.Write(make([]byte, 100_000))
			err = errors.Join(err, w.Close())
		}
		const writes = 6 // head, two segments with their lengths, end
		if errors.Is(err, full) != (room < writes) {
			t.Errorf("room for %d writes: got %v", room, err)
		}
	}
}

type narrow struct {
	room int
	err  error
}

func (n *narrow) Write(p []byte) (int, error) {
	if n.room--; n.room < 0 {
		return 0, n.err
	}
	return len(p), nil
}

// stream seals size bytes of zeros and gives the message while it is made.
func stream(t testing.TB, key cms.Key, size int64) io.Reader {
	r, w := io.Pipe()
	t.Cleanup(func() { r.Close() })
	go func() {
		s, err := cms.Seal(w, key.Certificate)
		if err == nil {
			_, err = io.Copy(s, io.LimitReader(zeros{}, size))
			err = errors.Join(err, s.Close())
		}
		w.CloseWithError(err)
	}()
	return r
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func TestLargeMessagesTakeConstantMemory(t *testing.T) {
	const size = 256 << 20
	source := stream(t, testdata.Key(t, "test-only"), size)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r, err := cms.Open(source, []cms.Key{testdata.Key(t, "test-only")})
	if err != nil {
		t.Fatal(err)
	}
	n, err := io.Copy(io.Discard, r)
	runtime.ReadMemStats(&after)
	if n != size || err != nil {
		t.Fatalf("read %d of %d: %v", n, size, err)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 2<<20 {
		t.Errorf("allocated %d bytes in all", took)
	}
}

// BenchmarkOpen opens 64 MiB, in segments as devices send them (1000 bytes, Bouncy
// Castle's default) and in large ones.
func BenchmarkOpen(b *testing.B) {
	key := testdata.Key(b, "test-only")
	const size = 64 << 20
	large := seal(b, key, make([]byte, size))
	for _, c := range []struct {
		name    string
		message []byte
	}{
		{"cbc", large},
		{"cbc-segments-of-1000", segmented(b, large, 1000)},
		{"gcm", authenticated{nonce: make([]byte, 12), tagSize: 16}.seal(b, key, make([]byte, size))},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(size)
			b.ReportAllocs()
			for b.Loop() {
				r, err := cms.Open(bytes.NewReader(c.message), []cms.Key{key})
				if err != nil {
					b.Fatal(err)
				}
				if n, err := io.Copy(io.Discard, r); n != size || err != nil {
					b.Fatal(n, err)
				}
			}
		})
	}
}
