package store

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"footbridge/core"
	"footbridge/store/rows"
)

// The rules here are: a slot is only issued when the disk holds its bytes beside
// those of every slot that is open; so what was promised is counted in the same
// transaction that promises it. The promise ends when the bytes are here or the
// slot's URL has expired.

// reservedKey is the row that holds how many bytes are promised.
const reservedKey = "reserved"

// expiryGrace is how long after its URL's expiry a slot keeps its room: a PUT
// may have begun before.
const expiryGrace = time.Minute

// slotKey sorts by expiry.
func slotKey(u core.Upload) string {
	return fmt.Sprintf("%013d/%s", u.ExpiresOn.UnixMilli(), u.ID)
}

// reserve promises room for a slot. Errors: core.ErrNoSpace.
func (s *Store) reserve(tx *rows.Tx, u core.Upload) error {
	if err := s.room(tx, u.Request.ContentLength); err != nil {
		return err
	}
	tx.Put(slotsBucket, slotKey(u), strconv.AppendInt(nil, u.Request.ContentLength, 10))
	promise(tx, u.Request.ContentLength)
	return nil
}

// release takes back the promise to a slot, if there is one.
func release(tx *rows.Tx, key string) {
	if size := tx.Get(slotsBucket, key); size != nil {
		tx.Delete(slotsBucket, key)
		promise(tx, -number(size))
	}
}

func promise(tx *rows.Tx, bytes int64) {
	tx.Put(siteBucket, reservedKey, strconv.AppendInt(nil, number(tx.Get(siteBucket, reservedKey))+bytes, 10))
}

// room checks that the disk holds so many bytes more than is promised and than
// must stay free. Errors: core.ErrNoSpace.
func (s *Store) room(tx *rows.Tx, size int64) error {
	free, floor, err := s.left(tx)
	if err == nil && free-size < floor {
		err = core.ErrNoSpace
	}
	return err
}

// Expire takes back the promises to slots whose URLs have expired, up to a
// thousand at once, and reports how many there were.
func (s *Store) Expire(ctx context.Context) (int, error) {
	now := fmt.Sprintf("%013d", s.config.Now().Add(-expiryGrace).UnixMilli())
	var expired []string
	s.rows.Scan(slotsBucket, "", "", func(key string, _ []byte) bool {
		expiry, _, _ := strings.Cut(key, "/")
		if expiry < now {
			expired = append(expired, key)
		}
		return expiry < now && len(expired) < 1000
	})
	if len(expired) == 0 {
		return 0, nil
	}
	err := s.note(ctx, func(tx *rows.Tx) error {
		for _, key := range expired {
			release(tx, key)
		}
		return nil
	})
	return len(expired), err
}

// Room tells how many bytes are left for uploads and how many must stay free
// besides.
func (s *Store) Room() (free, floor int64, err error) { return s.left(s.rows) }

func (s *Store) left(from getter) (free, floor int64, err error) {
	floor = s.config.Floor()
	if s.config.FreeSpace == nil {
		return math.MaxInt64, floor, nil
	}
	total, err := s.config.FreeSpace()
	if err != nil {
		return 0, floor, fmt.Errorf("measure the disk: %w", err)
	}
	return int64(total) - number(from.Get(siteBucket, reservedKey)), floor, nil
}

func number(text []byte) int64 {
	n, _ := strconv.ParseInt(string(text), 10, 64)
	return n
}
