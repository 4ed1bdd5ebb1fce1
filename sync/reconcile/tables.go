package reconcile

import (
	"context"
	"errors"
	"fmt"

	"footbridge/core"
	"footbridge/sync/export"
)

// The rules here are: a table is written from what the store holds, some seconds
// behind it; what it says is compared only when it is not about to be written, and
// twice before it is called wrong.

// count compares the rows of the table Participant Versions, and then all that it
// says.
func (c *comparison) count(ctx context.Context) error {
	versions, err := c.versions(ctx)
	if err != nil || len(versions) == 0 {
		return err
	}
	err = c.part(ctx, func() error {
		rows, err := c.there.Rows(ctx, c.d, versions)
		if err == nil {
			c.tell(versions, rows)
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.table(ctx, Table{Path: export.VersionsTable}, func() (func() error, error) {
		versions, err := c.versions(ctx)
		return func() error { return c.there.CheckVersions(ctx, c.d, versions) }, err
	})
}

// tell notes which rows are wrong.
func (c *comparison) tell(versions []core.ParticipantVersion, rows map[Row]int) {
	wrong := &c.plan.Rows
	for _, v := range versions {
		name := fmt.Sprintf("%s/%d", v.HealthCode, v.Version)
		switch n := rows[Row{v.HealthCode, v.Version}]; {
		case n == 0:
			wrong.Missing = append(wrong.Missing, name)
		case n == Refused:
			wrong.Refused = append(wrong.Refused, name)
		case n == Passed:
			wrong.Passed = append(wrong.Passed, name)
		case n > 1:
			wrong.Duplicate = append(wrong.Duplicate, name)
		}
	}
}

func (c *comparison) versions(ctx context.Context) (versions []core.ParticipantVersion, err error) {
	err = c.shelf.Versions(ctx, c.d.Study, func(v core.ParticipantVersion) error {
		versions = append(versions, v)
		return nil
	})
	return versions, err
}

// view compares the file view of a date.
func (c *comparison) view(ctx context.Context, date string) error {
	return c.table(ctx, Table{Path: export.FileViewPath(date), Date: date}, func() (func() error, error) {
		var rows []core.FileViewRow
		err := c.shelf.Exported(ctx, c.d.ID, date, func(u core.Upload, e core.Export) error {
			rows = append(rows, export.ViewRow(u, export.Annotate(u, e.ExportedOn)))
			return nil
		})
		return func() error { return c.there.CheckView(ctx, c.d, date, rows) }, err
	})
}

// table notes a table that is wrong. Expect asks the shelf what it should say, and
// gives what compares that with what is there.
func (c *comparison) table(ctx context.Context, t Table, expect func() (func() error, error)) error {
	for range 2 {
		if c.shelf.Behind(c.d.ID) {
			return nil
		}
		check, err := expect()
		if err != nil {
			return err
		}
		wrong := false
		err = c.part(ctx, func() error {
			err := check()
			wrong = errors.Is(err, core.ErrNotFound) || errors.Is(err, core.ErrDigestMismatch)
			if wrong {
				return nil
			}
			return err
		})
		if err != nil || !wrong {
			return err
		}
	}
	if !c.shelf.Behind(c.d.ID) {
		c.plan.Tables = append(c.plan.Tables, t)
	}
	return nil
}
