package call

import "footbridge/core"

// noExternalID stands for the external id of a member who has none.
const noExternalID = "<none>"

// Memberships are memberships of studies on the wire, nil where there are none.
func Memberships(of map[core.StudyID]string) map[core.StudyID]string {
	if len(of) == 0 {
		return nil
	}
	wire := map[core.StudyID]string{}
	for study, id := range of {
		if id == "" {
			id = noExternalID
		}
		wire[study] = id
	}
	return wire
}
