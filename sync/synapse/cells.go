package synapse

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"footbridge/core"
)

// The rules here are: a cell is written as its column's type wants it, whoever
// made the column; languages are cut to what fits, since the first ones say what
// matters; any other value that does not fit is refused, because half a list of
// studies is a wrong one.

// VersionColumns gives the columns of a Participant Versions table.
func VersionColumns() []Column {
	return []Column{
		{Name: "healthCode", Type: Text, Size: 36},
		{Name: "participantVersion", Type: Integer},
		{Name: "createdOn", Type: Date},
		{Name: "modifiedOn", Type: Date},
		{Name: "dataGroups", Type: Text, Size: 250},
		{Name: "languages", Type: TextList, Size: 5, List: 10},
		{Name: "sharingScope", Type: Text, Size: 25},
		{Name: "studyMemberships", Type: Text, Size: 250},
		{Name: "clientTimeZone", Type: Text, Size: 40},
	}
}

// Row is one row on its way into a table.
type Row []Cell

// Cell is the value of one column.
type Cell struct {
	Column string `json:"key"` // its id
	Value  string `json:"value"`
}

// VersionRow gives the row of a participant version in a table, by the types of
// its columns: dates are epoch milliseconds, data groups and languages a list or
// comma-joined, data groups sorted, the sharing scope in upper case, and memberships
// |studyA=externalId|studyB=|, of the visible study only, unless that is empty.
// Columns of other names stay empty, as do those without a value. The reasons tell
// what was cut. Pure. Errors: ErrInvalid, which names the column.
func VersionRow(t Table, v core.ParticipantVersion, visible core.StudyID) (Row, []core.Reason, error) {
	values := map[string]any{
		"healthCode":         string(v.HealthCode),
		"participantVersion": int64(v.Version),
		"createdOn":          v.CreatedOn.UnixMilli(),
		"modifiedOn":         v.ModifiedOn.UnixMilli(),
		"dataGroups":         slices.Sorted(slices.Values(v.DataGroups)),
		"languages":          v.Languages,
		"sharingScope":       strings.ToUpper(string(v.SharingScope)),
		"studyMemberships":   v.Memberships(visible),
		"clientTimeZone":     v.ClientTimeZone,
	}
	var reasons []core.Reason
	if at := slices.IndexFunc(t.Columns, func(c Column) bool { return c.Name == "languages" }); at >= 0 {
		fitting := t.Columns[at].fit(v.Languages)
		if !slices.Equal(fitting, v.Languages) {
			reasons = append(reasons, core.Reason{Code: "languages_cut", Message: "Not all languages of the participant fit into the repository's table."})
		}
		values["languages"] = fitting
	}
	row, err := t.row(values, versionNames())
	if err != nil {
		return nil, nil, err
	}
	return row, reasons, nil
}

// row writes the cells of values, by the names of their columns. Columns of other
// names stay empty, as do those without a value; the table must have those that are
// needed. Errors: ErrInvalid, which names the column.
func (t Table) row(values map[string]any, needed []string) (Row, error) {
	var row Row
	for _, column := range t.Columns {
		value, ok := values[column.Name]
		if !ok {
			continue
		}
		delete(values, column.Name)
		text, why := column.text(value)
		if why != "" {
			return nil, &Error{Kind: ErrInvalid, Reason: "column " + column.Name + ": " + why}
		}
		if text != "" {
			row = append(row, Cell{column.ID, text})
		}
	}
	for _, name := range needed {
		if _, missing := values[name]; missing {
			return nil, &Error{Kind: ErrInvalid, Reason: "the table has no column " + name}
		}
	}
	return row, nil
}

// size is how much of a text the column takes.
func (c Column) size() int {
	switch {
	case c.Type == "MEDIUMTEXT":
		return 2000
	case c.Type == "LARGETEXT":
		return 524288
	case c.Size == 0:
		return 50
	}
	return c.Size
}

// list is how many texts a list takes.
func (c Column) list() int {
	if c.List == 0 {
		return 100
	}
	return c.List
}

// fit gives of some texts what the column takes.
func (c Column) fit(items []string) []string {
	var fitting []string
	total := 0
	for _, item := range items {
		if c.Type == TextList {
			if len(fitting) == c.list() {
				break
			}
			item = cut(item, c.size())
		} else if total += units(item) + min(len(fitting), 1); total > c.size() {
			break
		}
		fitting = append(fitting, item)
	}
	return fitting
}

// text writes a value for the column; empty: the cell stays empty. why it cannot
// tells no value.
func (c Column) text(value any) (text, why string) {
	if items, ok := value.([]string); ok && c.Type == TextList {
		return c.listText(items)
	}
	switch value := value.(type) {
	case []string:
		text = strings.Join(value, ",")
	case int64:
		text = strconv.FormatInt(value, 10)
	case string:
		text = value
	}
	switch c.Type {
	case Text, "LINK", "MEDIUMTEXT", "LARGETEXT":
		if n := units(text); n > c.size() {
			return "", fmt.Sprintf("it takes %d characters, and these are %d", c.size(), n)
		}
		return text, ""
	case Integer, Date, "DOUBLE":
		if _, ok := value.(int64); ok {
			return text, ""
		}
	}
	return "", fmt.Sprintf("its type %.20s does not take this", c.Type)
}

func (c Column) listText(items []string) (text, why string) {
	if len(items) == 0 {
		return "", ""
	}
	if len(items) > c.list() {
		return "", fmt.Sprintf("its list takes %d texts, and these are %d", c.list(), len(items))
	}
	for _, item := range items {
		if n := units(item); n > c.size() {
			return "", fmt.Sprintf("its list takes texts of %d characters, and one has %d", c.size(), n)
		}
	}
	encoded, err := json.Marshal(items)
	if err != nil {
		return "", "its list cannot be written"
	}
	return string(encoded), ""
}

// weight is what a row counts for in the repository's limit of a request, in bytes.
func (r Row) weight() int {
	n := 64
	for _, cell := range r {
		n += 112 + 4*(units(cell.Column)+units(cell.Value))
	}
	return n
}
