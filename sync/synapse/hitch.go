package synapse

import (
	"sync"
	"time"
)

// The rules here are: what keeps a call from its answer is told from its first failed
// attempt on, while the call is still repeated, and no longer: then its error tells.

// Hitch is why a call is being repeated.
type Hitch struct {
	Err   error     // *Error, of the last attempt
	Since time.Time // the first attempt failed
	Next  time.Time // the next one is made, at the earliest
}

// hitches are those of the calls that are being repeated. Safe for concurrent use.
type hitches struct {
	mu  sync.Mutex
	all map[*attempts]Hitch
}

// failed notes that an attempt of a call failed, and another one is made.
func (h *hitches) failed(call *attempts, why Hitch) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.all == nil {
		h.all = map[*attempts]Hitch{}
	}
	h.all[call] = why
}

// over forgets a call.
func (h *hitches) over(call *attempts) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.all, call)
}

// Hitch gives why a call is being repeated at this moment, of several the one for
// longest; false where none is.
func (c *Client) Hitch() (longest Hitch, is bool) {
	c.hitches.mu.Lock()
	defer c.hitches.mu.Unlock()
	for _, one := range c.hitches.all {
		if !is || one.Since.Before(longest.Since) {
			longest, is = one, true
		}
	}
	return longest, is
}
