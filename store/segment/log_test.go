package segment_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"footbridge/core"
	"footbridge/store/segment"

	"github.com/google/go-cmp/cmp"
)

// open opens the log in dir and gives the rows that it replays from a position.
func open(t testing.TB, dir string, config segment.Config, from segment.Position) (*segment.Log, []string) {
	t.Helper()
	var rows []string
	l, err := segment.Open(dir, config, from, func(payload []byte) error {
		rows = append(rows, string(payload))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l, rows
}

// add appends rows and, where it is not empty, a body.
func add(t testing.TB, l *segment.Log, body string, rows ...string) segment.Place {
	t.Helper()
	var b segment.Batch
	b.Reset(l.End())
	var place segment.Place
	if body != "" {
		place = b.Body([]byte(body))
	}
	for _, row := range rows {
		b.Rows([]byte(row))
	}
	must(t, l.Append(&b))
	must(t, l.Sync())
	return place
}

func read(l *segment.Log, p segment.Place) (string, error) {
	body, err := l.Open(p)
	if err != nil {
		return "", err
	}
	defer body.Close()
	all, err := io.ReadAll(body)
	return string(all), err
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func file(dir string, n int) string { return filepath.Join(dir, fmt.Sprintf("%08d.log", n)) }

func content(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	must(t, err)
	return data
}

// Wherever a dead writer stopped, what was whole before is there, what was not
// is cut off, and the log grows on from there.
func TestTornTailsAtEveryOffset(t *testing.T) {
	dir := t.TempDir()
	l, _ := open(t, dir, segment.Config{}, segment.Position{})
	ends := []int64{0}
	for i, body := range []string{"", "a body", ""} {
		add(t, l, body, fmt.Sprint("row ", i))
		ends = append(ends, l.End().Offset)
	}
	whole := content(t, file(dir, 1))
	for cut := range len(whole) + 1 {
		for _, tail := range []string{"", "\x00\x00\x00", "\xff\xff\xff\xff\xff\xff\xff\xff\x01 garbage"} {
			dir := t.TempDir()
			must(t, os.WriteFile(file(dir, 1), append(bytes.Clone(whole[:cut]), tail...), 0o600))
			l, rows := open(t, dir, segment.Config{}, segment.Position{})
			var want []string
			for i := range 3 {
				if ends[i+1] <= int64(cut) {
					want = append(want, fmt.Sprint("row ", i))
				}
			}
			if diff := cmp.Diff(want, rows); diff != "" {
				t.Fatalf("cut at %d: %s", cut, diff)
			}
			place := add(t, l, "another body", "another row")
			must(t, l.Close())
			l, rows = open(t, dir, segment.Config{}, segment.Position{})
			if diff := cmp.Diff(append(want, "another row"), rows); diff != "" {
				t.Fatalf("cut at %d, then grown: %s", cut, diff)
			}
			if got, err := read(l, place); got != "another body" || err != nil {
				t.Fatalf("cut at %d: body %q, %v", cut, got, err)
			}
		}
	}
}

// segments writes a log of three segments, each with one row and one body.
func segments(t testing.TB) (dir string, places []segment.Place) {
	dir = t.TempDir()
	l, _ := open(t, dir, segment.Config{Size: 1}, segment.Position{})
	for i := range 3 {
		if i > 0 {
			must(t, l.Rotate())
		}
		places = append(places, add(t, l, fmt.Sprint("body ", i), fmt.Sprint("row ", i)))
	}
	must(t, l.Close())
	return dir, places
}

func TestDamageIsRefusedInWords(t *testing.T) {
	flip := func(n, at int) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			data := content(t, file(dir, n))
			data[(at+len(data))%len(data)] ^= 1
			must(t, os.WriteFile(file(dir, n), data, 0o600))
		}
	}
	for name, test := range map[string]struct {
		harm func(*testing.T, string)
		want string
	}{
		"a middle segment is altered":   {flip(2, -1), "segment 00000002.log is damaged at byte 15; restore it from a backup"},
		"the first segment is altered":  {flip(1, 0), "segment 00000001.log is damaged at byte 0; restore it from a backup"},
		"a middle segment is cut short": {func(t *testing.T, dir string) { must(t, os.Truncate(file(dir, 2), 20)) }, "segment 00000002.log is damaged at byte 15; restore it from a backup"},
		"a middle segment is gone":      {func(t *testing.T, dir string) { must(t, os.Remove(file(dir, 2))) }, "segment 00000002.log is missing; restore it from a backup"},
	} {
		t.Run(name, func(t *testing.T) {
			dir, _ := segments(t)
			test.harm(t, dir)
			_, err := segment.Open(dir, segment.Config{}, segment.Position{}, func([]byte) error { return nil })
			if err == nil || err.Error() != test.want {
				t.Errorf("got %v", err)
			}
		})
	}
	dir, _ := segments(t)
	refused := errors.New("refused")
	if _, err := segment.Open(dir, segment.Config{}, segment.Position{}, func([]byte) error { return refused }); err != refused {
		t.Errorf("got %v", err)
	}
}

func TestReplayBeginsWhereItIsTold(t *testing.T) {
	dir, _ := segments(t)
	for name, test := range map[string]struct {
		from segment.Position
		want []string
	}{
		"the beginning":         {segment.Position{}, []string{"row 0", "row 1", "row 2"}},
		"the second segment":    {segment.Position{Segment: 2}, []string{"row 1", "row 2"}},
		"the end of the second": {segment.Position{Segment: 2, Offset: int64(len(content(t, file(dir, 2))))}, []string{"row 2"}},
		"a tail that was lost":  {segment.Position{Segment: 3, Offset: 1 << 20}, nil},
		"segments that were":    {segment.Position{Segment: 9}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			copied := t.TempDir()
			must(t, os.CopyFS(copied, os.DirFS(dir)))
			l, rows := open(t, copied, segment.Config{}, test.from)
			if diff := cmp.Diff(test.want, rows); diff != "" {
				t.Error(diff)
			}
			if l.End().Before(test.from) {
				t.Errorf("it grows at %v, before %v", l.End(), test.from)
			}
			add(t, l, "", "new")
			must(t, l.Close())
			_, rows = open(t, copied, segment.Config{}, test.from)
			if diff := cmp.Diff(append(test.want, "new"), rows); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// The next segment may exist, empty, while its predecessor still grows.
func TestAnEmptySuccessorIsNoDamage(t *testing.T) {
	dir := t.TempDir()
	l, _ := open(t, dir, segment.Config{}, segment.Position{})
	add(t, l, "", "row")
	must(t, l.Close())
	must(t, os.WriteFile(file(dir, 1), append(content(t, file(dir, 1)), "torn"...), 0o600))
	must(t, os.WriteFile(file(dir, 2), nil, 0o600))
	for _, want := range [][]string{{"row"}, {"row", "next"}} {
		l, rows := open(t, dir, segment.Config{}, segment.Position{})
		if diff := cmp.Diff(want, rows); diff != "" {
			t.Error(diff)
		}
		add(t, l, "", "next")
		must(t, l.Close())
	}
}

func TestBodiesAreCheckedWhenRead(t *testing.T) {
	dir, places := segments(t)
	l, _ := open(t, dir, segment.Config{}, segment.Position{Segment: 3})
	for i, place := range places {
		got, err := read(l, place)
		if got != fmt.Sprint("body ", i) || err != nil {
			t.Errorf("body %d is %q, %v", i, got, err)
		}
	}
	short, long, moved := places[0], places[0], places[0]
	short.Size--
	long.Size += 1000
	moved.Offset++
	for name, place := range map[string]segment.Place{"short": short, "long": long, "moved": moved} {
		if _, err := read(l, place); !errors.Is(err, core.ErrDigestMismatch) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := read(l, segment.Place{Segment: 77, Offset: 9, Size: 1}); !errors.Is(err, core.ErrNotFound) {
		t.Error(err)
	}
	for _, text := range []string{"", "file/x", "segment/1/2", "segment/1/9/-1", "segment/1/-9/1", "segment/1/9/1 ", "segment/1/09/1", "segment/1/9/999999999999"} {
		if p, err := segment.ParsePlace(text); err == nil {
			t.Errorf("%q is %v", text, p)
		}
	}
}

func TestDropKeepsBodies(t *testing.T) {
	dir := t.TempDir()
	l, _ := open(t, dir, segment.Config{Size: 1}, segment.Position{})
	var kept segment.Place
	for i := range 5 {
		must(t, l.Rotate())
		body := ""
		if i == 1 {
			body = "the body"
		}
		if place := add(t, l, body, "row"); body != "" {
			kept = place
		}
	}
	for range 2 {
		must(t, l.Drop(l.End()))
		names, _ := filepath.Glob(filepath.Join(dir, "*"))
		if diff := cmp.Diff([]string{file(dir, 2), file(dir, 5)}, names); diff != "" {
			t.Error(diff)
		}
	}
	if got, err := read(l, kept); got != "the body" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

func TestAFailedSyncIsFinal(t *testing.T) {
	var broken atomic.Bool
	var syncs atomic.Int64
	l, _ := open(t, t.TempDir(), segment.Config{Size: 1, Sync: func(f *os.File) error {
		syncs.Add(1)
		if broken.Load() {
			return syscall.ENOSPC
		}
		return f.Sync()
	}}, segment.Position{})
	add(t, l, "", "row")
	before := syncs.Load()
	must(t, l.Sync())
	if syncs.Load() != before {
		t.Error("synced though nothing was new")
	}
	broken.Store(true)
	if err := l.Rotate(); !errors.Is(err, syscall.ENOSPC) || !strings.HasPrefix(err.Error(), "sync the log: ") {
		t.Errorf("got %v", err)
	}
	broken.Store(false)
	var b segment.Batch
	b.Reset(l.End())
	b.Rows([]byte("row"))
	for name, err := range map[string]error{"append": l.Append(&b), "sync": l.Sync(), "rotate": l.Rotate()} {
		if !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%s after it: %v", name, err)
		}
	}
}

// Whatever the log's file holds, Open neither panics nor takes more memory than
// the file has bytes, and what it accepts once it accepts again.
func FuzzOpen(f *testing.F) {
	dir := f.TempDir()
	l, _ := open(f, dir, segment.Config{}, segment.Position{})
	add(f, l, "a body", "a row", "", "another")
	whole := content(f, file(dir, 1))
	f.Add([]byte{})
	f.Add(whole)
	f.Add(whole[:len(whole)-1])
	f.Add(append(bytes.Clone(whole), 0xff, 0xff, 0xff, 0x0f, 0, 0, 0, 0, 1))
	noSync := segment.Config{Sync: func(*os.File) error { return nil }}
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := t.TempDir()
		must(t, os.WriteFile(file(dir, 1), data, 0o600))
		l, rows := open(t, dir, noSync, segment.Position{})
		end := l.End()
		must(t, l.Close())
		l, again := open(t, dir, noSync, segment.Position{})
		if diff := cmp.Diff(rows, again); diff != "" || l.End() != end || end.Offset > int64(len(data)) {
			t.Errorf("%s: ends at %v, then %v", diff, end, l.End())
		}
	})
}
