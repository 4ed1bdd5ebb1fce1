package appliance

import "footbridge/core"

// LocalPatterns lists the routes that Bridge has no word for.
func (a *Appliance) LocalPatterns() (all []string) {
	for _, route := range a.localRoutes() {
		all = append(all, route.Pattern)
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
