package mending

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"footbridge/app/api"
	"footbridge/app/projects"
	"footbridge/core"
	"footbridge/store"
)

// Handlers answers the routes by which a repository is compared and mended. Safe for
// concurrent use.
type Handlers struct {
	App         core.AppID
	Store       *store.Store
	Projects    *projects.Keeper
	Comparisons *Comparisons
	Hurry       func() // lets what waits be sent at once
	Log         *slog.Logger

	// Closed says why nothing is sent at present.
	Closed func() (reason core.ExportReason, since, until time.Time)

	// Away says since when a destination is given a rest and when it is asked next; zero
	// times while all is well.
	Away func(core.DestinationID) (since, next time.Time)

	// Participant is what staff call the participant of an upload; empty where they have
	// no name for them.
	Participant func(context.Context, core.Upload) (string, error)

	// Unavailable gives the error of a repository that did not do what it was asked.
	Unavailable func(*http.Request, error) error
}

// Routes lists every route.
func (h *Handlers) Routes() []api.LocalRoute {
	return []api.LocalRoute{
		{Pattern: "GET /local/v1/sync/comparison", Answer: h.comparison},
		{Pattern: "POST /local/v1/sync/comparison", Answer: h.begin, Deed: core.DeedRepositoryMended},
		{Pattern: "POST /local/v1/sync/reconcile", Answer: h.compareNow, Deed: core.DeedRepositoryMended},
	}
}
