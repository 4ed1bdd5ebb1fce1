package library

import (
	"context"
	"fmt"

	"footbridge/core"
	"footbridge/core/schema"
)

// CreateSchema makes a new revision of a document: the one that it names, or else
// the one after the newest. Errors: *core.Invalid; core.ErrExists where the
// revision is there.
func (d *Desk) CreateSchema(ctx context.Context, document []byte) (schema.Schema, error) {
	draft, err := schema.Parse(document)
	if err != nil {
		return draft, err
	}
	return arrange(ctx, d, draft.ID, func(all *schema.Dossier) (schema.Schema, error) { return create(all, draft) })
}

// ReviseSchema makes the next revision of a document that names the newest one,
// or none where there is none. Errors: *core.Invalid; core.ErrConflict where it
// names another.
func (d *Desk) ReviseSchema(ctx context.Context, document []byte) (schema.Schema, error) {
	draft, err := schema.Parse(document)
	if err != nil {
		return draft, err
	}
	return arrange(ctx, d, draft.ID, func(all *schema.Dossier) (schema.Schema, error) { return revise(all, draft) })
}

// UpdateSchema changes a revision; what the document says of id and revision does
// not count. Errors: *core.Invalid, *schema.Incompatible; core.ErrNotFound, also
// where the revision is deleted; core.ErrConflict where the document has another
// version than the revision.
func (d *Desk) UpdateSchema(ctx context.Context, id string, revision int, document []byte) (schema.Schema, error) {
	draft, err := schema.Parse(document)
	if err != nil {
		return draft, err
	}
	draft.ID, draft.Revision = id, revision
	return arrange(ctx, d, id, func(all *schema.Dossier) (schema.Schema, error) { return change(all, draft) })
}

// DeleteSchema deletes a revision of a schema, every one where revision is 0.
// forGood removes what is deleted already too. Errors: core.ErrNotFound where that
// leaves nothing to delete.
func (d *Desk) DeleteSchema(ctx context.Context, id string, revision int, forGood bool) error {
	return d.shelf.Arrange(ctx, id, func(all *schema.Dossier) error { return discard(all, id, revision, forGood) })
}

// Schemas gives the newest revision of every schema, by id.
func (d *Desk) Schemas(ctx context.Context, deletedToo bool) ([]schema.Schema, error) {
	return d.shelf.Schemas(ctx, "", 1, undeletedSchema(deletedToo))
}

// Revisions gives the revisions of a schema, the newest first. Errors:
// core.ErrNotFound where there is none.
func (d *Desk) Revisions(ctx context.Context, id string, deletedToo bool) ([]schema.Schema, error) {
	return d.revisions(ctx, id, 0, deletedToo)
}

// RecentSchema gives the newest revision of a schema that is not deleted. Errors:
// core.ErrNotFound.
func (d *Desk) RecentSchema(ctx context.Context, id string) (schema.Schema, error) {
	all, err := d.revisions(ctx, id, 1, false)
	return first(all, err, noSchema(id, 0))
}

func (d *Desk) revisions(ctx context.Context, id string, most int, deletedToo bool) ([]schema.Schema, error) {
	if id == "" { // which is every schema to the shelf
		return nil, noSchema(id, 0)
	}
	all, err := d.shelf.Schemas(ctx, id, most, undeletedSchema(deletedToo))
	if err == nil && len(all) == 0 {
		err = noSchema(id, 0)
	}
	return all, err
}

// Schema gives a revision of a schema, a deleted one too. Errors: core.ErrNotFound.
func (d *Desk) Schema(ctx context.Context, id string, revision int) (schema.Schema, error) {
	return d.shelf.Schema(ctx, id, revision)
}

func undeletedSchema(deletedToo bool) func(schema.Schema) bool {
	return func(s schema.Schema) bool { return deletedToo || !s.Deleted }
}

// noSchema says that a revision is not there; revision 0: that none is.
func noSchema(id string, revision int) error {
	if revision == 0 {
		return fmt.Errorf("schema %s: %w", id, core.ErrNotFound)
	}
	return fmt.Errorf("schema %s revision %d: %w", id, revision, core.ErrNotFound)
}
