package core

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
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

func format(id [16]byte) string {
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[0:4], id[4:6], id[6:8], id[8:10], id[10:16])
}
