package appliance

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
func (a *Appliance) uploadPage(ctx context.Context, q view.UploadQuery, r view.Reader) (view.UploadPage, error) {
	page, span := view.UploadPage{Rows: []view.UploadRow{}}, q.Span()
	for looked := 0; looked < lookedAtAtOnce; {
		found, next, err := a.candidates(ctx, q, span, min(lookedAtEach, lookedAtAtOnce-looked), lookedAtAtOnce-looked)
		if err != nil {
			return page, err
		}
		for _, u := range found {
			if len(page.Rows) == q.Size {
				page.Next = u.ID
				return page, nil
			}
			row, err := a.uploadRow(ctx, u, q, r)
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
func (a *Appliance) candidates(ctx context.Context, q view.UploadQuery, span core.Span, most, spend int) (found []core.Upload, next core.UploadID, err error) {
	if id := core.UploadID(q.Text); core.ValidID(q.Text) {
		u, err := a.store.Upload(ctx, id)
		if errors.Is(err, core.ErrNotFound) || !span.Holds(id) || q.Study != "" && !a.store.IsIn(ctx, id, q.Study) {
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
		found, err = a.store.UploadsApart(ctx, why, q.Study, span, most+1)
	case q.Standing == view.StandingProcessing:
		found, err = a.store.UploadsProcessing(ctx, q.Study, span, most+1)
	case q.Standing == view.StandingPerson:
		found, err = a.store.UploadsParked(ctx, q.Study, span, most+1)
	case q.Standing == view.StandingWaiting:
		found, err = a.store.UploadsWaiting(ctx, q.Study, span, most+1)
	case q.Text != "":
		return a.store.Find(ctx, q.Text, q.Study, span, most, spend)
	case q.Study == "":
		found, err = a.store.Uploads(ctx, span, most+1)
	default:
		found, err = a.store.UploadsIn(ctx, q.Study, span, most+1)
	}
	if len(found) > most {
		found, next = found[:most], found[most].ID
	}
	return found, next, err
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
	detail := view.NewUploadDetail(u, exports, who, a.reader(r))
	detail.Dossier, err = a.dossier(r.Context(), u, exports)
	return detail, err
}
