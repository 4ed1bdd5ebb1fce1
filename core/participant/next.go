package participant

import (
	"maps"
	"slices"
	"time"

	"footbridge/core"
)

// The rules here are: versions are made while the app exports; staff have none,
// nor has anyone who shares with nobody or is in no study; the first version is
// 1; a version is made only when data groups, languages, sharing scope, study
// memberships or time zone differ from the latest; createdOn stays that of the
// account, modifiedOn is now.

// Next gives the version that follows latest (nil: none yet) for an account as
// it is now, and whether there is one.
func Next(app core.App, a core.Account, latest *core.ParticipantVersion, now time.Time) (core.ParticipantVersion, bool) {
	memberships := map[core.StudyID]string{}
	for study, e := range a.Enrollments {
		if e.Active() {
			memberships[study] = e.ExternalID
		}
	}
	if !app.Export || len(a.Roles) > 0 || !a.SharingScope.Allows() || len(memberships) == 0 {
		return core.ParticipantVersion{}, false
	}
	groups := slices.Clone(a.DataGroups)
	slices.Sort(groups)
	next := core.ParticipantVersion{
		HealthCode: a.HealthCode, Version: 1,
		CreatedOn: a.CreatedOn, ModifiedOn: now.UTC(),
		DataGroups: groups, Languages: a.Languages, SharingScope: a.SharingScope,
		StudyMemberships: memberships, ClientTimeZone: a.ClientTimeZone,
	}
	if latest == nil {
		return next, true
	}
	if same(*latest, next) {
		return core.ParticipantVersion{}, false
	}
	next.Version, next.CreatedOn = latest.Version+1, latest.CreatedOn
	return next, true
}

func same(a, b core.ParticipantVersion) bool {
	return slices.Equal(a.DataGroups, b.DataGroups) && slices.Equal(a.Languages, b.Languages) &&
		a.SharingScope == b.SharingScope && maps.Equal(a.StudyMemberships, b.StudyMemberships) &&
		a.ClientTimeZone == b.ClientTimeZone
}
