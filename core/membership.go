package core

import (
	"maps"
	"slices"
	"strings"
)

// Memberships says in which studies the participant was, as one cell of a table:
// |sleep=P-17|gait=| with external ids where there are any, in the order of the
// studies. Of visible alone where it is not empty; empty where there are none.
func (v ParticipantVersion) Memberships(visible StudyID) string {
	var cell strings.Builder
	for _, study := range slices.Sorted(maps.Keys(v.StudyMemberships)) {
		if visible == "" || visible == study {
			cell.WriteString("|" + string(study) + "=" + v.StudyMemberships[study])
		}
	}
	if cell.Len() == 0 {
		return ""
	}
	return cell.String() + "|"
}
