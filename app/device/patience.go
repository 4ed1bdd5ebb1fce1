package device

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"

	"footbridge/core"
)

// The rules here are: this is the only layer that retries. What may succeed
// later is a *core.Later; every other error ends a step at once. A site that
// says how long to wait is obeyed within reason, otherwise waits double. Devices
// that failed together do not come back together.

const (
	firstWait    = time.Second
	longestWait  = 30 * time.Second
	longestAsked = 2 * time.Minute // that a site may make us wait
)

// row is the failures in a row of one step.
type row struct {
	client   *Client
	since    time.Time // the first failure
	failures int
}

// again waits after a failure. An error means that the step is over.
func (r *row) again(ctx context.Context, later *core.Later) error {
	config := r.client.config
	now := config.Now()
	if r.failures == 0 {
		r.since = now
	}
	wait := r.wait(later.After)
	r.failures++
	tried := now.Add(wait).Sub(r.since)
	if !r.client.heard && errors.Is(later.Err, errNobody) && tried > config.Search {
		return fmt.Errorf("%w: %w, for %s", ErrNoSite, later.Err, human(now.Sub(r.since)))
	}
	if tried > config.Patience {
		return fmt.Errorf("%w after %s, and sending the file again later goes on: %w", ErrGaveUp, human(now.Sub(r.since)), later.Err)
	}
	config.Notify(fmt.Sprintf("%v; trying again in %s, at %s", later.Err, human(wait), now.Add(wait).UTC().Format("15:04:05 UTC")))
	return config.Sleep(ctx, wait)
}

func (r *row) wait(asked time.Duration) time.Duration {
	if asked > 0 {
		wait := min(asked, longestAsked)
		return wait + rand.N(wait/4+1)
	}
	wait := longestWait
	if r.failures < 5 {
		wait = firstWait << r.failures
	}
	return wait/2 + rand.N(wait/2+1)
}

// excuse leaves out time in which the step went well.
func (r *row) excuse(d time.Duration) {
	if r.failures > 0 {
		r.since = r.since.Add(d)
	}
}

// persist repeats an attempt while it may succeed later.
func (c *Client) persist(ctx context.Context, attempt func() error) error {
	failures := &row{client: c}
	for {
		err := attempt()
		var later *core.Later
		if !errors.As(err, &later) {
			return err
		}
		if err := failures.again(ctx, later); err != nil {
			return err
		}
	}
}

// retryAfter reads the header, seconds or a date; 0 where there is none.
func retryAfter(answer *http.Response, now time.Time) time.Duration {
	text := answer.Header.Get("Retry-After")
	if seconds, err := strconv.Atoi(text); err == nil {
		return time.Duration(min(max(seconds, 0), 86400)) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(at.Sub(now), 0)
	}
	return 0
}
