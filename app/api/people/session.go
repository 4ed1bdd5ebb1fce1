package people

import (
	"net/http"

	"footbridge/app/api/call"
	"footbridge/core"
)

// session is a UserSessionInfo.
type session struct {
	participantFields
	Authenticated   bool                     `json:"authenticated"`
	DataSharing     bool                     `json:"dataSharing"`
	SignedConsent   bool                     `json:"signedMostRecentConsent"`
	Username        string                   `json:"username,omitempty"`
	SessionToken    string                   `json:"sessionToken"`
	ReauthToken     string                   `json:"reauthToken,omitempty"` // only where the session is new
	Environment     string                   `json:"environment"`
	ConsentStatuses map[string]consentStatus `json:"consentStatuses"`
	Type            string                   `json:"type"`
}

// consentStatus is a ConsentStatus.
type consentStatus struct {
	Name          string     `json:"name"`
	Subpopulation string     `json:"subpopulationGuid"`
	Required      bool       `json:"required"`
	Consented     bool       `json:"consented"`
	SignedLatest  bool       `json:"signedMostRecentConsent"`
	SignedOn      *call.Time `json:"signedOn,omitempty"`
	Type          string     `json:"type"`
}

// Session gives the session of an account of an app that signed in with a token:
// the body of every 412.
func Session(app core.AppID, a core.Account, token string) any { return newSession(app, a, token) }

func newSession(app core.AppID, a core.Account, token string) session {
	group := string(app)
	status := consentStatus{
		Name: "Default Consent Group", Subpopulation: group, Required: true,
		Consented: a.Consented, SignedLatest: a.Consented, Type: "ConsentStatus",
	}
	if a.SignedOn != nil {
		status.SignedOn = call.OptionalTime(*a.SignedOn)
	}
	return session{
		participantFields: fieldsOf(a), Authenticated: true, DataSharing: a.SharingScope.Allows(),
		SignedConsent: a.Consented, Username: a.Email, SessionToken: token, Environment: "production",
		ConsentStatuses: map[string]consentStatus{group: status}, Type: "UserSessionInfo",
	}
}

// writeSession answers with the caller's session as it is now.
func (h *Handlers) writeSession(w http.ResponseWriter, r *http.Request, status int, a core.Account) {
	call.Write(w, status, newSession(h.App, a, call.Token(r)))
}
