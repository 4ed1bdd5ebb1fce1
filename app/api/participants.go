package api

import (
	"errors"
	"net/http"
	"slices"
	"sort"
	"strings"

	"footbridge/core"
	"footbridge/core/account"
	"footbridge/core/participant"
)

// participantFields are what sessions and participants show of an account. The
// health code is not among them.
type participantFields struct {
	ID             core.UserID                 `json:"id"`
	FirstName      string                      `json:"firstName,omitempty"`
	LastName       string                      `json:"lastName,omitempty"`
	Email          string                      `json:"email,omitempty"`
	EmailVerified  bool                        `json:"emailVerified,omitempty"`
	Phone          *phone                      `json:"phone,omitempty"`
	PhoneVerified  bool                        `json:"phoneVerified,omitempty"`
	ExternalID     string                      `json:"externalId,omitempty"`
	ExternalIDs    map[core.StudyID]string     `json:"externalIds"`
	SharingScope   core.SharingScope           `json:"sharingScope"`
	NotifyByEmail  bool                        `json:"notifyByEmail"`
	DataGroups     []string                    `json:"dataGroups"`
	Attributes     map[string]string           `json:"attributes"`
	Enrollments    map[core.StudyID]enrollment `json:"enrollments"`
	Consented      bool                        `json:"consented"`
	Roles          []core.Role                 `json:"roles"`
	Languages      []string                    `json:"languages"`
	Status         core.AccountStatus          `json:"status"`
	CreatedOn      Time                        `json:"createdOn"`
	StudyIDs       []core.StudyID              `json:"studyIds"`
	Note           string                      `json:"note,omitempty"`
	ClientTimeZone string                      `json:"clientTimeZone,omitempty"`
}

// phone is a Phone.
type phone struct {
	core.Phone
	Type string `json:"type"`
}

// enrollment is an EnrollmentInfo, or with its user an Enrollment.
type enrollment struct {
	User        core.UserID `json:"userId,omitempty"`
	ExternalID  string      `json:"externalId,omitempty"`
	EnrolledOn  Time        `json:"enrolledOn"`
	WithdrawnOn *Time       `json:"withdrawnOn,omitempty"`
	Type        string      `json:"type"`
}

// enrollmentOf gives the membership of one study.
func enrollmentOf(a core.Account, study core.StudyID) enrollment {
	e := fieldsOf(a).Enrollments[study]
	e.User, e.Type = a.ID, "Enrollment"
	return e
}

// studyParticipant is a StudyParticipant.
type studyParticipant struct {
	participantFields
	Type string `json:"type"`
}

func fieldsOf(a core.Account) participantFields {
	f := participantFields{
		ID: a.ID, FirstName: a.FirstName, LastName: a.LastName,
		Email: a.Email, EmailVerified: a.Email != "", PhoneVerified: a.Phone != nil,
		ExternalIDs: map[core.StudyID]string{}, SharingScope: a.SharingScope,
		DataGroups: append([]string{}, a.DataGroups...), Attributes: map[string]string{},
		Enrollments: map[core.StudyID]enrollment{}, Consented: a.Consented,
		Roles: append([]core.Role{}, a.Roles...), Languages: append([]string{}, a.Languages...),
		Status: a.Status, CreatedOn: Time(a.CreatedOn), StudyIDs: []core.StudyID{},
		Note: a.Note, ClientTimeZone: a.ClientTimeZone,
	}
	if a.Phone != nil {
		f.Phone = &phone{*a.Phone, "Phone"}
	}
	for key, value := range a.Attributes {
		f.Attributes[key] = value
	}
	for study, e := range a.Enrollments {
		wire := enrollment{ExternalID: e.ExternalID, EnrolledOn: Time(e.EnrolledOn), Type: "EnrollmentInfo"}
		if e.Active() {
			f.StudyIDs = append(f.StudyIDs, study)
			if e.ExternalID != "" {
				f.ExternalIDs[study] = e.ExternalID
			}
		} else {
			wire.WithdrawnOn = optionalTime(*e.WithdrawnOn)
		}
		f.Enrollments[study] = wire
	}
	slices.Sort(f.StudyIDs)
	if len(f.StudyIDs) > 0 {
		f.ExternalID = f.ExternalIDs[f.StudyIDs[0]]
	}
	return f
}

// participantRequest is what a caller may say of an account.
type participantRequest struct {
	Email          string                  `json:"email"`
	Phone          *core.Phone             `json:"phone"`
	FirstName      string                  `json:"firstName"`
	LastName       string                  `json:"lastName"`
	Password       string                  `json:"password"`
	ExternalID     string                  `json:"externalId"`
	ExternalIDs    map[core.StudyID]string `json:"externalIds"`
	SharingScope   string                  `json:"sharingScope"`
	DataGroups     []string                `json:"dataGroups"`
	Languages      []string                `json:"languages"`
	ClientTimeZone string                  `json:"clientTimeZone"`
	Attributes     map[string]string       `json:"attributes"`
	Note           string                  `json:"note"`
	Roles          []string                `json:"roles"`
	Status         string                  `json:"status"`
}

// form reads the enums in any case. Errors: *core.Invalid.
func (q participantRequest) form(study core.StudyID) (participant.Form, error) {
	invalid := &core.Invalid{Entity: "StudyParticipant"}
	f := participant.Form{
		Email: q.Email, Phone: q.Phone, FirstName: q.FirstName, LastName: q.LastName, Password: q.Password,
		ExternalIDs: q.ExternalIDs, DataGroups: q.DataGroups, Languages: q.Languages,
		ClientTimeZone: q.ClientTimeZone, Attributes: q.Attributes, Note: q.Note,
		SharingScope: core.SharingScope(strings.ToLower(q.SharingScope)),
		Status:       core.AccountStatus(strings.ToLower(q.Status)),
	}
	if q.ExternalID != "" && len(f.ExternalIDs) == 0 && study != "" {
		f.ExternalIDs = map[core.StudyID]string{study: q.ExternalID}
	} else if q.ExternalID != "" && len(f.ExternalIDs) == 0 {
		invalid.Complain("externalId", "must be given with its study, as externalIds")
	}
	for study, id := range f.ExternalIDs {
		overlong(invalid, "externalIds["+string(study)+"]", id)
	}
	if q.Phone != nil {
		overlong(invalid, "phone", q.Phone.RegionCode+q.Phone.Number)
	}
	if q.Roles != nil {
		f.Roles = []core.Role{}
	}
	for _, role := range q.Roles {
		f.Roles = append(f.Roles, core.Role(strings.ToLower(role)))
	}
	if f.SharingScope != "" && f.SharingScope != core.NoSharing && !f.SharingScope.Allows() {
		invalid.Complain("sharingScope", "must be no_sharing, sponsors_and_partners or all_qualified_researchers")
	}
	if f.Status != "" && f.Status != core.StatusEnabled && f.Status != core.StatusDisabled {
		invalid.Complain("status", "must be enabled or disabled")
	}
	return f, invalid.Err()
}

// editors may create and change participants.
func editors() []core.Role {
	return []core.Role{core.RoleResearcher, core.RoleStudyCoordinator, core.RoleDeveloper}
}

// The rules here are: editors create and change participants; only an admin
// hands out roles, and only an admin changes an account that has some, since
// whoever sets its password can act as it.

// mayEdit reads a form and checks that the caller may apply it to an account.
func (s *Server) mayEdit(r *http.Request, find func() (core.Account, error)) (participant.Form, core.Account, error) {
	caller, err := s.staff(r, editors()...)
	if err != nil {
		return participant.Form{}, core.Account{}, err
	}
	var asked participantRequest
	if err := readJSON(r, &asked); err != nil {
		return participant.Form{}, core.Account{}, err
	}
	a, err := find()
	if err != nil {
		return participant.Form{}, a, err
	}
	form, err := asked.form(core.StudyID(r.PathValue("study")))
	if err == nil && len(form.Roles)+len(a.Roles) > 0 {
		err = account.Require(caller, core.RoleAdmin)
	}
	if err == nil && caller.ID != "" && caller.ID == a.ID && unseats(form) {
		err = badRequest("You cannot take the administrator's role from yourself, nor disable yourself. Another administrator can.")
	}
	return form, a, err
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
	return taken(err, "Account", "This e-mail address, telephone number or external id belongs to another account. Use that account, or give another one.")
}

func (s *Server) createParticipant(w http.ResponseWriter, r *http.Request) error {
	form, _, err := s.mayEdit(r, func() (core.Account, error) { return core.Account{}, nil })
	if err != nil {
		return err
	}
	a, err := s.config.Roster.Create(r.Context(), core.StudyID(r.PathValue("study")), form)
	if err != nil {
		return accountTaken(err)
	}
	writeJSON(w, http.StatusCreated, identifier{string(a.ID), "IdentifierHolder"})
	return nil
}

func (s *Server) updateParticipant(w http.ResponseWriter, r *http.Request) error {
	form, a, err := s.mayEdit(r, func() (core.Account, error) { return s.named(r) })
	if err != nil {
		return err
	}
	if _, err := s.config.Roster.Update(r.Context(), a.ID, form); err != nil {
		return accountTaken(err)
	}
	writeJSON(w, http.StatusOK, statusMessage("Participant updated."))
	return nil
}

func (s *Server) participant(w http.ResponseWriter, r *http.Request) error {
	if _, err := s.staff(r, append(editors(), core.RoleWorker)...); err != nil {
		return err
	}
	a, err := s.named(r)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, studyParticipant{fieldsOf(a), "StudyParticipant"})
	return nil
}

// named gives the account that a path names: by id, or externalid:X,
// healthcode:X, email:X. In a study's path it must be a member of the study.
func (s *Server) named(r *http.Request) (core.Account, error) {
	name, ctx := r.PathValue("user"), r.Context()
	kind, value, _ := strings.Cut(name, ":")
	var a core.Account
	var err error
	switch strings.ToLower(kind) {
	case "externalid":
		a, err = s.config.Store.AccountByLogin(ctx, core.ExternalLogin(value))
	case "email":
		a, err = s.config.Store.AccountByLogin(ctx, core.EmailLogin(value))
	case "healthcode":
		a, err = s.config.Store.AccountByHealthCode(ctx, core.HealthCode(value))
	default:
		a, err = s.config.Store.Account(ctx, core.UserID(name))
	}
	if errors.Is(err, core.ErrNotFound) {
		return a, noAccount()
	}
	if err != nil {
		return a, err
	}
	if study := core.StudyID(r.PathValue("study")); study != "" {
		if _, member := a.Enrollments[study]; !member {
			return a, noAccount()
		}
	}
	return a, nil
}

func noAccount() error {
	return notFound("Account", "There is no such account. Check the id, and that it belongs to the study.")
}

// page is a PagedResourceList.
type page[T any] struct {
	Items []T    `json:"items"`
	Total int    `json:"total"`
	Type  string `json:"type"`
}

func (s *Server) participants(w http.ResponseWriter, r *http.Request) error {
	if _, err := s.staff(r, editors()...); err != nil {
		return err
	}
	study, err := s.config.Studies.Study(r.Context(), core.StudyID(r.PathValue("study")))
	if err != nil {
		return err
	}
	all, err := s.config.Store.Accounts(r.Context(), study.ID)
	if err != nil {
		return err
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].CreatedOn.Before(all[j].CreatedOn) })
	items := []studyParticipant{}
	for _, a := range all {
		items = append(items, studyParticipant{fieldsOf(a), "StudyParticipant"})
	}
	writeJSON(w, http.StatusOK, page[studyParticipant]{items, len(items), "PagedResourceList"})
	return nil
}

func (s *Server) enrol(w http.ResponseWriter, r *http.Request) error {
	caller, err := s.staff(r, editors()...)
	if err != nil {
		return err
	}
	var asked struct {
		UserID     core.UserID `json:"userId"`
		ExternalID string      `json:"externalId"`
	}
	if err := readJSON(r, &asked); err != nil {
		return err
	}
	invalid := &core.Invalid{Entity: "Enrollment"}
	if asked.UserID == "" {
		invalid.Complain("userId", "is required")
	}
	if asked.ExternalID != "" && strings.TrimSpace(asked.ExternalID) == "" {
		invalid.Complain("externalId", "cannot be blank")
	}
	overlong(invalid, "externalId", asked.ExternalID)
	if err := invalid.Err(); err != nil {
		return err
	}
	study := core.StudyID(r.PathValue("study"))
	a, err := s.config.Store.Account(r.Context(), asked.UserID)
	if a, err = mayMove(caller, a, err); err != nil {
		return err
	}
	a, err = s.config.Roster.Enrol(r.Context(), study, a.ID, asked.ExternalID)
	if err != nil {
		return accountTaken(err)
	}
	writeJSON(w, http.StatusCreated, enrollmentOf(a, study))
	return nil
}

func (s *Server) withdraw(w http.ResponseWriter, r *http.Request) error {
	caller, err := s.staff(r, editors()...)
	if err != nil {
		return err
	}
	a, err := s.named(r)
	if a, err = mayMove(caller, a, err); err != nil {
		return err
	}
	study := core.StudyID(r.PathValue("study"))
	if a, err = s.config.Roster.Withdraw(r.Context(), study, a.ID); err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, enrollmentOf(a, study))
	return nil
}
