package records

import (
	"cmp"
	"context"
	"errors"

	"footbridge/core"
	"footbridge/sync/export"
)

// The rules here are: what was withdrawn is tried again until it is gone, wherever it
// lies; and what cannot be reached keeps nothing else waiting.

// errElsewhere says that a record lies where the settings do not lead.
var errElsewhere = errors.New("a withdrawn record was sent to another repository or destination than the settings name now; name that one again, and it is removed there")

// RemoveWithdrawn takes all records that were withdrawn out of wherever they lie. What
// lies elsewhere keeps nothing else waiting.
func (h *Handlers) RemoveWithdrawn(ctx context.Context) (more bool, err error) {
	var elsewhere error
	var last core.Export
	for {
		u, e, ok, err := h.Store.NextRemoval(ctx, last)
		if err != nil || !ok {
			return false, cmp.Or(err, elsewhere)
		}
		switch err := h.remove(ctx, u, e); {
		case errors.Is(err, errElsewhere):
			elsewhere = err
		case err != nil:
			return false, err
		default:
			if err := h.Store.Removed(ctx, e); err != nil {
				return false, err
			}
		}
		last = e
	}
}

// remove takes all that a record is out of one destination.
func (h *Handlers) remove(ctx context.Context, u core.Upload, e core.Export) error {
	d, ok := h.Projects.Destination(ctx, e.Destination)
	if !ok || (e.Place != "" && e.Place != h.Projects.Identity()) {
		return errElsewhere
	}
	objects, err := export.Objects(u, e.ExportedOn)
	if err != nil {
		return err
	}
	for _, o := range objects {
		if err := h.Projects.Remove(ctx, d, o); err != nil {
			return err
		}
	}
	return nil
}
