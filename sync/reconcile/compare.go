package reconcile

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"footbridge/core"
	"footbridge/sync/export"
)

// The rules here are: what lies in the repository is listed before the store is asked
// what belongs there, so that what is sent meanwhile is known to it; a record that is
// on its way there, or stopped on it, has its place like one that has arrived; what
// cannot be compared is counted, and keeps nothing else from being compared, unless it
// goes on and on.

// unreadableMost is how many parts in a row may fail to be compared before the
// repository is held to be away, and asked no more.
const unreadableMost = 5

// comparison is one on its way.
type comparison struct {
	plan  Plan
	shelf Shelf
	there Repository
	d     core.Destination
	inRow int // that could not be compared
}

// Compare compares a destination, as far as its repository can be asked; what it found
// stands in the plan beside an error, too. Errors: those of the shelf, and of a context
// that ended.
func Compare(ctx context.Context, shelf Shelf, r Repository, d core.Destination) (Plan, error) {
	c := &comparison{plan: New(d.ID), shelf: shelf, there: r, d: d}
	err := c.all(ctx)
	return c.plan, err
}

func (c *comparison) all(ctx context.Context) error {
	dates := map[string]bool{}
	err := c.shelf.Exported(ctx, c.d.ID, "", func(u core.Upload, e core.Export) error {
		objects, err := export.Objects(u, e.ExportedOn)
		if err != nil {
			return err
		}
		dates[u.Facts.DateFolder] = true
		return c.part(ctx, func() error { return c.look(ctx, u.ID, objects) })
	})
	if err != nil {
		return fmt.Errorf("compare the records of %s: %w", c.d.ID, err)
	}
	if err := c.walk(ctx); err != nil {
		return fmt.Errorf("list what %s holds: %w", c.d.ID, err)
	}
	if err := c.count(ctx); err != nil {
		return fmt.Errorf("compare the participant versions of %s: %w", c.d.ID, err)
	}
	for _, date := range slices.Sorted(maps.Keys(dates)) {
		if err := c.view(ctx, date); err != nil {
			return fmt.Errorf("compare a file view of %s: %w", c.d.ID, err)
		}
	}
	return nil
}

// part compares a part, whose errors are the repository's. Errors: of a context that
// ended.
func (c *comparison) part(ctx context.Context, compare func() error) error {
	if c.inRow == unreadableMost {
		c.plan.Unreadable++
		return ctx.Err()
	}
	err := compare()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err == nil:
		c.inRow = 0
		return nil
	}
	if c.plan.Failed == "" {
		c.plan.Failed = err.Error()
	}
	c.plan.Unreadable++
	c.inRow++
	return nil
}

// look compares the objects of one record. The worst of them is what is wrong with
// it, and told even where others cannot be compared.
func (c *comparison) look(ctx context.Context, id core.UploadID, objects []core.Object) (unreadable error) {
	missing, differing, unannotated := false, false, false
	for _, o := range objects {
		switch err := c.there.Check(ctx, c.d, o); {
		case err == nil:
		case errors.Is(err, core.ErrNotFound):
			missing = true
		case errors.Is(err, core.ErrDigestMismatch):
			differing = true
		case errors.Is(err, ErrUnannotated):
			unannotated = true
		default:
			unreadable = err
		}
		if unreadable != nil {
			break
		}
	}
	switch p := &c.plan; {
	case missing:
		p.Missing = append(p.Missing, id)
	case differing:
		p.Differing = append(p.Differing, id)
	case unannotated:
		p.Unannotated = append(p.Unannotated, id)
	}
	return unreadable
}

// walk finds what belongs to no record.
func (c *comparison) walk(ctx context.Context) error {
	var there []string
	listed := false
	err := c.part(ctx, func() error {
		err := c.there.Walk(ctx, c.d, func(path string) error {
			if export.OfRecords(path) {
				there = append(there, path)
			}
			return nil
		})
		listed = err == nil
		return err
	})
	if err != nil || !listed || len(there) == 0 {
		return err
	}
	expected := map[string]bool{}
	err = c.shelf.Planned(ctx, c.d.ID, func(u core.Upload, e core.Export) error {
		objects, err := export.Objects(u, e.ExportedOn)
		for _, o := range objects {
			expected[o.Path], expected[o.Notes] = true, true
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, path := range there {
		if !expected[path] {
			c.plan.Orphans = append(c.plan.Orphans, path)
		}
	}
	return nil
}
