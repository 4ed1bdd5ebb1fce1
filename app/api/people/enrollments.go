package people

import (
	"footbridge/app/api/call"
	"footbridge/core"
	"footbridge/core/account"
	"footbridge/core/participant"
	"net/http"
	"slices"
	"strings"
)

func (h *Handlers) enrol(w http.ResponseWriter, r *http.Request) error {
	caller, err := h.Require(r, editors()...)
	if err != nil {
		return err
	}
	var asked struct {
		UserID     core.UserID `json:"userId"`
		ExternalID string      `json:"externalId"`

		ConsentRequired bool `json:"consentRequired"`
	}
	if err := call.Read(r, &asked); err != nil {
		return err
	}
	invalid := &core.Invalid{Entity: "Enrollment"}
	if asked.UserID == "" {
		invalid.Complain("userId", "is required")
	}
	if asked.ExternalID != "" && strings.TrimSpace(asked.ExternalID) == "" {
		invalid.Complain("externalId", "cannot be blank")
	}
	call.Overlong(invalid, "externalId", asked.ExternalID)
	if err := invalid.Err(); err != nil {
		return err
	}
	study := core.StudyID(r.PathValue("study"))
	a, err := h.Store.Account(r.Context(), asked.UserID)
	if err == nil && !reachesOne(caller, a) {
		err = call.NotFound("Account", "There is no such account in a study of the caller's.")
	}
	if a, err = mayMove(caller, a, err); err != nil {
		return err
	}
	a, err = h.Roster.Enrol(r.Context(), study, a.ID, participant.Membership{
		ExternalID: asked.ExternalID, ConsentRequired: asked.ConsentRequired, By: caller.ID,
	})
	if err != nil {
		return accountTaken(err)
	}
	call.Write(w, http.StatusCreated, enrollmentOf(a, study))
	return nil
}

func (h *Handlers) withdraw(w http.ResponseWriter, r *http.Request) error {
	caller, err := h.Require(r, editors()...)
	if err != nil {
		return err
	}
	a, err := h.named(r)
	if a, err = mayMove(caller, a, err); err != nil {
		return err
	}
	study := core.StudyID(r.PathValue("study"))
	if a, err = h.Roster.Withdraw(r.Context(), study, a.ID, shortened(r.URL.Query().Get("withdrawalNote")), caller.ID); err != nil {
		return err
	}
	call.Write(w, http.StatusOK, enrollmentOf(a, study))
	return nil
}

// reachesOne reports whether an account has to do with the caller: it is in a
// study that the caller has a role in, or in none yet.
func reachesOne(caller, a core.Account) bool {
	for study := range a.Enrollments {
		if account.Reaches(caller, study) {
			return true
		}
	}
	return len(a.Enrollments) == 0
}

// enrollments lists who is, or was, in a study.
func (h *Handlers) enrollments(w http.ResponseWriter, r *http.Request) error {
	if _, err := h.Require(r, editors()...); err != nil {
		return err
	}
	filter := strings.ToLower(r.URL.Query().Get("enrollmentFilter"))
	if !slices.Contains([]string{"", "all", "enrolled", "withdrawn"}, filter) {
		return call.BadRequest("Query parameter enrollmentFilter must be all, enrolled or withdrawn.")
	}
	study, err := h.Store.Study(r.Context(), core.StudyID(r.PathValue("study")))
	if err != nil {
		return err
	}
	all, err := h.Store.Accounts(r.Context(), study.ID)
	if err != nil {
		return err
	}
	items := []enrollment{}
	for _, a := range all {
		if active := a.Enrollments[study.ID].Active(); len(a.Roles) > 0 || filter == "enrolled" && !active || filter == "withdrawn" && active {
			continue
		}
		items = append(items, enrollmentOf(a, study.ID))
	}
	return call.WritePage(w, r, items)
}
