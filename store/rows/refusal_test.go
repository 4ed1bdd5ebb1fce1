package rows_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/store/rows"
	"footbridge/store/segment"

	"github.com/google/go-cmp/cmp"
)

var errSeen = errors.New("it is here already")

// putOnce puts a row unless it is there.
func putOnce(db *rows.DB, durable bool) error {
	return db.Update(context.Background(), durable, nil, func(tx *rows.Tx) error {
		if tx.Get("b", "k") != nil {
			return errSeen
		}
		tx.Put("b", "k", []byte("v"))
		return nil
	})
}

// "It is here already" is a promise: it is given when what it is about is
// durable, and not at all where that could not be made so.
func TestARefusalWaitsForWhatItSaw(t *testing.T) {
	for _, fails := range []bool{false, true} {
		var slow atomic.Bool
		syncing, proceed := make(chan struct{}, 100), make(chan error)
		db := open(t, t.TempDir(), rows.Config{Interval: time.Hour, Sync: func(f *os.File) error {
			if slow.Load() {
				syncing <- struct{}{}
				return <-proceed
			}
			return f.Sync()
		}})
		slow.Store(true)
		answers := make(chan error, 8)
		go func() { answers <- putOnce(db, true) }()
		<-syncing
		for range 7 {
			go func() { answers <- putOnce(db, true) }()
		}
		if err := putOnce(db, false); err != errSeen {
			t.Errorf("who asks for no promise hears %v", err)
		}
		if len(answers) > 0 {
			t.Fatal("answered before the sync")
		}
		var broken error
		if fails {
			broken = errors.New("disk on fire")
		}
		slow.Store(false)
		proceed <- broken
		got := map[string]int{}
		for range 8 {
			switch err := <-answers; {
			case err == nil:
				got["put"]++
			case errors.Is(err, errSeen):
				got["seen"]++
			default:
				got["failed"]++
			}
		}
		want := map[string]int{"put": 1, "seen": 7}
		if fails {
			want = map[string]int{"failed": 8}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		db.Close()
	}
}

// Who visits rows may read and write: the lock is not held meanwhile.
func TestVisitorsMayCallTheDatabase(t *testing.T) {
	db := open(t, t.TempDir(), rows.Config{Interval: time.Millisecond})
	defer db.Close()
	for i := range 100 {
		must(t, db.Update(t.Context(), false, nil, func(tx *rows.Tx) error { tx.Put("b", fmt.Sprintf("%03d", i), []byte{1}); return nil }))
	}
	seen := 0
	db.Scan("b", "", "", func(key string, _ []byte) bool {
		must(t, db.Update(t.Context(), false, nil, func(tx *rows.Tx) error { tx.Put("c", key, nil); return nil }))
		if db.Get("b", key) == nil || db.Get("c", key) == nil {
			t.Errorf("%s is gone", key)
		}
		seen++
		return true
	})
	if seen != 100 {
		t.Errorf("visited %d rows", seen)
	}
}

// A transaction scans what it and those before it have changed.
func TestATransactionScansWhatItSees(t *testing.T) {
	db := open(t, t.TempDir(), rows.Config{})
	defer db.Close()
	must(t, db.Update(t.Context(), false, nil, func(tx *rows.Tx) error {
		for _, key := range []string{"x/1", "x/2", "y/1"} {
			tx.Put("b", key, []byte("old"))
		}
		return nil
	}))
	must(t, db.Update(t.Context(), true, nil, func(tx *rows.Tx) error {
		tx.Put("b", "x/0", []byte("new"))
		tx.Put("b", "x/2", []byte("new"))
		tx.Put("other", "x/9", nil)
		tx.Delete("b", "x/1")
		var got []string
		tx.Scan("b", "x/", func(key string, value []byte) { got = append(got, key+" "+string(value)) })
		if diff := cmp.Diff([]string{"x/0 new", "x/2 new"}, got); diff != "" {
			t.Error(diff)
		}
		return nil
	}))
}

// Transactions that count what they see never count the same twice, in a group
// or across groups.
func TestTransactionsSeeEachOther(t *testing.T) {
	db := open(t, t.TempDir(), rows.Config{Interval: time.Millisecond})
	defer db.Close()
	var writers sync.WaitGroup
	for range 16 {
		writers.Go(func() {
			for i := range 50 {
				must(t, db.Update(t.Context(), i%10 == 0, nil, func(tx *rows.Tx) error {
					tx.Put("b", fmt.Sprintf("%06d", len(tx.Get("b", "n"))), nil)
					tx.Put("b", "n", append(tx.Get("b", "n"), 'x'))
					return nil
				}))
			}
		})
	}
	writers.Wait()
	if n, rows := len(db.Get("b", "n")), len(all(db, "b")); n != 800 || rows != 801 {
		t.Errorf("counted %d, %d rows", n, rows)
	}
}

func TestClosedAndFailed(t *testing.T) {
	db := open(t, t.TempDir(), rows.Config{})
	if db.Closed() != nil || db.Failed() != nil {
		t.Error(db.Closed(), db.Failed())
	}
	must(t, db.Close())
	if !errors.Is(db.Closed(), core.ErrClosed) {
		t.Error(db.Closed())
	}
	gone, stop := context.WithCancel(t.Context())
	stop()
	if err := db.Update(gone, true, nil, func(*rows.Tx) error { return nil }); err == nil {
		t.Error("a closed database took a transaction")
	}
}

func TestWhatCannotBeOpenedSaysWhy(t *testing.T) {
	dir := t.TempDir()
	db := open(t, dir, rows.Config{})
	_, err := rows.Open(filepath.Join(dir, "test.db"), filepath.Join(dir, "log"), rows.Config{})
	if err == nil || !strings.Contains(err.Error(), "another program has it open") {
		t.Errorf("opened twice: %v", err)
	}
	must(t, db.Close())
	must(t, os.WriteFile(filepath.Join(dir, "test.db"), []byte(strings.Repeat("no database ", 2000)), 0o600))
	_, err = rows.Open(filepath.Join(dir, "test.db"), filepath.Join(dir, "log"), rows.Config{})
	if err == nil || !strings.HasPrefix(err.Error(), "open the database: ") {
		t.Errorf("damaged: %v", err)
	}
}

// Whatever a row record holds, it is replayed or refused in words, and what was
// replayed once is there after the next start.
func FuzzReplay(f *testing.F) {
	f.Add([]byte("\x03b\x00k\x02v"))
	f.Add([]byte("\x03b\x00k\x00"))
	f.Add([]byte("\x03b\x00k\x01\x03b\x00l\x02v"))
	f.Add([]byte("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"))
	f.Add([]byte("\x05b\x00k"))
	f.Fuzz(func(t *testing.T, payload []byte) {
		dir := t.TempDir()
		noSync := func(*os.File) error { return nil }
		must(t, os.Mkdir(filepath.Join(dir, "log"), 0o700))
		log, err := segment.Open(filepath.Join(dir, "log"), segment.Config{Sync: noSync}, segment.Position{}, nil)
		must(t, err)
		var batch segment.Batch
		batch.Reset(log.End())
		batch.Rows(payload)
		must(t, errors.Join(log.Append(&batch), log.Close()))
		config := rows.Config{Interval: time.Hour, Sync: noSync}
		db, err := rows.Open(filepath.Join(dir, "test.db"), filepath.Join(dir, "log"), config)
		if err != nil {
			if !strings.Contains(err.Error(), "restore the store from a backup") {
				t.Error(err)
			}
			return
		}
		before := all(db, "b")
		db.Close()
		db, err = rows.Open(filepath.Join(dir, "test.db"), filepath.Join(dir, "log"), config)
		if err != nil {
			return // bbolt takes no such bucket or key; nothing was carried
		}
		defer db.Close()
		if diff := cmp.Diff(before, all(db, "b")); diff != "" {
			t.Error(diff)
		}
	})
}
