package library

import (
	"context"
	"time"

	"footbridge/core/schema"
)

// Shelf keeps schemas and surveys. Safe for concurrent use.
type Shelf interface {
	// Arrange hands change what goes by an identifier, and keeps what it leaves of
	// it, in one durable transaction. Errors: change's own, with no effect.
	Arrange(ctx context.Context, identifier string, change func(*schema.Dossier) error) error

	// Schema gives one revision of a schema, a deleted one too. Errors:
	// core.ErrNotFound.
	Schema(ctx context.Context, id string, revision int) (schema.Schema, error)

	// Survey gives one version of a survey, a deleted one too. createdOn counts to
	// the millisecond. Errors: core.ErrNotFound.
	Survey(ctx context.Context, guid string, createdOn time.Time) (schema.Survey, error)

	// Schemas gives the newest revisions that wanted takes, at most so many of each
	// schema (0: all): those of the schema id, or where that is empty of every
	// schema. They come by id, the newest first.
	Schemas(ctx context.Context, id string, most int, wanted func(schema.Schema) bool) ([]schema.Schema, error)

	// Surveys is the same of the versions of surveys, by guid.
	Surveys(ctx context.Context, guid string, most int, wanted func(schema.Survey) bool) ([]schema.Survey, error)
}

// Desk is where schemas and surveys are made, changed, published, deleted and
// looked up. It does not ask who may. Safe for concurrent use.
type Desk struct {
	shelf Shelf
	now   func() time.Time
}

// NewDesk makes a desk.
func NewDesk(shelf Shelf, now func() time.Time) *Desk { return &Desk{shelf, now} }

// moment is the time to the millisecond, as what is made now is known by.
func (d *Desk) moment() time.Time { return d.now().UTC().Truncate(time.Millisecond) }

// arrange runs a decision on what goes by an identifier, and gives its result.
func arrange[T any](ctx context.Context, d *Desk, identifier string, decide func(*schema.Dossier) (T, error)) (T, error) {
	var result T
	err := d.shelf.Arrange(ctx, identifier, func(all *schema.Dossier) (err error) {
		result, err = decide(all)
		return err
	})
	return result, err
}

// first gives the first of a list. Errors: missing, where the list is empty.
func first[T any](all []T, err, missing error) (T, error) {
	var none T
	switch {
	case err != nil:
		return none, err
	case len(all) == 0:
		return none, missing
	}
	return all[0], nil
}
