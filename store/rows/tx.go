package rows

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"footbridge/store/segment"

	bolt "go.etcd.io/bbolt"
)

// Tx is a transaction that is being executed. It sees every earlier one, and
// its own changes. It must not be kept.
type Tx struct {
	db       *DB
	group    map[string]change // of the transactions executed with this one
	changes  map[string]change
	order    []string
	body     segment.Place
	onCommit []func()
	wrong    error // a change that bbolt could never take
}

// Get gives a row, nil where there is none. The row must not be changed.
func (tx *Tx) Get(bucket Bucket, key string) []byte {
	at := place(bucket, key)
	if c, ok := tx.changes[at]; ok {
		return c
	}
	if c, ok := tx.group[at]; ok {
		return c
	}
	return tx.db.get(at)
}

// Scan hands the rows of a bucket whose keys start with prefix to visit, in
// order, as the transaction sees them. It is for few rows: all are held at once.
func (tx *Tx) Scan(bucket Bucket, prefix string, visit func(key string, value []byte)) {
	seen := map[string]change{}
	tx.db.Scan(bucket, prefix, "", func(key string, value []byte) bool {
		seen[key] = value
		return true
	})
	for _, newer := range []map[string]change{tx.group, tx.changes} {
		for at, c := range newer {
			if key, ok := strings.CutPrefix(at, place(bucket, "")); ok && strings.HasPrefix(key, prefix) {
				seen[key] = c
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(seen)) {
		if seen[key] != nil {
			visit(key, seen[key])
		}
	}
}

// Closed is nil: a transaction only runs while the database is open.
func (tx *Tx) Closed() error { return nil }

// Put sets a row.
func (tx *Tx) Put(bucket Bucket, key string, value []byte) {
	tx.set(place(bucket, key), present(value))
}

// Delete removes a row; it need not exist.
func (tx *Tx) Delete(bucket Bucket, key string) { tx.set(place(bucket, key), nil) }

func (tx *Tx) set(at string, c change) {
	if _, key := split(at); len(key) == 0 || len(key) > bolt.MaxKeySize {
		tx.wrong = fmt.Errorf("a row's key has %d bytes", len(key))
		return
	}
	if _, again := tx.changes[at]; !again {
		tx.order = append(tx.order, at)
	}
	tx.changes[at] = c
}

// Body is the place of the body that Update was given.
func (tx *Tx) Body() segment.Place { return tx.body }

// OnCommit calls f once the transaction's changes are seen by everyone. It
// must be quick and must not call the database.
func (tx *Tx) OnCommit(f func()) { tx.onCommit = append(tx.onCommit, f) }

// encode writes the changes: place, then value length + 1 (0: gone), value.
func (tx *Tx) encode(to []byte) []byte {
	for _, at := range tx.order {
		to = binary.AppendUvarint(to, uint64(len(at)))
		to = append(to, at...)
		c := tx.changes[at]
		if c == nil {
			to = binary.AppendUvarint(to, 0)
			continue
		}
		to = binary.AppendUvarint(to, uint64(len(c))+1)
		to = append(to, c...)
	}
	return to
}

var errRowRecord = errors.New("row record is malformed; restore the store from a backup")

// decode hands the changes that encode wrote to put, in order.
func decode(from []byte, put func(place string, c change)) error {
	take := func(n uint64) ([]byte, bool) {
		if n > uint64(len(from)) {
			return nil, false
		}
		taken := from[:n]
		from = from[n:]
		return taken, true
	}
	length := func() (uint64, bool) {
		n, size := binary.Uvarint(from)
		if size <= 0 {
			return 0, false
		}
		from = from[size:]
		return n, true
	}
	for len(from) > 0 {
		n, ok := length()
		if !ok {
			return errRowRecord
		}
		at, ok := take(n)
		if !ok {
			return errRowRecord
		}
		n, ok = length()
		if !ok {
			return errRowRecord
		}
		if n == 0 {
			put(string(at), nil)
			continue
		}
		value, ok := take(n - 1)
		if !ok {
			return errRowRecord
		}
		put(string(at), present(value))
	}
	return nil
}
