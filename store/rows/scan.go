package rows

import (
	"bytes"
	"strings"

	bolt "go.etcd.io/bbolt"
)

// A scan takes so many rows at a time, first few, then more. None is visited
// before the lock is given back: who visits may read and write other rows.
const (
	scanFirst = 16
	scanChunk = 512
)

// Scan hands the rows of a bucket whose keys start with prefix and are not
// before from to visit, in order, until it returns false. visit may call the
// database. What is written meanwhile may be seen or not.
func (db *DB) Scan(bucket Bucket, prefix, from string, visit func(key string, value []byte) bool) {
	db.scan(onward, bucket, prefix, max(prefix, from), visit)
}

// ScanBack is Scan the other way: the rows whose keys start with prefix and are
// not after to (empty: all of them), the last one first.
func (db *DB) ScanBack(bucket Bucket, prefix, to string, visit func(key string, value []byte) bool) {
	end := behind(prefix)
	if to != "" && (end == "" || to < end) {
		end = next(to)
	}
	db.scan(back, bucket, prefix, end, visit)
}

// SiftBack is ScanBack over the rows that look takes, who is shown every row first. look
// is fast and keeps nothing of what it is shown, for nobody writes meanwhile. Once it
// wants no more, the row that it was shown is the last that is visited, where it takes it.
func (db *DB) SiftBack(bucket Bucket, prefix, to string, look func(key string, value []byte) (take, on bool), visit func(key string, value []byte) bool) {
	end := behind(prefix)
	if to != "" && (end == "" || to < end) {
		end = next(to)
	}
	db.sift(back, bucket, prefix, end, look, visit)
}

// way is which way a scan goes: onward from a key on, which is included, or back
// from a key on, which is not; there the empty key is behind all.
type way bool

const (
	onward way = false
	back   way = true
)

// first reports whether a key is met before another.
func (w way) first(key, other string) bool {
	if w == back {
		return key > other
	}
	return key < other
}

// next is the first key that may follow.
func next(key string) string { return key + "\x00" }

// behind is the first key that may follow those with a prefix; empty where none
// may.
func behind(prefix string) string {
	for i := len(prefix) - 1; i >= 0; i-- {
		if prefix[i] < 0xff {
			return prefix[:i] + string([]byte{prefix[i] + 1})
		}
	}
	return ""
}

func (db *DB) scan(w way, bucket Bucket, prefix, from string, visit func(key string, value []byte) bool) {
	every := func(string, []byte) (take, on bool) { return true, true }
	db.sift(w, bucket, prefix, from, every, visit)
}

func (db *DB) sift(w way, bucket Bucket, prefix, from string, look func(string, []byte) (bool, bool), visit func(key string, value []byte) bool) {
	for limit := scanFirst; ; limit = min(2*limit, scanChunk) {
		keys, values, last, more := db.some(w, bucket, prefix, from, limit, look)
		for i, key := range keys {
			if !visit(key, values[i]) {
				return
			}
		}
		if !more {
			return
		}
		if from = last; w == onward {
			from = next(from)
		}
	}
}

// some gives the rows that look takes among the next, who is shown at most limit, the
// last of them, and whether there may be more.
func (db *DB) some(w way, bucket Bucket, prefix, from string, limit int, look func(string, []byte) (take, on bool)) (keys []string, values [][]byte, last string, more bool) {
	db.mu.RLock()
	defer db.mu.RUnlock()
	shown := 0
	sources := []source{&layerSource{db.active.Iter(), place(bucket, ""), w}}
	if db.frozen != nil {
		sources = append(sources, &layerSource{db.frozen.Iter(), place(bucket, ""), w})
	}
	db.bolt.View(func(tx *bolt.Tx) error { // it cannot fail while the database is open
		if b := tx.Bucket([]byte(bucket)); b != nil {
			sources = append(sources, boltSource{b.Cursor(), w})
		}
		merge(w, sources, from, func(key string, value []byte) bool {
			if !strings.HasPrefix(key, prefix) {
				return false
			}
			take, on := look(key, value)
			if take {
				keys, values = append(keys, key), append(values, bytes.Clone(value))
			}
			shown++
			last, more = key, on && shown == limit
			return on && !more
		})
		return nil
	})
	return keys, values, last, more
}

// merge walks sources together from a key on, first source first, and hands
// every row that is not gone to visit until it returns false.
func merge(w way, sources []source, from string, visit func(key string, value []byte) bool) {
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
			if h.ok && (first < 0 || w.first(h.key, heads[first].key)) {
				first = i
			}
		}
		if first < 0 {
			return
		}
		row := heads[first]
		for i, s := range sources {
			if heads[i].ok && heads[i].key == row.key {
				heads[i].key, heads[i].value, heads[i].ok = s.step()
			}
		}
		if row.value != nil && !visit(row.key, row.value) {
			return
		}
	}
}
