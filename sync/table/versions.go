package table

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"footbridge/core"
)

// Versions gives the Participant Versions table: nine columns, rows sorted by
// health code and version. Data groups are sorted and comma-joined, languages
// comma-joined in the participant's order, the sharing scope in upper case.
// Study memberships read |studyA=externalId|studyB=| sorted by study, and are
// empty where there are none; if visible names a study, they tell of no other.
func Versions(versions []core.ParticipantVersion, visible core.StudyID) Table {
	table := Table{Columns: []Column{
		{Name: "healthCode", Kind: Text},
		{Name: "participantVersion", Kind: Number},
		{Name: "createdOn", Kind: Instant},
		{Name: "modifiedOn", Kind: Instant},
		{Name: "dataGroups", Kind: Text},
		{Name: "languages", Kind: Text},
		{Name: "sharingScope", Kind: Text},
		{Name: "studyMemberships", Kind: Text},
		{Name: "clientTimeZone", Kind: Text},
	}}
	sorted := slices.SortedStableFunc(slices.Values(versions), func(a, b core.ParticipantVersion) int {
		return cmp.Or(cmp.Compare(a.HealthCode, b.HealthCode), cmp.Compare(a.Version, b.Version))
	})
	for _, v := range sorted {
		groups := slices.Sorted(slices.Values(v.DataGroups))
		table.Rows = append(table.Rows, []any{
			string(v.HealthCode),
			int64(v.Version),
			v.CreatedOn,
			v.ModifiedOn,
			strings.Join(groups, ","),
			strings.Join(v.Languages, ","),
			strings.ToUpper(string(v.SharingScope)),
			v.Memberships(visible),
			v.ClientTimeZone,
		})
	}
	return table
}

// WriteVersionsCSV writes the Participant Versions as CSV, createdOn and
// modifiedOn as epoch milliseconds. Errors are those of w.
func WriteVersionsCSV(w io.Writer, versions []core.ParticipantVersion, visible core.StudyID) error {
	return Versions(versions, visible).WriteCSV(w)
}

// WriteVersionsParquet writes the Participant Versions as Parquet, createdOn
// and modifiedOn as timestamps. Errors are those of w.
func WriteVersionsParquet(w io.Writer, versions []core.ParticipantVersion, visible core.StudyID) error {
	return Versions(versions, visible).WriteParquet(w)
}
