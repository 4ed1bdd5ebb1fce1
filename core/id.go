package core

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"strconv"
	"time"
)

// NewID makes an identifier that sorts by the time it was made: a version 7
// UUID (RFC 9562), 36 characters. It is unique, not secret.
func NewID(now time.Time) string {
	var id [16]byte
	rand.Read(id[:]) // never fails
	binary.BigEndian.PutUint64(id[:8], uint64(now.UnixMilli())<<16|uint64(binary.BigEndian.Uint16(id[6:8])))
	id[6] = id[6]&0x0f | 0x70
	id[8] = id[8]&0x3f | 0x80
	return format(id)
}

// MadeOn is when NewID made an identifier, to the millisecond; false where it is none.
func MadeOn(id string) (time.Time, bool) {
	if !ValidID(id) {
		return time.Time{}, false
	}
	ms, err := strconv.ParseInt(id[:8]+id[9:13], 16, 64)
	return time.UnixMilli(ms).UTC(), err == nil
}

// NewHealthCode makes a health code that tells nothing, not even its age: a
// version 4 UUID.
func NewHealthCode() HealthCode {
	var id [16]byte
	rand.Read(id[:])
	id[6] = id[6]&0x0f | 0x40
	id[8] = id[8]&0x3f | 0x80
	return HealthCode(format(id))
}

// ValidIdentifier reports whether a text may name an app or a study: 2 to 60
// characters of a-z, 0-9 and -, a letter or digit first. It names a folder in the
// repository, so nothing else is let in.
func ValidIdentifier(id string) bool {
	if len(id) < 2 || len(id) > 60 || id[0] == '-' {
		return false
	}
	for _, c := range []byte(id) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return true
}

// ValidID reports whether a text has the form of an identifier that was made
// here: a UUID in lower case.
func ValidID(text string) bool {
	if len(text) != 36 {
		return false
	}
	for i, c := range []byte(text) {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if c != '-' {
				return false
			}
		} else if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// Span is the uploads whose ids lie between two bounds, both included; an empty
// bound is none.
type Span struct{ First, Last UploadID }

// Between is the uploads that were requested from one time to another, both
// included, to the millisecond: what is asked for by time is found by id.
func Between(from, to time.Time) Span {
	return Span{UploadID(bound(from)), UploadID(bound(to.Add(time.Millisecond)))}
}

// Holds reports whether an id lies in the span.
func (s Span) Holds(id UploadID) bool { return s.First <= id && (s.Last == "" || id <= s.Last) }

// bound is where the ids of a millisecond begin. It is no id itself.
func bound(at time.Time) string {
	ms := min(max(at.UnixMilli(), 0), 1<<48-1)
	return fmt.Sprintf("%08x-%04x", ms>>16, ms&0xffff)
}

func format(id [16]byte) string {
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[0:4], id[4:6], id[6:8], id[8:10], id[10:16])
}
