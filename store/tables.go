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
	n := uint64(number(tx.Get(tablesBucket, key.String())))
	generation := max(n, s.tables.generation(key)) + 1
	tx.Put(tablesBucket, key.String(), strconv.AppendUint(nil, generation, 10))
	now := s.config.Now()
	tx.OnCommit(func() { s.tables.behind(key, generation, now) })
}

// moved notes that a destination's table Participant Versions is another one, which
// has to be written before anything goes there, however long that waits already.
func (s *Store) moved(tx *rows.Tx, d core.DestinationID) {
	key := tableKey{d, versionsTable}
	s.behind(tx, key)
	tx.OnCommit(func() {
		s.tables.change(key, func(t *tableState) { t.since, t.next = time.Time{}, time.Time{} })
	})
}

// otherTables reports whether a project's tables are others than before.
func otherTables(before, now core.RepositoryConfig) bool {
	return before.ParticipantVersionTable != now.ParticipantVersionTable || before.DemographicsTable != now.DemographicsTable
}

// Behind reports whether a table of a destination is behind the store.
func (s *Store) Behind(d core.DestinationID) bool {
	behind := false
	s.rows.Scan(tablesBucket, string(d)+"/", "", func(string, []byte) bool {
		behind = true
		return false
	})
	return behind
}

// ClaimTable leases the next table that is behind and due, and whose destination
// does not rest; false where there is none. date is empty for Participant Versions
// (push.Tables).
func (s *Store) ClaimTable(_ context.Context, rests func(core.DestinationID) time.Time) (d core.DestinationID, date string, generation uint64, ok bool) {
	now := s.config.Now()
	key, ok := s.tables.due.take(now, func(k tableKey, _ time.Time) (bool, time.Time) {
		until := rests(k.destination)
		return !until.After(now), until
	})
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
	err := s.note(ctx, func(tx *rows.Tx) error {
		if uint64(number(tx.Get(tablesBucket, key.String()))) == generation {
			tx.Delete(tablesBucket, key.String())
		}
		tx.OnCommit(func() { s.tables.written(key, generation, s.config.Now()) })
		return nil
	})
	if err != nil {
		s.tables.due.back(key, s.config.Now().Add(troubleRest))
	}
	return err
}

// tableQueue is the tables that are behind. Safe for concurrent use.
type tableQueue struct {
	due queue[tableKey]

	mu    sync.Mutex
	state map[tableKey]tableState
}

// tableState counts a table's generations. What was wanted after the claim is
// not in what is being written.
type tableState struct {
	wanted, claimed, written uint64
	since                    time.Time // the oldest generation that is not written was made
	next                     time.Time // the oldest one after claimed was made
	claimedOn                time.Time // writing began
	restUntil                time.Time // from one writing to the next
}

// A table rests between two writings, the longer the longer one takes.
const (
	tableRestMin   = 250 * time.Millisecond
	tableRestMax   = 5 * time.Second
	tableRestRatio = 5
)

// change runs fn on a table's state.
func (q *tableQueue) change(key tableKey, fn func(*tableState)) tableState {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.state == nil {
		q.state = map[tableKey]tableState{}
	}
	state := q.state[key]
	fn(&state)
	q.state[key] = state
	return state
}

func (q *tableQueue) behind(key tableKey, generation uint64, now time.Time) {
	state := q.change(key, func(t *tableState) {
		if t.wanted == t.written {
			t.since = now
		}
		if t.wanted == t.claimed {
			t.next = now
		}
		t.wanted = max(t.wanted, generation)
	})
	at := now
	if state.restUntil.After(now) {
		at = state.restUntil
	}
	q.due.add(key, at, now)
}

// claimed notes that writing begins and gives the generation that it reaches.
func (q *tableQueue) claimed(key tableKey, now time.Time) uint64 {
	return q.change(key, func(t *tableState) { t.claimed, t.claimedOn = t.wanted, now }).claimed
}

func (q *tableQueue) written(key tableKey, generation uint64, now time.Time) {
	state := q.change(key, func(t *tableState) {
		t.written, t.since = generation, t.next
		t.restUntil = now.Add(min(max(tableRestRatio*now.Sub(t.claimedOn), tableRestMin), tableRestMax))
	})
	q.due.done(key, state.restUntil, now)
}

func (q *tableQueue) generation(key tableKey) uint64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.state[key].wanted
}

// lacks reports whether the table does not yet hold all that was known at a time.
func (q *tableQueue) lacks(key tableKey, known time.Time) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	state := q.state[key]
	return state.wanted > state.written && !state.since.After(known)
}
