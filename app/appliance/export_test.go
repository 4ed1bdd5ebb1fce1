package appliance

import (
	"context"
	"strings"
	"time"

	"footbridge/app/api/devices"
	"footbridge/core"
)

// LocalPatterns lists the routes that Bridge has no word for.
func (a *Appliance) LocalPatterns() (all []string) {
	for _, route := range a.localRoutes() {
		all = append(all, route.Pattern)
	}
	for _, route := range (&devices.Handlers{}).Routes() {
		if strings.Contains(route.Pattern, " /local/") {
			all = append(all, route.Pattern)
		}
	}
	return all
}

// End ends answers that last.
func (a *Appliance) End() { a.end() }

// RepositoryName is what notices call a repository.
var RepositoryName = repositoryName

// Stored gives bucket and key of a record.
func (a *Appliance) Stored(d core.DestinationID, parts core.RepositoryConfig, at string) (bucket, key string) {
	return a.stored(d, parts, at)
}

// Announced stores uploads of an account that were announced, a millisecond each after
// the other, and gives their ids.
func (a *Appliance) Announced(ctx context.Context, who core.UserID, names ...string) (ids []core.UploadID, err error) {
	from := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	for i, name := range names {
		at := from.Add(time.Duration(i) * time.Millisecond)
		u := core.Upload{
			ID: core.UploadID(core.NewID(at)), App: a.app, User: who, HealthCode: "h", State: core.StateRequested,
			RequestedOn: at, ExpiresOn: at.Add(time.Hour), Request: core.Request{Name: name, ContentMD5: name},
		}
		if _, err = a.store.Begin(ctx, u, at, func(*core.Upload) core.Upload { return u }); err != nil {
			return ids, err
		}
		ids = append(ids, u.ID)
	}
	return ids, nil
}
