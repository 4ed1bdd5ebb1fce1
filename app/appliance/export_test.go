package appliance

// LocalPatterns lists the routes that Bridge has no word for.
func (a *Appliance) LocalPatterns() (all []string) {
	for _, route := range a.localRoutes() {
		all = append(all, route.Pattern)
	}
	return all
}
