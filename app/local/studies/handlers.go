package studies

import (
	"log/slog"
	"net/http"
	"sync"

	"footbridge/app/api"
	"footbridge/app/config"
	"footbridge/app/projects"
	"footbridge/core"
	"footbridge/store"
)

// Handlers answers the routes about studies' projects. Safe for concurrent use.
type Handlers struct {
	App      core.AppID
	Store    *store.Store
	Projects *projects.Keeper
	Settings func() config.Settings
	Log      *slog.Logger

	// Unavailable gives the error of a repository that did not do what it was asked.
	Unavailable func(*http.Request, error) error

	granting sync.Mutex // of access
}

// Routes lists every route.
func (h *Handlers) Routes() []api.LocalRoute {
	return []api.LocalRoute{
		{Pattern: "GET /local/v1/studies/{study}/project", Answer: h.project},
		{Pattern: "POST /local/v1/studies/{study}/project", Answer: h.projectAsk, Deed: core.DeedProjectMade},
		{Pattern: "GET /local/v1/studies/{study}/access", Answer: h.access},
		{Pattern: "POST /local/v1/studies/{study}/access/requests", Answer: h.request, Deed: core.DeedAccessRequested},
		{Pattern: "POST /local/v1/studies/{study}/access/grants", Answer: h.grant, Deed: core.DeedAccessGranted},
		{Pattern: "POST /local/v1/studies/{study}/credentials", Answer: h.credentials, Deed: core.DeedCredentialsGiven},
	}
}
