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

// explained is what is told of a waiting record.
func (s *site) explained(u core.Upload) core.Export {
	s.t.Helper()
	e := s.worker.Explain(s.export(u.ID))
	if e.State != core.ExportWaiting || e.Since.IsZero() || e.Since.After(s.clock.now()) || e.Reason != core.ReasonNone && e.NextTry.Before(s.clock.now()) {
		s.t.Errorf("at %v it is told %+v", s.clock.now(), e)
	}
	return e
}

// What is everyone's trouble rests everyone: each record says what it is, and nobody
// else asks. When it is over, all are sent, without anyone's help.
func TestWhatIsEveryonesTroubleRestsTheLine(t *testing.T) {
	for reason, answer := range map[core.ExportReason]error{
		core.ReasonRepositoryAway: errors.New("no route to host"),
		core.ReasonNeedsToken:     fmt.Errorf("401: %w, %w", core.ErrNoToken, os.ErrPermission),
		core.ReasonMaintenance:    fmt.Errorf("503: %w", core.ErrMaintenance),
		core.ReasonRepositoryFile: fmt.Errorf("open folder: %w", core.ErrNoFolder),
		core.ReasonImpostor:       fmt.Errorf("200: %w", core.ErrImpostor),
		core.ReasonThrottled:      &core.Later{After: 9 * time.Minute, Err: core.ErrThrottled},
	} {
		t.Run(string(reason), func(t *testing.T) {
			s := newSite(t)
			s.steps() // the tables
			first := s.waiting("first")
			began, asked := s.clock.now(), 0
			s.fail = func(call string) error {
				if strings.HasPrefix(call, "put memory/") {
					asked++
					return answer
				}
				return nil
			}
			s.steps()
			s.clock.pass(time.Second)
			late := s.waiting("late")
			s.steps()
			if asked != 1 {
				t.Errorf("asked %d times in a second", asked)
			}
			e, other := s.explained(first), s.explained(late)
			if e.Reason != reason || other.Reason != reason || !e.Since.Equal(began) || !other.Since.Equal(s.clock.now()) {
				t.Errorf("%+v and %+v", e, other)
			}
			if reason == core.ReasonThrottled && other.NextTry.Before(began.Add(9*time.Minute)) {
				t.Errorf("it comes back at %v", other.NextTry)
			}
			s.fail = func(string) error { return nil }
			s.settle()
			s.isExported(first, "first")
			s.isExported(late, "late")
		})
	}
}

// What waits says what holds it up now, not what it met first.
func TestTheTroubleIsThatOfNow(t *testing.T) {
	for met, first := range map[core.ExportReason]error{
		core.ReasonRepositoryAway:    errors.New("no route to host"),
		core.ReasonRepositoryRefused: fmt.Errorf("403: %w", os.ErrPermission),
		core.ReasonRepositoryLocked:  fmt.Errorf("%w, %w", core.ErrLocked, os.ErrPermission),
	} {
		s := newSite(t)
		s.steps()
		u := s.waiting("some bytes")
		s.failing("put memory/raw", first)
		s.steps()
		if e := s.explained(u); e.Reason != met {
			t.Errorf("at first %+v", e)
		}
		other := s.waiting("other bytes")
		s.failing("put memory/raw", core.ErrMaintenance)
		for began := s.clock.now(); s.explained(u).Reason != core.ReasonMaintenance; s.steps() {
			s.clock.pass(time.Second)
			if s.clock.now().Sub(began) > time.Hour {
				t.Fatalf("%+v", s.explained(u))
			}
		}
		if e := s.explained(other); e.Reason != core.ReasonMaintenance {
			t.Errorf("%+v", e)
		}
	}
}

// A project that is not made says what keeps it from being made; where that is
// everyone's trouble, everyone rests.
func TestWhyAProjectIsPending(t *testing.T) {
	s := newSite(t)
	s.steps()
	u := s.waiting("some bytes")
	began, asked := s.clock.now(), 0
	s.fail = func(call string) error {
		if strings.HasPrefix(call, "put ") {
			asked++
			return fmt.Errorf("%w: %w", core.ErrProjectPending, core.ErrNoToken)
		}
		return nil
	}
	s.steps()
	s.destinations = []core.DestinationID{"sleep"}
	other := s.waiting("other bytes")
	s.steps()
	if asked != 1 {
		t.Errorf("asked %d times", asked)
	}
	if e := s.explained(u); e.Reason != core.ReasonProjectPending || e.Cause != core.ReasonNeedsToken || !e.Since.Equal(began) {
		t.Errorf("%+v", e)
	}
	if e := s.worker.Explain(s.states(other)["sleep"]); e.Reason != core.ReasonNeedsToken || e.Cause != core.ReasonNone || e.NextTry.IsZero() {
		t.Errorf("the other: %+v", e)
	}
	s.fail = func(string) error { return nil }
	s.settle()
	for _, e := range []core.Export{s.export(u.ID), s.states(other)["sleep"]} {
		if e.State != core.ExportExported || e.Cause != core.ReasonNone {
			t.Errorf("in the end: %+v", e)
		}
	}
}

// A record whose participant version is not in the table says that it waits for it.
func TestARecordSaysThatItsVersionGoesFirst(t *testing.T) {
	s := newSite(t)
	u := s.waiting("some bytes") // the table is not written
	began := s.clock.now()
	if e := s.explained(u); e.Reason != core.ReasonVersionPending || !e.Since.Equal(began) || !e.NextTry.Equal(began) {
		t.Errorf("%+v", e)
	}
	s.failing("put memory/participant-versions", errors.New("a timeout"))
	s.steps()
	if e := s.explained(u); e.Reason != core.ReasonRepositoryAway || !e.NextTry.After(began) {
		t.Errorf("while the table fails: %+v", e)
	}
	for s.export(u.ID).State != core.ExportExported {
		s.explained(u)
		s.clock.pass(10 * time.Second)
		s.steps()
		if s.clock.now().Sub(began) > 2*time.Hour {
			t.Fatalf("long after its patience: %+v", s.explained(u))
		}
	}
	if waited := s.clock.now().Sub(began); waited < 10*time.Minute {
		t.Errorf("it went after %v, without its version", waited)
	}
}

// Nothing is sent while it is closed: since when is told, but not from before the
// record was there, and it does not come again before its own next try.
func TestClosedSinceWhen(t *testing.T) {
	s := newSite(t)
	s.steps()
	before := s.waiting("before")
	s.clock.pass(time.Minute)
	s.closed, s.shut = core.ReasonPaused, s.clock.now()
	s.clock.pass(time.Minute)
	after := s.waiting("after")
	if e := s.worker.Explain(s.export(before.ID)); e.Reason != core.ReasonPaused || !e.Since.Equal(s.shut) {
		t.Errorf("%+v", e)
	}
	if e := s.worker.Explain(s.export(after.ID)); !e.Since.Equal(s.clock.now()) || !e.NextTry.IsZero() {
		t.Errorf("%+v", e)
	}
}
