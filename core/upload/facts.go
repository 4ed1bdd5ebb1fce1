package upload

import (
	"path"
	"slices"
	"strings"
	"time"

	"footbridge/core"
)

// maxFileName is what file systems take for one name, in bytes.
const maxFileName = 255

// freeze sets the facts of an upload that is completed for the first time. An
// upload of an instance of a schedule concerns the studies that have it alone;
// whether it takes the schemaless path, all of the participant's.
func freeze(u *core.Upload, standing core.Standing, c Completion) {
	schemaless := slices.ContainsFunc(standing.Studies, core.Study.Exports)
	standing = standing.Concerning()
	on := c.On.UTC()
	facts := core.Facts{
		UploadedOn:         on,
		DateFolder:         on.In(c.Zone).Format("2006-01-02"),
		FileName:           FileName(u.ID, u.Request.Name),
		Studies:            standing.StudyIDs(),
		Destinations:       standing.Destinations(),
		DataGroups:         standing.Account.DataGroups,
		DayInStudy:         dayInStudy(standing, on, c.Zone),
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

// dayInStudy counts calendar days from the participant's first enrolment in the
// studies, which is day 1; 0 in no study.
func dayInStudy(standing core.Standing, on time.Time, zone *time.Location) int {
	var begun time.Time
	for _, study := range standing.Studies {
		if at := standing.Account.Enrollments[study.ID].EnrolledOn; begun.IsZero() || at.Before(begun) {
			begun = at
		}
	}
	if begun.IsZero() {
		return 0
	}
	return max(1, date(on, zone)-date(begun, zone)+1)
}

// date numbers the calendar date that a moment has in a zone.
func date(at time.Time, zone *time.Location) int {
	year, month, day := at.In(zone).Date()
	return int(time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix() / (24 * 60 * 60))
}

// Enlist adds the destinations that were configured since an upload was completed,
// and says where its record stands there; false where there are none. Idempotent.
func Enlist(u *core.Upload, standing core.Standing, now time.Time) ([]core.Export, bool) {
	known := len(u.Facts.Destinations)
	join(u, standing)
	added := u.Facts.Destinations[known:]
	var all []core.Export
	for _, d := range added {
		if u.State == core.StateSucceeded {
			all = append(all, export(u, d, now))
		}
	}
	return all, len(added) > 0
}

// join adds destinations that were configured since the facts of an upload were
// frozen, for the studies that were the participant's then and still are. What was
// frozen stays; only an upload that made no record yet may take the schemaless
// path now, since a record keeps its data.
func join(u *core.Upload, standing core.Standing) {
	facts := u.Facts
	for _, d := range standing.Destinations() {
		known := slices.Contains(facts.Studies, core.StudyID(d)) || string(d) == string(standing.App.ID)
		if known && !slices.Contains(facts.Destinations, d) {
			facts.Destinations = append(facts.Destinations, d)
			facts.Schemaless = facts.Schemaless || u.Record == nil && string(d) != string(standing.App.ID)
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
