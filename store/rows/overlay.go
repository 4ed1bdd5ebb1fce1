package rows

import (
	"bytes"
	"strings"

	"github.com/tidwall/btree"
)

// Bucket names a set of rows.
type Bucket string

// place is a row's key in the overlay: bucket, NUL, key.
func place(bucket Bucket, key string) string { return string(bucket) + "\x00" + key }

func split(place string) (Bucket, string) {
	bucket, key, _ := strings.Cut(place, "\x00")
	return Bucket(bucket), key
}

// change is a row's new value; nil means that the row is gone.
type change []byte

// layer is rows that bbolt does not hold yet, in order.
type layer struct {
	btree.Map[string, change]
	size int // bytes of keys and values, roughly
}

func (l *layer) put(place string, c change) {
	l.size += len(place) + len(c)
	l.Set(place, c)
}

// value of a row that exists is never nil, even when it is empty.
func present(v []byte) change {
	if v == nil {
		return change{}
	}
	return bytes.Clone(v)
}
