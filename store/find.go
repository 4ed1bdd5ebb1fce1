package store

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"footbridge/core"
)

// The rules here are: a search reads rows as they are stored, and takes apart only
// those that may be meant, which is what lets it go far back; it gives some that are
// not, and never leaves out one that is.

// A look at a row costs so much, by what has to be done with it.
const (
	glance  = 1
	reading = 10
)

// Find gives uploads in a span among which are all whose id, file name or external id
// holds a text, in any case, of a study where one is named; the newest request first,
// at most so many. It stops once it spent so much: a tenth for a row that cannot be
// meant. next is where it goes on; empty where nothing is left.
func (s *Store) Find(_ context.Context, text string, study core.StudyID, span core.Span, most, spend int) (found []core.Upload, next core.UploadID, failed error) {
	sought := soughtFor(text)
	taken, spent, spend := 0, 0, spend*reading
	look := func(id core.UploadID, raw []byte) (take, on bool) {
		switch {
		case !span.Holds(id):
			return false, false
		case taken == most || spent >= spend:
			next = id
			return false, false
		case !sought.may(id, raw):
			spent += glance
			return false, true
		}
		taken++
		spent += reading
		return true, true
	}
	read := func(id core.UploadID, raw []byte) bool {
		var u core.Upload
		if u, failed = decode[core.Upload](raw); failed != nil {
			failed = fmt.Errorf("read upload %s: %w", id, failed)
			return false
		}
		found = append(found, u)
		return true
	}
	if study == "" {
		s.rows.SiftBack(uploadsBucket, "", string(span.Last),
			func(key string, raw []byte) (take, on bool) { return look(core.UploadID(key), raw) },
			func(key string, raw []byte) bool { return read(core.UploadID(key), raw) })
		return found, next, failed
	}
	prefix, last := string(study)+"/", ""
	if span.Last != "" {
		last = prefix + string(span.Last)
	}
	s.rows.ScanBack(gatheredBucket, prefix, last, func(key string, _ []byte) bool {
		id := core.UploadID(key[len(prefix):])
		raw := s.rows.Get(uploadsBucket, string(id))
		take, on := look(id, raw)
		return on && (!take || read(id, raw))
	})
	return found, next, failed
}

// sought is a text as it stands in a row.
type sought struct {
	text  []byte // in lower case
	plain bool   // JSON writes it as it is
}

func soughtFor(text string) sought {
	lower := strings.ToLower(text)
	escaped := strings.ContainsFunc(lower, func(r rune) bool {
		return r < ' ' || strings.ContainsRune("\"\\<>&\u007f\u2028\u2029\ufffd", r)
	})
	return sought{[]byte(lower), !escaped}
}

// What stands before these in a row. A quote within a value is written otherwise.
var (
	factsMark    = []byte(`"facts":{"uploadedOn":"`)
	nameMark     = []byte(`"name":"`)
	externalMark = []byte(`"externalId":"`)
)

// may reports whether the row of an upload may hold the text. Who it is of stands there
// only once it is completed.
func (t sought) may(id core.UploadID, raw []byte) bool {
	facts := bytes.Index(raw, factsMark)
	if !t.plain || facts < 0 {
		return true
	}
	return t.in([]byte(id)) || t.in(behindMark(raw, nameMark)) || t.in(behindMark(raw[facts:], externalMark))
}

func (t sought) in(value []byte) bool { return bytes.Contains(bytes.ToLower(value), t.text) }

// behindMark gives the value behind a mark, at least: it may be longer where the value
// ends with a backslash; empty where there is no mark.
func behindMark(raw, mark []byte) []byte {
	at := bytes.Index(raw, mark)
	if at < 0 {
		return nil
	}
	value := raw[at+len(mark):]
	for i, c := range value {
		if c == '"' && (i == 0 || value[i-1] != '\\') {
			return value[:i]
		}
	}
	return value
}
