package appliance

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
