package notify

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"

	"footbridge/core"
)

// The rules here are: what keeps a receiver from answering makes it rest, with all
// that waits for it. An answer that does not take a notice makes that notice rest
// longer each time, and the receiver as well, until it takes another one.

// The shortest and the longest rest.
const (
	restMin = 2 * time.Second
	restMax = 6 * time.Hour
)

// rest is how long to rest after so many failures in a row, with jitter.
func rest(failures int) time.Duration {
	r := min(restMin<<min(max(failures-1, 0), 16), restMax)
	return r/2 + rand.N(r/2)
}

// judge says what becomes of a delivery and its receiver.
func judge(d *core.Delivery, a answer, now time.Time) {
	s := &d.Subscription
	if a.status >= 200 && a.status < 300 {
		d.Delivered = true
		s.Reached = core.Reached{LastSuccess: now}
		return
	}
	if s.Failures == 0 {
		s.FailingOn = now
	}
	s.Failures++
	s.NextTry = now.Add(max(rest(s.Failures), min(a.after, restMax)))
	switch {
	case a.status == http.StatusGone:
		s.EndedOn, s.NextTry = now, time.Time{}
		s.Why = "it answered 410: it is gone"
	case a.why != nil:
		s.Why = words(a.why)
	case a.status == http.StatusTooManyRequests || a.status >= http.StatusBadGateway && a.status <= http.StatusGatewayTimeout:
		s.Why = fmt.Sprintf("it answered %d: not now", a.status)
	default:
		s.Why = fmt.Sprintf("it answered %d", a.status)
		if a.status >= 300 && a.status < 400 {
			s.Why += ", and redirects are not followed"
		}
		d.Refusals++
		d.NextTry = now.Add(rest(d.Refusals))
	}
}
