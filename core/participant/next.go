package participant

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"footbridge/core"
)

// The rules here are: versions are made while the app exports; staff have none,
// nor has anyone who shares with nobody or is in no study; the first version is
// 1; a version is made only when data groups, languages, sharing scope, study
// memberships, time zone or demographics differ from the latest; createdOn stays that
// of the account, modifiedOn is now.

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
		AppDemographics: frozen(a.Demographics),
	}
	for study := range memberships {
		if d := frozen(a.StudyDemographics[study]); d != nil {
			if next.StudyDemographics == nil {
				next.StudyDemographics = map[core.StudyID]core.Demographics{}
			}
			next.StudyDemographics[study] = d
		}
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
		a.ClientTimeZone == b.ClientTimeZone && sameDemographics(a.AppDemographics, b.AppDemographics) &&
		maps.EqualFunc(a.StudyDemographics, b.StudyDemographics, sameDemographics)
}

// frozen gives demographics as a version has them: without ids, values sorted, so
// that their order makes no difference; nil where there are none.
func frozen(d core.Demographics) core.Demographics {
	if len(d) == 0 {
		return nil
	}
	all := make(core.Demographics, len(d))
	for category, one := range d {
		one.ID, one.Values = "", slices.SortedFunc(slices.Values(one.Values), func(a, b core.DemographicValue) int {
			return cmp.Or(cmp.Compare(a.Value, b.Value), cmp.Compare(a.Invalidity, b.Invalidity))
		})
		all[category] = one
	}
	return all
}

func sameDemographics(a, b core.Demographics) bool {
	return maps.EqualFunc(a, b, func(a, b core.Demographic) bool {
		return a.Multiple == b.Multiple && a.Units == b.Units && slices.Equal(a.Values, b.Values)
	})
}
