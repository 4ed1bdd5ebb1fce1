package table

import (
	"io"

	"footbridge/core"
)

// Demographics gives the table of demographics: seven columns, one row for each value
// of each participant version, in the order given. studyId is missing where it is
// app-wide, demographicValue where a category has none.
func Demographics(rows []core.DemographicRow) Table {
	table := Table{Columns: []Column{
		{Name: healthCode, Kind: Text},
		{Name: participantVersion, Kind: Number},
		{Name: "studyId", Kind: Text, Optional: true},
		{Name: "demographicCategoryName", Kind: Text},
		{Name: "demographicValue", Kind: Text, Optional: true},
		{Name: "demographicUnits", Kind: Text, Optional: true},
		{Name: "demographicInvalidity", Kind: Text, Optional: true},
	}}
	for _, r := range rows {
		table.Rows = append(table.Rows, []any{
			string(r.HealthCode), int64(r.Version), optional(string(r.Study)), r.Category,
			optional(r.Value), optional(r.Units), optional(r.Invalidity),
		})
	}
	return table
}

// optional is a cell that is missing where the text is empty.
func optional(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// WriteDemographicsCSV writes demographics as CSV. Errors are those of w.
func WriteDemographicsCSV(w io.Writer, rows []core.DemographicRow) error {
	return Demographics(rows).WriteCSV(w)
}

// WriteDemographicsParquet writes demographics as Parquet. Errors are those of w.
func WriteDemographicsParquet(w io.Writer, rows []core.DemographicRow) error {
	return Demographics(rows).WriteParquet(w)
}
