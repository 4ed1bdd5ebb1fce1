package synapse_test

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/sync/synapse"
	"footbridge/sync/synapse/synapsetest"
)

// watched tells of each attempt what keeps calls from success as it is made.
type watched struct {
	client *synapse.Client
	seen   []synapse.Hitch // one for each attempt; zero where nothing does
}

// RoundTrip makes one attempt.
func (w *watched) RoundTrip(r *http.Request) (*http.Response, error) {
	hitch, _ := w.client.Hitch()
	w.seen = append(w.seen, hitch)
	return http.DefaultTransport.RoundTrip(r)
}

// What keeps a call from success is known from its first failed attempt on, since when
// that was, and no longer than the call lasts, however it ends.
func TestWhyACallIsRepeated(t *testing.T) {
	for name, test := range map[string]struct {
		fault synapsetest.Fault
		is    error
	}{
		"429": {synapsetest.Throttled(""), core.ErrThrottled},
		"502": {synapsetest.BadGateway(), synapse.ErrAway},
		"cut": {synapsetest.Fault{Cut: true}, synapse.ErrAway},
	} {
		for _, fails := range []int{2, -1} {
			server, line := synapsetest.Start(t, synapsetest.Config{}), &watched{}
			server.Inject(test.fault.Repeated(fails))
			began, ticks := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC), 0
			config := hasty()
			config.Transport = line
			config.Now = func() time.Time { ticks++; return began.Add(time.Duration(ticks) * time.Minute) }
			line.client = open(t, server, config)
			_, err := line.client.Me(t.Context())
			var failed *synapse.Error
			if errors.As(err, &failed) != (fails < 0) || failed != nil && !failed.Began().Equal(began.Add(time.Minute)) {
				t.Errorf("%s, %d times: %v", name, fails, err)
			}
			for i, hitch := range line.seen {
				at := began.Add(time.Duration(i) * time.Minute)
				switch {
				case i == 0 && hitch.Err != nil:
					t.Errorf("%s: before anything failed it is %+v", name, hitch)
				case i > 0 && (!errors.Is(hitch.Err, test.is) || !hitch.Since.Equal(began.Add(time.Minute)) || hitch.Next.Before(at) || hitch.Next.After(at.Add(time.Second))):
					t.Errorf("%s: before attempt %d it is %+v", name, i+1, hitch)
				}
			}
			if len(line.seen) < 3 {
				t.Errorf("%s: there were %d attempts", name, len(line.seen))
			}
			if hitch, is := line.client.Hitch(); is {
				t.Errorf("%s: in the end it is %+v", name, hitch)
			}
		}
	}
}
