package records

import (
	"log/slog"
	"strconv"

	"footbridge/app/api"
	"footbridge/app/projects"
	"footbridge/core"
	"footbridge/core/upload"
	"footbridge/store"
)

// Handlers answers the routes by which people decide on records. Safe for concurrent
// use.
type Handlers struct {
	Desk     *upload.Desk
	Store    *store.Store
	Projects *projects.Keeper
	Hurry    func() // lets what waits be sent at once
	Log      *slog.Logger
}

// Routes lists every route.
func (h *Handlers) Routes() []api.LocalRoute {
	return []api.LocalRoute{
		{Pattern: "POST /local/v1/uploads/redrive", Answer: h.redrive, Deed: core.DeedUploadsRedriven},
		{Pattern: "POST /local/v1/uploads/retry", Answer: h.retry, Deed: core.DeedUploadsRetried},
		{Pattern: "POST /local/v1/uploads/withdraw", Answer: h.withdraw, Deed: core.DeedRecordsWithdrawn},
		{Pattern: "GET /local/v1/regrets", Answer: h.regrets},
	}
}

// pageSize is how many uploads are looked up at once.
const pageSize = 100

// several names one thing, or says how many they are.
func several(what string, ids []core.UploadID, n int) map[string]string {
	if n == 1 && len(ids) == 1 {
		return map[string]string{what: string(ids[0])}
	}
	return map[string]string{what + "s": strconv.Itoa(n)}
}
