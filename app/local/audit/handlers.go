package audit

import (
	"footbridge/app/api"
	"footbridge/store"
)

// Handlers answers the routes that tell who did what. Safe for concurrent use.
type Handlers struct{ Store *store.Store }

// Routes lists every route.
func (h *Handlers) Routes() []api.LocalRoute {
	return []api.LocalRoute{
		{Pattern: "GET /local/v1/audit", Answer: h.audit},
		{Pattern: "GET /local/v1/deeds", Answer: h.deeds},
	}
}
