package bundle

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"footbridge/core"
	"footbridge/core/schema"
)

// The rules here are: a field that is called like a file is the file; another is
// the member of a JSON file that its name says, the file's name in front and one
// separator between; only members of the outermost object can be named.

// place is where a field's value may be.
type place struct {
	file *file
	key  string
}

// places are where the value of a field may be that is not called like a file,
// the longest name of a file first, as it says most.
func (b *reading) places(field string) []place {
	var all []place
	for _, f := range b.files {
		if b.byName[f.name] != f || len(field) <= len(f.name) {
			continue
		}
		if key, ok := strings.CutPrefix(field, f.name); ok && strings.IndexByte("._- ", key[0]) >= 0 {
			all = append(all, place{f, key[1:]})
		}
	}
	slices.SortStableFunc(all, func(a, b place) int { return len(b.file.name) - len(a.file.name) })
	return all
}

// found is a value in a file of the bundle.
type found struct {
	raw  json.RawMessage
	file *file // nil: the value is made from all files
	at   int   // where it begins in the file
}

// find gives a field's value, or the file that it is, or neither. b.look has to
// have been there before.
func (b *reading) find(f schema.Field) (found, *file) {
	if file := b.byName[f.Name]; file != nil {
		return b.wholeFile(f, file)
	}
	places := b.places(f.Name)
	for _, place := range places {
		if value, ok := place.file.values[place.key]; ok {
			return value, nil
		}
	}
	for _, place := range places {
		if broken := place.file.broken; broken != "" {
			b.say("file_not_read", "File %s %s, so field %s is not taken from it.", shown(place.file.given), broken, f.Name)
			break
		}
	}
	return found{}, nil
}

// wholeFile gives what a whole file is for a field: a value where the field takes
// one and the file is JSON, else an attachment.
func (b *reading) wholeFile(f schema.Field, file *file) (found, *file) {
	switch {
	case file.digest.Size == 0:
		return found{}, nil
	case f.Type.Attachment():
		return found{}, file
	case file.digest.Size > inlineMax && file.mayBe:
		b.say("file_too_large", "File %s has more than %d bytes, so it is left out of the record as field %s.", shown(file.given), inlineMax, f.Name)
		return found{}, nil
	}
	if value, ok := valid(file.text); ok && file.digest.Size <= inlineMax {
		return found{raw: value, file: file, at: leading(file.text)}, nil
	}
	b.say("file_not_json", "File %s is not JSON, so field %s is an attachment.", shown(file.given), f.Name)
	return found{}, file
}

// put makes a value or a file that of a field. Null is no value.
func (b *reading) put(f schema.Field, value found, whole *file) {
	a := core.Attachment{ID: string(b.upload.ID) + "-" + f.Name, Field: f.Name, ContentType: f.MimeType, Extension: f.FileExtension}
	switch {
	case whole != nil:
		a.File, a.Digest = whole.number, whole.digest
		a.ContentType = cmp.Or(a.ContentType, f.Type.ContentType())
	case null(value.raw):
		return
	case f.Type.Attachment():
		a.Digest = digestOf(value.raw)
		a.ContentType = cmp.Or(a.ContentType, "application/json")
		if value.file != nil {
			a.File, a.Offset = value.file.number, int64(value.at)
		}
	case core.Depth(value.raw) > depthMax:
		b.say("value_too_deep", "The value of field %s is left out of the record: it has more than %d arrays and objects in each other.", f.Name, depthMax)
		return
	case b.inline+len(value.raw) > recordMax:
		b.say("value_too_large", "The value of field %s is left out of the record, which can hold %d bytes of values.", f.Name, recordMax)
		return
	default:
		b.inline += len(value.raw)
		b.out.Data[f.Name] = value.raw
		return
	}
	b.out.Data[f.Name] = quoted(a.ID)
	b.out.Attachments = append(b.out.Attachments, a)
}
