package synapse

import (
	"context"
	"fmt"
	"net/http"
	"slices"
)

// ColumnType is the type of a table's column.
type ColumnType string

// The types of columns that are made here.
const (
	Text     ColumnType = "STRING"
	Integer  ColumnType = "INTEGER"
	Date     ColumnType = "DATE" // epoch milliseconds
	TextList ColumnType = "STRING_LIST"

	LargeText ColumnType = "LARGETEXT" // up to half a million UTF-16 units
)

// Column is one of a table.
type Column struct {
	ID   string     `json:"id,omitempty"` // given by the repository
	Name string     `json:"name"`
	Type ColumnType `json:"columnType"`
	Size int        `json:"maximumSize,omitempty"`       // UTF-16 units of a text, or of each text of a list; 0: 50
	List int        `json:"maximumListLength,omitempty"` // texts in a list; 0: 100
}

// Table is a table and its columns, which do not change while it is used.
type Table struct {
	ID      EntityID
	Columns []Column
}

// MakeTable makes a table, or finds the one of that name and adds the columns that
// it has not; those that it has stay as they are, whatever their type. May be
// repeated. Errors: core.ErrOtherRepository where there is no such parent.
func (c *Client) MakeTable(ctx context.Context, parent EntityID, name string, columns []Column) (EntityID, error) {
	id, err := c.makeTable(ctx, parent, name, columns)
	if err != nil {
		return "", fmt.Errorf("make a table: %w", err)
	}
	return id, nil
}

func (c *Client) makeTable(ctx context.Context, parent EntityID, name string, columns []Column) (EntityID, error) {
	ids, err := c.makeColumns(ctx, columns)
	if err != nil {
		return "", err
	}
	id, err := c.make(ctx, entity{ConcreteType: tableType, Name: name, ParentID: parent, ColumnIDs: ids})
	if err != nil {
		return "", err
	}
	held, err := c.Table(ctx, id)
	if err != nil {
		return "", err
	}
	changes := []map[string]any{}
	var order []string
	for _, column := range held.Columns {
		order = append(order, column.ID)
	}
	for i, column := range columns {
		if !slices.ContainsFunc(held.Columns, func(h Column) bool { return h.Name == column.Name }) {
			changes = append(changes, map[string]any{"oldColumnId": nil, "newColumnId": ids[i]})
			order = append(order, ids[i])
		}
	}
	if len(changes) == 0 {
		return id, nil
	}
	return id, c.run(ctx, id, changing, map[string]any{
		"concreteType": "org.sagebionetworks.repo.model.table.TableUpdateTransactionRequest", "entityId": id,
		"changes": []any{map[string]any{
			"concreteType": "org.sagebionetworks.repo.model.table.TableSchemaChangeRequest", "entityId": id,
			"changes": changes, "orderedColumnIds": order,
		}},
	}, nil, nil)
}

// makeColumns gives the ids of columns; the same definition is the same column.
func (c *Client) makeColumns(ctx context.Context, columns []Column) ([]string, error) {
	wanted := slices.Clone(columns)
	for i := range wanted {
		wanted[i].ID = ""
	}
	var made struct {
		List []Column `json:"list"`
	}
	err := c.do(ctx, request{method: http.MethodPost, path: "/repo/v1/column/batch", body: map[string]any{"list": wanted}}, &made)
	if err == nil && len(made.List) != len(wanted) {
		err = &Error{Kind: ErrAway, Reason: foreign}
	}
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(wanted))
	for i, column := range wanted {
		at := slices.IndexFunc(made.List, func(m Column) bool { return m.Name == column.Name })
		if at < 0 {
			return nil, &Error{Kind: ErrAway, Reason: foreign}
		}
		ids[i] = made.List[at].ID
	}
	return ids, nil
}

// Table gives a table. The repository allows it rarely, some twenty times in a
// minute, so keep what it gives. Errors: core.ErrOtherRepository.
func (c *Client) Table(ctx context.Context, id EntityID) (Table, error) {
	var held struct {
		Results []Column `json:"results"`
	}
	err := c.do(ctx, request{method: http.MethodGet, path: "/repo/v1/entity/" + string(id) + "/column"}, &held)
	if err == nil && held.Results == nil {
		err = &Error{Kind: ErrAway, Reason: foreign}
	}
	if err != nil {
		return Table{}, fmt.Errorf("read the columns of %s: %w", id, gone(err))
	}
	return Table{ID: id, Columns: held.Results}, nil
}
