package appliance

import "footbridge/app/api"

// localRoutes answer what Bridge has no word for.
func (a *Appliance) localRoutes() []api.LocalRoute {
	return []api.LocalRoute{
		{Pattern: "GET /readyz", For: api.Everyone, Answer: a.ready},
		{Pattern: "GET /metrics", For: api.ThisMachine, Answer: a.metrics},
		{Pattern: "GET /local/v1/status", Answer: a.localStatus},
		{Pattern: "POST /local/v1/sync/now", Answer: a.localNow},
		{Pattern: "POST /local/v1/sync/pause", Answer: a.localPause(true)},
		{Pattern: "POST /local/v1/sync/resume", Answer: a.localPause(false)},
		{Pattern: "POST /local/v1/repository/test", Answer: a.localRepositoryTest},
		{Pattern: "GET /local/v1/studies/{study}/view", Answer: a.localView},
		{Pattern: "GET /local/v1/uploads/{id}/destinations", Answer: a.localDestinations},
		{Pattern: "GET /local/v1/keys", Answer: a.localKeys},
		{Pattern: "POST /local/v1/keys", Answer: a.localKeyCreate},
		{Pattern: "POST /local/v1/keys/import", Answer: a.localKeyImport},
	}
}
