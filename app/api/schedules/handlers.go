package schedules

import (
	"context"
	"fmt"
	"net/http"

	"footbridge/app/api/call"
	"footbridge/core"
	"footbridge/core/schedule"
)

// Store finds accounts and studies. Safe for concurrent use.
type Store interface {
	call.Accounts

	// Study finds a study. Errors: core.ErrNotFound.
	Study(ctx context.Context, id core.StudyID) (core.Study, error)
}

// Handlers answers the routes about timelines and adherence. Safe for concurrent
// use.
type Handlers struct {
	call.Door
	Diary *schedule.Diary
	Store Store
}

// Routes lists the routes.
func (h *Handlers) Routes() []call.Route {
	return []call.Route{
		{Pattern: "PUT /v5/studies/{study}/timeline", Answer: h.putTimeline, Deed: core.DeedTimelineChanged},
		{Pattern: "GET /v5/studies/{study}/timeline", Answer: h.timeline},
		{Pattern: "GET /v5/studies/{study}/participants/self/timeline", Answer: h.ownTimeline},
		{Pattern: "GET /v1/apps/{app}/timelinemetadata/{instanceGuid}", Answer: h.metadata},

		{Pattern: "POST /v5/studies/{study}/participants/self/adherence", Answer: h.saveOwn},
		{Pattern: "POST /v5/studies/{study}/participants/self/adherence/search", Answer: h.searchOwn},
		{Pattern: "POST /v5/studies/{study}/participants/{user}/adherence", Answer: h.saveFor, Deed: core.DeedAdherenceChanged},
		{Pattern: "POST /v5/studies/{study}/participants/{user}/adherence/search", Answer: h.searchFor},
		{Pattern: "POST /v5/studies/{study}/adherence/search", Answer: h.searchAll},
		{Pattern: "DELETE /v5/studies/{study}/participants/{user}/adherence/{instanceGuid}/{eventTimestamp}/{startedOn}", Answer: h.remove, Deed: core.DeedAdherenceChanged},
		{Pattern: "POST /v5/studies/{study}/participants/{user}/adherence/{instanceGuid}/{eventTimestamp}/postprocessing", Answer: h.postProcess, Deed: core.DeedAdherenceChanged},
	}
}

// readers are those who see what participants of a study are to do and did, and
// may set the latter right.
func readers() []core.Role {
	return []core.Role{core.RoleStudyCoordinator, core.RoleResearcher, core.RoleDeveloper, core.RoleWorker}
}

// studyOf is the study that a path names.
func studyOf(r *http.Request) core.StudyID { return core.StudyID(r.PathValue("study")) }

// member gives the caller where it consented and is enrolled in the path's study.
// Errors: those of Consented, core.ErrForbidden.
func (h *Handlers) member(r *http.Request) (core.Account, error) {
	caller, err := h.Consented(r)
	if err != nil {
		return caller, err
	}
	if e, enrolled := caller.Enrollments[studyOf(r)]; !enrolled || !e.Active() {
		return caller, fmt.Errorf("the caller is not enrolled in this study: %w", core.ErrForbidden)
	}
	return caller, nil
}

// asked gives the account that a reader names in a path.
func (h *Handlers) asked(r *http.Request) (core.Account, error) {
	if _, err := h.Require(r, readers()...); err != nil {
		return core.Account{}, err
	}
	return call.Named(r, h.Store)
}

// study gives the study that a reader names in a path.
func (h *Handlers) study(r *http.Request) (core.Study, error) {
	if _, err := h.Require(r, readers()...); err != nil {
		return core.Study{}, err
	}
	return h.Store.Study(r.Context(), studyOf(r))
}
