package lists

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"footbridge/core"
	"footbridge/ui/view"
)

// upload shows one upload with the stages of its way.
func (h *Handlers) upload(r *http.Request) (any, error) {
	u, err := h.Store.Upload(r.Context(), core.UploadID(r.PathValue("id")))
	if err != nil {
		return nil, err
	}
	exports, err := h.exports(r.Context(), u.ID)
	if err != nil {
		return nil, err
	}
	who, err := h.ExternalID(r.Context(), u)
	if err != nil {
		return nil, err
	}
	detail := view.NewUploadDetail(u, exports, who, h.Reader(r))
	detail.Dossier, err = h.dossier(r.Context(), u, exports)
	return detail, err
}

// destinations says where an upload's record stands at each of its destinations.
func (h *Handlers) destinations(r *http.Request) (any, error) {
	u, err := h.Store.Upload(r.Context(), core.UploadID(r.PathValue("id")))
	if err != nil {
		return nil, err
	}
	exports, err := h.exports(r.Context(), u.ID)
	if err != nil {
		return nil, err
	}
	return view.NewExportLines(exports, h.Reader(r)), nil
}

// exports gives where a record stands at each of its destinations, and why it waits.
func (h *Handlers) exports(ctx context.Context, id core.UploadID) ([]core.Export, error) {
	all, err := h.Store.Exports(ctx, id)
	for i, e := range all {
		all[i] = h.Explain(ctx, e)
	}
	return all, err
}

// ExternalID is what staff call the participant of an upload: as it was when the
// upload was completed, and before that as it is; empty where they have none.
func (h *Handlers) ExternalID(ctx context.Context, u core.Upload) (string, error) {
	if u.Facts != nil {
		return u.Facts.ExternalID, nil
	}
	account, err := h.Store.Account(ctx, u.User)
	if errors.Is(err, core.ErrNotFound) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	var all []string
	for _, e := range account.Enrollments {
		if e.Active() && e.ExternalID != "" {
			all = append(all, e.ExternalID)
		}
	}
	if len(all) == 0 {
		return "", nil
	}
	return slices.Min(all), nil
}
