package core

import (
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// Role is what a member of staff may do; participants have none.
type Role string

// The roles. Admin passes everywhere.
const (
	RoleAdmin            Role = "admin"
	RoleDeveloper        Role = "developer"
	RoleResearcher       Role = "researcher"
	RoleStudyCoordinator Role = "study_coordinator"
	RoleWorker           Role = "worker"
)

// Roles lists every role, for checking input.
func Roles() []Role {
	return []Role{RoleAdmin, RoleDeveloper, RoleResearcher, RoleStudyCoordinator, RoleWorker}
}

// AccountStatus says whether an account may sign in.
type AccountStatus string

// The account statuses.
const (
	StatusEnabled  AccountStatus = "enabled"
	StatusDisabled AccountStatus = "disabled"
)

// Phone is a telephone number in its region.
type Phone struct {
	Number     string `json:"number"`
	RegionCode string `json:"regionCode"`
}

// Enrollment is a participant's membership of one study.
type Enrollment struct {
	ExternalID  string     `json:"externalId,omitempty"`
	EnrolledOn  time.Time  `json:"enrolledOn"`
	WithdrawnOn *time.Time `json:"withdrawnOn,omitempty"`
	Note        string     `json:"note,omitempty"`        // why they withdrew
	EnrolledBy  UserID     `json:"enrolledBy,omitempty"`  // empty: the operator of the site, or themselves
	WithdrawnBy UserID     `json:"withdrawnBy,omitempty"` // likewise

	ConsentRequired bool `json:"consentRequired,omitempty"`
}

// Active reports whether the participant has not withdrawn from the study.
func (e Enrollment) Active() bool { return e.WithdrawnOn == nil }

// Account is a participant or a member of staff. PasswordHash never leaves
// the site.
type Account struct {
	ID             UserID                 `json:"id"`
	App            AppID                  `json:"app"`
	HealthCode     HealthCode             `json:"healthCode"`
	Email          string                 `json:"email,omitempty"`
	Phone          *Phone                 `json:"phone,omitempty"`
	FirstName      string                 `json:"firstName,omitempty"`
	LastName       string                 `json:"lastName,omitempty"`
	PasswordHash   string                 `json:"passwordHash,omitempty"`
	Roles          []Role                 `json:"roles,omitempty"`
	Status         AccountStatus          `json:"status"`
	SharingScope   SharingScope           `json:"sharingScope"`
	Consented      bool                   `json:"consented"`          // staff gave a scope that shares, or a signature was posted
	SignedOn       *time.Time             `json:"signedOn,omitempty"` // of the signature that stands
	DataGroups     []string               `json:"dataGroups,omitempty"`
	Languages      []string               `json:"languages,omitempty"`
	ClientTimeZone string                 `json:"clientTimeZone,omitempty"` // tz database name
	Attributes     map[string]string      `json:"attributes,omitempty"`
	Note           string                 `json:"note,omitempty"`
	ClientData     json.RawMessage        `json:"clientData,omitempty"` // the app's own
	NotifyByEmail  bool                   `json:"notifyByEmail,omitempty"`
	SynapseUserID  string                 `json:"synapseUserId,omitempty"`
	Demographics   Demographics           `json:"demographics,omitempty"` // app-wide
	Enrollments    map[StudyID]Enrollment `json:"enrollments,omitempty"`
	CreatedOn      time.Time              `json:"createdOn"`
	ModifiedOn     time.Time              `json:"modifiedOn"`
	Version        int                    `json:"version"`

	StudyDemographics map[StudyID]Demographics `json:"studyDemographics,omitempty"`
}

// DemographicsOf gives the account's demographics in a study (empty: the app-wide
// ones); nil where there are none.
func (a Account) DemographicsOf(study StudyID) Demographics {
	if study == "" {
		return a.Demographics
	}
	return a.StudyDemographics[study]
}

// EmailLogin is how an e-mail address is spelt as a login name.
func EmailLogin(email string) string { return "email:" + strings.ToLower(email) }

// PhoneLogin is how a telephone number is spelt as a login name.
func PhoneLogin(p Phone) string { return "phone:" + p.RegionCode + ":" + p.Number }

// ExternalLogin is how an external id is spelt as a login name.
func ExternalLogin(id string) string { return "externalid:" + id }

// SynapseLogin is how a user of the repository is spelt as a login name.
func SynapseLogin(id string) string { return "synapseuserid:" + id }

// Logins lists the names that the account signs in with, each once.
func (a Account) Logins() []string {
	var all []string
	if a.Email != "" {
		all = append(all, EmailLogin(a.Email))
	}
	if a.Phone != nil {
		all = append(all, PhoneLogin(*a.Phone))
	}
	if a.SynapseUserID != "" {
		all = append(all, SynapseLogin(a.SynapseUserID))
	}
	for _, e := range a.Enrollments {
		if e.ExternalID != "" {
			all = append(all, ExternalLogin(e.ExternalID))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Consent is a signature under the consent document, and its withdrawal.
type Consent struct {
	Name           string       `json:"name"`
	Birthdate      string       `json:"birthdate,omitempty"` // YYYY-MM-DD
	Scope          SharingScope `json:"scope"`
	ImageData      string       `json:"imageData,omitempty"` // base64
	ImageMimeType  string       `json:"imageMimeType,omitempty"`
	SignedOn       time.Time    `json:"signedOn"`
	WithdrawnOn    *time.Time   `json:"withdrawnOn,omitempty"`
	WithdrawalNote string       `json:"withdrawalNote,omitempty"`
}

// Session lets one device act for an account until it expires. Only hashes of
// its tokens are kept.
type Session struct {
	TokenHash string    `json:"tokenHash"` // hex SHA-256
	User      UserID    `json:"user"`
	Address   string    `json:"address,omitempty"` // it is good from nowhere else; empty: from anywhere
	CreatedOn time.Time `json:"createdOn"`
	ExpiresOn time.Time `json:"expiresOn"`
}

// Device is where an account is signed in: its sessions, the newest last, and the
// tokens that begin another one.
type Device struct {
	Sessions []Session `json:"sessions"`
	Renewals []string  `json:"renewals"` // hex SHA-256 of reauth tokens, the newest last
}
