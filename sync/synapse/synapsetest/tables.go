package synapsetest

import (
	"net/http"
	"slices"
)

const (
	appendRequest = "org.sagebionetworks.repo.model.table.AppendableRowSetRequest"
	schemaRequest = "org.sagebionetworks.repo.model.table.TableSchemaChangeRequest"
	partialRows   = "org.sagebionetworks.repo.model.table.PartialRowSet"
)

// change is one of the changes that a table takes.
type change struct {
	ConcreteType     string         `json:"concreteType"`
	EntityID         string         `json:"entityId"`
	ToAppend         *rows          `json:"toAppend,omitempty"`
	OrderedColumnIDs []string       `json:"orderedColumnIds,omitempty"`
	Changes          []columnChange `json:"changes,omitempty"`
}

type columnChange struct {
	OldColumnID *string `json:"oldColumnId"`
	NewColumnID *string `json:"newColumnId"`
}

type rows struct {
	ConcreteType string       `json:"concreteType"`
	TableID      string       `json:"tableId"`
	Rows         []partialRow `json:"rows"`
}

type partialRow struct {
	RowID  *int64 `json:"rowId,omitempty"`
	Values []cell `json:"values"`
}

type cell struct {
	Key   string  `json:"key"`
	Value *string `json:"value"`
}

func (s *Server) routeTables() {
	s.route("POST /repo/v1/column/batch", "modify", s.createColumns)
	s.route("GET /repo/v1/entity/{id}/column", "view", s.tableColumns)
	s.route("POST /repo/v1/entity/{id}/table/append/async/start", "modify", func(c *call) (int, any, error) {
		var asked change
		if err := c.decode(&asked); err != nil {
			return 0, nil, err
		}
		e, err := s.changeable(c, asked.EntityID)
		if err != nil {
			return 0, nil, err
		}
		return s.start(c, "append", func() (any, error) { return s.appendRows(e, asked) })
	})
	s.route("GET /repo/v1/entity/{id}/table/append/async/get/{token}", "view", s.poll("append", http.StatusCreated))
	s.route("POST /repo/v1/entity/{id}/table/transaction/async/start", "modify", s.transaction)
	s.route("GET /repo/v1/entity/{id}/table/transaction/async/get/{token}", "view", s.poll("transaction", http.StatusCreated))
	s.route("POST /repo/v1/entity/{id}/table/query/async/start", "view", s.query)
	s.route("GET /repo/v1/entity/{id}/table/query/async/get/{token}", "view", s.poll("query", http.StatusCreated))
}

// changeable gives the table of a call that changes it.
func (s *Server) changeable(c *call, named string) (*entity, error) {
	if named != c.PathValue("id") {
		return nil, bad("The request's entityId is not that of the path")
	}
	e, err := s.find(c, named, "UPDATE")
	if err != nil {
		return nil, err
	}
	if e.ConcreteType != tableType {
		return nil, bad(named + " is not a table or view")
	}
	return e, nil
}

// transaction makes all of some changes or none.
func (s *Server) transaction(c *call) (int, any, error) {
	var asked struct {
		ConcreteType string   `json:"concreteType"`
		EntityID     string   `json:"entityId"`
		Changes      []change `json:"changes"`
	}
	if err := c.decode(&asked); err != nil {
		return 0, nil, err
	}
	if asked.ConcreteType != "org.sagebionetworks.repo.model.table.TableUpdateTransactionRequest" || len(asked.Changes) == 0 {
		return 0, nil, bad("TableUpdateTransactionRequest must include at least one change")
	}
	e, err := s.changeable(c, asked.EntityID)
	if err != nil {
		return 0, nil, err
	}
	return s.start(c, "transaction", func() (any, error) {
		before, columns, sets, noted := len(e.rows), e.ColumnIDs, e.changeSets, len(s.journal)
		results := []any{}
		for _, change := range asked.Changes {
			var result any
			var err error
			if change.ConcreteType == schemaRequest {
				result, err = s.changeSchema(e, change)
			} else {
				result, err = s.appendRows(e, change)
			}
			if err != nil {
				e.rows, e.ColumnIDs, e.changeSets, s.journal = e.rows[:before], columns, sets, s.journal[:noted]
				return nil, err
			}
			results = append(results, result)
		}
		return map[string]any{"results": results}, nil
	})
}

// appendRows appends all rows or none.
func (s *Server) appendRows(e *entity, asked change) (any, error) {
	switch {
	case asked.ConcreteType != appendRequest || asked.ToAppend == nil || asked.ToAppend.ConcreteType != partialRows:
		return nil, bad("Unsupported concreteType")
	case asked.ToAppend.TableID != e.ID:
		return nil, bad("The row set's tableId is not that of the table")
	case len(asked.ToAppend.Rows) == 0:
		return nil, bad("RowSet must have at least one row")
	case e.changeSets >= s.config.ChangeSets:
		return nil, bad("The table has reached its limit of change sets")
	}
	size := 0
	var added []map[string]string
	for _, row := range asked.ToAppend.Rows {
		size += 64
		if row.RowID != nil {
			return nil, bad("This stand-in only appends rows")
		}
		texts := map[string]string{}
		for _, cell := range row.Values {
			size += 112 + 4*length(cell.Key)
			if !slices.Contains(e.ColumnIDs, cell.Key) {
				return nil, bad("PartialRow.value.key: '" + cell.Key + "' is not a valid column ID for row ID: null")
			}
			if cell.Value == nil {
				continue
			}
			size += 4 * length(*cell.Value)
			if err := s.column(cell.Key).legalCell(*cell.Value); err != nil {
				return nil, err
			}
			texts[cell.Key] = *cell.Value
		}
		added = append(added, texts)
	}
	if size > bodyLimit {
		return nil, bad("Request exceed the maximum number of bytes per request.  Maximum : 2097152 bytes")
	}
	references := []map[string]int{}
	for _, row := range added {
		e.rows = append(e.rows, row)
		references = append(references, map[string]int{"rowId": len(e.rows), "versionNumber": e.changeSets})
		s.note("row", e.ID)
	}
	e.changeSets++
	return map[string]any{
		"concreteType":    "org.sagebionetworks.repo.model.table.RowReferenceSetResults",
		"rowReferenceSet": map[string]any{"tableId": e.ID, "etag": s.etag(), "rows": references},
	}, nil
}

// changeSchema adds, replaces and removes columns.
func (s *Server) changeSchema(e *entity, asked change) (any, error) {
	columns := slices.Clone(e.ColumnIDs)
	for _, change := range asked.Changes {
		if change.OldColumnID != nil {
			at := slices.Index(columns, *change.OldColumnID)
			if at < 0 {
				return nil, bad("Cannot update column: " + *change.OldColumnID + " since it is not currently a column of table: " + e.ID)
			}
			columns = slices.Delete(columns, at, at+1)
		}
		if change.NewColumnID != nil {
			columns = append(columns, *change.NewColumnID)
		}
	}
	if err := s.legalColumns(columns); err != nil {
		return nil, err
	}
	if asked.OrderedColumnIDs != nil {
		if !slices.Equal(slices.Sorted(slices.Values(columns)), slices.Sorted(slices.Values(asked.OrderedColumnIDs))) {
			return nil, bad("The provided ordered column IDs are not those of the table")
		}
		columns = asked.OrderedColumnIDs
	}
	e.ColumnIDs, e.Etag = columns, s.etag()
	e.changeSets++
	s.note("schema", e.ID)
	return map[string]any{"concreteType": "org.sagebionetworks.repo.model.table.TableSchemaChangeResponse"}, nil
}

// AppendRow appends a row, column name → text, as another program would.
func (s *Server) AppendRow(table string, cells map[string]string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.entities[table]
	row := map[string]string{}
	for _, id := range e.ColumnIDs {
		if text, ok := cells[s.column(id).Name]; ok {
			row[id] = text
		}
	}
	e.rows = append(e.rows, row)
}

// ChangeSets gives how many a table has.
func (s *Server) ChangeSets(table string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.entities[table].changeSets
}
