package store

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"
	"time"

	"footbridge/core"
	"footbridge/store/rows"
)

// reservations is the room on the disk that open slots were promised, so that
// many slots together never promise more than there is. Safe for concurrent use.
type reservations struct {
	mu    sync.Mutex
	sizes map[string]int64 // slot key → bytes
	sum   int64
}

func (r *reservations) add(slot string, size int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.sizes == nil {
		r.sizes = map[string]int64{}
	}
	r.sum += size - r.sizes[slot]
	r.sizes[slot] = size
}

func (r *reservations) remove(slot string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sum -= r.sizes[slot]
	delete(r.sizes, slot)
}

func (r *reservations) total() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.sum
}

// slotKey sorts by expiry.
func slotKey(u core.Upload) string {
	return fmt.Sprintf("%013d/%s", u.ExpiresOn.UnixMilli(), u.ID)
}

// reserve promises room for a slot. Errors: core.ErrNoSpace.
func (s *Store) reserve(tx *rows.Tx, u core.Upload) error {
	if err := s.room(u.Request.ContentLength); err != nil {
		return err
	}
	key, size := slotKey(u), u.Request.ContentLength
	tx.Put(slotsBucket, key, strconv.AppendInt(nil, size, 10))
	tx.OnCommit(func() { s.slots.add(key, size) })
	return nil
}

// release takes back the promise to a slot.
func (s *Store) release(tx *rows.Tx, u core.Upload) {
	key := slotKey(u)
	tx.Delete(slotsBucket, key)
	tx.OnCommit(func() { s.slots.remove(key) })
}

// room checks that the disk holds so many bytes more than is promised and than
// must stay free. Errors: core.ErrNoSpace.
func (s *Store) room(size int64) error {
	free, floor, err := s.Room()
	if err == nil && free-size < floor {
		err = core.ErrNoSpace
	}
	return err
}

// Expire takes back the promises to slots whose URLs have expired, and reports
// how many there were.
func (s *Store) Expire(ctx context.Context) (int, error) {
	now := fmt.Sprintf("%013d", s.config.Now().Add(-time.Minute).UnixMilli())
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
			tx.Delete(slotsBucket, key)
			tx.OnCommit(func() { s.slots.remove(key) })
		}
		return nil
	})
	return len(expired), err
}

// Room tells how many bytes are left for uploads and how many must stay free
// besides.
func (s *Store) Room() (free, floor int64, err error) {
	floor = s.config.Floor()
	if s.config.FreeSpace == nil {
		return math.MaxInt64, floor, nil
	}
	total, err := s.config.FreeSpace()
	if err != nil {
		return 0, floor, fmt.Errorf("measure the disk: %w", err)
	}
	return int64(total) - s.slots.total(), floor, nil
}
