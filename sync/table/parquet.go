package table

import (
	"fmt"
	"io"
	"reflect"
	"time"

	"github.com/parquet-go/parquet-go"
)

// WriteParquet writes one Parquet file with Snappy compression: text as UTF-8
// strings, numbers as int64, instants as timestamps of milliseconds in UTC.
// Without rows it is a valid file that has its columns. Errors are those of w.
func (t Table) WriteParquet(w io.Writer) error {
	out := parquet.NewWriter(w, t.schema(), parquet.Compression(&parquet.Snappy))
	line := make(parquet.Row, len(t.Columns))
	for _, row := range t.Rows {
		for i, column := range t.Columns {
			line[i] = value(row[i], column, i)
		}
		if _, err := out.WriteRows([]parquet.Row{line}); err != nil {
			return fmt.Errorf("write table row: %w", err)
		}
	}
	if err := out.Close(); err != nil {
		return fmt.Errorf("write table: %w", err)
	}
	return nil
}

// value gives a cell with the level that says whether it is there.
func value(cell any, column Column, index int) parquet.Value {
	present := 0
	if column.Optional {
		present = 1
	}
	switch cell := cell.(type) {
	case string:
		return parquet.ByteArrayValue([]byte(cell)).Level(0, present, index)
	case int64:
		return parquet.Int64Value(cell).Level(0, present, index)
	case time.Time:
		return parquet.Int64Value(cell.UnixMilli()).Level(0, present, index)
	}
	return parquet.NullValue().Level(0, 0, index)
}

// schema describes the table's columns in their order.
func (t Table) schema() *parquet.Schema {
	root := group{Group: parquet.Group{}}
	for _, column := range t.Columns {
		node := parquet.String()
		switch column.Kind {
		case Number:
			node = parquet.Int(64)
		case Instant:
			node = parquet.Timestamp(parquet.Millisecond)
		}
		if column.Optional {
			node = parquet.Optional(node)
		}
		root.Group[column.Name] = node
		root.fields = append(root.fields, field{Node: node, name: column.Name})
	}
	return parquet.NewSchema("table", root)
}

// group is a parquet.Group whose fields keep the order of the columns, where
// the library's own sorts them by name.
type group struct {
	parquet.Group
	fields []parquet.Field
}

// Fields gives the columns in their order.
func (g group) Fields() []parquet.Field { return g.fields }

// GoType is not that of a struct: rows are written as values, and a column's
// name need not be one that Go takes.
func (g group) GoType() reflect.Type { return reflect.TypeFor[map[string]any]() }

// field is one column of a group.
type field struct {
	parquet.Node
	name string
}

// Name is that of the column.
func (f field) Name() string { return f.name }

// Value looks the column up in a row of type map[string]any.
func (f field) Value(row reflect.Value) reflect.Value { return row.MapIndex(reflect.ValueOf(f.name)) }
