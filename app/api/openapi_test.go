package api_test

import (
	"slices"
	"strings"
	"testing"

	"footbridge/app/api/openapi/openapitest"
)

// Every route is described, and nothing is described that is no route.
func TestTheDocumentKnowsEveryRoute(t *testing.T) {
	d := openapitest.Document(t)
	s := newSite(t, nil)
	routes := []string{"PUT /put/{id}", "OPTIONS /put/{id}"}
	for _, pattern := range s.server.Patterns() {
		if pattern = strings.TrimSuffix(pattern, "{$}"); pattern != "/" && !strings.Contains(pattern, " /local/") {
			routes = append(routes, pattern)
		}
	}
	var described []string
	for path, item := range d.Paths.Map() {
		for method, operation := range item.Operations() {
			if !strings.HasPrefix(path, "/local/") && path != "/readyz" && path != "/metrics" { // they are the appliance's
				described = append(described, method+" "+path)
			}
			if operation.Summary == "" || len(operation.Tags) != 1 {
				t.Errorf("%s %s has no summary or not one tag", method, path)
			}
		}
	}
	for _, route := range routes {
		if !slices.Contains(described, route) {
			t.Errorf("%s is not described", route)
		}
	}
	for _, route := range described {
		if !slices.Contains(routes, route) {
			t.Errorf("%s is described but no route", route)
		}
	}
}
