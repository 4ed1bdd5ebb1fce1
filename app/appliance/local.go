package appliance

import "footbridge/app/api"

// localRoutes answer what Bridge has no word for.
func (a *Appliance) localRoutes() []api.LocalRoute {
	return []api.LocalRoute{
		{Pattern: "GET /readyz", For: api.Everyone, Answer: a.ready},
		{Pattern: "GET /metrics", For: api.ThisMachine, Answer: a.metrics},
		{Pattern: "GET /local/v1/status", Answer: a.localStatus},
		{Pattern: "POST /local/v1/sync/reconcile", Answer: a.localReconcile},
		{Pattern: "POST /local/v1/sync/now", Answer: a.localNow},
		{Pattern: "POST /local/v1/sync/pause", Answer: a.localPause(true)},
		{Pattern: "POST /local/v1/sync/resume", Answer: a.localPause(false)},
		{Pattern: "GET /local/v1/studies/{study}/access", Answer: a.localAccess},
		{Pattern: "POST /local/v1/studies/{study}/access/requests", Answer: a.localRequestAccess},
		{Pattern: "POST /local/v1/studies/{study}/access/grants", Answer: a.localGrant},
		{Pattern: "POST /local/v1/studies/{study}/credentials", Answer: a.localCredentials},
		{Pattern: "POST /local/v1/repository/test", Answer: a.localRepositoryTest},
		{Pattern: "GET /local/v1/studies/{study}/view", Answer: a.localView},
		{Pattern: "POST /local/v1/uploads/redrive", Answer: a.localRedrive},
		{Pattern: "POST /local/v1/uploads/withdraw", Answer: a.localWithdraw},
		{Pattern: "POST /local/v1/uploads/retry", Answer: a.localRetry},
		{Pattern: "GET /local/v1/uploads/{id}/destinations", Answer: a.localDestinations},
		{Pattern: "GET /local/v1/subscriptions", Answer: a.localSubscriptions},
		{Pattern: "DELETE /local/v1/subscriptions/{id}", Answer: a.localUnsubscribe},
		{Pattern: "GET /local/v1/events", Answer: a.localEvents},
		{Pattern: "GET /local/v1/keys", Answer: a.localKeys},
		{Pattern: "POST /local/v1/keys", Answer: a.localKeyCreate},
		{Pattern: "POST /local/v1/keys/import", Answer: a.localKeyImport},
	}
}
