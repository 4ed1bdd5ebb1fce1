package synapse

import (
	"context"

	"footbridge/core"
)

// DemographicKey names a row of demographics.
func DemographicKey(r core.DemographicRow) Key {
	return Key{r.HealthCode, r.Version, r.Study, r.Category, r.Value}
}

// DemographicColumns gives the columns of a table of demographics.
func DemographicColumns() []Column {
	return []Column{
		{Name: "healthCode", Type: Text, Size: 36},
		{Name: "participantVersion", Type: Integer},
		{Name: "studyId", Type: Text, Size: 60},
		{Name: "demographicCategoryName", Type: Text, Size: 255},
		{Name: "demographicValue", Type: LargeText},
		{Name: "demographicUnits", Type: Text, Size: 255},
		{Name: "demographicInvalidity", Type: Text, Size: 255},
	}
}

// DemographicRow gives a row of demographics in a table, by the types of its columns.
// Columns of other names stay empty, as do those without a value: studyId of what is
// app-wide, and demographicValue of a category that has none. Pure. Errors: ErrInvalid,
// which names the column.
func DemographicRow(t Table, r core.DemographicRow) (Row, error) {
	return t.row(map[string]any{
		"healthCode": string(r.HealthCode), "participantVersion": int64(r.Version), "studyId": string(r.Study),
		"demographicCategoryName": r.Category, "demographicValue": r.Value,
		"demographicUnits": r.Units, "demographicInvalidity": r.Invalidity,
	}, demographicNames())
}

// Demographics are the rows of a table of demographics.
type Demographics []core.DemographicRow

func (d Demographics) lines(t Table) []line {
	lines := make([]line, 0, len(d))
	for _, one := range d {
		row, err := DemographicRow(t, one)
		lines = append(lines, line{key: DemographicKey(one), row: row, refused: err})
	}
	return lines
}

func (Demographics) held(ctx context.Context, c *Client, t Table, lines []line) (map[Key]int, error) {
	var keys []Key
	for _, l := range lines {
		keys = append(keys, l.key)
	}
	return c.DemographicRows(ctx, t, keys)
}
