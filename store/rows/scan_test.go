package rows_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"footbridge/store/rows"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// keys gives the keys that a scan visits, at most so many.
func keys(most int, scan func(visit func(string, []byte) bool)) (got []string) {
	scan(func(k string, _ []byte) bool {
		got = append(got, k)
		return len(got) < most
	})
	return got
}

// Whichever way a scan goes, and whether rows are in memory, on their way or in
// bbolt, it visits what a sorted map holds between its bounds and no other
// bucket's rows.
func TestScansBothWaysLikeASortedMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "rows")
		must(t, err)
		defer os.RemoveAll(dir)
		config := rows.Config{Interval: rapid.SampledFrom([]time.Duration{time.Millisecond, time.Hour}).Draw(t, "interval")}
		db := open(t, dir, config)
		defer func() { db.Close() }()
		key := rapid.StringMatching(`[abc\x00\xff]{1,3}`)
		model := map[string]bool{}
		for range rapid.IntRange(0, 4).Draw(t, "rounds") {
			change := map[string]bool{} // key → it is put, else deleted
			for range rapid.IntRange(1, 40).Draw(t, "rows") {
				change[key.Draw(t, "key")] = rapid.IntRange(0, 3).Draw(t, "delete") > 0
			}
			must(t, db.Update(context.Background(), true, nil, func(tx *rows.Tx) error {
				for k, put := range change {
					if put {
						tx.Put("b", k, []byte(k))
					} else {
						tx.Delete("b", k)
					}
				}
				tx.Put("a", "zz", nil) // the neighbours
				tx.Put("b0", "aa", nil)
				return nil
			}))
			for k, put := range change {
				if model[k] = put; !put {
					delete(model, k)
				}
			}
			if rapid.Bool().Draw(t, "reopen") { // everything is in bbolt then
				must(t, db.Close())
				db = open(t, dir, config)
			}
			prefix := rapid.StringMatching(`[abc\xff]{0,2}`).Draw(t, "prefix")
			bound := rapid.OneOf(rapid.Just(""), key).Draw(t, "bound")
			most := rapid.SampledFrom([]int{1, 3, 1000}).Draw(t, "most")
			var up, down []string
			for _, k := range slices.Sorted(maps.Keys(model)) {
				if strings.HasPrefix(k, prefix) && k >= bound {
					up = append(up, k)
				}
				if strings.HasPrefix(k, prefix) && (bound == "" || k <= bound) {
					down = append(down, k)
				}
			}
			slices.Reverse(down)
			got := keys(most, func(visit func(string, []byte) bool) { db.Scan("b", prefix, bound, visit) })
			if diff := cmp.Diff(up[:min(most, len(up))], got); diff != "" && len(up)+len(got) > 0 {
				t.Fatalf("onward: %s", diff)
			}
			got = keys(most, func(visit func(string, []byte) bool) { db.ScanBack("b", prefix, bound, visit) })
			if diff := cmp.Diff(down[:min(most, len(down))], got); diff != "" && len(down)+len(got) > 0 {
				t.Fatalf("back: %s", diff)
			}
		}
	})
}

// A long scan goes on behind the rows that were taken at a time, while rows are
// carried into bbolt and others are written.
func TestScansBackThroughManyRows(t *testing.T) {
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
	db.ScanBack("b", "x/", "x/1899", func(k string, v []byte) bool {
		if len(got)%100 == 0 {
			must(t, db.Update(context.Background(), false, nil, func(tx *rows.Tx) error { tx.Put("b", k, v); return nil }))
		}
		got = append(got, k)
		return true
	})
	slices.Reverse(got)
	if len(got) != 1900 || got[0] != "x/0000" || got[1899] != "x/1899" || !slices.IsSorted(got) {
		t.Fatalf("got %d rows, sorted %v", len(got), slices.IsSorted(got))
	}
}

// Of a long sieve every row is looked at, once and in order, those that are taken are
// visited, and nothing is once it wants no more.
func TestSifts(t *testing.T) {
	db := open(t, t.TempDir(), rows.Config{Interval: time.Millisecond})
	defer db.Close()
	for i := range 2000 {
		must(t, db.Update(context.Background(), i%100 == 0, nil, func(tx *rows.Tx) error {
			tx.Put("b", fmt.Sprintf("x/%04d", i), []byte{byte(i)})
			tx.Put("b", fmt.Sprintf("y/%04d", i), nil)
			return nil
		}))
	}
	for stop, want := range map[string][]string{"": {"x/1500", "x/1000", "x/0500", "x/0000"}, "x/0500": {"x/1500", "x/1000", "x/0500"}, "x/0501": {"x/1500", "x/1000"}} {
		var looked, got []string
		db.SiftBack("b", "x/", "x/1899", func(key string, value []byte) (take, on bool) {
			looked = append(looked, key)
			return strings.HasSuffix(key, "500") || strings.HasSuffix(key, "000"), key != stop
		}, func(key string, value []byte) bool {
			var i int
			fmt.Sscanf(key, "x/%d", &i)
			if len(value) != 1 || value[0] != byte(i) {
				t.Errorf("%s is %v", key, value)
			}
			got = append(got, key)
			return true
		})
		slices.Reverse(looked)
		if looked[len(looked)-1] != "x/1899" || looked[0] != max(stop, "x/0000") || !slices.IsSorted(looked) || len(slices.Compact(looked)) != len(looked) {
			t.Errorf("until %q were looked at %d, from %s to %s", stop, len(looked), looked[0], looked[len(looked)-1])
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("until %q: %s", stop, diff)
		}
	}
	visits := 0
	db.SiftBack("b", "y/", "", func(string, []byte) (take, on bool) { return true, true }, func(string, []byte) bool { visits++; return false })
	if visits != 1 {
		t.Errorf("who wants no more is given %d", visits)
	}
}
