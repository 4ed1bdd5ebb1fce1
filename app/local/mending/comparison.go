package mending

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"footbridge/app/api"
	"footbridge/core"
	"footbridge/sync/reconcile"
	"footbridge/ui/view"
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

	// Known says what people know the records and rows by that are named first.
	Known map[string]view.Known `json:"known,omitempty"`

	began bool
}

// DoneWith says that something was to be mended (call.Accountable); how much was, is
// known later.
func (c Comparison) DoneWith() (map[string]string, bool) { return nil, c.began && c.Mends }

// Comparisons keeps the last one, and hands what is asked for to who compares. Safe for
// concurrent use.
type Comparisons struct {
	mu    sync.Mutex
	last  Comparison
	asked chan Reconciliation
}

// NewComparisons keeps that there was none yet.
func NewComparisons() *Comparisons {
	return &Comparisons{last: Comparison{State: "none"}, asked: make(chan Reconciliation, 1)}
}

func (c *Comparisons) now() Comparison {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.last
}

// ask begins one, and gives it; where one goes on, it gives that.
func (c *Comparisons) ask(what Reconciliation) Comparison {
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

func (c *Comparisons) end(result Reconciled, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now().UTC().Truncate(time.Millisecond)
	c.last.Ended = &now
	if c.last.State, c.last.Result = "done", &result; err != nil {
		c.last.State, c.last.Result, c.last.Why = "failed", nil, err.Error()
	}
}

// CompareAsked compares what is asked for until ctx ends.
func (h *Handlers) CompareAsked(ctx context.Context) {
	for {
		select {
		case asked := <-h.Comparisons.asked:
			h.Comparisons.end(h.reconcile(ctx, asked))
			h.Store.Ring() // whoever looks sees it
		case <-ctx.Done():
			return
		}
	}
}

// comparison tells how the last one went, or how far it is.
func (h *Handlers) comparison(r *http.Request) (any, error) {
	last := h.Comparisons.now()
	if last.Result == nil {
		return last, nil
	}
	var err error
	last.Known, err = h.known(r.Context(), last.Result.Destinations)
	return last, err
}

// known says what people know the records and the participant versions by that are named
// first; what is here no more is left out.
func (h *Handlers) known(ctx context.Context, plans []reconcile.Plan) (map[string]view.Known, error) {
	all := map[string]view.Known{}
	for _, p := range plans {
		for _, ids := range [][]core.UploadID{p.Missing, p.Differing, p.Unannotated} {
			for _, id := range ids[:min(len(ids), view.NamedMax)] {
				u, err := h.Store.Upload(ctx, id)
				if errors.Is(err, core.ErrNotFound) {
					continue
				}
				if err != nil {
					return nil, err
				}
				who, err := h.Participant(ctx, u)
				if err != nil {
					return nil, err
				}
				all[string(id)] = view.Known{File: u.Request.Name, Participant: who}
			}
		}
		for _, rows := range [][]string{p.Rows.Missing, p.Rows.Duplicate, p.Rows.Refused} {
			for _, row := range rows[:min(len(rows), view.NamedMax)] {
				code, _, _ := strings.Cut(row, "/")
				account, err := h.Store.AccountByHealthCode(ctx, core.HealthCode(code))
				if errors.Is(err, core.ErrNotFound) {
					continue
				}
				if err != nil {
					return nil, err
				}
				all[row] = view.Known{Participant: view.NewPerson(account, core.StudyID(p.Destination)).Name}
			}
		}
	}
	return all, nil
}

// begin begins one.
func (h *Handlers) begin(r *http.Request) (any, error) {
	var asked Reconciliation
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil && err != io.EOF {
		return nil, api.BadRequest("The request is no JSON object with repair or orphans.")
	}
	return h.Comparisons.ask(asked), nil
}
