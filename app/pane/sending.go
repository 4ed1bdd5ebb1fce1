package pane

import (
	"context"
	"net/http"

	"footbridge/ui/view"
)

const comparison = "/local/v1/sync/comparison"

// RetryAll sends all again that needs a person (site.Sender).
func (p *Pane) RetryAll(ctx context.Context) error {
	return p.call(ctx, http.MethodPost, "/local/v1/uploads/retry", map[string]bool{"all": true}, nil)
}

// Compared tells how the last comparison with the repository went, or how far it is
// (site.Comparer).
func (p *Pane) Compared(ctx context.Context) (view.Comparison, error) {
	return ask[view.Comparison](ctx, p, http.MethodGet, comparison, nil)
}

// Compare begins one that changes nothing (site.Comparer).
func (p *Pane) Compare(ctx context.Context) error {
	return p.call(ctx, http.MethodPost, comparison, nil, nil)
}

// Repair begins one, and sends again what is wrong (site.Comparer).
func (p *Pane) Repair(ctx context.Context) error {
	return p.call(ctx, http.MethodPost, comparison, map[string]bool{"repair": true}, nil)
}

// Remove begins one, and removes the files that these plans name and that still belong
// to no record (site.Comparer).
func (p *Pane) Remove(ctx context.Context, plans []view.Plan) error {
	return p.call(ctx, http.MethodPost, comparison, map[string]any{"orphans": plans}, nil)
}
