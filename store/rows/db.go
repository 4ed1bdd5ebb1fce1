package rows

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"footbridge/core"
	"footbridge/store/segment"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// Config says how a database behaves; its zero value works.
type Config struct {
	SegmentSize int64                // bytes; 0: the log's default
	Sync        func(*os.File) error // makes a file durable; nil: (*os.File).Sync
	Interval    time.Duration        // between two transfers into bbolt; 0: one second
	Committed   func()               // called after each group of transactions is seen
}

// DB is a set of buckets.
type DB struct {
	config Config
	bolt   *bolt.DB
	log    *segment.Log

	ops      chan *op
	syncs    chan *op // executed ones that wait for durability
	transfer chan struct{}
	closing  chan struct{} // no new transactions
	executed chan struct{} // the last one has been executed
	finished chan struct{} // and every one is answered
	closed   sync.Once
	running  sync.WaitGroup

	mu     sync.RWMutex // guards what follows
	room   *sync.Cond   // active has room again
	active *layer       // rows seen, not yet in bbolt
	frozen *layer       // rows on their way into bbolt; may be nil
	end    segment.Position
	failed error // the last transfer's error
}

// Open opens the database: bbolt at path, the log in the folder logs. Both are
// made where they are missing.
func Open(path, logs string, config Config) (*DB, error) {
	if config.Interval == 0 {
		config.Interval = time.Second
	}
	if config.Committed == nil {
		config.Committed = func() {}
	}
	if err := os.MkdirAll(logs, 0o700); err != nil {
		return nil, fmt.Errorf("open the log: %w", err)
	}
	b, err := openBolt(path)
	if err != nil {
		return nil, err
	}
	db := &DB{
		config: config, bolt: b, active: &layer{},
		ops: make(chan *op, 1024), syncs: make(chan *op, 4096),
		transfer: make(chan struct{}, 1), closing: make(chan struct{}),
		executed: make(chan struct{}), finished: make(chan struct{}),
	}
	db.room = sync.NewCond(&db.mu)
	from, err := db.checkpoint()
	if err == nil {
		db.log, err = segment.Open(logs, segment.Config{Size: config.SegmentSize, Sync: config.Sync}, from, func(payload []byte) error {
			return decode(payload, db.active.put)
		})
	}
	if err != nil {
		b.Close()
		return nil, err
	}
	db.end = db.log.End()
	db.running.Add(3)
	go db.execute()
	go db.sync()
	go db.carry()
	return db, nil
}

// openBolt opens bbolt; a damaged file can make it panic, which is an error here.
func openBolt(path string) (b *bolt.DB, err error) {
	defer func() {
		if p := recover(); p != nil {
			b, err = nil, fmt.Errorf("open the database: it is damaged (%v); restore it from a backup", p)
		}
	}()
	b, err = bolt.Open(path, 0o600, &bolt.Options{Timeout: time.Second, FreelistType: bolt.FreelistMapType})
	if errors.Is(err, bolterrors.ErrTimeout) {
		return nil, fmt.Errorf("open the database: another program has it open")
	}
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	return b, nil
}

// Update executes fn as a transaction. With a body it is appended beside the
// rows, and tx.Body tells its place. A durable transaction is durable when
// Update returns nil. Errors: fn's own, with no effect; ErrNoSpace; ErrClosed;
// ctx's, when it ends first: then the transaction may yet take effect. It may
// also after a failed sync: the program has to start again to find out.
func (db *DB) Update(ctx context.Context, durable bool, body []byte, fn func(*Tx) error) error {
	o := &op{fn: fn, body: body, durable: durable, ran: make(chan struct{}), done: make(chan error, 1)}
	select {
	case db.ops <- o:
	case <-db.closing:
		return core.ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err := <-o.done:
		return err
	case <-ctx.Done():
		if !o.taken.CompareAndSwap(false, true) {
			<-o.ran // fn must not run on behind its caller's back
		}
		return ctx.Err()
	case <-db.finished:
		select {
		case err := <-o.done:
			return err
		default:
			return core.ErrClosed
		}
	}
}

// Get gives a copy of a row, nil where there is none.
func (db *DB) Get(bucket Bucket, key string) []byte { return db.get(place(bucket, key)) }

func (db *DB) get(at string) []byte {
	db.mu.RLock()
	defer db.mu.RUnlock()
	if c, ok := db.active.Get(at); ok {
		return c
	}
	if db.frozen != nil {
		if c, ok := db.frozen.Get(at); ok {
			return c
		}
	}
	var value []byte
	db.bolt.View(func(tx *bolt.Tx) error { // it cannot fail while the database is open
		bucket, key := split(at)
		if b := tx.Bucket([]byte(bucket)); b != nil {
			value = bytes.Clone(b.Get([]byte(key)))
		}
		return nil
	})
	return value
}

// OpenBody opens a body at its place. The caller closes it.
func (db *DB) OpenBody(p segment.Place) (io.ReadCloser, error) { return db.log.Open(p) }

// Closed is core.ErrClosed once Close was called: a row that was not found then
// may well exist.
func (db *DB) Closed() error {
	select {
	case <-db.closing:
		return core.ErrClosed
	default:
		return nil
	}
}

// Failed is why rows cannot be carried into bbolt, nil where they can.
func (db *DB) Failed() error {
	db.mu.RLock()
	defer db.mu.RUnlock()
	return db.failed
}

// Close ends the database: what was acknowledged is durable, the rest is made
// so where it can be. It is idempotent.
func (db *DB) Close() error {
	var err error
	db.closed.Do(func() {
		close(db.closing)
		db.running.Wait()
		close(db.finished)
		err = errors.Join(db.carryOnce(), db.log.Close(), db.bolt.Close())
	})
	return err
}

var (
	metaBucket    = []byte("meta")
	checkpointKey = []byte("checkpoint")
)

// checkpoint is the position of the log up to which bbolt holds the rows.
func (db *DB) checkpoint() (p segment.Position, err error) {
	err = db.bolt.View(func(tx *bolt.Tx) error {
		b := tx.Bucket(metaBucket)
		if b == nil {
			return nil
		}
		if v := b.Get(checkpointKey); len(v) == 16 {
			p.Segment, p.Offset = binary.BigEndian.Uint64(v), int64(binary.BigEndian.Uint64(v[8:]))
		}
		return nil
	})
	return p, err
}
