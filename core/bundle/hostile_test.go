package bundle_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"footbridge/core"
	"footbridge/core/bundle"
	"footbridge/core/schema"
	"footbridge/testdata"
)

const plainInfo = `{"format":"v2_generic","createdOn":"2024-02-29T18:30Z","item":"walk","dataFilename":"data.json"}`

// C21, and what else no honest device sends.
func TestHostileBundles(t *testing.T) {
	many := files{"info.json", plainInfo}
	for i := range 99 {
		many = append(many, fmt.Sprintf("f%d", i), "")
	}
	zeros := strings.Repeat("\x00", 100_000_001)
	link := func() []byte {
		var out bytes.Buffer
		w := zip.NewWriter(&out)
		for name, mode := range map[string]fs.FileMode{"info.json": 0o600, "passwords": fs.ModeSymlink | 0o777} {
			h := &zip.FileHeader{Name: name, Method: zip.Deflate}
			h.SetMode(mode)
			entry, err := w.CreateHeader(h)
			if err == nil {
				_, err = io.WriteString(entry, plainInfo)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	for name, c := range map[string]struct {
		b    []byte
		code string
		says string
	}{
		"100 entries":       {testdata.Bundle(t, many...), "", ""},
		"101 entries":       {testdata.Bundle(t, append(many, "one/", "")...), "zip_too_many_entries", "100 entries"},
		"large":             {store(t, "info.json", plainInfo, "zeros.bin", zeros), "zip_entry_too_large", "zeros.bin"},
		"packed too well":   {testdata.Bundle(t, "info.json", plainInfo, "zeros.bin", zeros[:5_000_000]), "zip_ratio_too_high", "zeros.bin"},
		"twice":             {testdata.Bundle(t, "info.json", plainInfo, "a", "1", "a", "2"), "zip_duplicate_name", "called a."},
		"info.json twice":   {testdata.Bundle(t, "info.json", plainInfo, "info.json", "{}"), "zip_duplicate_name", "called info.json."},
		"leads out":         {testdata.Bundle(t, "info.json", plainInfo, "../../etc/passwd", "1"), "zip_unsafe_name", "called ../../etc/passwd."},
		"absolute":          {testdata.Bundle(t, "info.json", plainInfo, "/etc/passwd", "1"), "zip_unsafe_name", "called /etc/passwd."},
		"drive":             {testdata.Bundle(t, "info.json", plainInfo, "C:/boot.ini", "1"), "zip_unsafe_name", "called C:/boot.ini."},
		"device":            {testdata.Bundle(t, "info.json", plainInfo, "aux.json", "1"), "zip_unsafe_name", "called aux.json."},
		"link":              {link(), "zip_link_entry", "called passwords."},
		"control character": {testdata.Bundle(t, "info.json", plainInfo, "a\x1b[2Jb", "1"), "zip_unsafe_name", "called a?[2Jb."},
		"cut short":         {testdata.Bundle(t, "info.json", plainInfo)[:150], "zip_damaged", ""},
		"more behind":       {append(testdata.Bundle(t, "info.json", plainInfo), 0), "zip_damaged", ""},
	} {
		reads := &counting{b: c.b}
		out, err := bundle.Read(reads.open, strict, described(t))
		got := ""
		if out.Rejection != nil {
			got = out.Rejection.Code
			if !strings.Contains(out.Rejection.Message, c.says) {
				t.Errorf("%s: %s", name, out.Rejection.Message)
			}
		}
		if err != nil || got != c.code {
			t.Errorf("%s: got %q, %v", name, got, err)
		}
		if reads.ended < reads.opened || reads.closed != reads.opened {
			t.Errorf("%s: opened %d, read to the end %d, closed %d", name, reads.opened, reads.ended, reads.closed)
		}
	}
}

// counting counts what becomes of the streams that it opens.
type counting struct {
	b                     []byte
	opened, ended, closed int
}

func (c *counting) open() (io.ReadCloser, error) {
	c.opened++
	return &counted{bytes.NewReader(c.b), c, false}, nil
}

type counted struct {
	io.Reader
	c     *counting
	ended bool
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	if err == io.EOF && !c.ended {
		c.ended = true
		c.c.ended++
	}
	return n, err
}

func (c *counted) Close() error { c.c.closed++; return nil }

// broken is a shelf that cannot be reached.
type broken struct {
	shelf
	err error
}

func (b broken) Schema(string, int) (schema.Schema, error)       { return schema.Schema{}, b.err }
func (b broken) Survey(string, time.Time) (schema.Survey, error) { return schema.Survey{}, b.err }

// What is no verdict is an error.
func TestErrorsAreNoVerdicts(t *testing.T) {
	gone := errors.New("the disk is gone")
	s := described(t, `{"name":"a","type":"int"}`, `{"name":"film","type":"attachment_v2"}`)
	good := testdata.Bundle(t, "info.json", plainInfo, "data.json", `{"a":`+strings.Repeat(" ", 20<<10)+`1}`, "film", strings.Repeat("film", 100))
	other := testdata.Bundle(t, "info.json", plainInfo, "data.json", `{"a":`+strings.Repeat(" ", 20<<10)+`12}`, "film", "other")
	failing := func(at int) bundle.Opener {
		return func() (io.ReadCloser, error) {
			return io.NopCloser(io.MultiReader(bytes.NewReader(good[:at]), iotest.ErrReader(gone))), nil
		}
	}
	closed := func() (io.ReadCloser, error) { return nil, gone }
	then := func(all ...bundle.Opener) bundle.Opener {
		return func() (io.ReadCloser, error) {
			next := all[0]
			all = all[1:]
			return next()
		}
	}
	for name, c := range map[string]struct {
		open    bundle.Opener
		schemas bundle.Schemas
		want    error
	}{
		"cannot be opened":         {closed, s, gone},
		"cannot be opened again":   {then(opener(good), closed), s, gone},
		"schema cannot be found":   {opener(good), broken{s, gone}, gone},
		"survey cannot be found":   {opener(testdata.Bundle(t, genericSurvey...)), broken{s, gone}, gone},
		"another bundle meanwhile": {then(opener(good), opener(other)), s, core.ErrDigestMismatch},
		"an empty file meanwhile":  {then(opener(good), opener(testdata.Bundle(t, "info.json", plainInfo, "data.json", "", "film", "x"))), s, core.ErrDigestMismatch},
		"a short file meanwhile":   {then(opener(good), opener(testdata.Bundle(t, "info.json", plainInfo, "data.json", "{}", "film", "x"))), s, core.ErrDigestMismatch},
		"a damaged one meanwhile":  {then(opener(good), opener(good[:99])), s, core.ErrDigestMismatch},
		"nothing meanwhile":        {then(opener(good), opener(nil)), s, core.ErrDigestMismatch},
		"fails the second time":    {then(opener(good), failing(70)), s, gone},
	} {
		out, err := bundle.Read(c.open, strict, c.schemas)
		if !errors.Is(err, c.want) || out.Rejection != nil || out.Data != nil {
			t.Errorf("%s: got %+v, %v", name, out, err)
		}
	}
	for at := range good {
		if _, err := bundle.Read(failing(at), strict, s); !errors.Is(err, gone) {
			t.Fatalf("fails at %d: got %v", at, err)
		}
	}
	refused := testdata.Bundle(t, "../a", "x", "info.json", plainInfo)
	late := func() (io.ReadCloser, error) {
		return io.NopCloser(io.MultiReader(bytes.NewReader(refused), iotest.ErrReader(gone))), nil
	}
	if _, err := bundle.Read(late, strict, s); !errors.Is(err, gone) {
		t.Errorf("a refused one that fails at its end: got %v", err)
	}

	out, err := bundle.Read(opener(good), strict, s)
	if err != nil || out.Rejection != nil {
		t.Fatal(out.Rejection, err)
	}
	closes, pipe := io.Pipe()
	closes.CloseWithError(core.ErrNoSpace)
	for name, c := range map[string]struct {
		open bundle.Opener
		to   io.Writer
		want error
	}{
		"well":                   {opener(good), io.Discard, nil},
		"cannot be opened":       {closed, io.Discard, gone},
		"fails":                  {failing(60), io.Discard, gone},
		"cannot be kept":         {opener(good), pipe, core.ErrNoSpace},
		"another bundle":         {opener(testdata.Bundle(t, "film", "x")), io.Discard, core.ErrDigestMismatch},
		"a damaged one":          {opener(good[:60]), io.Discard, core.ErrDigestMismatch},
		"a file of another size": {opener(other), io.Discard, core.ErrDigestMismatch},
	} {
		for _, a := range out.Attachments {
			if err := bundle.Extract(c.open, a, c.to); !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
				t.Errorf("attachment %s, %s: got %v", a.ID, name, err)
			}
		}
	}
}

func TestMessagesEnd(t *testing.T) {
	list := strings.Repeat(`{"filename":"x","timestamp":"y"},`, 2_000)
	out := read(t, shelf{}, strict, "info.json", `{"files":[`+list+`{}]}`)
	if n := len(out.Messages); n != 301 || out.Messages[300].Code != "more_messages" {
		t.Errorf("got %d messages, the last is %+v", n, out.Messages[n-1])
	}
	choices := `{"format":"v2_generic","createdOn":"2024-02-29T18:30Z","item":"walk","dataFilename":"data.json"}`
	out = read(t, described(t, `{"name":"c","type":"multi_choice","multiChoiceAnswerList":["a"]}`), bundle.Upload{ID: "up-1"},
		"info.json", choices, "data.json", `{"c":["x"`+strings.Repeat(`,"x"`, 10_000)+`]}`)
	if n := len(out.Messages); n > 30 {
		t.Errorf("got %d messages", n)
	}
}
