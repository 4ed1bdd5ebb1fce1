package synapsetest

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
)

// Column is a column model on the wire.
type Column struct {
	ID                string `json:"id,omitempty"`
	Name              string `json:"name"`
	ColumnType        string `json:"columnType"`
	MaximumSize       int    `json:"maximumSize,omitempty"`
	MaximumListLength int    `json:"maximumListLength,omitempty"`
}

var columnTypes = []string{"STRING", "DOUBLE", "INTEGER", "BOOLEAN", "DATE", "LINK", "MEDIUMTEXT", "LARGETEXT",
	"USERID", "ENTITYID", "STRING_LIST", "INTEGER_LIST", "DATE_LIST", "JSON"}

func (s *Server) createColumns(c *call) (int, any, error) {
	var request struct {
		List []Column `json:"list"`
	}
	if err := c.decode(&request); err != nil {
		return 0, nil, err
	}
	for i := range request.List {
		if err := request.List[i].legal(); err != nil {
			return 0, nil, err
		}
	}
	for i, wanted := range request.List {
		request.List[i] = s.columnLike(wanted)
	}
	return http.StatusCreated, request, nil
}

// legal says what is wrong with a column, and sets what is left out.
func (c *Column) legal() error {
	list := strings.HasSuffix(c.ColumnType, "_LIST")
	switch {
	case c.ID != "":
		return bad("A column that is created has no id")
	case c.Name == "" || len(c.Name) > 256:
		return bad("Column name must be 1 to 256 characters")
	case !slices.Contains(columnTypes, c.ColumnType):
		return bad("No enum constant ColumnType." + c.ColumnType)
	case c.ColumnType == "STRING" && c.MaximumSize > 1000:
		return bad("ColumnModel.maxSize for a STRING cannot exceed: 1000")
	case !list && c.MaximumListLength != 0:
		return bad("maximumListLength is for lists only")
	case c.MaximumListLength > 100:
		return bad("ColumnModel.maximumListLength for a LIST column cannot exceed: 100")
	}
	if c.MaximumSize == 0 && (c.ColumnType == "STRING" || c.ColumnType == "STRING_LIST") {
		c.MaximumSize = 50
	}
	if c.MaximumListLength == 0 && list {
		c.MaximumListLength = 100
	}
	return nil
}

// columnLike gives the one column of a definition.
func (s *Server) columnLike(wanted Column) Column {
	for _, known := range s.columns {
		same := known
		same.ID = ""
		if same == wanted {
			return known
		}
	}
	wanted.ID = strconv.Itoa(len(s.columns) + 1)
	s.columns = append(s.columns, wanted)
	return wanted
}

func (s *Server) column(id string) Column {
	if n, err := strconv.Atoi(id); err == nil && n >= 1 && n <= len(s.columns) {
		return s.columns[n-1]
	}
	return Column{}
}

// legalColumns says why a table cannot have some columns.
func (s *Server) legalColumns(ids []string) error {
	names := map[string]bool{}
	for _, id := range ids {
		column := s.column(id)
		if column.ID == "" {
			return missing("One or more of the following IDs did not exist: [" + id + "]")
		}
		if names[column.Name] {
			return bad("Duplicate column name: '" + column.Name + "'")
		}
		names[column.Name] = true
	}
	if len(ids) > 152 {
		return bad("Too many columns. The limit is 152 columns per table")
	}
	return nil
}

func (s *Server) tableColumns(c *call) (int, any, error) {
	e, err := s.find(c, c.PathValue("id"), "READ")
	if err != nil {
		return 0, nil, err
	}
	list := []Column{}
	for _, id := range e.ColumnIDs {
		list = append(list, s.column(id))
	}
	return http.StatusOK, map[string]any{"results": list}, nil
}

// legalCell says why a column does not take a text. As the repository does, it
// repeats the text.
func (c Column) legalCell(text string) error {
	wrong := func(why string) error {
		return bad("Value at [0," + c.ID + "] was not a valid " + c.ColumnType + ". " + why)
	}
	switch c.ColumnType {
	case "INTEGER", "DATE", "USERID":
		if _, err := strconv.ParseInt(text, 10, 64); err != nil {
			return wrong(`For input string: "` + text + `"`)
		}
	case "DOUBLE":
		if _, err := strconv.ParseFloat(text, 64); err != nil {
			return wrong(`For input string: "` + text + `"`)
		}
	case "BOOLEAN":
		if text != "true" && text != "false" {
			return wrong(`For input string: "` + text + `"`)
		}
	case "STRING", "LINK":
		if length(text) > c.MaximumSize {
			return wrong("String '" + text + "' exceeds the maximum length of " + strconv.Itoa(c.MaximumSize) + " characters. Consider using a MEDIUMTEXT or LARGETEXT column")
		}
	case "MEDIUMTEXT":
		if length(text) > 2000 {
			return wrong("Exceeds the maximum of 2000 characters")
		}
	case "LARGETEXT":
		if length(text) > 524288 {
			return wrong("Exceeds the maximum of 524288 characters")
		}
	case "STRING_LIST":
		var items []string
		if err := json.Unmarshal([]byte(text), &items); err != nil {
			return wrong("Not a JSON Array: " + text)
		}
		if len(items) > c.MaximumListLength {
			return wrong("Exceeds the maximum number of list elements defined in the ColumnModel (" + strconv.Itoa(c.MaximumListLength) + "): " + text)
		}
		for _, item := range items {
			if length(item) > c.MaximumSize {
				return wrong("String '" + item + "' exceeds the maximum length of " + strconv.Itoa(c.MaximumSize) + " characters")
			}
		}
	}
	return nil
}

// length counts as Java does.
func length(text string) int { return len(utf16.Encode([]rune(text))) }
