package store

import (
	"context"
	"strconv"
	"sync"
	"time"

	"footbridge/core"
	"footbridge/store/rows"
)

// versionsTable names the Participant Versions table; every other name is the
// date of a file view.
const versionsTable = "versions"

// tableKey names one table at a destination.
type tableKey struct {
	destination core.DestinationID
	table       string
}

func (k tableKey) String() string { return string(k.destination) + "/" + k.table }

func parseTableKey(s string) tableKey {
	destination, table, _ := cutLast(s, "/")
	return tableKey{core.DestinationID(destination), table}
}

// behind marks a table as behind the store: it has to be written again.
func (s *Store) behind(tx *rows.Tx, key tableKey) {
	n, _ := strconv.ParseUint(string(tx.Get(tablesBucket, key.String())), 10, 64)
	generation := max(n, s.tables.generation(key)) + 1
	tx.Put(tablesBucket, key.String(), strconv.AppendUint(nil, generation, 10))
	now := s.config.Now()
	tx.OnCommit(func() { s.tables.behind(key, generation, now) })
}

// ClaimTable leases the next table that is behind and due; false where there is
// none. date is empty for Participant Versions (push.Tables).
func (s *Store) ClaimTable(context.Context) (d core.DestinationID, date string, generation uint64, ok bool) {
	key, ok := s.tables.due.take(s.config.Now(), nil)
	if !ok {
		return "", "", 0, false
	}
	date = key.table
	if date == versionsTable {
		date = ""
	}
	return key.destination, date, s.tables.claimed(key, s.config.Now()), true
}

// SettleTable ends the lease of a table: up to generation it is written, unless
// again is set; then it is due again at that time (push.Tables).
func (s *Store) SettleTable(ctx context.Context, d core.DestinationID, date string, generation uint64, again time.Time) error {
	key := tableKey{d, date}
	if date == "" {
		key.table = versionsTable
	}
	if !again.IsZero() {
		s.tables.due.back(key, again)
		return nil
	}
	return s.note(ctx, func(tx *rows.Tx) error {
		if string(tx.Get(tablesBucket, key.String())) == strconv.FormatUint(generation, 10) {
			tx.Delete(tablesBucket, key.String())
		}
		tx.OnCommit(func() { s.tables.written(key, generation, s.config.Now()) })
		return nil
	})
}

// tableQueue is the tables that are behind. Safe for concurrent use.
type tableQueue struct {
	due queue[tableKey]

	mu    sync.Mutex
	state map[tableKey]tableState
}

type tableState struct {
	wanted, written uint64    // generations
	since           time.Time // behind since
	claimedOn       time.Time // writing began
	restUntil       time.Time // from one writing to the next
}

// A table rests between two writings, the longer the longer one takes.
const (
	tableRestMin   = 250 * time.Millisecond
	tableRestMax   = 5 * time.Second
	tableRestRatio = 5
)

func (q *tableQueue) behind(key tableKey, generation uint64, now time.Time) {
	q.mu.Lock()
	if q.state == nil {
		q.state = map[tableKey]tableState{}
	}
	state := q.state[key]
	if state.wanted == state.written {
		state.since = now
	}
	state.wanted = max(state.wanted, generation)
	q.state[key] = state
	at := now
	if state.restUntil.After(now) {
		at = state.restUntil
	}
	q.mu.Unlock()
	q.due.add(key, at)
}

func (q *tableQueue) written(key tableKey, generation uint64, now time.Time) {
	q.mu.Lock()
	state := q.state[key]
	state.written = generation
	state.restUntil = now.Add(min(max(tableRestRatio*now.Sub(state.claimedOn), tableRestMin), tableRestMax))
	if state.wanted > state.written {
		state.since = now
	}
	q.state[key] = state
	q.mu.Unlock()
	q.due.done(key)
}

// claimed notes that writing begins and gives the generation that it reaches.
func (q *tableQueue) claimed(key tableKey, now time.Time) uint64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	state := q.state[key]
	state.claimedOn = now
	q.state[key] = state
	return state.wanted
}

func (q *tableQueue) generation(key tableKey) uint64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.state[key].wanted
}

// lags reports whether the table is behind, but not since before a time.
func (q *tableQueue) lags(key tableKey, before time.Time) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	state := q.state[key]
	return state.wanted > state.written && state.since.After(before)
}
