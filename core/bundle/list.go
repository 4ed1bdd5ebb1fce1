package bundle

import (
	"fmt"
	"io"
	"strings"

	"footbridge/core"
	"footbridge/core/archive"
	"footbridge/core/schema"
)

// The rules here are: the first reading keeps small files and forgets the others;
// a later one looks into those that turned out to be needed, one after another.

// The files that say what the bundle is.
const (
	infoFile     = "info.json"
	metadataFile = "metadata.json"
)

// keepMax is how large a file may be that is kept at the first reading. Answers
// and values fit in; a hundred of them are little.
const keepMax = 16 << 10

// file is one file of a bundle.
type file struct {
	number int
	given  string // name in the bundle
	name   string // by which fields find it
	digest core.Digest
	text   []byte // all of it, where it was kept
	kept   bool
	mayBe  bool // JSON, as it begins

	wanted map[string]bool  // keys that fields ask for, sanitized
	values map[string]found // those that are there
	broken string           // why it cannot be looked into
}

// list reads the bundle for the first time, to its end.
func (b *reading) list() error {
	b.infos = map[string]*file{}
	stream, err := b.open()
	if err != nil {
		return fmt.Errorf("open the bundle: %w", err)
	}
	defer stream.Close()
	report, err := archive.Read(stream, archive.DefaultLimits(), func(e archive.Entry, r io.Reader) error {
		f, err := b.glance(e, r)
		if err != nil {
			return err
		}
		if f.given == infoFile || f.given == metadataFile {
			b.infos[f.given] = f
		}
		if f.given != infoFile {
			b.files = append(b.files, f)
		}
		return nil
	})
	if err == nil && len(report.Problems) > 0 {
		_, err = io.Copy(io.Discard, stream)
	}
	if err != nil {
		return fmt.Errorf("read the bundle: %w", err)
	}
	switch {
	case !report.Zip:
		b.refuse("zip_"+archive.NotAZip, "The upload is no zip archive, so it does not contain info.json file or data. The file is kept.")
	case len(report.Problems) > 0:
		p := report.Problems[0]
		named := ""
		if p.Entry != "" {
			named = fmt.Sprintf(" It is called %s.", p.Entry)
		}
		b.refuse("zip_"+p.Code, "The bundle is refused: %s.%s The file is kept.", p.Message, named)
	}
	return nil
}

// glance sees how large a file is, and keeps it if it is small.
func (b *reading) glance(e archive.Entry, r io.Reader) (*file, error) {
	f := &file{number: e.Number, given: e.Name, name: e.Name}
	limit := int64(keepMax)
	if e.Name == infoFile || e.Name == metadataFile {
		limit = infoMax
	}
	start, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err != nil {
		return nil, err
	}
	sum := newSum()
	sum.Write(start)
	if b.buffer == nil {
		b.buffer = make([]byte, 32<<10)
	}
	_, err = io.CopyBuffer(struct{ io.Writer }{sum}, struct{ io.Reader }{r}, b.buffer)
	f.digest = sum.digest()
	if f.kept = f.digest.Size <= limit; f.kept {
		f.text = start
	}
	text := trimmed(start)
	f.mayBe = len(text) == 0 || strings.IndexByte(`{["-0123456789tfn`, text[0]) >= 0
	return f, err
}

// nameFiles gives files the names that fields find them by.
func (b *reading) nameFiles() {
	b.byName = map[string]*file{}
	for _, f := range b.files {
		f.name = schema.Sanitize(f.name)
		if other := b.byName[f.name]; other != nil {
			b.say("name_clash", "Files %s and %s have the same name %s for fields: the later is used.", shown(other.given), shown(f.given), f.name)
		}
		b.byName[f.name] = f
	}
}
