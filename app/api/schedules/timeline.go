package schedules

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"footbridge/app/api/call"
	"footbridge/core"
)

// The rules here are: a Timeline is given as it was submitted, with its type. Who
// has it already is told so and given nothing.

// putTimeline makes a document the study's timeline.
func (h *Handlers) putTimeline(w http.ResponseWriter, r *http.Request) error {
	if _, err := h.Require(r, core.RoleDeveloper, core.RoleStudyCoordinator); err != nil {
		return err
	}
	var document json.RawMessage
	if err := call.Read(r, &document); err != nil {
		return err
	}
	t, err := h.Diary.PutTimeline(r.Context(), studyOf(r), document)
	if err != nil {
		return err
	}
	return writeTimeline(w, t)
}

// timeline shows a study's timeline.
func (h *Handlers) timeline(w http.ResponseWriter, r *http.Request) error {
	study, err := h.study(r)
	if err != nil {
		return err
	}
	return h.showTimeline(w, r, study.ID)
}

// ownTimeline shows participants what they are to do.
func (h *Handlers) ownTimeline(w http.ResponseWriter, r *http.Request) error {
	if _, err := h.member(r); err != nil {
		return err
	}
	return h.showTimeline(w, r, studyOf(r))
}

func (h *Handlers) showTimeline(w http.ResponseWriter, r *http.Request, study core.StudyID) error {
	t, err := h.Diary.Timeline(r.Context(), study)
	if errors.Is(err, core.ErrNotFound) {
		return call.NotFound("Timeline", "This study has no timeline yet. Put one in place first.")
	}
	if err != nil {
		return err
	}
	if known(r, t) {
		setValidators(w, t)
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	return writeTimeline(w, t)
}

// known reports whether the caller has the timeline already: by its tag, or else by
// the time that it is of, an HTTP date or, as apps send it too, ISO 8601.
func known(r *http.Request, t core.Timeline) bool {
	if tags := r.Header.Get("If-None-Match"); tags != "" {
		return strings.Contains(tags, tag(t))
	}
	since := r.Header.Get("If-Modified-Since")
	if date, err := http.ParseTime(since); err == nil {
		return !t.ChangedOn.Truncate(time.Second).After(date)
	}
	date, err := core.ParseTime(since)
	return err == nil && !t.ChangedOn.After(date)
}

// tag is the entity tag of a timeline: another one for each document.
func tag(t core.Timeline) string {
	sum := sha256.Sum256(t.Document)
	return fmt.Sprintf(`"%x"`, sum[:16])
}

func setValidators(w http.ResponseWriter, t core.Timeline) {
	w.Header().Set("ETag", tag(t))
	w.Header().Set("Last-Modified", t.ChangedOn.UTC().Format(http.TimeFormat))
}

// writeTimeline answers with a document and its type.
func writeTimeline(w http.ResponseWriter, t core.Timeline) error {
	whole := map[string]json.RawMessage{}
	if err := json.Unmarshal(t.Document, &whole); err != nil {
		return fmt.Errorf("read the timeline of study %s: %w", t.Study, err)
	}
	whole["type"] = json.RawMessage(`"Timeline"`)
	setValidators(w, t)
	call.Write(w, http.StatusOK, whole)
	return nil
}

// timelineMetadata is a TimelineMetadata.
type timelineMetadata struct {
	Metadata map[string]string `json:"metadata"`
	Type     string            `json:"type"`
}

// metadata tells workers where an instance stands in its study's schedule; an
// instance that no timeline knows has no metadata.
func (h *Handlers) metadata(w http.ResponseWriter, r *http.Request) error {
	if _, err := h.Require(r, core.RoleWorker); err != nil {
		return err
	}
	if err := h.InApp(r); err != nil {
		return err
	}
	all, err := h.Diary.Metadata(r.Context(), r.PathValue("instanceGuid"))
	if err != nil {
		return err
	}
	call.Write(w, http.StatusOK, timelineMetadata{inOne(all).Strings(), "TimelineMetadata"})
	return nil
}

// inOne gives the metadata of an instance without saying of which study: the same
// document may be the timeline of several, and then the first by id is as good as
// any. The zero value where there is none.
func inOne(all map[core.StudyID]core.TimelineMetadata) core.TimelineMetadata {
	var ids []core.StudyID
	for id := range all {
		ids = append(ids, id)
	}
	if len(ids) == 0 {
		return core.TimelineMetadata{}
	}
	return all[slices.Min(ids)]
}
