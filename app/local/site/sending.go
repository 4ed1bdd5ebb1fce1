package site

import "net/http"

// now lets nothing that waits wait any longer.
func (h *Handlers) now(r *http.Request) (any, error) {
	h.Hurry()
	return h.status(r)
}

// pause stops sending until someone resumes it.
func (h *Handlers) pause(pause bool) func(*http.Request) (any, error) {
	return func(r *http.Request) (any, error) {
		if err := h.Store.Pause(r.Context(), pause); err != nil {
			return nil, err
		}
		return h.status(r)
	}
}
