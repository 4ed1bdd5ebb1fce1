package synapse_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"footbridge/core"
	"footbridge/sync/synapse"
)

var version = core.ParticipantVersion{
	HealthCode: "qWxWqXqlcEPK7bKZqC8JZrKq", Version: 3,
	CreatedOn:        time.Date(2026, 11, 20, 8, 0, 0, 5e6, time.UTC),
	ModifiedOn:       time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC),
	DataGroups:       []string{"test_user", "group_b"},
	Languages:        []string{"en", "es"},
	SharingScope:     core.SponsorsAndPartners,
	StudyMemberships: map[core.StudyID]string{"sleep": "p-1", "heart": ""},
	ClientTimeZone:   "America/Los_Angeles",
}

// numbered is a table with some columns, whose ids are their places from 1.
func numbered(columns ...synapse.Column) synapse.Table {
	t := synapse.Table{ID: "syn1"}
	for i, column := range columns {
		column.ID = string(rune('1' + i))
		t.Columns = append(t.Columns, column)
	}
	return t
}

// named gives the cells of a row by the names of their columns.
func named(t synapse.Table, row synapse.Row) map[string]string {
	cells := map[string]string{}
	for _, cell := range row {
		for _, column := range t.Columns {
			if column.ID == cell.Column {
				cells[column.Name] = cell.Value
			}
		}
	}
	return cells
}

func TestVersionRow(t *testing.T) {
	table := numbered(synapse.VersionColumns()...)
	row, reasons, err := synapse.VersionRow(table, version, "")
	if err != nil || len(reasons) != 0 {
		t.Fatal(reasons, err)
	}
	want := map[string]string{
		"healthCode": "qWxWqXqlcEPK7bKZqC8JZrKq", "participantVersion": "3",
		"createdOn": "1795161600005", "modifiedOn": "1795248000000",
		"dataGroups": "group_b,test_user", "languages": `["en","es"]`,
		"sharingScope": "SPONSORS_AND_PARTNERS", "studyMemberships": "|heart=|sleep=p-1|",
		"clientTimeZone": "America/Los_Angeles",
	}
	if diff := cmp.Diff(want, named(table, row)); diff != "" {
		t.Error(diff)
	}
}

// Cells are written as the columns of the table want them, whoever made it.
func TestColumnsAsTheyAre(t *testing.T) {
	key := []synapse.Column{{Name: "healthCode", Type: synapse.Text, Size: 36}, {Name: "participantVersion", Type: synapse.Integer}}
	many := version
	many.Languages = []string{"en", "es", "pt-BR-x"}
	bare := core.ParticipantVersion{HealthCode: "h", Version: 1, CreatedOn: version.CreatedOn, ModifiedOn: version.CreatedOn}
	for _, test := range []struct {
		name    string
		column  synapse.Column
		version core.ParticipantVersion
		want    string
		reasons int
	}{
		{"languages as text", synapse.Column{Name: "languages", Type: synapse.Text, Size: 20}, version, "en,es", 0},
		{"languages as short text", synapse.Column{Name: "languages", Type: synapse.Text, Size: 5}, many, "en,es", 1},
		{"languages as a list", synapse.Column{Name: "languages", Type: synapse.TextList, Size: 5, List: 10}, many, `["en","es","pt-BR"]`, 1},
		{"languages as a short list", synapse.Column{Name: "languages", Type: synapse.TextList, Size: 9, List: 1}, many, `["en"]`, 1},
		{"no languages", synapse.Column{Name: "languages", Type: synapse.TextList, Size: 5, List: 10}, bare, "", 0},
		{"data groups as a list", synapse.Column{Name: "dataGroups", Type: synapse.TextList, Size: 20, List: 10}, version, `["group_b","test_user"]`, 0},
		{"a date as a number", synapse.Column{Name: "createdOn", Type: synapse.Integer}, version, "1795161600005", 0},
		{"a date as text", synapse.Column{Name: "createdOn", Type: synapse.Text, Size: 20}, version, "1795161600005", 0},
		{"memberships as long text", synapse.Column{Name: "studyMemberships", Type: "LARGETEXT"}, version, "|sleep=p-1|", 0},
		{"no memberships", synapse.Column{Name: "studyMemberships", Type: synapse.Text}, bare, "", 0},
		{"another's column", synapse.Column{Name: "notes", Type: "BOOLEAN"}, version, "", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			table := numbered(append(key, test.column)...)
			row, reasons, err := synapse.VersionRow(table, test.version, "sleep")
			if err != nil {
				t.Fatal(err)
			}
			if got := named(table, row)[test.column.Name]; got != test.want || len(reasons) != test.reasons {
				t.Errorf("wrote %q with %v, want %q", got, reasons, test.want)
			}
		})
	}
}

// What does not fit is refused by the name of its column, before it is sent.
func TestCellsThatDoNotFit(t *testing.T) {
	secret := "external-4711"
	wide := version
	wide.DataGroups = []string{strings.Repeat(secret, 20)}
	studies := version
	studies.StudyMemberships = map[core.StudyID]string{"sleep": strings.Repeat(secret, 20)}
	code := version
	code.HealthCode = core.HealthCode(strings.Repeat(secret, 3))
	zone := version
	zone.ClientTimeZone = strings.Repeat("é", 41)
	odd := synapse.VersionColumns()
	odd[4].Type = "BOOLEAN"
	for _, test := range []struct {
		column  string
		columns []synapse.Column
		version core.ParticipantVersion
	}{
		{"dataGroups", synapse.VersionColumns(), wide},
		{"studyMemberships", synapse.VersionColumns(), studies},
		{"healthCode", synapse.VersionColumns(), code},
		{"clientTimeZone", synapse.VersionColumns(), zone},
		{"dataGroups", odd, version},
		{"healthCode", synapse.VersionColumns()[1:], version},
	} {
		_, _, err := synapse.VersionRow(numbered(test.columns...), test.version, "")
		if !errors.Is(err, synapse.ErrInvalid) || !strings.Contains(err.Error(), test.column) || strings.Contains(err.Error(), secret) {
			t.Errorf("%s: %v", test.column, err)
		}
	}
}
