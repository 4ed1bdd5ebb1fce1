package uploads

import (
	"errors"
	"net/http"

	"footbridge/app/api/call"
	"footbridge/core"
	"footbridge/core/account"
)

// The rules here are: whoever may open the view of an upload sees all of it, the
// health code of its owner included: it is there to follow one upload from the
// device to the repository, where that code is its name. Owners open their own,
// coordinators those of their studies, by the study's route. In a study's path the
// upload is one of the study's; only who may open the view is told that it is not.

// uploadView is an UploadViewEx3.
type uploadView struct {
	ID               core.UploadID   `json:"id"`
	HealthCode       core.HealthCode `json:"healthCode"`
	UserID           core.UserID     `json:"userId"`
	OfSchedule       []any           `json:"adherenceRecordsForSchedule,omitzero"`
	OfUpload         []any           `json:"adherenceRecordsForUpload,omitzero"`
	Record           *recordEx3      `json:"record,omitempty"`
	TimelineMetadata *timelineWire   `json:"timelineMetadata,omitempty"`
	Upload           uploadWire      `json:"upload"`
	Type             string          `json:"type"`
}

// timelineWire is a TimelineMetadata.
type timelineWire struct {
	Metadata map[string]string `json:"metadata"`
	Type     string            `json:"type"`
}

// workerView is view by the routes of workers.
func (h *Handlers) workerView(w http.ResponseWriter, r *http.Request) error {
	if _, err := h.Require(r, core.RoleWorker); err != nil {
		return err
	}
	if err := h.InApp(r); err != nil {
		return err
	}
	return h.view(w, r)
}

// view shows all that is known of one upload.
func (h *Handlers) view(w http.ResponseWriter, r *http.Request) error {
	caller, err := h.Consented(r, core.RoleResearcher, core.RoleStudyCoordinator, core.RoleDeveloper, core.RoleWorker)
	if err != nil {
		return err
	}
	study := core.StudyID(r.PathValue("study"))
	timeline, err := call.Flag(r, "fetchTimeline")
	if err != nil {
		return err
	}
	adherence, err := call.Flag(r, "fetchAdherence")
	if err != nil {
		return err
	}
	if adherence && study == "" {
		return call.BadRequest("Adherence requires study ID. Ask by the study's route, /v5/studies/{studyId}/uploads/{uploadId}/exporter3.")
	}
	u, err := h.viewed(r, caller, study)
	if err != nil {
		return err
	}
	view := uploadView{ID: u.ID, HealthCode: u.HealthCode, UserID: u.User, Upload: newUpload(u, true), Type: "UploadViewEx3"}
	if view.Record, err = h.recordOf(r, caller, u); err != nil {
		return err
	}
	if timeline {
		if err := h.addTimeline(r, &view, u, study); err != nil {
			return err
		}
	}
	if adherence {
		if err := h.addAdherence(r, &view, u, study); err != nil {
			return err
		}
	}
	call.Write(w, http.StatusOK, view)
	return nil
}

// viewed gives the upload that a path names to who may view it. Errors: 404,
// core.ErrForbidden.
func (h *Handlers) viewed(r *http.Request, caller core.Account, study core.StudyID) (core.Upload, error) {
	nothing := call.NotFound("UploadViewEx3", "UploadViewEx3 not found. Check the id of the upload and, in a study's path, that it is one of the study's.")
	u, err := h.Desk.Upload(r.Context(), core.UploadID(r.PathValue("id")))
	if errors.Is(err, core.ErrNotFound) {
		return u, nothing
	}
	if err == nil {
		err = account.MayView(caller, u, study)
	}
	if err != nil || study == "" {
		return u, err
	}
	if !h.Store.IsIn(r.Context(), u.ID, study) {
		return u, nothing
	}
	return u, nil
}

func (h *Handlers) addTimeline(r *http.Request, view *uploadView, u core.Upload, study core.StudyID) error {
	instance := u.InstanceGUID()
	if h.Schedules == nil || instance == "" {
		return nil
	}
	metadata, err := h.Schedules.Metadata(r.Context(), study, instance)
	if metadata != nil {
		view.TimelineMetadata = &timelineWire{metadata, "TimelineMetadata"}
	}
	return err
}

// addAdherence adds the records that share the upload's instance, where it names
// one, and those that the upload is linked to; empty where there are none.
func (h *Handlers) addAdherence(r *http.Request, view *uploadView, u core.Upload, study core.StudyID) (err error) {
	view.OfUpload = []any{}
	instance := u.InstanceGUID()
	if instance != "" {
		view.OfSchedule = []any{}
	}
	if h.Schedules == nil {
		return nil
	}
	linked, err := h.Schedules.OfUpload(r.Context(), study, u.User, u.ID)
	if err != nil {
		return err
	}
	view.OfUpload = append(view.OfUpload, linked...)
	if instance == "" {
		return nil
	}
	planned, err := h.Schedules.OfInstance(r.Context(), study, u.User, instance)
	view.OfSchedule = append(view.OfSchedule, planned...)
	return err
}
