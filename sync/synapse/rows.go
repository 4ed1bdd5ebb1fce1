package synapse

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"footbridge/core"
)

// Key names a row: a participant version, or one value of its demographics.
type Key struct {
	HealthCode core.HealthCode
	Version    int

	// Of a row of demographics; the row of a version has no Category.
	Study    core.StudyID // empty: app-wide
	Category string
	Value    string // empty: none
}

// versionNames gives the columns that tell one row of a Participant Versions table from
// another.
func versionNames() []string { return []string{"healthCode", "participantVersion"} }

// demographicNames gives those of a table of demographics. All but the first two may
// be empty.
func demographicNames() []string {
	return append(versionNames(), "studyId", "demographicCategoryName", "demographicValue")
}

// codesAtOnce is how many participants one query asks for.
const codesAtOnce = 50

// Rows gives how often a table has each version of some participants. More than
// once is a duplicate; what it has not is not in the map. Errors:
// core.ErrOtherRepository.
func (c *Client) Rows(ctx context.Context, t Table, codes []core.HealthCode) (map[Key]int, error) {
	found := map[Key]int{}
	distinct := slices.Compact(slices.Sorted(slices.Values(codes)))
	for some := range slices.Chunk(distinct, codesAtOnce) {
		if err := c.rows(ctx, t, versionNames(), some, nil, found); err != nil {
			return nil, fmt.Errorf("query %s: %w", t.ID, err)
		}
	}
	return found, nil
}

// DemographicRows gives how often a table of demographics has each row of some
// versions, and of other versions of these participants, too. It is as Rows otherwise.
func (c *Client) DemographicRows(ctx context.Context, t Table, versions []Key) (map[Key]int, error) {
	asked := map[core.HealthCode][]int{}
	for _, v := range versions {
		asked[v.HealthCode] = append(asked[v.HealthCode], v.Version)
	}
	found := map[Key]int{}
	for some := range slices.Chunk(slices.Sorted(maps.Keys(asked)), codesAtOnce) {
		var numbers []int
		for _, code := range some {
			numbers = append(numbers, asked[code]...)
		}
		slices.Sort(numbers)
		if err := c.rows(ctx, t, demographicNames(), some, slices.Compact(numbers), found); err != nil {
			return nil, fmt.Errorf("query %s: %w", t.ID, err)
		}
	}
	return found, nil
}

// rows adds what a table has of some participants, page by page; of those of their
// versions that are named, unless none is.
func (c *Client) rows(ctx context.Context, t Table, columns []string, codes []core.HealthCode, versions []int, found map[Key]int) error {
	var literals, hide, numbers []string
	for _, code := range codes {
		literals = append(literals, "'"+strings.ReplaceAll(string(code), "'", "''")+"'")
		hide = append(hide, string(code))
	}
	names := `"` + strings.Join(columns, `", "`) + `"`
	sql := `SELECT ` + names + ` FROM ` + string(t.ID) + ` WHERE "healthCode" IN (` + strings.Join(literals, ", ") + `)`
	if len(versions) > 0 {
		for _, version := range versions {
			numbers = append(numbers, strconv.Itoa(version))
		}
		sql += ` AND "participantVersion" IN (` + strings.Join(numbers, ", ") + `)`
	}
	sql += ` ORDER BY ` + names
	for offset := 0; ; {
		var page struct {
			QueryResult struct {
				QueryResults struct {
					Rows []struct {
						Values []*string `json:"values"`
					} `json:"rows"`
				} `json:"queryResults"`
				NextPageToken map[string]any `json:"nextPageToken"`
			} `json:"queryResult"`
		}
		err := c.run(ctx, t.ID, querying, map[string]any{
			"concreteType": "org.sagebionetworks.repo.model.table.QueryBundleRequest", "entityId": t.ID, "partMask": 1,
			"query": map[string]any{"sql": sql, "offset": offset},
		}, hide, &page)
		if err != nil {
			return err
		}
		rows := page.QueryResult.QueryResults.Rows
		if page.QueryResult.QueryResults.Rows == nil {
			return &Error{Kind: ErrAway, Reason: foreign}
		}
		for _, row := range rows {
			key, err := keyOf(row.Values, len(columns))
			if err != nil {
				return err
			}
			found[key]++
		}
		if offset += len(rows); page.QueryResult.NextPageToken == nil || len(rows) == 0 {
			return nil
		}
	}
}

// keyOf reads a row of a query, which has so many columns.
func keyOf(values []*string, columns int) (Key, error) {
	if len(values) != columns || values[0] == nil || values[1] == nil {
		return Key{}, &Error{Kind: ErrAway, Reason: foreign}
	}
	version, err := number(strings.TrimSuffix(*values[1], ".0"))
	key := Key{HealthCode: core.HealthCode(*values[0]), Version: int(version)}
	if columns > len(versionNames()) {
		key.Study, key.Category, key.Value = core.StudyID(given(values[2])), given(values[3]), given(values[4])
	}
	return key, err
}

// given is the text of a cell, empty where it has none.
func given(cell *string) string {
	if cell == nil {
		return ""
	}
	return *cell
}
