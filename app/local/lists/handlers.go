package lists

import (
	"context"
	"net/http"

	"footbridge/app/api"
	"footbridge/app/config"
	"footbridge/core"
	"footbridge/store"
	"footbridge/ui/view"
)

// Handlers answers the routes by which people look at what is here. Safe for concurrent
// use.
type Handlers struct {
	Home     string
	App      core.AppID
	Store    *store.Store
	Settings func() config.Settings

	// Reader is who reads the answer to a request.
	Reader func(*http.Request) view.Reader

	// Explain tells of an export why it waits.
	Explain func(context.Context, core.Export) core.Export

	// Stored gives bucket and key of what is at a path of a destination's project.
	Stored func(d core.DestinationID, parts core.RepositoryConfig, at string) (bucket, key string)
}

// Routes lists every route.
func (h *Handlers) Routes() []api.LocalRoute {
	return []api.LocalRoute{
		{Pattern: "GET /local/v1/uploads", Answer: h.uploads},
		{Pattern: "GET /local/v1/uploads/{id}", Answer: h.upload},
		{Pattern: "GET /local/v1/uploads/{id}/destinations", Answer: h.destinations},
		{Pattern: "GET /local/v1/studies/{study}/participants", Answer: h.participants},
		{Pattern: "GET /local/v1/studies/{study}/participants/{user}", Answer: h.participant},
		{Pattern: "GET /local/v1/studies/{study}/view", Answer: h.view, Deed: core.DeedViewRead},
	}
}
