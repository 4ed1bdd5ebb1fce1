package remote

import (
	"github.com/rclone/rclone/fs/hash"

	"footbridge/core"
)

// SortOut gives the kind of an error of a backend.
var SortOut = sortOut

// Source shows an object as rclone is shown it where the remote tells no MD5.
func Source(obj core.Object) *source {
	return &source{object: obj, name: obj.Path, types: hash.NewHashSet(hash.MD5)}
}
