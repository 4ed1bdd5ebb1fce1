package pane

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"footbridge/ui/view"
)

// Deeds gives a page of what people did, the newest first, at most so many (site.Audit).
func (p *Pane) Deeds(ctx context.Context, before string, most int) (view.DeedPage, error) {
	query := url.Values{"pageSize": {strconv.Itoa(most)}}
	if before != "" {
		query.Set("before", before)
	}
	return ask[view.DeedPage](ctx, p, http.MethodGet, "/local/v1/deeds?"+query.Encode(), nil)
}
