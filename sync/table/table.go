package table

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// Kind says what the cells of a column hold.
type Kind string

// The kinds of column. An instant is a Parquet timestamp of milliseconds in
// UTC, and a number of epoch milliseconds elsewhere.
const (
	Text    Kind = "text"    // string
	Number  Kind = "number"  // int64
	Instant Kind = "instant" // time.Time
)

// Column is one column of a table. Only the cells of an optional one may be
// missing.
type Column struct {
	Name     string
	Kind     Kind
	Optional bool
}

// Table is columns, of which no two names differ only in case, and rows with
// one cell for each column: what its Kind says, or nil where it is missing.
type Table struct {
	Columns []Column
	Rows    [][]any
}

// WriteCSV writes a header and one line for each row, quoted as RFC 4180
// says. Lines end in a line feed, because with CRLF the line breaks within
// values would be rewritten. A missing cell is empty. Errors are those of w.
func (t Table) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	line := make([]string, len(t.Columns))
	for i, column := range t.Columns {
		line[i] = column.Name
	}
	if err := out.Write(line); err != nil {
		return fmt.Errorf("write table header: %w", err)
	}
	for _, row := range t.Rows {
		for i, cell := range row {
			line[i] = text(cell)
		}
		if err := out.Write(line); err != nil {
			return fmt.Errorf("write table row: %w", err)
		}
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return fmt.Errorf("write table: %w", err)
	}
	return nil
}

// text gives a cell as CSV shows it.
func text(cell any) string {
	switch cell := cell.(type) {
	case string:
		return cell
	case int64:
		return strconv.FormatInt(cell, 10)
	case time.Time:
		return strconv.FormatInt(cell.UnixMilli(), 10)
	}
	return ""
}

// WriteJSON writes one array of objects, one object a line, each with every
// column in order; a missing cell is null. Errors are those of w.
func (t Table) WriteJSON(w io.Writer) error {
	names := make([]string, len(t.Columns))
	for i, column := range t.Columns {
		names[i] = quote(column.Name)
	}
	var line strings.Builder
	line.WriteString("[")
	for n, row := range t.Rows {
		if n > 0 {
			line.WriteString(",")
		}
		line.WriteString("\n{")
		for i, cell := range row {
			if i > 0 {
				line.WriteString(",")
			}
			line.WriteString(names[i] + ":" + literal(cell))
		}
		line.WriteString("}")
		if _, err := io.WriteString(w, line.String()); err != nil {
			return fmt.Errorf("write table row: %w", err)
		}
		line.Reset()
	}
	if len(t.Rows) > 0 {
		line.WriteString("\n")
	}
	line.WriteString("]\n")
	if _, err := io.WriteString(w, line.String()); err != nil {
		return fmt.Errorf("write table: %w", err)
	}
	return nil
}

// literal gives a cell as JSON shows it.
func literal(cell any) string {
	switch cell := cell.(type) {
	case nil:
		return "null"
	case string:
		return quote(cell)
	}
	return text(cell)
}

// quote gives a JSON string that leaves <, > and & alone.
func quote(s string) string {
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(s) // a string into memory: nothing to go wrong
	return strings.TrimSuffix(out.String(), "\n")
}
