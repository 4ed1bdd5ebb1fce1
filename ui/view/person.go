package view

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"footbridge/core"
)

// The rules here are: participants are called by their external ids alone, never by
// name, address or number; an id is said only of whom nothing else may be said.

// Person is who an account is, as people are told of it.
type Person struct {
	Name  string `json:"name"`
	Staff bool   `json:"staff,omitempty"` // with a role; else a participant
}

// NewPerson describes an account, where it is named in a study; empty: in none.
func NewPerson(a core.Account, study core.StudyID) Person {
	p := Person{Name: a.Enrollments[study].ExternalID, Staff: len(a.Roles) > 0}
	for _, in := range slices.Sorted(maps.Keys(a.Enrollments)) {
		p.Name = cmp.Or(p.Name, a.Enrollments[in].ExternalID)
	}
	if p.Staff {
		p.Name = cmp.Or(a.Email, p.Name, strings.TrimSpace(a.FirstName+" "+a.LastName))
	}
	p.Name = cmp.Or(p.Name, short(string(a.ID)))
	return p
}

// idShown is how much of an id people are shown, who know nothing by it.
const idShown = 8

// short cuts an id.
func short(id string) string {
	if len(id) <= idShown+1 {
		return id
	}
	return id[:idShown] + "…"
}
