package rows

import (
	"bytes"
	"strings"

	"github.com/tidwall/btree"
	bolt "go.etcd.io/bbolt"
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

// source gives rows of one bucket in order; the earlier source hides the later.
type source interface {
	seek(key string) (k string, v []byte, ok bool)
	next() (k string, v []byte, ok bool)
}

type layerSource struct {
	iter   btree.MapIter[string, change]
	prefix string // bucket and NUL
}

func (s *layerSource) seek(key string) (string, []byte, bool) {
	return s.row(s.iter.Seek(s.prefix + key))
}
func (s *layerSource) next() (string, []byte, bool) { return s.row(s.iter.Next()) }

func (s *layerSource) row(ok bool) (string, []byte, bool) {
	if !ok || !strings.HasPrefix(s.iter.Key(), s.prefix) {
		return "", nil, false
	}
	return s.iter.Key()[len(s.prefix):], s.iter.Value(), true
}

type boltSource struct{ cursor *bolt.Cursor }

func (s boltSource) seek(key string) (string, []byte, bool) {
	k, v := s.cursor.Seek([]byte(key))
	return string(k), v, k != nil
}

func (s boltSource) next() (string, []byte, bool) {
	k, v := s.cursor.Next()
	return string(k), v, k != nil
}

// merge walks sources together from a key on, first source first, and hands
// every row that is not gone to visit until it returns false.
func merge(sources []source, from string, visit func(key string, value []byte) bool) {
	type head struct {
		key   string
		value []byte
		ok    bool
	}
	heads := make([]head, len(sources))
	for i, s := range sources {
		heads[i].key, heads[i].value, heads[i].ok = s.seek(from)
	}
	for {
		first := -1
		for i, h := range heads {
			if h.ok && (first < 0 || h.key < heads[first].key) {
				first = i
			}
		}
		if first < 0 {
			return
		}
		row := heads[first]
		for i, s := range sources {
			if heads[i].ok && heads[i].key == row.key {
				heads[i].key, heads[i].value, heads[i].ok = s.next()
			}
		}
		if row.value != nil && !visit(row.key, row.value) {
			return
		}
	}
}

// value of a row that exists is never nil, even when it is empty.
func present(v []byte) change {
	if v == nil {
		return change{}
	}
	return bytes.Clone(v)
}
