package site

import (
	"net/http"

	"footbridge/ui/view"
)

// now lets nothing that waits wait any longer.
func (h *Handlers) now(r *http.Request) (any, error) {
	h.Hurry()
	return h.status(r)
}

// pause stops sending until someone resumes it.
func (h *Handlers) pause(pause bool) func(*http.Request) (any, error) {
	return func(r *http.Request) (any, error) {
		changed, err := h.Store.Pause(r.Context(), pause)
		if err != nil {
			return nil, err
		}
		snapshot, err := h.snapshot(r.Context())
		return paused{view.NewOverview(snapshot, h.Reader(r)), changed}, err
	}
}

// paused is the overview once sending was stopped or goes on (call.Accountable).
type paused struct {
	view.Overview
	changed bool
}

// DoneWith tells whether it was otherwise before.
func (p paused) DoneWith() (map[string]string, bool) { return nil, p.changed }
