package view

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"footbridge/core"
)

// ParticipantVersion is what was known of a participant from one moment on, as the API
// tells it.
type ParticipantVersion struct {
	Version      int                     `json:"participantVersion"`
	ModifiedOn   time.Time               `json:"modifiedOn"`
	DataGroups   []string                `json:"dataGroups"`
	Languages    []string                `json:"languages"`
	SharingScope core.SharingScope       `json:"sharingScope"`
	Memberships  map[core.StudyID]string `json:"studyMemberships"` // external ids
	TimeZone     string                  `json:"timeZone"`
	Demographics map[string]Demographic  `json:"appDemographics"`

	StudyDemographics map[core.StudyID]map[string]Demographic `json:"studyDemographics"`
}

// Demographic is what is known in one category.
type Demographic struct {
	Units  string `json:"units"`
	Values []struct {
		Value string `json:"value"`
	} `json:"values"`
}

// VersionTable is versions beside each other, the newest first.
type VersionTable struct {
	Heads []Cell // of each version: its number and time; changed where anything did
	Rows  []CompareRow
	Newer int // how many newer versions there are
	Older int // how many older ones
}

// CompareRow is one field in every version.
type CompareRow struct {
	Field string
	Cells []Cell
}

// Cell is a text, and whether it is another one than in the version before.
type Cell struct {
	Text    string
	Changed bool
}

// ComparedMax is how many versions stand beside each other.
const ComparedMax = 3

// Compare puts versions, the oldest first, beside each other, of which so many newer ones
// are passed over, and marks what changed.
func (r Reader) Compare(versions []ParticipantVersion, newer int) VersionTable {
	c := VersionTable{Newer: newer, Older: max(0, len(versions)-newer-ComparedMax)}
	var all []map[string]string
	fields := map[string]bool{}
	for _, v := range versions {
		said := r.version(v)
		all = append(all, said)
		for field := range said {
			fields[field] = true
		}
	}
	names := r.fieldNames(slices.Sorted(maps.Keys(fields)))
	for _, field := range names {
		c.Rows = append(c.Rows, CompareRow{Field: field})
	}
	for i := len(versions) - 1 - newer; i >= c.Older; i-- {
		head := Cell{Text: r.Say("versions.head", "version", strconv.Itoa(versions[i].Version), "when", r.When(versions[i].ModifiedOn))}
		for j, field := range names {
			cell := Cell{Text: all[i][field]}
			cell.Changed = i > 0 && all[i-1][field] != cell.Text
			if cell.Text == "" {
				cell.Text = r.Say("versions.nothing")
			}
			head.Changed = head.Changed || cell.Changed
			c.Rows[j].Cells = append(c.Rows[j].Cells, cell)
		}
		c.Heads = append(c.Heads, head)
	}
	return c
}

// fieldNames puts those that every participant has before the others.
func (r Reader) fieldNames(all []string) []string {
	first := []string{r.Say("people.sharing"), r.Say("versions.studies"), r.Say("people.groups"), r.Say("people.languages"), r.Say("people.zone")}
	names := slices.DeleteFunc(first, func(name string) bool { return !slices.Contains(all, name) })
	for _, name := range all {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// version says the fields of a version.
func (r Reader) version(v ParticipantVersion) map[string]string {
	var memberships []string
	for _, study := range slices.Sorted(maps.Keys(v.Memberships)) {
		as := v.Memberships[study]
		if as == noExternalID {
			as = r.Say("people.nameless")
		}
		memberships = append(memberships, r.Say("versions.study", "study", study, "as", as))
	}
	said := map[string]string{
		r.Say("people.sharing"): r.Say("sharing." + string(v.SharingScope)), r.Say("versions.studies"): strings.Join(memberships, ", "),
		r.Say("people.groups"): strings.Join(v.DataGroups, ", "), r.Say("people.languages"): strings.Join(v.Languages, ", "),
		r.Say("people.zone"): v.TimeZone,
	}
	for category, d := range v.Demographics {
		said[category] = d.text()
	}
	for study, all := range v.StudyDemographics {
		for category, d := range all {
			said[r.Say("versions.demographic", "category", category, "study", study)] = d.text()
		}
	}
	return said
}

// noExternalID stands on the wire for an external id where there is none.
const noExternalID = "<none>"

func (d Demographic) text() string {
	var all []string
	for _, v := range d.Values {
		all = append(all, strings.TrimSpace(v.Value+" "+d.Units))
	}
	return strings.Join(all, ", ")
}
