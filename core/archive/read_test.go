package archive_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"footbridge/core/archive"

	"github.com/google/go-cmp/cmp"
)

// read reads an archive, and gives what its files were.
func read(t testing.TB, r io.Reader, limits archive.Limits) (archive.Report, []file) {
	t.Helper()
	var files []file
	report, err := archive.Read(r, limits, func(e archive.Entry, r io.Reader) error {
		b, err := io.ReadAll(r)
		files = append(files, file{name: e.Name, data: string(b)})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return report, files
}

func TestReadHandsOverEveryFile(t *testing.T) {
	b := pack(t, bundle...)
	var want []file
	for _, f := range bundle {
		if !strings.HasSuffix(f.name, "/") {
			want = append(want, file{name: f.name, data: f.data})
		}
	}
	for kind, r := range map[string]io.Reader{"whole": bytes.NewReader(b), "one byte": iotest.OneByteReader(bytes.NewReader(b))} {
		report, files := read(t, r, archive.Limits{})
		if diff := cmp.Diff(look(t, b, archive.Limits{}), report) + cmp.Diff(want, files, cmp.AllowUnexported(file{})); diff != "" {
			t.Errorf("%s: %s", kind, diff)
		}
	}
	var numbers []int
	report, err := archive.Read(bytes.NewReader(b), archive.Limits{}, func(e archive.Entry, r io.Reader) error {
		numbers = append(numbers, e.Number)
		_, err := io.ReadFull(r, make([]byte, min(2, e.Number-1))) // not all of it
		if e.Name == "empty" && err != io.EOF {
			t.Errorf("empty: got %v", err)
		}
		return nil
	})
	if diff := cmp.Diff([]int{1, 2, 3, 5, 6}, numbers); err != nil || report.Problems != nil || diff != "" {
		t.Error(report, err, diff)
	}
}

func TestReadStopsAtTheFirstProblem(t *testing.T) {
	few := archive.Limits{Entries: 2, EntrySize: 100, TotalSize: 150}
	long := strings.Repeat("a", 90)
	for name, c := range map[string]struct {
		files []file
		want  string
		entry string
		seen  string
	}{
		"a third of two":      {[]file{{name: "a"}, {name: "b"}, {name: "c"}}, archive.TooManyEntries, "", "a b"},
		"a folder counts":     {[]file{{name: "a/"}, {name: "b"}, {name: "c"}}, archive.TooManyEntries, "", "b"},
		"large":               {[]file{{name: "a", data: long + long}, {name: "b"}}, archive.EntryTooLarge, "a", "a"},
		"large and stored":    {[]file{{name: "a", data: long + long, stored: true}, {name: "b"}}, archive.EntryTooLarge, "a", ""},
		"large together":      {[]file{{name: "a", data: long}, {name: "b", data: long}}, archive.TotalTooLarge, "", "a b"},
		"twice":               {[]file{{name: "a"}, {name: "a", data: "b"}}, archive.DuplicateName, "a", "a"},
		"twice in disguise":   {[]file{{name: "a"}, {name: "./a", data: "b"}}, archive.DuplicateName, "./a", "a"},
		"leads out":           {[]file{{name: "../a"}, {name: "b"}}, archive.UnsafeName, "../a", ""},
		"leads out from deep": {[]file{{name: "b/../../a"}, {name: "b"}}, archive.UnsafeName, "b/../../a", ""},
		"absolute":            {[]file{{name: "/a"}}, archive.UnsafeName, "/a", ""},
		"drive":               {[]file{{name: "c:a"}}, archive.UnsafeName, "c:a", ""},
		"backslash":           {[]file{{name: `..\a`}}, archive.UnsafeName, `..\a`, ""},
		"device":              {[]file{{name: "b/NUL.json"}}, archive.UnsafeName, "b/NUL.json", ""},
		"control character":   {[]file{{name: "a\nb"}}, archive.UnsafeName, "a?b", ""},
		"link":                {[]file{{name: "a", data: "/etc/passwd", mode: fs.ModeSymlink | 0o777}}, archive.LinkEntry, "a", "a"},
		"socket":              {[]file{{name: "a", mode: fs.ModeSocket | 0o777}}, archive.LinkEntry, "a", "a"},
	} {
		var seen []string
		report, err := archive.Read(bytes.NewReader(pack(t, c.files...)), few, func(e archive.Entry, r io.Reader) error {
			seen = append(seen, e.Name)
			n, err := io.Copy(io.Discard, r)
			if n > few.EntrySize {
				t.Errorf("%s: handed over %d bytes", name, n)
			}
			return err
		})
		if err != nil || codes(report) != c.want || report.Problems[0].Entry != c.entry || strings.Join(seen, " ") != c.seen {
			t.Errorf("%s: got %+v, %v, saw %q", name, report, err, seen)
		}
	}
}

func TestReadTellsErrorsApart(t *testing.T) {
	b := pack(t, bundle...)
	mine := errors.New("no more, thank you")
	for _, after := range []int{0, 1, 99_999, 1 << 30} {
		seen := 0
		_, err := archive.Read(bytes.NewReader(b), archive.Limits{}, func(e archive.Entry, r io.Reader) error {
			seen++
			_, err := io.CopyN(io.Discard, r, int64(after))
			if err != nil && err != io.EOF {
				return err
			}
			return mine
		})
		if err != mine || seen != 1 {
			t.Errorf("a visitor that stops after %d bytes: got %v, having seen %d", after, err, seen)
		}
	}
	broken := errors.New("the disk is gone")
	b = pack(t, file{name: "packed", data: strings.Repeat("12", 99)}, file{name: "stored", data: "as it is", stored: true})
	for at := range int64(len(b)) {
		_, err := archive.Read(io.MultiReader(io.LimitReader(bytes.NewReader(b), at), iotest.ErrReader(broken)), archive.Limits{},
			func(_ archive.Entry, r io.Reader) error {
				if _, err := io.Copy(io.Discard, r); err != nil {
					return fmt.Errorf("keep a file: %w", mine) // whatever a visitor makes of it
				}
				return nil
			})
		if !errors.Is(err, broken) {
			t.Fatalf("a reader that fails at %d: got %v", at, err)
		}
	}
}

// What Read makes of bytes that no archive should have is what Look makes of
// them, as far as Read goes.
func TestReadAgreesWithLook(t *testing.T) {
	small := slices.Clone(bundle)
	small[1].data, small[4].data = small[1].data[:99], small[4].data[:99]
	b := pack(t, small...)
	check := func(what string, bad []byte) {
		looked := look(t, bad, archive.Limits{})
		report, _ := archive.Read(bytes.NewReader(bad), archive.Limits{}, func(_ archive.Entry, r io.Reader) error {
			_, err := io.Copy(io.Discard, r)
			return err
		})
		if (looked.Problems == nil) != (report.Problems == nil) || report.Problems != nil && !cmp.Equal(report.Problems[0], looked.Problems[0]) {
			t.Errorf("%s: looked %+v, read %+v", what, looked, report)
		}
	}
	for bit := range len(b) * 8 {
		bad := slices.Clone(b)
		bad[bit/8] ^= 1 << (bit % 8)
		check(fmt.Sprintf("bit %d", bit), bad)
	}
	for cut := range b {
		check(fmt.Sprintf("cut at %d", cut), b[:cut])
	}
}
