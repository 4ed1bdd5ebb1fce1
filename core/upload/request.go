package upload

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"unicode"

	"footbridge/core"
)

// normalise trims what old clients added and checks a slot request. Errors:
// *core.Invalid.
func normalise(r *core.Request, maxSize int64) error {
	r.ContentMD5 = strings.TrimSpace(r.ContentMD5)
	invalid := &core.Invalid{Entity: "UploadRequest"}
	if r.Name == "" {
		invalid.Complain("name", "cannot be null or blank")
	}
	if r.ContentType == "" {
		invalid.Complain("contentType", "cannot be null or blank")
	} else if strings.ContainsFunc(r.ContentType, unicode.IsControl) {
		invalid.Complain("contentType", "cannot have control characters: no header can hold them")
	}
	checkMetadata(invalid, r.Metadata)
	switch {
	case r.ContentLength <= 0:
		invalid.Complain("contentLength", "Invalid content length. Must be > 0.")
	case r.ContentLength > maxSize:
		invalid.Complain("contentLength", "Content length is above the allowed maximum of %d bytes. Send the data in smaller uploads.", maxSize)
	}
	if r.ContentMD5 == "" {
		invalid.Complain("contentMd5", "MD5 must not be empty.")
	} else if hash, err := base64.StdEncoding.DecodeString(r.ContentMD5); err != nil {
		invalid.Complain("contentMd5", "MD5 is not base64 encoded.")
	} else if len(hash) != 16 {
		invalid.Complain("contentMd5", "MD5 hash must be 16 bytes.")
	}
	return invalid.Err()
}

// Metadata describes a file; what is larger than this is a file of its own.
const (
	metadataKeys  = 500
	metadataBytes = 256 << 10 // of keys and values as JSON
	metadataDepth = 50        // of arrays and objects in each other
)

func checkMetadata(invalid *core.Invalid, metadata map[string]json.RawMessage) {
	size, depth := 0, 0
	for key, value := range metadata {
		size += len(key) + len(value)
		depth = max(depth, core.Depth(value))
	}
	switch {
	case len(metadata) > metadataKeys:
		invalid.Complain("metadata", "has more than %d keys. Send what is long in the file itself.", metadataKeys)
	case size > metadataBytes:
		invalid.Complain("metadata", "has more than %d bytes. Send what is long in the file itself.", metadataBytes)
	case depth > metadataDepth:
		invalid.Complain("metadata", "has more than %d arrays and objects in each other", metadataDepth)
	}
}

// Declared is what the headers of a PUT say.
type Declared struct {
	Length int64 // bytes; -1 where it is not stated
	Type   string
	MD5    string // base64
}

// agrees reports whether a PUT's headers are those of its slot.
func (d Declared) agrees(r core.Request) bool {
	return d.Length == r.ContentLength && d.Type == r.ContentType && strings.TrimSpace(d.MD5) == r.ContentMD5
}
