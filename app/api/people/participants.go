package people

import (
	"fmt"
	"net/http"
	"slices"
	"sort"

	"footbridge/app/api/call"
	"footbridge/core"
	"footbridge/core/account"
	"footbridge/core/participant"
)

// editors may create and change participants.
func editors() []core.Role {
	return []core.Role{core.RoleResearcher, core.RoleStudyCoordinator, core.RoleDeveloper}
}

// The rules here are: editors create and change participants; only an admin
// hands out roles, and only an admin changes an account that has some, since
// whoever sets its password can act as it.

// mayEdit reads a form and checks that the caller may apply it to an account.
func (h *Handlers) mayEdit(r *http.Request, find func() (core.Account, error)) (participant.Form, core.Account, error) {
	caller, err := h.Require(r, editors()...)
	if err != nil {
		return participant.Form{}, core.Account{}, err
	}
	var asked participantRequest
	if err := call.Read(r, &asked); err != nil {
		return participant.Form{}, core.Account{}, err
	}
	a, err := find()
	if err != nil {
		return participant.Form{}, a, err
	}
	form, err := asked.form(core.StudyID(r.PathValue("study")))
	form.By = caller.ID
	if err == nil {
		err = reachesAll(caller, form, a)
	}
	if err == nil && len(form.Roles)+len(a.Roles) > 0 {
		err = account.Require(caller, core.RoleAdmin)
	}
	if err == nil && caller.ID != "" && caller.ID == a.ID && unseats(form) {
		err = call.BadRequest("You cannot take the administrator's role from yourself, nor disable yourself. Another administrator can.")
	}
	if err == nil && a.ID == "" && onlyDevelops(caller) {
		form.DataGroups = append(form.DataGroups, participant.TestUser)
	}
	return form, a, err
}

// onlyDevelops reports whether whoever the caller makes an account for is there to
// try things out.
func onlyDevelops(caller core.Account) bool {
	return !account.Has(caller, core.RoleResearcher, core.RoleStudyCoordinator)
}

// reachesAll refuses a form that changes what someone is in a study that the caller
// has nothing to say in.
func reachesAll(caller core.Account, form participant.Form, before core.Account) error {
	for study, id := range form.ExternalIDs {
		if before.Enrollments[study].ExternalID != id && !account.Reaches(caller, study) {
			return fmt.Errorf("the caller coordinates another study: %w", core.ErrForbidden)
		}
	}
	return nil
}

// unseats reports whether a form would end the power of an administrator. While
// none may do that to themselves, there is always one.
func unseats(f participant.Form) bool {
	return f.Status == core.StatusDisabled || f.Roles != nil && !slices.Contains(f.Roles, core.RoleAdmin)
}

// mayMove gives the account that an editor enrols or withdraws.
func mayMove(caller, a core.Account, err error) (core.Account, error) {
	if err == nil && len(a.Roles) > 0 {
		err = account.Require(caller, core.RoleAdmin)
	}
	return a, err
}

// accountTaken puts into words that a login name belongs to another account.
func accountTaken(err error) error {
	return call.Taken(err, "Account", "This e-mail address, telephone number or external id belongs to another account. Use that account, or give another one.")
}

func (h *Handlers) createParticipant(w http.ResponseWriter, r *http.Request) error {
	form, _, err := h.mayEdit(r, func() (core.Account, error) { return core.Account{}, nil })
	if err != nil {
		return err
	}
	a, err := h.Roster.Create(r.Context(), core.StudyID(r.PathValue("study")), form)
	if err != nil {
		return accountTaken(err)
	}
	call.Write(w, http.StatusCreated, identifier{string(a.ID), "IdentifierHolder"})
	return nil
}

func (h *Handlers) updateParticipant(w http.ResponseWriter, r *http.Request) error {
	form, a, err := h.mayEdit(r, func() (core.Account, error) { return h.named(r) })
	if err != nil {
		return err
	}
	if _, err := h.Roster.Update(r.Context(), a.ID, form); err != nil {
		return accountTaken(err)
	}
	call.Write(w, http.StatusOK, call.StatusMessage("Participant updated."))
	return nil
}

func (h *Handlers) participant(w http.ResponseWriter, r *http.Request) error {
	a, err := h.asked(r, append(editors(), core.RoleWorker)...)
	if err != nil {
		return err
	}
	page := h.page(r, a)
	if err := h.addConsents(r, &page, a.ID); err != nil {
		return err
	}
	call.Write(w, http.StatusOK, page)
	return nil
}

// page is an account as a path shows it: in a study's, with its id in that study.
func (h *Handlers) page(r *http.Request, a core.Account) studyParticipant {
	page := studyParticipant{participantFields: fieldsOf(a), Type: "StudyParticipant"}
	if study := core.StudyID(r.PathValue("study")); study != "" {
		page.ExternalID = page.ExternalIDs[study]
	}
	return page
}

// participantWithCode shows a worker a participant with their health code.
func (h *Handlers) participantWithCode(w http.ResponseWriter, r *http.Request) error {
	a, err := h.asked(r, core.RoleWorker)
	if err != nil {
		return err
	}
	page := h.page(r, a)
	page.HealthCode = a.HealthCode
	if err := h.addConsents(r, &page, a.ID); err != nil {
		return err
	}
	call.Write(w, http.StatusOK, page)
	return nil
}

// asked gives the account that a caller with one of the roles names in a path, as
// the caller may see it.
func (h *Handlers) asked(r *http.Request, roles ...core.Role) (core.Account, error) {
	caller, err := h.Require(r, roles...)
	if err != nil {
		return core.Account{}, err
	}
	if r.PathValue("app") != "" {
		if err := h.InApp(r); err != nil {
			return core.Account{}, err
		}
	}
	a, err := h.named(r)
	return seenBy(caller, a), err
}

// seenBy leaves out of an account what it is in studies that the caller has nothing
// to say in.
func seenBy(caller, a core.Account) core.Account {
	seen := map[core.StudyID]core.Enrollment{}
	for study, e := range a.Enrollments {
		if account.Reaches(caller, study) {
			seen[study] = e
		}
	}
	a.Enrollments = seen
	return a
}

// named gives the account that the path names.
func (h *Handlers) named(r *http.Request) (core.Account, error) {
	return call.Named(r, h.Store)
}

func (h *Handlers) participants(w http.ResponseWriter, r *http.Request) error {
	caller, err := h.Require(r, editors()...)
	if err != nil {
		return err
	}
	study, err := h.Store.Study(r.Context(), core.StudyID(r.PathValue("study")))
	if err != nil {
		return err
	}
	all, err := h.Store.Accounts(r.Context(), study.ID)
	if err != nil {
		return err
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].CreatedOn.Before(all[j].CreatedOn) })
	items := []studyParticipant{}
	for _, a := range all {
		if len(a.Roles) == 0 { // else it is staff
			items = append(items, h.page(r, seenBy(caller, a)))
		}
	}
	return call.WritePage(w, r, items)
}
