package appliance

import (
	"net/http"
	"path/filepath"
	"slices"

	"footbridge/app/api"
	"footbridge/app/local/audit"
	"footbridge/app/local/lists"
	"footbridge/app/local/mending"
	"footbridge/app/local/records"
	"footbridge/app/local/setup"
	"footbridge/app/local/site"
	"footbridge/app/local/studies"
	"footbridge/core"
)

// furnish makes the rooms whose routes answer what Bridge has no word for.
func (a *Appliance) furnish() {
	a.lists = &lists.Handlers{
		Home: a.home, App: a.app, Store: a.store, Settings: a.live.Settings,
		Reader: a.reader, Explain: a.explain, Stored: a.stored,
	}
	a.records = &records.Handlers{Desk: a.desk, Store: a.store, Projects: a.projects, Hurry: a.pusher.Hurry, Log: a.log}
	a.mending = &mending.Handlers{
		App: a.app, Store: a.store, Projects: a.projects, Comparisons: mending.NewComparisons(), Hurry: a.hurry, Log: a.log,
		Closed: a.closed, Away: a.pusher.Away, Participant: a.lists.ExternalID, Unavailable: a.unavailable,
	}
	a.studies = &studies.Handlers{
		App: a.app, Store: a.store, Projects: a.projects, Settings: a.live.Settings, Log: a.log, Unavailable: a.unavailable,
	}
	a.audit = &audit.Handlers{Store: a.store}
	a.setup = &setup.Handlers{
		Home: a.home, RcloneConf: filepath.Join(a.home, rcloneFile), App: a.app, Ring: a.ring, Projects: a.projects, Settings: a.live.Settings,
		Witness: setup.NewWitness(a.live, a.store), Hurry: a.hurry, Door: a.address,
	}
	a.site = &site.Handlers{
		Home: a.home, App: a.app, Store: a.store, Ring: a.ring, Projects: a.projects, Settings: a.live.Settings, Meter: a.meter, Ending: a.ending,
		Hurry: a.hurry, Arriving: func() []core.Moving { return a.api.Arriving() }, Reader: a.reader, Explain: a.explain, Closed: a.closed,
	}
}

// localRoutes lists the routes of those rooms.
func (a *Appliance) localRoutes() []api.LocalRoute {
	return slices.Concat(a.lists.Routes(), a.records.Routes(), a.mending.Routes(), a.studies.Routes(), a.audit.Routes(), a.setup.Routes(), a.site.Routes())
}

// unavailable says that the repository did not do what it was asked; why is for the
// log.
func (a *Appliance) unavailable(r *http.Request, err error) error {
	a.log.Warn("the repository does not answer as it should", "route", r.Pattern, "error", err)
	return api.Unavailable("The repository did not do it: " + err.Error() + ". Try again later.")
}
