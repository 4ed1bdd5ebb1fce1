package push_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"footbridge/core"
)

// states are those of a record's exports, by destination.
func (s *site) states(u core.Upload) map[core.DestinationID]core.Export {
	s.t.Helper()
	all, err := s.Exports(s.t.Context(), u.ID)
	must(s.t, err)
	states := map[core.DestinationID]core.Export{}
	for _, e := range all {
		states[e.Destination] = e
	}
	return states
}

// A project that refuses holds up nobody but its own records, and is asked gently.
func TestABrokenProjectHoldsUpItsOwnRecordsAlone(t *testing.T) {
	s := newSite(t)
	s.destinations = []core.DestinationID{"broken", "memory"}
	asked := 0
	s.fail = func(call string) error {
		if strings.HasPrefix(call, "put broken/") {
			asked++
			return fmt.Errorf("403: %w", os.ErrPermission)
		}
		return nil
	}
	var all []core.Upload
	for i := range 30 {
		all = append(all, s.waiting(fmt.Sprint("body ", i)))
	}
	for range 3600 {
		s.steps()
		s.clock.pass(time.Second)
	}
	for _, u := range all {
		at := s.states(u)
		if at["memory"].State != core.ExportExported {
			t.Fatalf("memory: %+v", at["memory"])
		}
		if e := s.worker.Explain(at["broken"]); e.State != core.ExportWaiting || e.Reason != core.ReasonRepositoryRefused || e.NextTry.IsZero() {
			t.Fatalf("broken: %+v", e)
		}
	}
	if asked < 5 || asked > 60 {
		t.Errorf("the broken one was asked %d times in an hour", asked)
	}
	if since, _ := s.worker.Away("memory"); !since.IsZero() {
		t.Errorf("the other is away since %v", since)
	}
	s.fail = func(string) error { return nil }
	for range 3 {
		s.settle()
	}
	for _, u := range all {
		if e := s.states(u)["broken"]; e.State != core.ExportExported {
			t.Fatalf("mended: %+v", e)
		}
	}
}

// While it is closed nothing is sent, and what waits says why.
func TestClosed(t *testing.T) {
	s := newSite(t)
	s.closed, s.until = core.ReasonOutsideHours, s.clock.now().Add(time.Hour)
	u := s.waiting("some bytes")
	s.steps()
	if len(s.remote.files) > 0 {
		t.Errorf("sent %v", s.remote.files)
	}
	if e := s.worker.Explain(s.export(u.ID)); e.Reason != core.ReasonOutsideHours || !e.NextTry.Equal(s.until) || !s.worker.Until().Equal(s.until) {
		t.Errorf("%+v, until %v", e, s.worker.Until())
	}
	s.closed = ""
	s.settle()
	s.isExported(u, "some bytes")
}

// Someone who knows that the line is back need not wait for the end of the rest.
func TestHurry(t *testing.T) {
	s := newSite(t)
	u := s.waiting("some bytes")
	s.failing("put", errors.New("no route to host"))
	s.steps()
	s.fail = func(string) error { return nil }
	s.steps()
	if e := s.export(u.ID); e.State != core.ExportWaiting {
		t.Fatalf("it did not rest: %+v", e)
	}
	s.worker.Hurry()
	s.Hurry()
	s.steps()
	s.clock.pass(10 * time.Second)
	s.steps()
	s.isExported(u, "some bytes")
}

// Whoever has it tried at once sees since when nobody gets through, not since when they
// asked; another trouble is a new one.
func TestATroubleIsAsOldAsItIs(t *testing.T) {
	s := newSite(t)
	s.waiting("some bytes")
	s.failing("put", errors.New("no route to host"))
	s.steps()
	began, _ := s.worker.Away("memory")
	again := func(answer error) time.Time {
		t.Helper()
		s.failing("put", answer)
		s.clock.pass(time.Minute)
		s.worker.Hurry()
		if s.worker.Trouble() == core.ReasonNone {
			t.Error("nothing got through, and the trouble is over")
		}
		if since, next := s.worker.Away("memory"); !since.IsZero() || !next.IsZero() {
			t.Errorf("it rests since %v until %v, and is tried at once", since, next)
		}
		s.Hurry()
		s.steps()
		since, _ := s.worker.Away("memory")
		return since
	}
	if since := again(errors.New("no route to host")); began.IsZero() || !since.Equal(began) {
		t.Errorf("it began at %v, and is since %v", began, since)
	}
	if since := again(core.ErrMaintenance); !since.After(began) {
		t.Errorf("the new one is since %v", since)
	}
}

// A table that the repository does not take is no matter of permission, and is told as
// what it is; records go on, and so does the table once it is taken.
func TestATableThatIsNotTaken(t *testing.T) {
	s := newSite(t)
	u := s.waiting("some bytes")
	s.failing("put memory/participant-versions", fmt.Errorf("400: %w, %w", os.ErrInvalid, os.ErrPermission))
	s.steps()
	if e := s.worker.Explain(s.export(u.ID)); e.Reason != core.ReasonRepositoryInvalid || e.NextTry.IsZero() {
		t.Errorf("%+v", e)
	}
	s.settle()
	s.isExported(u, "some bytes")
	s.fail = func(string) error { return nil }
	s.settle()
	if s.remote.files["memory/participant-versions"] == "" {
		t.Error("the table is not there")
	}
}

// However many tables fail, and however seldom anyone looks, so that all of them are due
// whenever a record is: records go on, those of others too.
func TestTablesThatFailLetRecordsPass(t *testing.T) {
	for name, answer := range map[string]error{
		"they are not taken":        fmt.Errorf("400: %w, %w", os.ErrInvalid, os.ErrPermission),
		"they are refused":          fmt.Errorf("403: %w", os.ErrPermission),
		"they are not answered":     errors.New("timeout"),
		"they want to be left":      &core.Later{After: 40 * time.Minute, Err: fmt.Errorf("429: %w", core.ErrThrottled)},
		"their project is not made": fmt.Errorf("%w: %w", core.ErrProjectPending, errors.New("timeout")),
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			s.destinations = []core.DestinationID{"memory", "sleep"}
			s.fail = func(call string) error {
				if strings.HasPrefix(call, "put ") && (strings.HasSuffix(call, "/participant-versions") || strings.Contains(call, "/file-view/")) {
					return answer
				}
				return nil
			}
			var all []core.Upload
			for i := range 4 {
				all = append(all, s.waiting(fmt.Sprint("body ", i)))
			}
			for range 4 * len(all) { // each look is good for one record at least
				s.steps()
				s.clock.pass(2 * time.Hour)
			}
			for _, u := range all {
				for d, e := range s.states(u) {
					if e.State != core.ExportExported {
						t.Errorf("%s: %+v", d, e)
					}
				}
			}
			s.fail = func(string) error { return nil }
			s.settle()
			for _, table := range []string{"memory/participant-versions", "memory/file-view/2026-11-20", "sleep/file-view/2026-11-20"} {
				if s.remote.files[table] == "" {
					t.Errorf("%s is not there", table)
				}
			}
		})
	}
}
