package remote

import (
	"cmp"
	"encoding/base64"
	"maps"
	"mime"
	"runtime"
	"slices"
	"strings"

	"github.com/rclone/rclone/fs"
)

// The rules here are: keys are lower case, as object stores and rclone make
// them; no key means anything to rclone or the remote, since a mode or a uid
// would be acted upon; an object takes no more than its remote can hold, and
// what is left out is in the annotations beside it; a value that a header cannot
// carry as it is goes in as an encoded word (RFC 2047), since rclone would drop
// it without a word.

const (
	labelPrefix = "meta_"
	diskPrefix  = "user." // of a name in a file system
)

// maxName is how long the name of an extended attribute may be, in bytes.
func maxName() int {
	if runtime.GOOS == "darwin" {
		return 127
	}
	return 255
}

// limits are what a kind of remote can hold of one object, in bytes. Zero means
// as much as you like, but for text: without any, it holds nothing.
type limits struct {
	text        int  // of keys and values; S3 and Azure allow 2 KiB, some of it their own
	block       int  // with perKey for each key: a file system keeps all in one block of 4 KiB, some stores count x-amz-meta-
	perKey      int  // beside the key and its value
	key         int  // of one key
	pair        int  // of a key and its value
	pairs       int  // how many
	header      bool // they travel as headers
	identifiers bool // keys are those of a programming language
}

// labels says what user metadata a remote can hold.
type labels struct {
	held     bool            // it holds any
	reserved map[string]bool // lower-case keys that are not the user's
	limits   limits
}

// reserved gives the keys that rclone or any remote of ours gives a meaning.
func reserved(kind *fs.RegInfo) map[string]bool {
	keys := map[string]bool{}
	for _, key := range []string{
		"mode", "uid", "gid", "rdev", "atime", "mtime", "btime", "md5chksum", "tier", "content-type",
		"cache-control", "content-disposition", "content-encoding", "content-language", "x-amz-tagging",
	} {
		keys[key] = true
	}
	if kind.MetadataInfo != nil {
		for key := range kind.MetadataInfo.System {
			keys[strings.ToLower(key)] = true
		}
	}
	return keys
}

// fit gives metadata as the remote will hold it, nil for none. A reserved key
// is prefixed with meta_. What is too long by itself is left out alone. Where
// there is too much in all, the longest values go first, but those that name the
// record and the participant last.
func (l labels) fit(metadata map[string]string) fs.Metadata {
	if len(metadata) == 0 {
		return nil
	}
	fitted := fs.Metadata{}
	for _, prefixed := range []bool{false, true} {
		for _, key := range slices.Sorted(maps.Keys(metadata)) {
			name := l.limits.name(strings.ToLower(key))
			if l.reserved[name] != prefixed {
				continue
			}
			for _, taken := fitted[name]; l.reserved[name] || taken; _, taken = fitted[name] {
				name = labelPrefix + name
			}
			fitted[name] = l.limits.value(metadata[key])
		}
	}
	maps.DeleteFunc(fitted, func(key, value string) bool {
		return l.limits.key > 0 && len(key) > l.limits.key || l.limits.pair > 0 && len(key)+len(value) > l.limits.pair
	})
	text, disk := 0, 0
	for key, value := range fitted {
		text += len(key) + len(value)
		disk += len(key) + len(value) + l.limits.perKey
	}
	for _, key := range expendable(fitted) {
		if text <= l.limits.text && (l.limits.block == 0 || disk <= l.limits.block) && (l.limits.pairs == 0 || len(fitted) <= l.limits.pairs) {
			break
		}
		text -= len(key) + len(fitted[key])
		disk -= len(key) + len(fitted[key]) + l.limits.perKey
		delete(fitted, key)
	}
	return fitted
}

// name gives a key as the remote takes it.
func (l limits) name(key string) string {
	if !l.header {
		return key
	}
	key = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '_' || r == '.' && !l.identifiers {
			return r
		}
		return '_'
	}, key)
	if l.identifiers && (key == "" || key[0] <= '9') {
		return "_" + key
	}
	return key
}

// value gives a value as the remote takes it.
func (l limits) value(value string) string {
	if !l.header {
		return value
	}
	encoded := mime.BEncoding.Encode("utf-8", value)
	trimmed := strings.Join(strings.Fields(value), " ") == value
	if encoded == value && (value == "" || !trimmed || strings.Contains(value, "=?")) {
		return "=?utf-8?b?" + base64.StdEncoding.EncodeToString([]byte(value)) + "?="
	}
	return encoded
}

// meant gives a value as it was before the remote took it.
func (l limits) meant(value string) string {
	if !l.header {
		return value
	}
	if decoded, err := new(mime.WordDecoder).DecodeHeader(value); err == nil {
		return decoded
	}
	return value
}

// expendable gives the keys in the order in which they may be left out.
func expendable(metadata fs.Metadata) []string {
	rank := map[string]int{"participantversion": 1, "healthcode": 2, "recordid": 3}
	return slices.SortedFunc(maps.Keys(metadata), func(a, b string) int {
		return cmp.Or(rank[a]-rank[b], len(metadata[b])-len(metadata[a]), cmp.Compare(a, b))
	})
}

// user gives the part of what a remote holds that is not its own.
func (l labels) user(metadata fs.Metadata) map[string]string {
	labels := map[string]string{}
	for key, value := range metadata {
		if key = strings.ToLower(key); !l.reserved[key] {
			labels[key] = value
		}
	}
	return labels
}

// plain gives the user's part as it was meant.
func (l labels) plain(metadata fs.Metadata) map[string]string {
	labels := l.user(metadata)
	for key, value := range labels {
		labels[key] = l.limits.meant(value)
	}
	return labels
}
