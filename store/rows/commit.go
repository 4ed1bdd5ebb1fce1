package rows

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"footbridge/core"
	"footbridge/core/crash"
	"footbridge/store/segment"

	bolt "go.etcd.io/bbolt"
)

const (
	groupBytes  = 4 << 20  // a group is appended when it is this large
	groupSize   = 256      // or has this many transactions
	carryRows   = 8 << 10  // rows are carried into bbolt when this many wait
	carryBytes  = 8 << 20  // or this many bytes
	activeBytes = 24 << 20 // writers wait while this many bytes of rows are in memory
)

// companyShare is the part of a sync's time for which others are waited for.
const companyShare = 3

// op is one transaction on its way.
type op struct {
	fn      func(*Tx) error
	body    []byte
	durable bool
	refused error         // fn's own error
	taken   atomic.Bool   // by the executor, or by a caller who gave up waiting
	ran     chan struct{} // closed once fn has run
	done    chan error    // has room for one
}

// execute runs transactions one after the other, those that wait as a group.
func (db *DB) execute() {
	defer db.running.Done()
	defer close(db.executed)
	defer close(db.syncs)
	var batch segment.Batch
	for {
		var first *op
		select {
		case first = <-db.ops:
		case <-db.closing:
			db.refuse()
			return
		}
		if err := db.waitForRoom(); err != nil {
			first.done <- err
			continue
		}
		db.group(&batch, first)
	}
}

// refuse answers what was asked for but not begun when the database closed.
func (db *DB) refuse() {
	for {
		select {
		case o := <-db.ops:
			o.done <- core.ErrClosed
		default:
			return
		}
	}
}

// group executes first and what waits behind it, appends all of it at once,
// and lets everyone see it. Nobody is answered earlier: even a refusal was
// decided by rows that may still come to nothing.
func (db *DB) group(batch *segment.Batch, first *op) {
	if err := db.log.Rotate(); err != nil {
		first.done <- err
		return
	}
	batch.Reset(db.log.End())
	group := map[string]change{}
	var executed []*op
	var onCommit []func()
	var payload []byte
	for o := first; o != nil; o = db.another(batch, executed) {
		if !o.taken.CompareAndSwap(false, true) {
			continue // its caller gave up
		}
		before := batch.Len()
		tx := &Tx{db: db, group: group, changes: map[string]change{}}
		if len(o.body) > 0 {
			tx.body = batch.Body(o.body)
		}
		if o.refused = run(o.fn, tx); o.refused != nil {
			batch.Cut(before)
		} else {
			payload = tx.encode(payload[:0])
			batch.Rows(payload)
			maps.Copy(group, tx.changes)
			onCommit = append(onCommit, tx.onCommit...)
		}
		close(o.ran)
		executed = append(executed, o)
	}
	if batch.Len() > 0 {
		if err := db.log.Append(batch); err != nil {
			for _, o := range executed {
				o.done <- noSpace(err)
			}
			return
		}
		db.publish(group, onCommit)
		defer db.config.Committed()
	}
	for _, o := range executed {
		if o.durable {
			db.syncs <- o
		} else {
			o.done <- o.refused
		}
	}
}

// another gives the next transaction that waits, nil where none does or the
// group is large enough.
func (db *DB) another(batch *segment.Batch, executed []*op) *op {
	if batch.Len() >= groupBytes || len(executed) >= groupSize {
		return nil
	}
	select {
	case o := <-db.ops:
		return o
	default:
		return nil
	}
}

// run executes a transaction; a panic, or a change that could not be kept, is that
// transaction's error alone.
func run(fn func(*Tx) error, tx *Tx) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("transaction panicked: %v", p)
		}
	}()
	if err := fn(tx); err != nil {
		return err
	}
	return tx.wrong
}

func (db *DB) publish(group map[string]change, onCommit []func()) {
	db.mu.Lock()
	for at, c := range group {
		db.active.put(at, c)
	}
	db.end = db.log.End()
	full := db.active.Len() > carryRows || db.active.size > carryBytes
	db.mu.Unlock()
	for _, f := range onCommit {
		f()
	}
	if full {
		db.wakeCarrier()
	}
}

func (db *DB) wakeCarrier() {
	select {
	case db.transfer <- struct{}{}:
	default:
	}
}

// waiting is how many bytes of rows bbolt does not hold yet.
func (db *DB) waiting() int {
	if db.frozen != nil {
		return db.active.size + db.frozen.size
	}
	return db.active.size
}

// waitForRoom holds writers back while bbolt does not keep up, and turns them
// away while it takes nothing.
func (db *DB) waitForRoom() error {
	db.mu.Lock()
	defer db.mu.Unlock()
	for db.waiting() > activeBytes {
		if db.failed != nil {
			return db.failed
		}
		db.wakeCarrier()
		db.room.Wait()
	}
	return nil
}

// sync makes executed transactions durable: all that wait share one sync. One
// that was refused waits too: what it saw is durable when its caller hears of it.
func (db *DB) sync() {
	defer db.running.Done()
	var last time.Duration // of a sync
	company := 1           // how many shared it
	for first := range db.syncs {
		waiting := db.gather(first, company, last/companyShare)
		begun := time.Now()
		err := noSpace(db.log.Sync())
		last, company = time.Since(begun), len(waiting)
		for _, o := range waiting {
			if err != nil {
				o.done <- err
			} else {
				o.done <- o.refused
			}
		}
	}
}

// gather takes up everyone who waits for a sync. Those whom the last one let go
// are on their way back: to begin without them would make them wait for this
// sync and for theirs. So as many as shared the last are waited for, for a part
// of the time that a sync takes.
func (db *DB) gather(first *op, company int, patience time.Duration) []*op {
	waiting := []*op{first}
	late := time.NewTimer(patience)
	defer late.Stop()
	for {
		select {
		case o, ok := <-db.syncs:
			if !ok {
				return waiting
			}
			waiting = append(waiting, o)
			continue
		default:
		}
		if len(waiting) >= company {
			return waiting
		}
		select {
		case o, ok := <-db.syncs:
			if !ok {
				return waiting
			}
			waiting = append(waiting, o)
		case <-late.C:
			return waiting
		}
	}
}

// carry transfers rows into bbolt, now and then or when there are many.
func (db *DB) carry() {
	defer db.running.Done()
	tick := time.NewTicker(db.config.Interval)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-db.transfer:
		case <-db.executed:
			return
		}
		err := noSpace(db.carryOnce())
		db.mu.Lock()
		db.failed = err
		db.room.Broadcast()
		db.mu.Unlock()
	}
}

// carryOnce writes every row seen so far into bbolt, and up to where in the log
// that is. Rows that could not be written stay in memory and in the log.
func (db *DB) carryOnce() error {
	db.mu.Lock()
	if db.frozen == nil {
		if db.active.Len() == 0 {
			db.mu.Unlock()
			return nil
		}
		db.frozen, db.active = db.active, &layer{}
	}
	frozen, end := db.frozen, db.end
	if db.active.Len() > 0 { // a transfer that failed before left newer rows behind
		db.active.Scan(func(at string, c change) bool { frozen.put(at, c); return true })
		db.active = &layer{}
	}
	db.mu.Unlock()

	if err := db.log.Sync(); err != nil { // bbolt must never know of bytes that the log may lose
		return err
	}
	crash.Point("rows.carry")
	if err := db.bolt.Update(func(tx *bolt.Tx) error { return write(tx, frozen, end) }); err != nil {
		return fmt.Errorf("write the database: %w", err)
	}
	crash.Point("rows.carried")
	db.mu.Lock()
	db.frozen = nil
	db.mu.Unlock()
	return db.log.Drop(end)
}

func write(tx *bolt.Tx, rows *layer, end segment.Position) error {
	buckets := map[Bucket]*bolt.Bucket{}
	var failed error
	rows.Scan(func(at string, c change) bool {
		name, key := split(at)
		b := buckets[name]
		if b == nil {
			if b, failed = tx.CreateBucketIfNotExists([]byte(name)); failed != nil {
				return false
			}
			b.FillPercent = 0.9 // ids sort by time: most rows are added at the end
			buckets[name] = b
		}
		if c == nil {
			failed = b.Delete([]byte(key))
		} else {
			failed = b.Put([]byte(key), c)
		}
		return failed == nil
	})
	if failed != nil {
		return failed
	}
	meta, err := tx.CreateBucketIfNotExists(metaBucket)
	if err != nil {
		return err
	}
	position := binary.BigEndian.AppendUint64(nil, end.Segment)
	return meta.Put(checkpointKey, binary.BigEndian.AppendUint64(position, uint64(end.Offset)))
}

// noSpace makes a full disk recognisable.
func noSpace(err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) ||
		err != nil && strings.Contains(err.Error(), "not enough space on the disk") {
		return fmt.Errorf("%w: %w", core.ErrNoSpace, err)
	}
	return err
}
