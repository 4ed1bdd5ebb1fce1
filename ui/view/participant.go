package view

import (
	"strings"
	"time"

	"footbridge/core"
)

// LateDays is after how many days without an upload someone is late, where nobody says
// otherwise.
const LateDays = 7

// Presence is how a participant of a study does. Stable, for programs.
type Presence string

// The presences, in the order in which lists have them.
const (
	PresenceLate      Presence = "late"      // nothing came for longer than someone allows
	PresenceInTime    Presence = "in_time"   // something did
	PresenceExcused   Presence = "excused"   // nothing is expected: they share with nobody, or may not sign in
	PresenceWithdrawn Presence = "withdrawn" // they left the study
)

// Presences lists every presence, in their order.
func Presences() []Presence {
	return []Presence{PresenceLate, PresenceInTime, PresenceExcused, PresenceWithdrawn}
}

// ParticipantRow is one participant of a study in a list.
type ParticipantRow struct {
	ID           core.UserID        `json:"id"`
	ExternalID   string             `json:"externalId,omitempty"` // in the study
	Name         string             `json:"name,omitempty"`
	Email        string             `json:"email,omitempty"`
	SharingScope core.SharingScope  `json:"sharingScope"`
	Status       core.AccountStatus `json:"status"`
	Presence     Presence           `json:"presence"`
	LastUpload   core.UploadID      `json:"lastUpload,omitempty"`
	LastUploadOn *time.Time         `json:"lastUploadOn,omitempty"`
	SilentSince  time.Time          `json:"silentSince"` // the last upload, or the enrolment if that is later
	Place        string             `json:"place"`       // in the order of the study's participants
}

// NewParticipantRow describes a member of a study, who is late if nothing came since.
func NewParticipantRow(m core.Member, study core.StudyID, since time.Time) ParticipantRow {
	a := m.Account
	row := ParticipantRow{
		ID: a.ID, ExternalID: a.Enrollments[study].ExternalID, Name: strings.TrimSpace(a.FirstName + " " + a.LastName), Email: a.Email,
		SharingScope: a.SharingScope, Status: a.Status, Presence: PresenceInTime, LastUpload: m.Last, LastUploadOn: stated(m.LastOn),
		SilentSince: m.Since.UTC().Truncate(time.Millisecond), Place: m.Place,
	}
	switch {
	case m.Attendance == core.AttendanceEnded:
		row.Presence = PresenceWithdrawn
	case m.Attendance == core.AttendanceExcused:
		row.Presence = PresenceExcused
	case m.Late(since):
		row.Presence = PresenceLate
	}
	return row
}

// ParticipantQuery says which participants of a study a list shows: those of whom
// uploads are expected first, and of these whoever was silent longest.
type ParticipantQuery struct {
	Study    core.StudyID
	Presence Presence // empty: any
	Days     int      // after how many without an upload someone is late; 0: LateDays
	Text     string   // in the external id, the e-mail address, the name or the id
	From     string   // the place of the first, where a page told of a next one; empty: from the beginning
	Size     int      // how many at most; 0: 100
}

// LateSince is the moment since which something must have come from whoever is not late.
func (q ParticipantQuery) LateSince(now time.Time) time.Time {
	days := q.Days
	if days == 0 {
		days = LateDays
	}
	return now.Add(-time.Duration(days) * 24 * time.Hour).Truncate(time.Millisecond)
}

// Shows reports whether a row is among those that the query names; its study is not
// looked at.
func (q ParticipantQuery) Shows(row ParticipantRow) bool {
	if q.Presence != "" && row.Presence != q.Presence {
		return false
	}
	text := strings.ToLower(strings.TrimSpace(q.Text))
	for _, field := range []string{row.ExternalID, row.Email, row.Name, string(row.ID)} {
		if strings.Contains(strings.ToLower(field), text) {
			return true
		}
	}
	return false
}

// ParticipantPage is a part of a list. It may be short, or empty, and there may be
// more all the same: so many are looked at for one page, and no more.
type ParticipantPage struct {
	Rows []ParticipantRow `json:"rows"`
	Late int              `json:"late"`           // how many of the study are, whatever is shown
	Next string           `json:"next,omitempty"` // where the next page begins; empty: there is none
}

// Enrollment is a participant's membership of one study.
type Enrollment struct {
	ExternalID  string     `json:"externalId"`
	EnrolledOn  time.Time  `json:"enrolledOn"`
	WithdrawnOn *time.Time `json:"withdrawnOn"`
	Note        string     `json:"withdrawalNote"`
}

// Signature is one under the consent document.
type Signature struct {
	Name       string            `json:"name"`
	Scope      core.SharingScope `json:"scope"`
	SignedOn   time.Time         `json:"signedOn"`
	WithdrewOn *time.Time        `json:"withdrewOn"`
}

// Participant is one with all that a person should know of them, as the API tells it.
type Participant struct {
	ID           core.UserID                 `json:"id"`
	FirstName    string                      `json:"firstName"`
	LastName     string                      `json:"lastName"`
	Email        string                      `json:"email"`
	Phone        *core.Phone                 `json:"phone"`
	SharingScope core.SharingScope           `json:"sharingScope"`
	Consented    bool                        `json:"consented"`
	DataGroups   []string                    `json:"dataGroups"`
	Languages    []string                    `json:"languages"`
	TimeZone     string                      `json:"clientTimeZone"`
	Note         string                      `json:"note"`
	Status       core.AccountStatus          `json:"status"`
	CreatedOn    time.Time                   `json:"createdOn"`
	Enrollments  map[core.StudyID]Enrollment `json:"enrollments"`
	Attributes   map[string]string           `json:"attributes"`
	Signatures   map[string][]Signature      `json:"consentHistories"`

	Row      ParticipantRow       `json:"-"` // in the study in which they are looked at
	Versions []ParticipantVersion `json:"-"` // the oldest first
}

// ParticipantForm is what staff fill in of an account.
type ParticipantForm struct {
	ExternalID   string
	FirstName    string
	LastName     string
	Email        string
	DataGroups   []string
	Languages    []string
	TimeZone     string
	Note         string
	SharingScope core.SharingScope // of a new one
	Password     string            // empty: one is made for a new account, and that of another stays
	Disabled     bool              // may not sign in; not of a new one
}
