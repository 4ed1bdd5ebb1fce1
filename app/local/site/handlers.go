package site

import (
	"context"
	"net/http"
	"time"

	"footbridge/app/api"
	"footbridge/app/config"
	"footbridge/app/keys"
	"footbridge/app/projects"
	"footbridge/app/traffic"
	"footbridge/core"
	"footbridge/store"
	"footbridge/ui/view"
)

// Handlers answers the routes that tell how a site does. Safe for concurrent use.
type Handlers struct {
	Home     string
	App      core.AppID
	Store    *store.Store
	Ring     *keys.Ring
	Projects *projects.Keeper
	Settings func() config.Settings
	Meter    *traffic.Meter  // of what leaves
	Ending   <-chan struct{} // closed when answers that last are to end
	Hurry    func()          // lets what waits be sent at once

	// Arriving is what devices are sending.
	Arriving func() []core.Moving

	// Reader is who reads the answer to a request.
	Reader func(*http.Request) view.Reader

	// Explain tells of an export why it waits.
	Explain func(context.Context, core.Export) core.Export

	// Closed says why nothing is sent at present.
	Closed func() (reason core.ExportReason, since, until time.Time)
}

// Routes lists every route.
func (h *Handlers) Routes() []api.LocalRoute {
	return []api.LocalRoute{
		{Pattern: "GET /readyz", For: api.Everyone, Answer: h.ready},
		{Pattern: "GET /metrics", For: api.ThisMachine, Answer: h.metrics},
		{Pattern: "GET /local/v1/status", Answer: h.status},
		{Pattern: "GET /local/v1/traffic", Answer: h.traffic},
		{Pattern: "POST /local/v1/sync/now", Answer: h.now},
		{Pattern: "POST /local/v1/sync/pause", Answer: h.pause(true), Deed: core.DeedSyncPaused},
		{Pattern: "POST /local/v1/sync/resume", Answer: h.pause(false), Deed: core.DeedSyncResumed},
		{Pattern: "GET /local/v1/subscriptions", Answer: h.subscriptions},
		{Pattern: "DELETE /local/v1/subscriptions/{id}", Answer: h.unsubscribe, Deed: core.DeedReceiverEnded},
		{Pattern: "GET /local/v1/events", Answer: h.events},
	}
}
