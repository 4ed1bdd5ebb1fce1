package archive_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"footbridge/core/archive"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// file is one entry of a zip that the standard library writes.
type file struct {
	name   string
	data   string
	stored bool
	mode   fs.FileMode
}

func pack(t testing.TB, files ...file) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range files {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate}
		if f.mode != 0 {
			h.SetMode(f.mode)
		}
		var entry io.Writer
		var err error
		if f.stored {
			entry, err = w.CreateRaw(sized(h, f.data))
		} else {
			entry, err = w.CreateHeader(h)
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(entry, f.data); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func look(t testing.TB, b []byte, limits archive.Limits) archive.Report {
	t.Helper()
	report, err := archive.Look(bytes.NewReader(b), limits)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func codes(r archive.Report) string {
	var all []string
	for _, p := range r.Problems {
		all = append(all, p.Code)
	}
	return strings.Join(all, " ")
}

var bundle = []file{
	{name: "info.json", data: `{"item":"walk"}`},
	{name: "steps.csv", data: strings.Repeat("1204,12:01\n", 50_000)},
	{name: "empty"},
	{name: "folder/"},
	{name: "folder/heart rate.bin", data: strings.Repeat("61", 100_000), stored: true},
	{name: "größe.txt", data: "ok", stored: true},
}

func TestCleanArchives(t *testing.T) {
	for name, b := range map[string][]byte{"bundle": pack(t, bundle...), "empty": pack(t), "one": pack(t, bundle[0])} {
		for kind, r := range map[string]io.Reader{
			"whole": bytes.NewReader(b), "one byte": iotest.OneByteReader(bytes.NewReader(b)),
			"data and EOF": iotest.DataErrReader(bytes.NewReader(b)),
		} {
			report, err := archive.Look(r, archive.Limits{})
			if err != nil || !report.Zip || report.Problems != nil {
				t.Errorf("%s, %s: got %+v, %v", name, kind, report, err)
			}
		}
	}
	want := archive.Report{Zip: true, Entries: 6, Plain: 15 + 550_000 + 200_000 + 2}
	if diff := cmp.Diff(want, look(t, pack(t, bundle...), archive.DefaultLimits())); diff != "" {
		t.Error(diff)
	}
}

func TestCommentsAndExtraFieldsAreFine(t *testing.T) {
	for method, want := range map[uint16]string{
		zip.Deflate: "",
		zip.Store:   archive.UnknownLength, // the standard library then writes the size behind the data
	} {
		var out bytes.Buffer
		w := zip.NewWriter(&out)
		h := &zip.FileHeader{Name: "a", Method: method, Comment: "of the entry", Extra: []byte{9, 9, 2, 0, 1, 1}}
		entry, err := w.CreateHeader(h)
		if err == nil {
			_, err = io.WriteString(entry, "a")
		}
		if err = errors.Join(err, w.SetComment("of the archive"), w.Close()); err != nil {
			t.Fatal(err)
		}
		if got := codes(look(t, out.Bytes(), archive.Limits{})); got != want {
			t.Errorf("method %d: got %q, want %q", method, got, want)
		}
	}
}

func TestWhatTheStandardLibraryPacksIsClean(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		var files []file
		want := archive.Report{Zip: true}
		for _, name := range rapid.SliceOfNDistinct(rapid.StringMatching(`[d-k][a-z0-9 _.-]{0,9}[a-z]`), 0, 9, rapid.ID).Draw(r, "names") {
			data := rapid.OneOf(
				rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
				rapid.Map(rapid.IntRange(0, 300_000), func(n int) string { return string(noise(n)) }),
				rapid.Map(rapid.IntRange(0, 300_000), func(n int) string { return strings.Repeat("x", n) }),
			).Draw(r, "data")
			files = append(files, file{name: name, data: data, stored: rapid.Bool().Draw(r, "stored")})
			want.Entries++
			want.Plain += int64(len(data))
		}
		if diff := cmp.Diff(want, look(t, pack(t, files...), archive.Limits{})); diff != "" {
			r.Fatal(diff)
		}
	})
}

func TestLimits(t *testing.T) {
	zeros := strings.Repeat("\x00", 5<<20)
	noise := string(noise(5 << 20))
	for name, c := range map[string]struct {
		files  []file
		limits archive.Limits
		want   string
	}{
		"as many as allowed":     {bundle, archive.Limits{Entries: 6}, ""},
		"one too many":           {bundle, archive.Limits{Entries: 5}, archive.TooManyEntries},
		"as large as allowed":    {bundle, archive.Limits{EntrySize: 550_000, TotalSize: 750_017}, ""},
		"packed too large":       {bundle, archive.Limits{EntrySize: 549_999}, archive.EntryTooLarge},
		"stored too large":       {bundle[4:], archive.Limits{EntrySize: 199_999}, archive.EntryTooLarge},
		"packed total too large": {bundle[:2], archive.Limits{TotalSize: 550_014}, archive.TotalTooLarge},
		"stored total too large": {bundle, archive.Limits{TotalSize: 750_014}, archive.TotalTooLarge},
		"bomb":                   {[]file{{name: "bomb", data: zeros}}, archive.Limits{}, archive.RatioTooHigh},
		"small zeros":            {[]file{{name: "zeros", data: zeros[:1<<20]}}, archive.Limits{}, ""},
		"zeros, then noise":      {[]file{{name: "late", data: zeros + noise}}, archive.Limits{}, ""},
		"many small bombs": {[]file{{name: "a", data: zeros[:3<<20]}, {name: "b", data: zeros[:3<<20]}},
			archive.Limits{}, archive.RatioTooHigh},
		"a ratio that is allowed": {[]file{{name: "bomb", data: zeros}}, archive.Limits{Ratio: 2000}, ""},
	} {
		if got := codes(look(t, pack(t, c.files...), c.limits)); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
	many := make([]file, 101)
	for i := range many {
		many[i].name = fmt.Sprint("f", i)
	}
	if report := look(t, pack(t, many...), archive.DefaultLimits()); codes(report) != archive.TooManyEntries || report.Entries != 100 {
		t.Errorf("got %+v", report)
	}
}

func TestNames(t *testing.T) {
	for name, want := range map[string]string{
		"../x": archive.UnsafeName, "a/../../x": archive.UnsafeName, "..": archive.UnsafeName, "/etc/passwd": archive.UnsafeName,
		`C:\x`: archive.UnsafeName, "c:x": archive.UnsafeName, `a\b`: archive.UnsafeName, "a\x00b": archive.UnsafeName,
		"a\nb": archive.UnsafeName, "": archive.UnsafeName, "NUL": archive.UnsafeName, "a/con.txt": archive.UnsafeName,
		"lpt1.json": archive.UnsafeName, "Com¹": archive.UnsafeName, "AUX .x": archive.UnsafeName, "\x1b[2J": archive.UnsafeName,
		"...": "", "..x": "", "a..b": "", "console": "", "com": "", "com10": "", "2024-01-01T10:00:00": "", "ä/ö": "", "./a": "",
	} {
		if got := codes(look(t, pack(t, file{name: name, data: "x"}), archive.Limits{})); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
	for _, twice := range [][2]string{{"a", "a"}, {"a/b", "a//b"}, {"a", "./a"}} {
		if got := codes(look(t, pack(t, file{name: twice[0]}, file{name: twice[1]}), archive.Limits{})); got != archive.DuplicateName {
			t.Errorf("%q: got %q", twice, got)
		}
	}
}

func TestProblemsAreFitToBeShown(t *testing.T) {
	report := look(t, pack(t, bundle[0], file{name: "../\x1b[2J\u202e" + strings.Repeat("ä", 300)}), archive.Limits{})
	if len(report.Problems) != 1 {
		t.Fatalf("got %+v", report)
	}
	want := archive.Problem{Code: archive.UnsafeName, Entry: "../?[2J?" + strings.Repeat("ä", 72) + "…"}
	want.Message = "entry 2 has control characters in its name"
	if diff := cmp.Diff(want, report.Problems[0]); diff != "" {
		t.Error(diff)
	}
}

// Messages are kept and logged. An entry's name may be a person's.
func TestMessagesQuoteNoNames(t *testing.T) {
	b := pack(t, file{name: "Ada/", data: ""}, file{name: "Ada/walk.csv", data: "1204"}, file{name: "../Ada", data: strings.Repeat("61", 99), stored: true},
		file{name: "Ada/walk.csv"}, file{name: "Ada-link", mode: fs.ModeSymlink})
	shape := regexp.MustCompile(`^(entry [1-5]( of the directory)? |[1-5] entries |the (file|archive|end record|zip64 end record) )`)
	seen := map[string]bool{}
	for bit := range len(b) * 8 {
		bad := slices.Clone(b)
		bad[bit/8] ^= 1 << (bit % 8)
		for _, broken := range [][]byte{bad, b[:bit/8]} {
			for _, p := range look(t, broken, archive.Limits{EntrySize: 1 << 20}).Problems {
				seen[p.Code] = true
				if strings.Contains(p.Message, "Ada") || strings.Contains(p.Message, "walk") || !shape.MatchString(p.Message) {
					t.Fatalf("%+v", p)
				}
			}
		}
	}
	if len(seen) < 8 {
		t.Errorf("only %v were seen", seen)
	}
	report := look(t, b, archive.Limits{})
	var got []string
	for _, p := range report.Problems {
		got = append(got, p.Entry+": "+p.Message)
	}
	want := []string{
		"../Ada: entry 3 has a path that leads out of the archive",
		"Ada/walk.csv: entry 4 is there more than once",
		"Ada-link: entry 5 is a link or a device, not a file",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestLinks(t *testing.T) {
	for mode, want := range map[fs.FileMode]string{
		0o644: "", fs.ModeDir | 0o755: "", fs.ModeSymlink | 0o777: archive.LinkEntry, fs.ModeDevice: archive.LinkEntry,
		fs.ModeNamedPipe: archive.LinkEntry, fs.ModeSocket: archive.LinkEntry,
	} {
		name := "x"
		if mode.IsDir() {
			name = "x/"
		}
		if got := codes(look(t, pack(t, file{name: name, mode: mode}), archive.Limits{})); got != want {
			t.Errorf("%v: got %q, want %q", mode, got, want)
		}
	}
}

func TestErrorsOfTheSourceAreNoVerdict(t *testing.T) {
	b := pack(t, bundle...)
	for _, broken := range []error{errors.New("disk on fire"), io.ErrUnexpectedEOF} {
		for _, cut := range []int{0, 3, 20, 50, 300, 1000, len(b) / 2, len(b) - 100, len(b) - 1, len(b)} {
			source := io.MultiReader(bytes.NewReader(b[:cut]), iotest.ErrReader(broken))
			report, err := archive.Look(source, archive.Limits{})
			if !errors.Is(err, broken) || report.Problems != nil {
				t.Errorf("cut at %d: got %+v, %v", cut, report, err)
			}
		}
	}
}
