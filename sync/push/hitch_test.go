package push_test

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/sync/push"
)

// While a call is still being repeated, what waits says why, whether it is being sent or
// goes behind a table that is; once the call has its answer, nothing is left of it.
func TestACallThatIsRepeatedIsNoSecret(t *testing.T) {
	for reason, answer := range map[core.ExportReason]error{
		core.ReasonThrottled:      core.ErrThrottled,
		core.ReasonRepositoryAway: errors.New("502"),
		core.ReasonNone:           os.ErrPermission, // is nobody's but the caller's
	} {
		for _, call := range []string{"put memory/participant-versions", "put memory/raw"} {
			s := newSite(t)
			s.clock.pass(time.Second)
			u, met := s.waiting("some bytes"), 0
			s.fail = func(made string) error {
				if !strings.HasPrefix(made, call) {
					return nil
				}
				met++
				s.clock.pass(time.Second)
				before := s.worker.Explain(s.export(u.ID))
				began, next := s.clock.now(), s.clock.now().Add(4*time.Second)
				s.hitch = &push.Hitch{Answer: answer, Since: began, Next: next}
				s.clock.pass(time.Second)
				e, want := s.worker.Explain(s.export(u.ID)), before
				if reason != core.ReasonNone {
					want.Reason, want.Since, want.NextTry = reason, began, next
				} else {
					want.NextTry = e.NextTry // which is now, where it goes behind the table
				}
				if e != want || (before.Reason == core.ReasonVersionPending) != strings.HasSuffix(call, "versions") {
					t.Errorf("%q in %s: it is told %+v, and before that %+v", reason, call, e, before)
				}
				s.hitch = nil
				if got := s.worker.Explain(s.export(u.ID)); got.Reason != before.Reason || !got.Since.Equal(before.Since) {
					t.Errorf("%q in %s: after it is over, it is told %+v", reason, call, got)
				}
				return nil
			}
			s.settle()
			if met == 0 {
				t.Errorf("%s was not made", call)
			}
			s.isExported(u, "some bytes")
		}
	}
}

// A rest that is known already stays since when it was, and a project's own trouble is
// told before that of a call.
func TestARestAndACallThatIsRepeated(t *testing.T) {
	for met, answer := range map[core.ExportReason]error{
		core.ReasonRepositoryAway:    errors.New("no route to host"),
		core.ReasonRepositoryRefused: os.ErrPermission,
	} {
		s := newSite(t)
		s.steps() // the tables
		u := s.waiting("some bytes")
		s.failing("put memory/raw", answer)
		s.steps()
		before := s.explained(u)
		s.clock.pass(time.Second)
		for _, hitch := range []error{errors.New("502"), core.ErrThrottled} {
			next := s.clock.now().Add(time.Hour)
			s.hitch = &push.Hitch{Answer: hitch, Since: s.clock.now(), Next: next}
			want := before
			if met == core.ReasonRepositoryAway {
				want.NextTry = next
				if errors.Is(hitch, core.ErrThrottled) {
					want.Reason, want.Since = core.ReasonThrottled, s.clock.now()
				}
			}
			if e := s.explained(u); e != want {
				t.Errorf("%s, and then %v: it is told %+v, and not %+v", met, hitch, e, want)
			}
		}
	}
}

// longFailing is the error of a call that was repeated for a while.
type longFailing struct {
	error
	began time.Time
}

func (l longFailing) Unwrap() error    { return l.error }
func (l longFailing) Began() time.Time { return l.began }

// Once a repeated call has failed for good, what waits does so since its first attempt
// failed, and not since somebody heard of it.
func TestTroubleBeginsWithTheFirstAttempt(t *testing.T) {
	s := newSite(t)
	s.steps() // the tables
	u := s.waiting("some bytes")
	began := s.clock.now().Add(time.Second)
	s.fail = func(call string) error {
		if strings.HasPrefix(call, "put memory/raw") {
			s.clock.pass(14 * time.Second)
			return longFailing{core.ErrThrottled, began}
		}
		return nil
	}
	s.steps()
	if e := s.explained(u); e.Reason != core.ReasonThrottled || !e.Since.Equal(began) {
		t.Errorf("it is told %+v, and began at %v", e, began)
	}
	if since, _ := s.worker.Away("memory"); !since.Equal(began) {
		t.Errorf("the rest is since %v", since)
	}
	s.clock.pass(time.Hour)
	s.failing("put memory/raw", longFailing{core.ErrThrottled, s.clock.now()})
	s.steps()
	if e := s.explained(u); !e.Since.Equal(began) {
		t.Errorf("when it fails again, it is told %+v", e)
	}
}
