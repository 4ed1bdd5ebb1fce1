package schedules

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"footbridge/app/api/call"
	"footbridge/core"
	"footbridge/core/schedule"
)

// saveOwn keeps the records that a participant's device submits.
func (h *Handlers) saveOwn(w http.ResponseWriter, r *http.Request) error {
	caller, err := h.member(r)
	if err != nil {
		return err
	}
	return h.save(w, r, caller.ID)
}

// saveFor keeps records that staff or a worker submits for a participant.
func (h *Handlers) saveFor(w http.ResponseWriter, r *http.Request) error {
	a, err := h.asked(r)
	if err != nil {
		return err
	}
	return h.save(w, r, a.ID)
}

func (h *Handlers) save(w http.ResponseWriter, r *http.Request, user core.UserID) error {
	var asked struct {
		Records []recordRequest `json:"records"`
	}
	if err := call.Read(r, &asked); err != nil {
		return err
	}
	records, err := recordsOf(asked.Records)
	if err != nil {
		return err
	}
	err = h.Diary.Save(r.Context(), studyOf(r), user, records)
	if errors.Is(err, schedule.ErrNoRecords) {
		return call.BadRequest("No adherence records submitted for update. Send at least one, as records.")
	}
	if err != nil {
		return err
	}
	call.Write(w, http.StatusOK, call.StatusMessage("Adherence records saved."))
	return nil
}

// remove deletes a record. Participants do not: their devices take a record back by
// saving it neither started nor declined.
func (h *Handlers) remove(w http.ResponseWriter, r *http.Request) error {
	a, err := h.asked(r)
	if err != nil {
		return err
	}
	event, err := pathTime(r, "eventTimestamp")
	if err != nil {
		return err
	}
	started, err := pathTime(r, "startedOn")
	if err != nil {
		return err
	}
	if err := h.Diary.Delete(r.Context(), studyOf(r), a.ID, r.PathValue("instanceGuid"), event, started); err != nil {
		return err
	}
	call.Write(w, http.StatusOK, call.StatusMessage("Adherence record deleted."))
	return nil
}

// postProcess notes on a record what came of processing its uploads.
func (h *Handlers) postProcess(w http.ResponseWriter, r *http.Request) error {
	a, err := h.asked(r)
	if err != nil {
		return err
	}
	event, err := pathTime(r, "eventTimestamp")
	if err != nil {
		return err
	}
	var asked processingRequest
	if err := call.Read(r, &asked); err != nil {
		return err
	}
	invalid := &core.Invalid{Entity: "AdherencePostProcessingAttributes"}
	change := asked.record(invalid, "")
	if err := invalid.Err(); err != nil {
		return err
	}
	change.InstanceGUID, change.EventTimestamp = r.PathValue("instanceGuid"), event
	err = h.Diary.PostProcess(r.Context(), studyOf(r), a.ID, change)
	if errors.Is(err, core.ErrNotFound) {
		return call.NotFound("AdherenceRecord", "The participant has no such adherence record. Check instance, event and start.")
	}
	if err != nil {
		return err
	}
	call.Write(w, http.StatusOK, call.StatusMessage("Adherence record updated."))
	return nil
}

// pathTime reads a time of a path. Errors: 400.
func pathTime(r *http.Request, name string) (time.Time, error) {
	t, err := core.ParseTime(r.PathValue(name))
	if err != nil {
		return t, call.BadRequest(fmt.Sprintf("%s in the path must be an ISO 8601 time, such as 2026-11-20T07:00:00.000Z.", name))
	}
	return t, nil
}
