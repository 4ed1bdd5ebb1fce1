package api

import (
	"errors"
	"net/http"

	"footbridge/core"
)

// signInRequest is a SignIn.
type signInRequest struct {
	AppID      core.AppID  `json:"appId"`
	Study      core.AppID  `json:"study"` // what appId was called once
	Email      string      `json:"email"`
	Username   string      `json:"username"` // what email was called once
	Phone      *core.Phone `json:"phone"`
	ExternalID string      `json:"externalId"`
	Password   string      `json:"password"`
}

// login gives the one name to sign in with: an e-mail address before a phone
// before an external id, since old clients send several.
func (q signInRequest) login() string {
	switch {
	case q.Email != "":
		return core.EmailLogin(q.Email)
	case q.Username != "":
		return core.EmailLogin(q.Username)
	case q.Phone != nil:
		return core.PhoneLogin(*q.Phone)
	case q.ExternalID != "":
		return core.ExternalLogin(q.ExternalID)
	}
	return ""
}

func (s *Server) signIn(w http.ResponseWriter, r *http.Request) error {
	var asked signInRequest
	if err := readJSON(r, &asked); err != nil {
		return err
	}
	if asked.AppID == "" {
		asked.AppID = asked.Study
	}
	invalid := &core.Invalid{Entity: "SignIn"}
	if asked.AppID == "" {
		invalid.Complain("appId", "is required")
	}
	if asked.Password == "" {
		invalid.Complain("password", "is required")
	}
	login := asked.login()
	if login == "" {
		invalid.Complain("SignIn", "requires an email, phone or externalId")
	}
	if err := invalid.Err(); err != nil {
		return err
	}
	if asked.AppID != s.config.App || len(login) > 2*keyMax {
		login = "" // nobody of another app has an account here, nor one with such a name
	}
	a, token, err := s.config.Gate.SignIn(r.Context(), login, asked.Password, address(r))
	if errors.Is(err, core.ErrNotFound) {
		return notFound("Account", "There is no account with this name and password. Check both, and the app.")
	}
	if err != nil {
		return err
	}
	writeJSON(w, sessionStatus(a), s.newSession(a, token))
	return nil
}

// sessionStatus is 412 for a participant who has not consented: clients take
// that for signed in, and ask for consent.
func sessionStatus(a core.Account) int {
	if len(a.Roles) == 0 && !a.Consented {
		return http.StatusPreconditionFailed
	}
	return http.StatusOK
}

// failConsent answers a caller who has not consented with the session as body.
func (s *Server) failConsent(w http.ResponseWriter, r *http.Request, a core.Account, err error) error {
	if describe(err).StatusCode != http.StatusPreconditionFailed {
		return err
	}
	writeJSON(w, http.StatusPreconditionFailed, s.newSession(a, r.Header.Get("Bridge-Session")))
	return nil
}

func (s *Server) signOut(w http.ResponseWriter, r *http.Request) error {
	token := r.Header.Get("Bridge-Session")
	if r.URL.Path == "/v4/auth/signOut" {
		if token == "" {
			return badRequest("Not signed in.")
		}
		w.Header().Set("Clear-Site-Data", `"cache", "cookies", "storage"`)
	}
	if err := s.config.Gate.SignOut(r.Context(), token); err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, statusMessage("Signed out."))
	return nil
}

// session is a UserSessionInfo.
type session struct {
	participantFields
	Authenticated   bool                     `json:"authenticated"`
	DataSharing     bool                     `json:"dataSharing"`
	SignedConsent   bool                     `json:"signedMostRecentConsent"`
	Username        string                   `json:"username,omitempty"`
	SessionToken    string                   `json:"sessionToken"`
	Environment     string                   `json:"environment"`
	ConsentStatuses map[string]consentStatus `json:"consentStatuses"`
	Type            string                   `json:"type"`
}

// consentStatus is a ConsentStatus.
type consentStatus struct {
	Name          string `json:"name"`
	Subpopulation string `json:"subpopulationGuid"`
	Required      bool   `json:"required"`
	Consented     bool   `json:"consented"`
	SignedLatest  bool   `json:"signedMostRecentConsent"`
	Type          string `json:"type"`
}

func (s *Server) newSession(a core.Account, token string) session {
	group := string(s.config.App)
	return session{
		participantFields: fieldsOf(a), Authenticated: true, DataSharing: a.SharingScope.Allows(),
		SignedConsent: a.Consented, Username: a.Email, SessionToken: token, Environment: "production",
		ConsentStatuses: map[string]consentStatus{group: {
			Name: "Default Consent Group", Subpopulation: group, Required: true,
			Consented: a.Consented, SignedLatest: a.Consented, Type: "ConsentStatus",
		}},
		Type: "UserSessionInfo",
	}
}
