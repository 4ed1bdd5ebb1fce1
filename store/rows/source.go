package rows

import (
	"strings"

	"github.com/tidwall/btree"
	bolt "go.etcd.io/bbolt"
)

// source gives rows of one bucket the way that a scan goes; the earlier source
// hides the later. After ok was false it is not asked again.
type source interface {
	seek(key string) (k string, v []byte, ok bool)
	step() (k string, v []byte, ok bool)
}

type layerSource struct {
	iter   btree.MapIter[string, change]
	prefix string // bucket and NUL
	way    way
}

func (s *layerSource) seek(key string) (string, []byte, bool) {
	if s.way == onward {
		return s.row(s.iter.Seek(s.prefix + key))
	}
	end := s.prefix + key
	if key == "" {
		end = behind(s.prefix)
	}
	if s.iter.Seek(end) {
		return s.row(s.iter.Prev())
	}
	return s.row(s.iter.Last())
}

func (s *layerSource) step() (string, []byte, bool) {
	if s.way == onward {
		return s.row(s.iter.Next())
	}
	return s.row(s.iter.Prev())
}

func (s *layerSource) row(ok bool) (string, []byte, bool) {
	if !ok || !strings.HasPrefix(s.iter.Key(), s.prefix) {
		return "", nil, false
	}
	return s.iter.Key()[len(s.prefix):], s.iter.Value(), true
}

type boltSource struct {
	cursor *bolt.Cursor
	way    way
}

func (s boltSource) seek(key string) (string, []byte, bool) {
	if s.way == onward {
		return boltRow(s.cursor.Seek([]byte(key)))
	}
	if key != "" {
		if k, _ := s.cursor.Seek([]byte(key)); k != nil {
			return boltRow(s.cursor.Prev())
		}
	}
	return boltRow(s.cursor.Last())
}

func (s boltSource) step() (string, []byte, bool) {
	if s.way == onward {
		return boltRow(s.cursor.Next())
	}
	return boltRow(s.cursor.Prev())
}

func boltRow(k, v []byte) (string, []byte, bool) { return string(k), v, k != nil }
