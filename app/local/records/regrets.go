package records

import (
	"net/http"

	"footbridge/ui/view"
)

// regrets lists who shares no more after records of theirs were sent, until a
// person decides what becomes of those.
func (h *Handlers) regrets(r *http.Request) (any, error) {
	all := []view.Regret{}
	for _, code := range h.Store.Regrets(r.Context()) {
		account, err := h.Store.AccountByHealthCode(r.Context(), code)
		if err != nil {
			return nil, err
		}
		all = append(all, view.Regret{Participant: code, Name: view.NewPerson(account, "").Name})
	}
	return map[string]any{"items": all}, nil
}
