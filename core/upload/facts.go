package upload

import (
	"path"
	"slices"
	"strings"

	"footbridge/core"
)

// maxFileName is what file systems take for one name, in bytes.
const maxFileName = 255

// freeze sets the facts of an upload that is completed for the first time. An
// upload of an instance of a schedule concerns the studies that have it alone;
// whether it takes the schemaless path, all of the participant's.
func freeze(u *core.Upload, standing core.Standing, c Completion) {
	schemaless := len(standing.Destinations()) > 0
	standing = standing.Concerning()
	on := c.On.UTC()
	facts := core.Facts{
		UploadedOn:         on,
		DateFolder:         on.In(c.Zone).Format("2006-01-02"),
		FileName:           FileName(u.ID, u.Request.Name),
		Studies:            standing.StudyIDs(),
		Destinations:       standing.Destinations(),
		DataGroups:         standing.Account.DataGroups,
		ParticipantVersion: standing.Version,
		SharingScope:       standing.Account.SharingScope,
		ClientInfo:         u.ClientInfo,
		UserAgent:          u.UserAgent,
		Schemaless:         schemaless,
		Memberships:        map[core.StudyID]string{},
	}
	for _, study := range standing.Studies {
		if a := standing.Activities[study.ID]; a != nil && facts.Timeline == nil {
			facts.Timeline = a.Metadata[u.InstanceGUID()].Strings()
		}
		id := standing.Account.Enrollments[study.ID].ExternalID
		if facts.ExternalID == "" {
			facts.ExternalID = id
		}
		facts.Memberships[study.ID] = id
	}
	if facts.UserAgent == "" {
		facts.UserAgent, facts.ClientInfo = c.UserAgent, c.Client
	}
	u.Facts = &facts
}

// join adds destinations that were configured since the facts were frozen, for
// the studies that were the participant's then and still are. What was frozen
// stays.
func join(facts *core.Facts, standing core.Standing) {
	for _, d := range standing.Destinations() {
		known := slices.Contains(facts.Studies, core.StudyID(d)) || string(d) == string(standing.App.ID)
		if known && !slices.Contains(facts.Destinations, d) {
			facts.Destinations = append(facts.Destinations, d)
			facts.Schemaless = true
		}
	}
}

// FileName is the name of an upload's file in the repository: the id, a hyphen
// and the submitted name, of which [A-Za-z0-9,_. \-+()'] is kept and every
// other character becomes an underscore. At most 255 bytes; the extension is
// kept when the name is shortened.
func FileName(id core.UploadID, name string) string {
	clean := strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', strings.ContainsRune(",_. -+()'", r):
			return r
		}
		return '_'
	}, name)
	room := maxFileName - len(id) - 1
	if len(clean) > room {
		extension := path.Ext(clean)
		if len(extension) > room/2 {
			extension = ""
		}
		clean = clean[:room-len(extension)] + extension
	}
	return string(id) + "-" + clean
}
