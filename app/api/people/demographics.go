package people

import (
	"errors"
	"fmt"
	"net/http"

	"footbridge/app/api/call"
	"footbridge/core"
)

// The rules here are: participants say of themselves what they like, in studies that
// they are in and app-wide; researchers and the study's coordinators say it for them;
// what is app-wide is for researchers.

// demographicUser is a DemographicUser: all that is known of a participant in a
// study, or app-wide.
type demographicUser struct {
	User         core.UserID            `json:"userId"`
	Demographics map[string]demographic `json:"demographics"` // by category
	Type         string                 `json:"type"`
}

// demographic is a Demographic.
type demographic struct {
	ID       string             `json:"id,omitempty"` // to delete it by; a participant version has none
	Multiple bool               `json:"multipleSelect"`
	Values   []demographicValue `json:"values"`
	Units    string             `json:"units,omitempty"`
	Type     string             `json:"type"`
}

// demographicValue is a DemographicValue.
type demographicValue struct {
	Value      string `json:"value"`
	Invalidity string `json:"invalidity,omitempty"`
	Type       string `json:"type"`
}

// demographicsOf gives demographics on the wire, nil where there are none.
func demographicsOf(all core.Demographics) map[string]demographic {
	if len(all) == 0 {
		return nil
	}
	wire := make(map[string]demographic, len(all))
	for category, d := range all {
		one := demographic{ID: d.ID, Multiple: d.Multiple, Values: []demographicValue{}, Units: d.Units, Type: "Demographic"}
		for _, v := range d.Values {
			one.Values = append(one.Values, demographicValue{v.Value, v.Invalidity, "DemographicValue"})
		}
		wire[category] = one
	}
	return wire
}

// newDemographicUser gives what is known of an account in a study (empty: app-wide).
func newDemographicUser(a core.Account, study core.StudyID) demographicUser {
	user := demographicUser{a.ID, demographicsOf(a.DemographicsOf(study)), "DemographicUser"}
	if user.Demographics == nil {
		user.Demographics = map[string]demographic{}
	}
	return user
}

// characterized gives the account that a path names, and the study (empty: none),
// where the caller may know and say what it is like.
func (h *Handlers) characterized(r *http.Request) (core.Account, core.StudyID, error) {
	study := core.StudyID(r.PathValue("study"))
	if r.PathValue("user") == "" {
		a, err := h.Consented(r)
		if err == nil {
			err = h.hasAccount(a)
		}
		if err == nil && study != "" && !isMember(a, study) {
			err = fmt.Errorf("the caller is not enrolled in this study: %w", core.ErrForbidden)
		}
		return a, study, err
	}
	caller, err := h.Require(r, describers(study)...)
	if err != nil {
		return core.Account{}, study, err
	}
	a, err := h.named(r)
	a, err = mayMove(caller, a, err)
	return a, study, err
}

// describers may say of others what they are like, in a study (empty: app-wide).
func describers(study core.StudyID) []core.Role {
	if study == "" {
		return []core.Role{core.RoleResearcher}
	}
	return []core.Role{core.RoleResearcher, core.RoleStudyCoordinator}
}

// keepDemographics replaces what is known of a participant.
func (h *Handlers) keepDemographics(w http.ResponseWriter, r *http.Request) error {
	a, study, err := h.characterized(r)
	if err != nil {
		return err
	}
	var asked demographicsRequest
	if err := call.Read(r, &asked); err != nil {
		return err
	}
	given, err := asked.demographics()
	if err != nil {
		return err
	}
	if a, err = h.Roster.KeepDemographics(r.Context(), study, a.ID, given); err != nil {
		return err
	}
	call.Write(w, http.StatusOK, newDemographicUser(a, study))
	return nil
}

// demographics shows what is known of a participant.
func (h *Handlers) demographics(w http.ResponseWriter, r *http.Request) error {
	a, study, err := h.characterized(r)
	if err != nil {
		return err
	}
	if len(a.DemographicsOf(study)) == 0 {
		return nothingKnown()
	}
	call.Write(w, http.StatusOK, newDemographicUser(a, study))
	return nil
}

func nothingKnown() error {
	return call.NotFound("DemographicUser", "No such demographics are known of this participant. Check the study, and the id if one was named.")
}

// forgetDemographics takes away what is known of a participant: all of it, or what
// the path names.
func (h *Handlers) forgetDemographics(w http.ResponseWriter, r *http.Request) error {
	a, study, err := h.characterized(r)
	if err != nil {
		return err
	}
	_, err = h.Roster.ForgetDemographics(r.Context(), study, a.ID, r.PathValue("demographic"))
	if errors.Is(err, core.ErrNotFound) {
		return nothingKnown()
	}
	if err != nil {
		return err
	}
	call.Write(w, http.StatusOK, call.StatusMessage("Demographics deleted."))
	return nil
}

// allDemographics lists the participants of a study, or of the app, of whom something
// is known.
func (h *Handlers) allDemographics(w http.ResponseWriter, r *http.Request) error {
	study := core.StudyID(r.PathValue("study"))
	if _, err := h.Require(r, describers(study)...); err != nil {
		return err
	}
	if study != "" {
		if _, err := h.Store.Study(r.Context(), study); err != nil {
			return err
		}
	}
	all, err := h.Store.Accounts(r.Context(), study)
	if err != nil {
		return err
	}
	items := []demographicUser{}
	for _, a := range all {
		if len(a.Roles) == 0 && len(a.DemographicsOf(study)) > 0 {
			items = append(items, newDemographicUser(a, study))
		}
	}
	return call.WritePage(w, r, items)
}

func isMember(a core.Account, study core.StudyID) bool {
	e, ok := a.Enrollments[study]
	return ok && e.Active()
}
