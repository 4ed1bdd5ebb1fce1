package push

import (
	"time"

	"footbridge/core"
)

// The rules here are: a call that its connector is still repeating is no failure yet, and
// gives nobody a rest; but what waits says what keeps it.

// Hitch is why the repository's connector is repeating a call.
type Hitch struct {
	Answer error // what the last attempt met
	Since  time.Time
	Next   time.Time // the next attempt is made
}

// hitch gives it as the rest that it is for those who look; no reason where no call is
// being repeated, or for no trouble of everyone's.
func (w *Worker) hitch() breaker {
	if w.config.Hitch == nil {
		return breaker{}
	}
	h, is := w.config.Hitch()
	if !is || !Everyones(ReasonOf(h.Answer)) {
		return breaker{}
	}
	return breaker{trouble: troubleOf(h.Answer), since: h.Since.UTC(), until: h.Next.UTC()}
}

// holdup is what holds a destination up: its rest, or what a call is being repeated for
// where no trouble of the destination's own is known.
func (w *Worker) holdup(d core.DestinationID) breaker {
	rest, hitch := w.rests.of(d), w.hitch()
	switch {
	case hitch.reason == core.ReasonNone, rest.reason != core.ReasonNone && !Everyones(rest.reason):
		return rest
	case rest.reason == hitch.reason:
		rest.until = later(rest.until, hitch.until)
		return rest
	}
	return hitch
}
