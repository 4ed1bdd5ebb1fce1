package site

import (
	"net/http"

	"footbridge/app/api"
	"footbridge/core"
	"footbridge/ui/view"
)

// subscriptions lists who is told of what.
func (h *Handlers) subscriptions(r *http.Request) (any, error) {
	all, err := h.Store.Subscriptions(r.Context())
	if err != nil {
		return nil, err
	}
	counts := h.Store.Counts()
	held, _, _ := h.Closed()
	lines, reader := []view.SubscriptionLine{}, h.Reader(r)
	for _, s := range all {
		lines = append(lines, view.NewSubscriptionLine(s, counts["notices/"+string(s.ID)], held, reader))
	}
	return lines, nil
}

// unsubscribe ends a subscription.
func (h *Handlers) unsubscribe(r *http.Request) (any, error) {
	if err := h.Store.Unsubscribe(r.Context(), core.SubscriptionID(r.PathValue("id"))); err != nil {
		return nil, err
	}
	return api.Message("The subscription is deleted; the receiver is told nothing more."), nil
}
