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
func (p *Plan) count(ctx context.Context, shelf Shelf, r Repository, d core.Destination) error {
	versions, err := versionsOf(ctx, shelf, d)
	if err != nil || len(versions) == 0 {
		return err
	}
	rows, err := r.Rows(ctx, d, versions)
	if err != nil {
		return err
	}
	for _, v := range versions {
		name := fmt.Sprintf("%s/%d", v.HealthCode, v.Version)
		switch n := rows[Row{v.HealthCode, v.Version}]; {
		case n == 0:
			p.Rows.Missing = append(p.Rows.Missing, name)
		case n > 1:
			p.Rows.Duplicate = append(p.Rows.Duplicate, name)
		}
	}
	return p.compare(shelf, Table{Path: export.VersionsTable}, func() error {
		versions, err := versionsOf(ctx, shelf, d)
		if err != nil {
			return err
		}
		return r.CheckVersions(ctx, d, versions)
	})
}

func versionsOf(ctx context.Context, shelf Shelf, d core.Destination) (versions []core.ParticipantVersion, err error) {
	err = shelf.Versions(ctx, d.Study, func(v core.ParticipantVersion) error {
		versions = append(versions, v)
		return nil
	})
	return versions, err
}

// view compares the file view of a date.
func (p *Plan) view(ctx context.Context, shelf Shelf, r Repository, d core.Destination, date string) error {
	return p.compare(shelf, Table{Path: export.FileViewPath(date), Date: date}, func() error {
		var rows []core.FileViewRow
		err := shelf.Exported(ctx, d.ID, date, func(u core.Upload, e core.Export) error {
			rows = append(rows, export.ViewRow(u, export.Annotate(u, e.ExportedOn)))
			return nil
		})
		if err != nil {
			return err
		}
		return r.CheckView(ctx, d, date, rows)
	})
}

// compare notes a table that is wrong.
func (p *Plan) compare(shelf Shelf, t Table, check func() error) error {
	for range 2 {
		if shelf.Behind(p.Destination) {
			return nil
		}
		err := check()
		if err == nil {
			return nil
		}
		if !errors.Is(err, core.ErrNotFound) && !errors.Is(err, core.ErrDigestMismatch) {
			return err
		}
	}
	if !shelf.Behind(p.Destination) {
		p.Tables = append(p.Tables, t)
	}
	return nil
}
