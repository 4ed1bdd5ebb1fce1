package people

import (
	"encoding/json"
	"footbridge/app/api/call"
	"footbridge/core"
	"footbridge/core/participant"
	"net/http"
	"slices"
)

// participantFields are what sessions and participants show of an account.
type participantFields struct {
	ID             core.UserID                 `json:"id"`
	HealthCode     core.HealthCode             `json:"healthCode,omitempty"` // only for those who may see it
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
	CreatedOn      call.Time                   `json:"createdOn"`
	StudyIDs       []core.StudyID              `json:"studyIds"`
	Note           string                      `json:"note,omitempty"`
	ClientData     json.RawMessage             `json:"clientData,omitempty"`
	SynapseUserID  string                      `json:"synapseUserId,omitempty"`
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
	EnrolledOn  call.Time   `json:"enrolledOn"`
	WithdrawnOn *call.Time  `json:"withdrawnOn,omitempty"`
	Note        string      `json:"withdrawalNote,omitempty"`
	EnrolledBy  core.UserID `json:"enrolledBy,omitempty"`
	WithdrawnBy core.UserID `json:"withdrawnBy,omitempty"`

	ConsentRequired bool `json:"consentRequired"`

	Type string `json:"type"`
}

// enrollmentOf gives the membership of one study.
func enrollmentOf(a core.Account, study core.StudyID) enrollment {
	e := fieldsOf(a).Enrollments[study]
	e.User, e.Type = a.ID, "Enrollment"
	return e
}

// DoneWith names the account by its id, whatever the request called it
// (call.Accountable).
func (e enrollment) DoneWith() (map[string]string, bool) {
	return map[string]string{"user": string(e.User)}, true
}

// studyParticipant is a StudyParticipant.
type studyParticipant struct {
	participantFields
	Consents map[string][]consentHistory `json:"consentHistories,omitempty"`
	Type     string                      `json:"type"`
}

// consentHistory is a UserConsentHistory.
type consentHistory struct {
	Subpopulation string            `json:"subpopulationGuid"`
	Name          string            `json:"name"`
	Birthdate     string            `json:"birthdate,omitempty"`
	Scope         core.SharingScope `json:"scope"`
	SignedOn      call.Time         `json:"signedOn"`
	WithdrewOn    *call.Time        `json:"withdrewOn,omitempty"`
	Type          string            `json:"type"`
}

// addConsents shows the signatures of an account where the query asks for them.
func (h *Handlers) addConsents(r *http.Request, page *studyParticipant, id core.UserID) error {
	wanted, err := call.Flag(r, "consents")
	if err != nil || !wanted {
		return err
	}
	all, err := h.Store.Consents(r.Context(), id)
	history := []consentHistory{}
	for _, c := range all {
		item := consentHistory{
			Subpopulation: string(h.App), Name: c.Name, Birthdate: c.Birthdate, Scope: c.Scope,
			SignedOn: call.Time(c.SignedOn), Type: "UserConsentHistory",
		}
		if c.WithdrawnOn != nil {
			item.WithdrewOn = call.OptionalTime(*c.WithdrawnOn)
		}
		history = append(history, item)
	}
	page.Consents = map[string][]consentHistory{string(h.App): history}
	return err
}

// ownFieldsOf is what someone is shown of their own account: test users see their
// health code too, so that what they sent can be found.
func ownFieldsOf(a core.Account) participantFields {
	f := fieldsOf(a)
	if slices.Contains(a.DataGroups, participant.TestUser) {
		f.HealthCode = a.HealthCode
	}
	return f
}

func fieldsOf(a core.Account) participantFields {
	f := participantFields{
		ID: a.ID, FirstName: a.FirstName, LastName: a.LastName,
		Email: a.Email, EmailVerified: a.Email != "", PhoneVerified: a.Phone != nil,
		ExternalIDs: map[core.StudyID]string{}, SharingScope: a.SharingScope,
		DataGroups: append([]string{}, a.DataGroups...), Attributes: map[string]string{},
		Enrollments: map[core.StudyID]enrollment{}, Consented: a.Consented,
		Roles: append([]core.Role{}, a.Roles...), Languages: append([]string{}, a.Languages...),
		Status: a.Status, CreatedOn: call.Time(a.CreatedOn), StudyIDs: []core.StudyID{},
		Note: a.Note, ClientTimeZone: a.ClientTimeZone, ClientData: a.ClientData,
		NotifyByEmail: a.NotifyByEmail, SynapseUserID: a.SynapseUserID,
	}
	if a.Phone != nil {
		f.Phone = &phone{*a.Phone, "Phone"}
	}
	for key, value := range a.Attributes {
		f.Attributes[key] = value
	}
	for study, e := range a.Enrollments {
		wire := enrollment{
			ExternalID: e.ExternalID, EnrolledOn: call.Time(e.EnrolledOn), EnrolledBy: e.EnrolledBy, WithdrawnBy: e.WithdrawnBy,
			ConsentRequired: e.ConsentRequired, Type: "EnrollmentInfo",
		}
		if e.Active() {
			f.StudyIDs = append(f.StudyIDs, study)
			if e.ExternalID != "" {
				f.ExternalIDs[study] = e.ExternalID
			}
		} else {
			wire.WithdrawnOn, wire.Note = call.OptionalTime(*e.WithdrawnOn), e.Note
		}
		f.Enrollments[study] = wire
	}
	slices.Sort(f.StudyIDs)
	if len(f.StudyIDs) > 0 {
		f.ExternalID = f.ExternalIDs[f.StudyIDs[0]]
	}
	return f
}

// identifier is an IdentifierHolder.
type identifier struct {
	Identifier string `json:"identifier"`
	Type       string `json:"type"`
}

// DoneWith names the account (call.Accountable).
func (i identifier) DoneWith() (map[string]string, bool) {
	return map[string]string{"user": i.Identifier}, true
}
