package synapse

import (
	"context"

	"footbridge/core"
)

// Content is rows that a table should have: Versions or Demographics.
type Content interface {
	// lines gives the rows; the same one may be there more than once.
	lines(t Table) []line

	// held gives how often the table has each of some lines, and of others. Errors:
	// those of Client.Rows.
	held(ctx context.Context, c *Client, t Table, lines []line) (map[Key]int, error)
}

// Versions are the rows of a Participant Versions table.
type Versions struct {
	All     []core.ParticipantVersion
	Visible core.StudyID // the study whose memberships are told; empty: all
}

func (v Versions) lines(t Table) []line {
	lines := make([]line, 0, len(v.All))
	for _, one := range v.All {
		row, cut, err := VersionRow(t, one, v.Visible)
		lines = append(lines, line{Key{HealthCode: one.HealthCode, Version: one.Version}, row, cut, err})
	}
	return lines
}

func (Versions) held(ctx context.Context, c *Client, t Table, lines []line) (map[Key]int, error) {
	var codes []core.HealthCode
	for _, l := range lines {
		codes = append(codes, l.key.HealthCode)
	}
	return c.Rows(ctx, t, codes)
}
