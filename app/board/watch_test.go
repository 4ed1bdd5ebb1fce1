package board_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"footbridge/app/board"
	"footbridge/app/pane"
	"footbridge/ui/view"

	"github.com/google/go-cmp/cmp"
)

var _ board.Feed = (*pane.Pane)(nil)

// site is an appliance that is asked; each answer takes a while.
type site struct {
	rung  chan struct{}
	takes time.Duration

	mu     sync.Mutex // of what follows
	now    view.Overview
	lately view.Traffic // counts how often it was told
	err    error
	asked  int
}

func (s *site) Changes() <-chan struct{} { return s.rung }

func (s *site) Overview(context.Context) (view.Overview, error) {
	time.Sleep(s.takes) // on a clock that stands still while others work
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked++
	return s.now, s.err
}

func (s *site) Traffic(context.Context) (view.Traffic, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.lately.Copies++ // it is never still
	}
	return s.lately, s.err
}

func (s *site) set(o view.Overview, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now, s.err = o, err
}

func (s *site) ring() {
	select {
	case s.rung <- struct{}{}:
	default:
	}
}

// watched runs a watch on a clock of its own, does something meanwhile, and gives the
// looks that said something new.
func watched(t *testing.T, s *site, first board.Look, meanwhile func()) (news []board.Look, shown int) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s.rung = make(chan struct{}, 1)
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() {
			ended <- board.Watch(ctx, s, first, func(l board.Look) error {
				if shown++; l.Changed {
					news = append(news, l)
				}
				return nil
			})
		}()
		meanwhile()
		synctest.Wait()
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return news, shown
}

// What changes is seen at once where it rings, and after a tick where it does not.
func TestChangesAreSeen(t *testing.T) {
	s := &site{now: view.Overview{Sentence: "one"}}
	var waited []string
	news, _ := watched(t, s, board.Look{}, func() {
		time.Sleep(time.Second / 2)
		s.set(view.Overview{Sentence: "two"}, nil)
		s.ring()
		time.Sleep(10 * time.Millisecond)
		s.set(view.Overview{Sentence: "three"}, nil) // within the rest, and nothing rings
		time.Sleep(11 * time.Second)
		s.set(view.Overview{Sentence: "four"}, nil) // long after anything changed
		time.Sleep(20 * time.Second)
	})
	for _, l := range news {
		waited = append(waited, l.Overview.Sentence)
	}
	if diff := cmp.Diff([]string{"one", "two", "three", "four"}, waited); diff != "" {
		t.Error(diff)
	}
}

// However much happens, it looks a few times a second, and spends a tenth of the time.
func TestItDoesNotHammer(t *testing.T) {
	for takes, most := range map[time.Duration]int{0: 41, 100 * time.Millisecond: 11, time.Minute: 1} {
		s := &site{takes: takes}
		watched(t, s, board.Look{}, func() {
			for range 10000 {
				s.ring()
				time.Sleep(time.Millisecond)
			}
		})
		if s.asked < most/2 || s.asked > most {
			t.Errorf("it looked %d times in ten seconds where a look takes %s", s.asked, takes)
		}
	}
}

// Files on their way ring no bell: it looks every second while there are any, and for a
// while after a change, when there may be.
func TestWhatMovesIsFollowed(t *testing.T) {
	for _, row := range []struct{ moving, news, least int }{{0, 0, 2}, {1, 0, 20}, {0, 1, 6}} {
		s := &site{lately: view.Traffic{Arriving: make([]view.Transfer, row.moving)}, now: view.Overview{Queues: view.Queues{Requested: row.news}}}
		news, _ := watched(t, s, board.Look{}, func() { time.Sleep(19*time.Second + time.Second/2) })
		if s.asked < row.least || s.asked > row.least+1 || len(news) != row.news { // two clocks may strike at once
			t.Errorf("%+v: it looked %d times in twenty seconds, and told news %d times", row, s.asked, len(news))
		}
	}
}

// The disk of a machine is never still; that is news once it reads otherwise.
func TestTheDiskIsNeverStill(t *testing.T) {
	s, free := &site{}, func(bytes int64) view.Overview { return view.Overview{Disk: view.Disk{FreeBytes: bytes}} }
	s.set(free(80<<30), nil)
	news, shown := watched(t, s, board.Look{}, func() {
		for i := range 20 {
			time.Sleep(time.Second)
			s.set(free(80<<30-int64(i)<<20), nil)
			s.ring()
		}
		s.set(free(79<<30), nil)
		time.Sleep(time.Second)
		s.ring()
		time.Sleep(time.Second)
	})
	if len(news) != 2 || shown < 20 {
		t.Errorf("%d news in %d looks", len(news), shown)
	}
}

// An appliance that ends and starts again is news each time, and what is known of it stays.
func TestAnApplianceThatComesAndGoes(t *testing.T) {
	s := &site{err: errors.New("nobody answers"), lately: view.Traffic{Leaving: make([]view.Transfer, 1), Sending: make([]view.DestinationRate, 1)}}
	news, _ := watched(t, s, board.Look{At: at, Overview: view.Overview{Sentence: "as it was left"}}, func() {
		time.Sleep(30 * time.Second)
		s.set(view.Overview{Sentence: "it runs"}, nil)
		s.ring()
		time.Sleep(30 * time.Second)
		s.set(view.Overview{}, errors.New("nobody answers"))
		time.Sleep(30 * time.Second)
	})
	if len(news) != 3 {
		t.Fatalf("%d news: %+v", len(news), news)
	}
	for i, want := range []string{"as it was left", "it runs", "it runs"} {
		if news[i].Overview.Sentence != want || (news[i].Trouble == nil) != (i == 1) || (news[i].Traffic.Copies > 0) != (i > 0) {
			t.Errorf("news %d: %+v", i, news[i])
		}
		if moves := news[i].Traffic.Moves() && len(news[i].Traffic.Sending) > 0; moves != (i == 1) {
			t.Errorf("news %d: it moves is %v", i, moves)
		}
	}
}

// Where nothing can be shown any more, it ends.
func TestNobodyReads(t *testing.T) {
	gone := errors.New("gone")
	if err := board.Watch(t.Context(), &site{}, board.Look{}, func(board.Look) error { return gone }); !errors.Is(err, gone) {
		t.Error(err)
	}
}
