package schemas

import (
	"net/http"
	"strconv"
	"time"

	"footbridge/app/api/call"
	"footbridge/core"
	"footbridge/core/schema"
)

// holder is what making and changing a survey gives back.
type holder struct {
	GUID      string    `json:"guid"`
	CreatedOn call.Time `json:"createdOn"`
	Version   int       `json:"version"`
	Type      string    `json:"type"`
}

func writeHolder(w http.ResponseWriter, status int, s schema.Survey, err error) error {
	return write(w, status, holder{s.GUID, call.Time(s.CreatedOn), s.Version, "GuidCreatedOnVersionHolder"}, err)
}

// createSurvey makes a survey.
func (h *Handlers) createSurvey(w http.ResponseWriter, r *http.Request) error {
	document, err := h.document(r)
	if err != nil {
		return err
	}
	s, err := h.Library.CreateSurvey(r.Context(), document)
	return writeHolder(w, http.StatusCreated, s, call.Taken(err, "Survey",
		"There is a survey with this identifier already. Make a new version of that one, or choose another identifier."))
}

// updateSurvey changes a version that is not published yet.
func (h *Handlers) updateSurvey(w http.ResponseWriter, r *http.Request) error {
	document, err := h.document(r)
	if err != nil {
		return err
	}
	createdOn, err := creationOf(r)
	if err != nil {
		return err
	}
	s, err := h.Library.UpdateSurvey(r.Context(), r.PathValue("surveyGuid"), createdOn, document)
	return writeHolder(w, http.StatusOK, s, err)
}

// versionSurvey makes a new version of a version.
func (h *Handlers) versionSurvey(w http.ResponseWriter, r *http.Request) error {
	if _, err := h.Require(r, core.RoleDeveloper); err != nil {
		return err
	}
	createdOn, err := creationOf(r)
	if err != nil {
		return err
	}
	s, err := h.Library.VersionSurvey(r.Context(), r.PathValue("surveyGuid"), createdOn)
	return writeHolder(w, http.StatusCreated, s, err)
}

// publishSurvey publishes a version, and the schema of its answers.
func (h *Handlers) publishSurvey(w http.ResponseWriter, r *http.Request) error {
	if _, err := h.Require(r, core.RoleDeveloper); err != nil {
		return err
	}
	createdOn, err := creationOf(r)
	if err != nil {
		return err
	}
	newRevision, err := call.Flag(r, "newSchemaRev")
	if err != nil {
		return err
	}
	s, err := h.Library.PublishSurvey(r.Context(), r.PathValue("surveyGuid"), createdOn, newRevision)
	return writeHolder(w, http.StatusOK, s, err)
}

// deleteSurvey deletes a version.
func (h *Handlers) deleteSurvey(w http.ResponseWriter, r *http.Request) error {
	forGood, err := h.forGood(r)
	if err != nil {
		return err
	}
	createdOn, err := creationOf(r)
	if err != nil {
		return err
	}
	if err := h.Library.DeleteSurvey(r.Context(), r.PathValue("surveyGuid"), createdOn, forGood); err != nil {
		return err
	}
	return writeDeleted(w, "Survey version", forGood)
}

// surveys lists the newest version of every survey.
func (h *Handlers) surveys(w http.ResponseWriter, r *http.Request) error {
	return writeList(h, w, r, func(deletedToo bool) ([]schema.Survey, error) { return h.Library.Surveys(r.Context(), deletedToo) })
}

// publishedSurveys lists the newest published version of every survey.
func (h *Handlers) publishedSurveys(w http.ResponseWriter, r *http.Request) error {
	return writeList(h, w, r, func(deletedToo bool) ([]schema.Survey, error) {
		return h.Library.PublishedSurveys(r.Context(), deletedToo)
	})
}

// versions lists the versions of a survey.
func (h *Handlers) versions(w http.ResponseWriter, r *http.Request) error {
	return writeList(h, w, r, func(deletedToo bool) ([]schema.Survey, error) {
		return h.Library.Versions(r.Context(), r.PathValue("surveyGuid"), deletedToo)
	})
}

// recentSurvey shows the newest version of a survey.
func (h *Handlers) recentSurvey(w http.ResponseWriter, r *http.Request) error {
	if _, err := h.Require(r, readers()...); err != nil {
		return err
	}
	s, err := h.Library.RecentSurvey(r.Context(), r.PathValue("surveyGuid"))
	return write(w, http.StatusOK, s, err)
}

// publishedSurvey shows the newest published version of a survey, to apps too.
func (h *Handlers) publishedSurvey(w http.ResponseWriter, r *http.Request) error {
	if _, err := h.Consented(r, users()...); err != nil {
		return err
	}
	s, err := h.Library.PublishedSurvey(r.Context(), r.PathValue("surveyGuid"))
	return write(w, http.StatusOK, s, err)
}

// survey shows one version, a deleted one too, to apps too.
func (h *Handlers) survey(w http.ResponseWriter, r *http.Request) error {
	if _, err := h.Consented(r, users()...); err != nil {
		return err
	}
	createdOn, err := creationOf(r)
	if err != nil {
		return err
	}
	s, err := h.Library.Survey(r.Context(), r.PathValue("surveyGuid"), createdOn)
	return write(w, http.StatusOK, s, err)
}

// creationOf reads the time of a path: ISO 8601, or milliseconds since 1970.
// Errors: 400.
func creationOf(r *http.Request) (time.Time, error) {
	text := r.PathValue("createdOn")
	at, err := core.ParseTime(text)
	if ms, wrong := strconv.ParseInt(text, 10, 64); wrong == nil {
		at, err = core.Instant(time.UnixMilli(ms), text)
	}
	if err != nil {
		return at, call.BadRequest("createdOn in the path must be an ISO 8601 time, such as 2026-11-20T07:00:00.000Z, or milliseconds since 1970.")
	}
	return at, nil
}
