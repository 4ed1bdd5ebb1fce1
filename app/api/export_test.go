package api

import (
	"footbridge/app/api/call"
	"footbridge/core"
)

// Patterns lists every route but the PUT and those of the site.
func (s *Server) Patterns() (all []string) {
	_, rooms := s.rooms(call.Door{Operator: &core.Account{}})
	for _, routes := range rooms {
		for _, route := range routes {
			all = append(all, route.Pattern)
		}
	}
	return all
}
