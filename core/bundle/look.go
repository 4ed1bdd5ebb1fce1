package bundle

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"footbridge/core"
	"footbridge/core/archive"
	"footbridge/core/schema"
)

// The rules here are: one large file is in memory at a time, in a buffer that all
// of them share; what stays are the values that fields ask for, within a limit.

// want notes which keys the fields of a schema ask for in which files.
func (b *reading) want(s schema.Schema) {
	for _, f := range s.Fields {
		if b.byName[f.Name] != nil {
			continue
		}
		for _, place := range b.places(f.Name) {
			if place.file.wanted == nil {
				place.file.wanted = map[string]bool{}
			}
			place.file.wanted[place.key] = true
		}
	}
}

// look looks into all files that fields ask for, and reads whole, if it is given,
// to keep its text. It opens the bundle again where they were not kept.
func (b *reading) look(whole *file) error {
	again, largest, looked := map[int]*file{}, int64(0), int64(0)
	for _, f := range b.files {
		switch {
		case f != whole && len(f.wanted) == 0:
		case f.kept:
			b.search(f, f.text)
		case f != whole && f.digest.Size > parsedMax:
			f.broken = fmt.Sprintf("is larger than %d bytes", parsedMax)
		case f != whole && !f.mayBe:
			f.broken = "is not JSON"
		case f != whole && looked+f.digest.Size > lookedMax:
			f.broken = fmt.Sprintf("makes more than %d bytes of JSON together with the files before it", lookedMax)
		default:
			looked += f.digest.Size
			again[f.number], largest = f, max(largest, f.digest.Size)
		}
	}
	if len(again) == 0 {
		return nil
	}
	buffer := make([]byte, largest)
	return readAgain(b.open, len(again), func(e archive.Entry, r io.Reader) (bool, error) {
		f := again[e.Number]
		if f == nil {
			return false, nil
		}
		text := buffer[:f.digest.Size]
		if err := fill(r, text); err != nil {
			return false, err
		}
		if f == whole {
			f.text, f.kept = bytes.Clone(text), true
			text = f.text
		}
		b.search(f, text)
		return true, nil
	})
}

// readAgain reads a bundle that was read before, and of whose files as many as
// expected are of use to visit.
func readAgain(open Opener, expected int, visit func(archive.Entry, io.Reader) (bool, error)) error {
	stream, err := open()
	if err != nil {
		return fmt.Errorf("open the bundle again: %w", err)
	}
	defer stream.Close()
	report, err := archive.Read(stream, archive.DefaultLimits(), func(e archive.Entry, r io.Reader) error {
		used, err := visit(e, r)
		if used {
			expected--
		}
		return err
	})
	if err == nil && (len(report.Problems) > 0 || expected != 0) {
		err = core.ErrDigestMismatch
	}
	if err != nil {
		return fmt.Errorf("read the bundle again: %w", err)
	}
	return nil
}

// fill reads a file that has as many bytes as the text is long.
func fill(r io.Reader, text []byte) error {
	_, err := io.ReadFull(r, text)
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		return core.ErrDigestMismatch
	}
	if err != nil {
		return err
	}
	switch _, err := io.ReadFull(r, make([]byte, 1)); err {
	case io.EOF:
		return nil
	case nil:
		return core.ErrDigestMismatch
	default:
		return err
	}
}

// search finds the values that fields ask for in a file's text.
func (b *reading) search(f *file, text []byte) {
	if len(f.wanted) == 0 {
		return
	}
	document, ok := valid(text)
	if !ok {
		f.broken = "is not JSON"
		return
	}
	if f.digest.Size > parsedMuch {
		b.say("json_large", "File %s has %d bytes of JSON; more than %d are hard to work with.", shown(f.given), f.digest.Size, parsedMuch)
	}
	f.values = map[string]found{}
	exact := map[string]bool{} // found by that very name
	members(document, func(key string, value json.RawMessage, at int) {
		if name := schema.Sanitize(key); f.wanted[name] && (key == name || !exact[name]) {
			f.values[name], exact[name] = found{value, f, leading(text) + at}, key == name
		}
	})
	if f.kept {
		return
	}
	for _, key := range slices.Sorted(maps.Keys(f.values)) { // the text goes, the values stay
		value := f.values[key]
		if b.held += len(value.raw); b.held > heldMax {
			b.held -= len(value.raw)
			delete(f.values, key)
			f.broken = fmt.Sprintf("has values that make more than %d bytes together with those of other files", heldMax)
			continue
		}
		value.raw = bytes.Clone(value.raw)
		f.values[key] = value
	}
}
