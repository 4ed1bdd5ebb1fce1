package remote

import (
	"cmp"
	"maps"
	"runtime"
	"slices"
	"strings"

	"github.com/rclone/rclone/fs"
)

// The rules here are: keys are lower case, as object stores and rclone make
// them; no key means anything to rclone or the remote, since a mode or a uid
// would be acted upon; an object takes no more than every remote can hold, and
// what is left out is in the annotations beside it.

// A remote takes 2 KiB of keys and values, some of them its own; a file system keeps them in one
// block of 4 KiB, where each takes up to 22 bytes more. It refuses all of them if
// the name of one is longer than it can be.
const (
	maxLabels   = 1900
	maxOnDisk   = 3500
	perLabel    = 22
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

// labels says what user metadata a remote can hold.
type labels struct {
	held     bool            // it holds any
	reserved map[string]bool // lower-case keys that are not the user's
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
// is prefixed with meta_. A key that is too long for the name of an attribute is
// left out alone. Where there is too much in all, the longest values go first,
// but those that name the record and the participant last.
func (l labels) fit(metadata map[string]string) fs.Metadata {
	if len(metadata) == 0 {
		return nil
	}
	fitted := fs.Metadata{}
	for _, prefixed := range []bool{false, true} {
		for _, key := range slices.Sorted(maps.Keys(metadata)) {
			name := strings.ToLower(key)
			if l.reserved[name] != prefixed {
				continue
			}
			for _, taken := fitted[name]; l.reserved[name] || taken; _, taken = fitted[name] {
				name = labelPrefix + name
			}
			fitted[name] = metadata[key]
		}
	}
	maps.DeleteFunc(fitted, func(key, _ string) bool { return len(diskPrefix+key) > maxName() })
	text, disk := 0, 0
	for key, value := range fitted {
		text += len(key) + len(value)
		disk += len(key) + len(value) + perLabel
	}
	for _, key := range expendable(fitted) {
		if text <= maxLabels && disk <= maxOnDisk {
			break
		}
		text -= len(key) + len(fitted[key])
		disk -= len(key) + len(fitted[key]) + perLabel
		delete(fitted, key)
	}
	return fitted
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
