package appliance

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"sync"
	"time"

	"footbridge/app/api"
)

// The rules here are: one comparison goes on at a time, behind everyone's back, so that
// whoever asks for it may look elsewhere meanwhile; what it found stays to be read until
// the next one is asked for, or the program ends.

// Comparison is one with the repository, and how far it is.
type Comparison struct {
	State  string      `json:"state"` // none, running, done or failed
	Mends  bool        `json:"mends,omitempty"`
	Since  *time.Time  `json:"since,omitempty"` // it was asked for
	Ended  *time.Time  `json:"ended,omitempty"`
	Result *Reconciled `json:"result,omitempty"` // where it is done
	Why    string      `json:"why,omitempty"`    // it failed

	began bool
}

// DoneWith says that something was to be mended (call.Accountable); how much was, is
// known later.
func (c Comparison) DoneWith() (map[string]string, bool) { return nil, c.began && c.Mends }

// comparisons keeps the last one, and hands what is asked for to who compares. Safe for
// concurrent use.
type comparisons struct {
	mu    sync.Mutex
	last  Comparison
	asked chan Reconciliation
}

func newComparisons() *comparisons {
	return &comparisons{last: Comparison{State: "none"}, asked: make(chan Reconciliation, 1)}
}

func (c *comparisons) now() Comparison {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.last
}

// ask begins one, and gives it; where one goes on, it gives that.
func (c *comparisons) ask(what Reconciliation) Comparison {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.last.State == "running" {
		return c.last
	}
	now := time.Now().UTC().Truncate(time.Millisecond)
	c.last = Comparison{State: "running", Since: &now, Mends: what.Repair || len(what.Orphans) > 0}
	c.asked <- what // there is room: none goes on
	began := c.last
	began.began = true
	return began
}

func (c *comparisons) end(result Reconciled, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now().UTC().Truncate(time.Millisecond)
	c.last.Ended = &now
	if c.last.State, c.last.Result = "done", &result; err != nil {
		c.last.State, c.last.Result, c.last.Why = "failed", nil, err.Error()
	}
}

// compareAsked compares what is asked for until ctx ends.
func (a *Appliance) compareAsked(ctx context.Context) {
	for {
		select {
		case asked := <-a.comparing.asked:
			a.comparing.end(a.reconcile(ctx, asked))
			a.store.Ring() // whoever looks sees it
		case <-ctx.Done():
			return
		}
	}
}

// localComparison tells how the last one went, or how far it is.
func (a *Appliance) localComparison(*http.Request) (any, error) { return a.comparing.now(), nil }

// localCompare begins one.
func (a *Appliance) localCompare(r *http.Request) (any, error) {
	var asked Reconciliation
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil && err != io.EOF {
		return nil, api.BadRequest("The request is no JSON object with repair or orphans.")
	}
	return a.comparing.ask(asked), nil
}
