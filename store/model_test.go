package store_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/store"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// model is what a store must hold: the least that tells where everything stands.
type model struct {
	states  map[core.UploadID]core.State
	bodies  map[core.UploadID]int // which body the slot is for
	owners  map[core.UploadID]int
	here    map[core.UploadID]bool
	first   map[string]core.UploadID // owner/body → the one that others repeat
	exports map[core.UploadID]core.ExportState
	order   []core.UploadID
}

func newModel() *model {
	return &model{map[core.UploadID]core.State{}, map[core.UploadID]int{}, map[core.UploadID]int{},
		map[core.UploadID]bool{}, map[string]core.UploadID{}, map[core.UploadID]core.ExportState{}, nil}
}

// begin takes in the slot that the store gave and says which state it must have.
func (m *model) begin(owner, body int, got core.Upload) core.State {
	key := fmt.Sprint(owner, "/", body)
	want := core.StateRequested
	if first, ok := m.first[key]; ok {
		if state := m.states[first]; state == core.StateRequested || state == core.StateReceived {
			if got.ID != first {
				return "the same slot"
			}
			return state
		}
		want = core.StateDuplicate
	} else {
		m.first[key] = got.ID
	}
	if _, known := m.states[got.ID]; known {
		return "a new slot"
	}
	m.order = append(m.order, got.ID)
	m.states[got.ID], m.bodies[got.ID], m.owners[got.ID] = want, body, owner
	return want
}

func (m *model) put(id core.UploadID) {
	m.here[id] = true
	if m.states[id] == core.StateRequested {
		m.states[id] = core.StateReceived
	}
}

func (m *model) complete(id core.UploadID, redrive bool) {
	switch m.states[id] {
	case core.StateReceived:
		m.states[id] = core.StateCompleted
	case core.StateFailed, core.StateSucceeded, core.StateDuplicate:
		if redrive && m.here[id] {
			m.states[id] = core.StateCompleted
		}
	}
}

func (m *model) settle(id core.UploadID, verdict core.Verdict) {
	m.states[id] = core.StateFailed
	if verdict == core.Accepted {
		m.states[id], m.exports[id] = core.StateSucceeded, core.ExportWaiting
	}
}

func (m *model) counts() map[string]int {
	counts := map[string]int{}
	for _, state := range m.states {
		counts["uploads/"+string(state)]++
	}
	for _, state := range m.exports {
		counts["exports/memory/"+string(state)]++
	}
	return counts
}

// check holds everything that a store shows against the model.
func (m *model) check(t tester, s *site, bodies [][]byte) {
	t.Helper()
	for _, id := range m.order {
		u := s.upload(id)
		if u.State != m.states[id] || (u.Blob != nil) != m.here[id] {
			t.Fatalf("%s is %s, bytes here %v; want %s, %v", id, u.State, u.Blob != nil, m.states[id], m.here[id])
		}
		if u.Blob != nil && !bytes.Equal(s.read(*u.Blob), bodies[m.bodies[id]]) {
			t.Fatalf("%s has other bytes", id)
		}
		for _, e := range s.exports(id) {
			if e.State != m.exports[id] {
				t.Fatalf("export of %s is %s, want %s", id, e.State, m.exports[id])
			}
		}
	}
	got := s.Counts()
	maps.DeleteFunc(got, func(_ string, n int) bool { return n == 0 })
	if diff := cmp.Diff(m.counts(), got); diff != "" {
		t.Fatalf("counts: %s", diff)
	}
}

// Whatever devices, workers and power do, in any order, the store holds what
// the model does, and what is due is due after every restart.
func TestHoldsWhatTheModelDoes(t *testing.T) {
	bodies := [][]byte{[]byte("one"), []byte("two"), pattern(small + 1)}
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "store")
		must(t, err)
		defer os.RemoveAll(dir)
		home := func() string {
			made, err := os.MkdirTemp(dir, "home")
			must(t, err)
			return made
		}
		config := store.Config{Sync: func(*os.File) error { return nil }}
		s := open(t, home(), newClock(), config)
		defer func() { s.Close() }()
		s.found()
		owners := []core.Account{s.participant("1"), s.participant("2")}
		m := newModel()
		pick := func() (id core.UploadID, ok bool) {
			if len(m.order) > 0 {
				id, ok = rapid.SampledFrom(m.order).Draw(t, "upload"), true
			}
			return id, ok
		}
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			s.clock.pass(time.Second)
			switch rapid.SampledFrom([]string{"begin", "begin", "put", "put", "complete", "complete", "redrive", "process", "push", "reopen", "crash"}).Draw(t, "what") {
			case "begin":
				owner, body := rapid.IntRange(0, 1).Draw(t, "owner"), rapid.IntRange(0, len(bodies)-1).Draw(t, "body")
				got := s.begin(owners[owner], bodies[body])
				if want := m.begin(owner, body, got); got.State != want {
					t.Fatalf("begun %s as %s, want %s", got.ID, got.State, want)
				}
			case "put":
				if id, ok := pick(); ok {
					must(t, s.put(id, bodies[m.bodies[id]]))
					m.put(id)
				}
			case "complete", "redrive":
				redrive := rapid.Bool().Draw(t, "redrive")
				if id, ok := pick(); ok {
					if err := s.complete(id, redrive); (err != nil) != (!m.here[id] && (m.states[id] == core.StateRequested || redrive)) {
						t.Fatalf("complete %s, which is %s: %v", id, m.states[id], err)
					}
					m.complete(id, redrive)
				}
			case "process":
				verdict := rapid.SampledFrom([]core.Verdict{core.Accepted, core.Rejected}).Draw(t, "verdict")
				before := maps.Clone(m.states)
				if !s.process(verdict) {
					for id, state := range before {
						if state == core.StateCompleted {
							t.Fatalf("%s is completed and not due", id)
						}
					}
				}
				for id, state := range before {
					if state == core.StateCompleted && s.upload(id).State != state {
						m.settle(id, verdict)
					}
				}
			case "push":
				s.writeTables()
				for s.push() {
				}
				for id := range m.exports {
					m.exports[id] = core.ExportExported
				}
			case "reopen":
				must(t, s.Close())
				s = open(t, s.home, s.clock, config)
			case "crash":
				killed := s
				s = s.crash(home())
				must(t, killed.Close())
			}
			m.check(t, s, bodies)
		}
	})
}
