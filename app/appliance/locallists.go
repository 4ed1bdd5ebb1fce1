package appliance

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"footbridge/app/api"
	"footbridge/core"
	"footbridge/ui/view"
)

// The rules here are: an answer costs no more however many uploads are stored. Of a
// long way back only a part is looked at, and the answer tells where to go on.

const (
	listedAtOnce   = 100  // rows, where nobody says how many
	listedMax      = 500  // rows
	lookedAtAtOnce = 2000 // uploads, for one page
	lookedAtEach   = 200  // of them, from the store
)

// localUploads lists uploads as people look for them, the newest first.
func (a *Appliance) localUploads(r *http.Request) (any, error) {
	query, err := uploadQuery(r)
	if err != nil {
		return nil, err
	}
	if query.Study != "" {
		if _, err := a.store.Study(r.Context(), query.Study); err != nil {
			return nil, err
		}
	}
	return a.uploadPage(r.Context(), query, a.reader(r))
}

func uploadQuery(r *http.Request) (view.UploadQuery, error) {
	asked := r.URL.Query()
	q := view.UploadQuery{
		Standing: view.Standing(asked.Get("standing")), Study: core.StudyID(asked.Get("study")),
		Text: asked.Get("text"), Before: core.UploadID(asked.Get("before")),
	}
	if q.Standing != "" && !slices.Contains(view.Standings(), q.Standing) {
		return q, api.BadRequest("Query parameter standing must be one of those that uploads are listed with.")
	}
	var err error
	q.Size, err = wholeNumber(asked, "pageSize", listedAtOnce, listedMax)
	return q, err
}

// uploadPage looks for the uploads of a page.
func (a *Appliance) uploadPage(ctx context.Context, q view.UploadQuery, r view.Reader) (view.UploadPage, error) {
	page, span := view.UploadPage{Rows: []view.UploadRow{}}, core.Span{Last: q.Before}
	for looked := 0; ; {
		found, err := a.newest(ctx, q, span, lookedAtEach+1)
		if err != nil {
			return page, err
		}
		for i, u := range found {
			if len(page.Rows) == q.Size || looked == lookedAtAtOnce {
				page.Next = u.ID
				return page, nil
			}
			if i == lookedAtEach {
				break // the next look begins with it
			}
			looked++
			row, err := a.uploadRow(ctx, u, q, r)
			if err != nil {
				return page, err
			}
			if row != nil {
				page.Rows = append(page.Rows, *row)
			}
		}
		if len(found) <= lookedAtEach {
			return page, nil
		}
		span.Last = found[lookedAtEach].ID
	}
}

// newest gives uploads among which are all that a query shows, the newest first.
func (a *Appliance) newest(ctx context.Context, q view.UploadQuery, span core.Span, most int) ([]core.Upload, error) {
	switch {
	case q.Standing == view.StandingPerson: // few among many, mostly
		return a.store.UploadsParked(ctx, q.Study, span, most)
	case q.Study == "":
		return a.store.Uploads(ctx, span, most)
	}
	return a.store.UploadsIn(ctx, q.Study, span, most)
}

// uploadRow describes an upload; nil where the query does not show it. Why a record
// waits is found out only then.
func (a *Appliance) uploadRow(ctx context.Context, u core.Upload, q view.UploadQuery, r view.Reader) (*view.UploadRow, error) {
	who, err := a.externalID(ctx, u)
	if err != nil {
		return nil, err
	}
	var exports []core.Export
	if u.Record != nil {
		if exports, err = a.store.Exports(ctx, u.ID); err != nil {
			return nil, err
		}
	}
	if row := view.NewUploadRow(u, exports, who, r); !q.Shows(row) {
		return nil, nil
	}
	for i, e := range exports {
		exports[i] = a.explain(ctx, e)
	}
	row := view.NewUploadRow(u, exports, who, r)
	return &row, nil
}

// externalID is what staff call the participant of an upload: as it was when the
// upload was completed, and before that as it is; empty where they have none.
func (a *Appliance) externalID(ctx context.Context, u core.Upload) (string, error) {
	if u.Facts != nil {
		return u.Facts.ExternalID, nil
	}
	account, err := a.store.Account(ctx, u.User)
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

// localUpload shows one upload with the stages of its way.
func (a *Appliance) localUpload(r *http.Request) (any, error) {
	u, err := a.store.Upload(r.Context(), core.UploadID(r.PathValue("id")))
	if err != nil {
		return nil, err
	}
	exports, err := explained{a.store, a}.Exports(r.Context(), u.ID)
	if err != nil {
		return nil, err
	}
	who, err := a.externalID(r.Context(), u)
	if err != nil {
		return nil, err
	}
	return view.NewUploadDetail(u, exports, who, a.reader(r)), nil
}
