package rows_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/store/rows"
	"footbridge/store/segment"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func open(t interface{ Fatal(...any) }, dir string, config rows.Config) *rows.DB {
	db, err := rows.Open(filepath.Join(dir, "test.db"), filepath.Join(dir, "log"), config)
	if err != nil {
		t.Fatal(err)
	}
	return db
}

func all(db *rows.DB, bucket rows.Bucket) map[string]string {
	got := map[string]string{}
	db.Scan(bucket, "", "", func(k string, v []byte) bool { got[k] = string(v); return true })
	return got
}

// Whatever is put, deleted, carried into bbolt and reopened, the database
// holds what a map would, in order.
func TestHoldsWhatAMapWould(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "rows")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		config := rows.Config{Interval: time.Millisecond, SegmentSize: 512}
		db := open(t, dir, config)
		defer func() { db.Close() }()
		model := map[string]string{}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			key := rapid.StringMatching(`[a-d]{1,2}`).Draw(t, "key")
			value := rapid.StringN(0, 40, -1).Draw(t, "value")
			switch rapid.IntRange(0, 9).Draw(t, "what") {
			default:
				must(t, db.Update(context.Background(), true, nil, func(tx *rows.Tx) error { tx.Put("b", key, []byte(value)); return nil }))
				model[key] = value
			case 6, 7:
				must(t, db.Update(context.Background(), false, nil, func(tx *rows.Tx) error { tx.Delete("b", key); return nil }))
				delete(model, key)
			case 8:
				refused := errors.New("refused")
				if err := db.Update(context.Background(), true, []byte("body"), func(tx *rows.Tx) error { tx.Put("b", key, []byte("never")); return refused }); err != refused {
					t.Fatalf("got %v", err)
				}
			case 9:
				must(t, db.Close())
				db = open(t, dir, config)
			}
			if got := all(db, "b"); !maps.Equal(got, model) {
				t.Fatalf("got %v, want %v", got, model)
			}
		}
	})
}

func must(t interface{ Fatal(...any) }, err error) {
	if err != nil {
		t.Fatal(err)
	}
}

func TestScanKeepsToPrefixAndOrder(t *testing.T) {
	db := open(t, t.TempDir(), rows.Config{Interval: time.Millisecond})
	defer db.Close()
	for i := range 2000 {
		must(t, db.Update(context.Background(), i%100 == 0, nil, func(tx *rows.Tx) error {
			tx.Put("b", fmt.Sprintf("x/%04d", (i*7)%2000), []byte{1})
			tx.Put("b", fmt.Sprintf("y/%04d", i), nil)
			return nil
		}))
	}
	var got []string
	db.Scan("b", "x/", "x/0100", func(k string, _ []byte) bool { got = append(got, k); return true })
	if len(got) != 1900 || got[0] != "x/0100" || !slices.IsSorted(got) {
		t.Fatalf("got %d rows from %q, sorted %v", len(got), got[0], slices.IsSorted(got))
	}
}

// What a killed program leaves is the files as they are: a copy of them opens
// with every acknowledged row and body.
func TestReopensFromWhatAKilledProgramLeaves(t *testing.T) {
	dir := t.TempDir()
	db := open(t, dir, rows.Config{Interval: time.Hour})
	defer db.Close()
	var place segment.Place
	must(t, db.Update(context.Background(), true, []byte("a small body"), func(tx *rows.Tx) error {
		place = tx.Body()
		tx.Put("b", "k", []byte(place.String()))
		return nil
	}))
	left := t.TempDir()
	must(t, os.CopyFS(filepath.Join(left, "log"), os.DirFS(filepath.Join(dir, "log"))))
	tail, err := os.OpenFile(filepath.Join(left, "log", "00000001.log"), os.O_APPEND|os.O_WRONLY, 0)
	must(t, err)
	tail.WriteString("half a rec")
	must(t, tail.Close())

	again := open(t, left, rows.Config{})
	defer again.Close()
	if got := string(again.Get("b", "k")); got != place.String() {
		t.Fatalf("row is %q, want %q", got, place)
	}
	body, err := again.OpenBody(place)
	must(t, err)
	defer body.Close()
	if got, _ := io.ReadAll(body); string(got) != "a small body" {
		t.Fatalf("body is %q", got)
	}
	must(t, again.Update(context.Background(), true, nil, func(tx *rows.Tx) error { tx.Put("b", "k2", []byte("v")); return nil }))
}

// Sixteen writers that wait for durability share syncs.
func TestWritersShareSyncs(t *testing.T) {
	var syncs atomic.Int64
	db := open(t, t.TempDir(), rows.Config{Interval: time.Hour, Sync: func(*os.File) error {
		syncs.Add(1)
		time.Sleep(2 * time.Millisecond)
		return nil
	}})
	defer db.Close()
	opened := syncs.Load()
	var writers sync.WaitGroup
	for w := range 16 {
		writers.Go(func() {
			for i := range 20 {
				must(t, db.Update(context.Background(), true, nil, func(tx *rows.Tx) error {
					tx.Put("b", fmt.Sprint(w, "/", i), nil)
					return nil
				}))
			}
		})
	}
	writers.Wait()
	if used := syncs.Load() - opened; used > 160 {
		t.Errorf("320 durable transactions of 16 writers took %d syncs", used)
	}
	if got := len(all(db, "b")); got != 320 {
		t.Errorf("%d rows, want 320", got)
	}
}

// A sync that failed promises nothing, then or later.
func TestAFailedSyncIsNeverAPromise(t *testing.T) {
	var broken atomic.Bool
	db := open(t, t.TempDir(), rows.Config{Interval: time.Hour, Sync: func(f *os.File) error {
		if broken.Load() {
			return errors.New("disk on fire")
		}
		return f.Sync()
	}})
	defer db.Close()
	put := func() error {
		return db.Update(context.Background(), true, nil, func(tx *rows.Tx) error { tx.Put("b", "k", nil); return nil })
	}
	must(t, put())
	broken.Store(true)
	if put() == nil {
		t.Fatal("acknowledged though the sync failed")
	}
	broken.Store(false)
	if put() == nil {
		t.Fatal("acknowledged after a failed sync without starting again")
	}
}

func TestRowSegmentsAreDroppedOnceCarried(t *testing.T) {
	dir := t.TempDir()
	db := open(t, dir, rows.Config{Interval: time.Millisecond, SegmentSize: 4096})
	for i := range 300 {
		must(t, db.Update(context.Background(), true, nil, func(tx *rows.Tx) error { tx.Put("b", fmt.Sprint(i), make([]byte, 100)); return nil }))
	}
	must(t, db.Update(context.Background(), true, make([]byte, 5000), func(tx *rows.Tx) error { tx.Put("b", "body", []byte(tx.Body().String())); return nil }))
	for i := range 300 {
		must(t, db.Update(context.Background(), true, nil, func(tx *rows.Tx) error { tx.Put("b", fmt.Sprint(i), make([]byte, 100)); return nil }))
	}
	must(t, db.Close())
	left, _ := filepath.Glob(filepath.Join(dir, "log", "*.log"))
	if len(left) > 3 {
		t.Errorf("%d segments are left: %v", len(left), left)
	}
	db = open(t, dir, rows.Config{})
	defer db.Close()
	place, err := segment.ParsePlace(string(db.Get("b", "body")))
	must(t, err)
	body, err := db.OpenBody(place)
	must(t, err)
	defer body.Close()
	if got, _ := io.ReadAll(body); len(got) != 5000 {
		t.Errorf("the body has %d bytes", len(got))
	}
}

func TestClosedDatabaseRefuses(t *testing.T) {
	db := open(t, t.TempDir(), rows.Config{})
	must(t, db.Close())
	must(t, db.Close())
	err := db.Update(context.Background(), true, nil, func(*rows.Tx) error { return nil })
	if !errors.Is(err, core.ErrClosed) {
		t.Errorf("got %v", err)
	}
}

func TestAPanicIsOneTransactionsError(t *testing.T) {
	db := open(t, t.TempDir(), rows.Config{})
	defer db.Close()
	if db.Update(context.Background(), true, nil, func(*rows.Tx) error { panic("oops") }) == nil {
		t.Fatal("a transaction that panicked was acknowledged")
	}
	must(t, db.Update(context.Background(), true, nil, func(tx *rows.Tx) error { tx.Put("b", "k", []byte("v")); return nil }))
	if diff := cmp.Diff(map[string]string{"k": "v"}, all(db, "b")); diff != "" {
		t.Error(diff)
	}
}

// A key that bbolt cannot take is refused at once, and stops nothing.
func TestAKeyThatCannotBeKeptIsRefused(t *testing.T) {
	db := open(t, t.TempDir(), rows.Config{Interval: time.Millisecond})
	defer db.Close()
	for _, key := range []string{"", strings.Repeat("k", 40_000)} {
		if db.Update(context.Background(), true, nil, func(tx *rows.Tx) error { tx.Put("b", key, []byte("v")); return nil }) == nil {
			t.Errorf("a key of %d bytes was taken", len(key))
		}
	}
	must(t, db.Update(context.Background(), true, nil, func(tx *rows.Tx) error { tx.Put("b", "k", []byte("v")); return nil }))
	time.Sleep(20 * time.Millisecond)
	if err := db.Failed(); err != nil {
		t.Error(err)
	}
}
