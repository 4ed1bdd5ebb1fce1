package uploads

import (
	"net/http"

	"footbridge/app/api/call"
	"footbridge/core"
	"footbridge/core/account"
)

// The rules here are: staff list uploads; the app's own list is for admins and,
// by the app's id, for workers. A participant's uploads come the oldest first,
// those of a study and of the app the newest first.

func (h *Handlers) participantUploads(w http.ResponseWriter, r *http.Request) error {
	caller, err := h.Require(r, core.RoleResearcher, core.RoleStudyCoordinator, core.RoleDeveloper, core.RoleWorker)
	if err != nil {
		return err
	}
	a, err := call.Named(r, h.Store)
	if err != nil {
		return err
	}
	return h.writeList(w, r, caller, false, func(span core.Span, most int) ([]core.Upload, error) {
		return h.Store.UploadsOf(r.Context(), a.HealthCode, core.StudyID(r.PathValue("study")), span, most)
	})
}

func (h *Handlers) studyUploads(w http.ResponseWriter, r *http.Request) error {
	caller, err := h.Require(r, core.RoleResearcher, core.RoleStudyCoordinator, core.RoleDeveloper, core.RoleWorker)
	if err != nil {
		return err
	}
	study, err := h.Store.Study(r.Context(), core.StudyID(r.PathValue("study")))
	if err != nil {
		return err
	}
	return h.writeList(w, r, caller, true, func(span core.Span, most int) ([]core.Upload, error) {
		return h.Store.UploadsIn(r.Context(), study.ID, span, most)
	})
}

func (h *Handlers) ownUploads(w http.ResponseWriter, r *http.Request) error {
	caller, err := h.Require(r, core.RoleAdmin)
	if err != nil {
		return err
	}
	return h.writeAll(w, r, caller)
}

func (h *Handlers) appUploads(w http.ResponseWriter, r *http.Request) error {
	caller, err := h.Require(r, core.RoleWorker)
	if err != nil {
		return err
	}
	if err := h.InApp(r); err != nil {
		return err
	}
	return h.writeAll(w, r, caller)
}

func (h *Handlers) writeAll(w http.ResponseWriter, r *http.Request, caller core.Account) error {
	return h.writeList(w, r, caller, true, func(span core.Span, most int) ([]core.Upload, error) {
		return h.Store.Uploads(r.Context(), span, most)
	})
}

// writeList answers with the page of a list that the query asks for. One upload
// more than a page is read: the next page begins with it.
func (h *Handlers) writeList(w http.ResponseWriter, r *http.Request, caller core.Account, newestFirst bool, read func(core.Span, int) ([]core.Upload, error)) error {
	window, err := call.ReadWindow(r, h.Now())
	if err != nil {
		return err
	}
	span, offset := core.Between(window.From, window.To), core.UploadID(window.Offset)
	switch { // the window may have moved on since the page before: it is never left
	case offset == "":
	case newestFirst:
		span.Last = min(span.Last, offset)
	default:
		span.First = max(span.First, offset)
	}
	all, err := read(span, window.Size+1)
	if err != nil {
		return err
	}
	next := ""
	if len(all) > window.Size {
		next, all = string(all[window.Size].ID), all[:window.Size]
	}
	var items []uploadWire
	for _, u := range all {
		item := newUpload(u, account.SeesHealthCodes(caller))
		if u.Record != nil {
			exports, err := h.Store.Exports(r.Context(), u.ID)
			if err != nil {
				return err
			}
			item.summary = newSummary(u, exports)
		}
		items = append(items, item)
	}
	call.WriteForward(w, window, items, next)
	return nil
}
