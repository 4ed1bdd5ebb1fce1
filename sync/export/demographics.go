package export

import (
	"cmp"
	"maps"
	"slices"

	"footbridge/core"
)

// Demographics gives the rows of some participant versions in the table of
// demographics, sorted by health code, version, study and category, the app-wide ones
// first: one for each value, and one without a value for a category that has none. If
// visible names a study, they tell of no other; app-wide ones are told everywhere.
func Demographics(versions []core.ParticipantVersion, visible core.StudyID) []core.DemographicRow {
	var rows []core.DemographicRow
	sorted := slices.SortedStableFunc(slices.Values(versions), func(a, b core.ParticipantVersion) int {
		return cmp.Or(cmp.Compare(a.HealthCode, b.HealthCode), cmp.Compare(a.Version, b.Version))
	})
	for _, v := range sorted {
		rows = append(rows, demographics(v, "", v.AppDemographics)...)
		for _, study := range slices.Sorted(maps.Keys(v.StudyDemographics)) {
			if visible == "" || visible == study {
				rows = append(rows, demographics(v, study, v.StudyDemographics[study])...)
			}
		}
	}
	return rows
}

// demographics gives the rows of a version in one study (empty: app-wide).
func demographics(v core.ParticipantVersion, study core.StudyID, all core.Demographics) (rows []core.DemographicRow) {
	for _, category := range slices.Sorted(maps.Keys(all)) {
		d := all[category]
		values := d.Values
		if len(values) == 0 {
			values = []core.DemographicValue{{}}
		}
		for _, value := range values {
			rows = append(rows, core.DemographicRow{
				HealthCode: v.HealthCode, Version: v.Version, Study: study, Category: category,
				Value: value.Value, Units: d.Units, Invalidity: value.Invalidity,
			})
		}
	}
	return rows
}
