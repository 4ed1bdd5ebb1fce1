package lists

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"footbridge/app/api"
	"footbridge/core"
	"footbridge/store"
	"footbridge/ui/view"
)

// The rules here are: an answer costs no more however many uploads are stored. What few
// uploads are is found at once; of a long way back only a part is looked at, and the
// answer tells where to go on.

const (
	listedAtOnce   = 100  // rows, where nobody says how many
	listedMax      = 500  // rows
	lookedAtAtOnce = 2000 // uploads, for one page
	lookedAtEach   = 200  // of them, from the store
)

// uploads lists uploads as people look for them, the newest first.
func (h *Handlers) uploads(r *http.Request) (any, error) {
	query, err := uploadQuery(r)
	if err != nil {
		return nil, err
	}
	if query.Study != "" {
		if _, err := h.Store.Study(r.Context(), query.Study); err != nil {
			return nil, err
		}
	}
	return h.uploadPage(r.Context(), query, h.Reader(r))
}

func uploadQuery(r *http.Request) (view.UploadQuery, error) {
	asked := r.URL.Query()
	q := view.UploadQuery{
		Standing: view.Standing(asked.Get("standing")), Study: core.StudyID(asked.Get("study")),
		Text: strings.TrimSpace(asked.Get("text")), Before: core.UploadID(asked.Get("before")), Size: listedAtOnce,
	}
	if q.Standing != "" && !slices.Contains(view.Standings(), q.Standing) {
		return q, api.BadRequest("Query parameter standing must be one of those that uploads are listed with.")
	}
	for name, at := range map[string]*time.Time{"since": &q.Since, "until": &q.Until} {
		if text := asked.Get(name); text != "" {
			t, err := time.Parse(time.RFC3339, text)
			if err != nil {
				return q, api.BadRequest("Query parameter " + name + " must be a time such as 2026-11-20T08:00:00Z.")
			}
			*at = t
		}
	}
	var err error
	q.Size, err = wholeNumber(asked, "pageSize", listedAtOnce, listedMax)
	return q, err
}

// uploadPage looks for the uploads of a page.
func (h *Handlers) uploadPage(ctx context.Context, q view.UploadQuery, r view.Reader) (view.UploadPage, error) {
	page, span := view.UploadPage{Rows: []view.UploadRow{}}, q.Span()
	for looked := 0; looked < lookedAtAtOnce; {
		found, next, err := h.candidates(ctx, q, span, min(lookedAtEach, lookedAtAtOnce-looked), lookedAtAtOnce-looked)
		if err != nil {
			return page, err
		}
		for _, u := range found {
			if len(page.Rows) == q.Size {
				page.Next = u.ID
				return page, nil
			}
			row, err := h.uploadRow(ctx, u, q, r)
			if err != nil {
				return page, err
			}
			if row != nil {
				page.Rows = append(page.Rows, *row)
			}
		}
		if page.Next, span.Last = next, next; next == "" {
			return page, nil
		}
		if looked += len(found); len(found) < lookedAtEach {
			break // what may be spent is spent
		}
	}
	return page, nil
}

// candidates gives uploads among which are all that a query shows, the newest first, at
// most so many, and where they go on; a search spends no more than it may.
func (h *Handlers) candidates(ctx context.Context, q view.UploadQuery, span core.Span, most, spend int) (found []core.Upload, next core.UploadID, err error) {
	if id := core.UploadID(q.Text); core.ValidID(q.Text) {
		u, err := h.Store.Upload(ctx, id)
		if errors.Is(err, core.ErrNotFound) || !span.Holds(id) || q.Study != "" && !h.Store.IsIn(ctx, id, q.Study) {
			return nil, "", nil
		}
		return []core.Upload{u}, "", err
	}
	why := map[view.Standing]store.Apart{
		view.StandingExpected: store.ApartComing, view.StandingReceived: store.ApartComing,
		view.StandingRefused: store.ApartRefused, view.StandingDuplicate: store.ApartDuplicate, view.StandingKept: store.ApartKept,
	}[q.Standing]
	switch {
	case why != "":
		found, err = h.Store.UploadsApart(ctx, why, q.Study, span, most+1)
	case q.Standing == view.StandingProcessing:
		found, err = h.Store.UploadsProcessing(ctx, q.Study, span, most+1)
	case q.Standing == view.StandingPerson:
		found, err = h.Store.UploadsParked(ctx, q.Study, span, most+1)
	case q.Standing == view.StandingWaiting:
		found, err = h.Store.UploadsWaiting(ctx, q.Study, span, most+1)
	case q.Text != "":
		return h.Store.Find(ctx, q.Text, q.Study, span, most, spend)
	case q.Study == "":
		found, err = h.Store.Uploads(ctx, span, most+1)
	default:
		found, err = h.Store.UploadsIn(ctx, q.Study, span, most+1)
	}
	if len(found) > most {
		found, next = found[:most], found[most].ID
	}
	return found, next, err
}

// uploadRow describes an upload; nil where the query does not show it. Why a record
// waits is found out only then.
func (h *Handlers) uploadRow(ctx context.Context, u core.Upload, q view.UploadQuery, r view.Reader) (*view.UploadRow, error) {
	who, err := h.ExternalID(ctx, u)
	if err != nil {
		return nil, err
	}
	var exports []core.Export
	if u.Record != nil {
		if exports, err = h.Store.Exports(ctx, u.ID); err != nil {
			return nil, err
		}
	}
	if row := view.NewUploadRow(u, exports, who, r); !q.Shows(row) {
		return nil, nil
	}
	for i, e := range exports {
		exports[i] = h.Explain(ctx, e)
	}
	row := view.NewUploadRow(u, exports, who, r)
	return &row, nil
}
