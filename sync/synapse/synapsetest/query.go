package synapsetest

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// query starts a query of one table: SELECT names FROM table, WHERE conditions
// (name = value, name IN (values)) joined by AND, ORDER BY names.
func (s *Server) query(c *call) (int, any, error) {
	var asked struct {
		ConcreteType string `json:"concreteType"`
		EntityID     string `json:"entityId"`
		PartMask     int    `json:"partMask"`
		Query        struct {
			SQL    string `json:"sql"`
			Limit  int    `json:"limit"`
			Offset int    `json:"offset"`
		} `json:"query"`
	}
	if err := c.decode(&asked); err != nil {
		return 0, nil, err
	}
	if asked.ConcreteType != "org.sagebionetworks.repo.model.table.QueryBundleRequest" || asked.EntityID != c.PathValue("id") {
		return 0, nil, bad("Not a QueryBundleRequest of this table")
	}
	e, err := s.find(c, asked.EntityID, "READ")
	if err != nil {
		return 0, nil, err
	}
	if e.ConcreteType != tableType {
		return 0, nil, bad(e.ID + " is not a table or view")
	}
	return s.start(c, "query", func() (any, error) {
		q, err := s.parse(e, asked.Query.SQL)
		if err != nil {
			return nil, err
		}
		found := q.run(e)
		total := len(found)
		found = found[min(asked.Query.Offset, len(found)):]
		if asked.Query.Limit > 0 {
			found = found[:min(asked.Query.Limit, len(found))]
		}
		result := map[string]any{}
		if len(found) > s.config.PageRows {
			found = found[:s.config.PageRows]
			result["nextPageToken"] = map[string]string{"token": "more"}
		}
		result["queryResults"] = map[string]any{"tableId": e.ID, "headers": q.headers(s), "rows": found}
		body := map[string]any{"concreteType": "org.sagebionetworks.repo.model.table.QueryResultBundle"}
		if asked.PartMask&1 != 0 {
			body["queryResult"] = result
		}
		if asked.PartMask&2 != 0 {
			body["queryCount"] = total
		}
		return body, nil
	})
}

type statement struct {
	columns []string // ids
	where   []condition
	order   []string
}

type condition struct {
	column string
	values []string
}

type resultRow struct {
	RowID  int       `json:"rowId"`
	Values []*string `json:"values"`

	sort []string
}

var (
	tokens    = regexp.MustCompile(`'(?:[^']|'')*'|"(?:[^"]|"")*"|[A-Za-z_][A-Za-z0-9_]*|-?\d+|[(),=]|\S`)
	endOfName = []string{"FROM", "WHERE", "ORDER", ""}
)

// parser walks over the tokens of a statement.
type parser struct {
	tokens []string
	column func(name string) (string, error)
}

func (p *parser) peek() string {
	if len(p.tokens) == 0 {
		return ""
	}
	return p.tokens[0]
}

func (p *parser) take() string {
	token := p.peek()
	if token != "" {
		p.tokens = p.tokens[1:]
	}
	return token
}

// word takes a word that must come next.
func (p *parser) word(want string) error {
	if got := p.take(); !strings.EqualFold(got, want) {
		return bad(`Encountered " "` + got + `"" where "` + want + `" was expected`)
	}
	return nil
}

func (p *parser) names() (ids []string, err error) {
	for {
		id, err := p.column(strings.Trim(p.take(), `"`))
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
		if slices.Contains(endOfName, strings.ToUpper(p.peek())) {
			return ids, nil
		}
		if err := p.word(","); err != nil {
			return nil, err
		}
	}
}

func (p *parser) condition() (c condition, err error) {
	if c.column, err = p.column(strings.Trim(p.take(), `"`)); err != nil {
		return c, err
	}
	if p.peek() == "=" {
		p.take()
		c.values = []string{literal(p.take())}
		return c, nil
	}
	if err := p.word("IN"); err != nil {
		return c, err
	}
	if err := p.word("("); err != nil {
		return c, err
	}
	for {
		c.values = append(c.values, literal(p.take()))
		if p.peek() == ")" {
			p.take()
			return c, nil
		}
		if err := p.word(","); err != nil {
			return c, err
		}
	}
}

func literal(token string) string {
	if len(token) > 1 && token[0] == '\'' {
		return strings.ReplaceAll(token[1:len(token)-1], "''", "'")
	}
	return token
}

func (s *Server) parse(e *entity, sql string) (q statement, err error) {
	p := &parser{tokens: tokens.FindAllString(sql, -1), column: func(name string) (string, error) {
		for _, id := range e.ColumnIDs {
			if s.column(id).Name == name {
				return id, nil
			}
		}
		return "", bad("Unknown column: " + name)
	}}
	if err := p.word("SELECT"); err != nil {
		return q, err
	}
	if q.columns, err = p.names(); err != nil {
		return q, err
	}
	if err := p.word("FROM"); err != nil {
		return q, err
	}
	if err := p.word(e.ID); err != nil {
		return q, err
	}
	if strings.EqualFold(p.peek(), "WHERE") {
		for p.take() != "" {
			c, err := p.condition()
			if err != nil {
				return q, err
			}
			if q.where = append(q.where, c); !strings.EqualFold(p.peek(), "AND") {
				break
			}
		}
	}
	if strings.EqualFold(p.peek(), "ORDER") {
		p.take()
		if err := p.word("BY"); err != nil {
			return q, err
		}
		if q.order, err = p.names(); err != nil {
			return q, err
		}
	}
	return q, p.word("")
}

func (q statement) run(e *entity) []resultRow {
	found := []resultRow{}
	for i, row := range e.rows {
		meets := !slices.ContainsFunc(q.where, func(c condition) bool {
			text, ok := row[c.column]
			return !ok || !slices.Contains(c.values, text)
		})
		if !meets {
			continue
		}
		r := resultRow{RowID: i + 1}
		for _, id := range q.columns {
			if text, ok := row[id]; ok {
				r.Values = append(r.Values, &text)
			} else {
				r.Values = append(r.Values, nil)
			}
		}
		for _, id := range q.order {
			r.sort = append(r.sort, row[id])
		}
		found = append(found, r)
	}
	slices.SortStableFunc(found, func(a, b resultRow) int {
		for i := range a.sort {
			x, errX := strconv.Atoi(a.sort[i])
			y, errY := strconv.Atoi(b.sort[i])
			order := cmp.Compare(a.sort[i], b.sort[i])
			if errX == nil && errY == nil {
				order = cmp.Compare(x, y)
			}
			if order != 0 {
				return order
			}
		}
		return 0
	})
	return found
}

func (q statement) headers(s *Server) []map[string]string {
	all := []map[string]string{}
	for _, id := range q.columns {
		c := s.column(id)
		all = append(all, map[string]string{"id": id, "name": c.Name, "columnType": c.ColumnType})
	}
	return all
}
