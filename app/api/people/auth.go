package people

import (
	"context"
	"errors"
	"net/http"

	"footbridge/app/api/call"
	"footbridge/core"
	"footbridge/core/account"
)

// signInRequest is a SignIn.
type signInRequest struct {
	AppID       core.AppID  `json:"appId"`
	Study       core.AppID  `json:"study"` // what appId was called once
	Email       string      `json:"email"`
	Username    string      `json:"username"` // what email was called once
	Phone       *core.Phone `json:"phone"`
	ExternalID  string      `json:"externalId"`
	Password    string      `json:"password"`
	ReauthToken string      `json:"reauthToken"`
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

// signIn lets in whoever knows an account's password.
func (h *Handlers) signIn(w http.ResponseWriter, r *http.Request) error {
	asked, err := h.readSignIn(r, "password", func(q signInRequest) string { return q.Password })
	if err != nil {
		return err
	}
	return h.letIn(w, r, asked.login(), func(ctx context.Context, login, address string) (core.Account, account.Pass, error) {
		return h.Gate.SignIn(ctx, login, asked.Password, address)
	})
}

// reauth lets in a device that was here before.
func (h *Handlers) reauth(w http.ResponseWriter, r *http.Request) error {
	asked, err := h.readSignIn(r, "reauthToken", func(q signInRequest) string { return q.ReauthToken })
	if err != nil {
		return err
	}
	return h.letIn(w, r, asked.login(), func(ctx context.Context, login, address string) (core.Account, account.Pass, error) {
		return h.Gate.Reauth(ctx, login, asked.ReauthToken, address)
	})
}

// readSignIn reads who wants to be let in, and that they say by what. Errors:
// *core.Invalid, *call.Unsupported.
func (h *Handlers) readSignIn(r *http.Request, proof string, given func(signInRequest) string) (signInRequest, error) {
	var asked signInRequest
	if err := call.Read(r, &asked); err != nil {
		return asked, err
	}
	if asked.AppID == "" {
		asked.AppID = asked.Study
	}
	invalid := &core.Invalid{Entity: "SignIn"}
	if asked.AppID == "" {
		invalid.Complain("appId", "is required")
	}
	if given(asked) == "" {
		invalid.Complain(proof, "is required")
	}
	login := asked.login()
	if login == "" {
		invalid.Complain("SignIn", "requires an email, phone or externalId")
	}
	if err := invalid.Err(); err != nil {
		return asked, err
	}
	if asked.AppID != h.App || len(login) > 2*call.KeyMax {
		return asked, wrongCredentials() // nobody of another app has an account here, nor one with such a name
	}
	return asked, h.Supported(r)
}

func wrongCredentials() error {
	return call.NotFound("Account", "There is no account with this name and password. Check both, and the app.")
}

// letIn answers with a new session.
func (h *Handlers) letIn(w http.ResponseWriter, r *http.Request, login string, enter func(ctx context.Context, login, address string) (core.Account, account.Pass, error)) error {
	a, pass, err := enter(r.Context(), login, call.Address(r))
	if errors.Is(err, core.ErrNotFound) {
		return wrongCredentials()
	}
	if err != nil {
		return err
	}
	if tags := call.Languages(r); len(a.Languages) == 0 && len(tags) > 0 {
		if a, err = h.Roster.Learn(r.Context(), a.ID, tags); err != nil {
			return err
		}
	}
	h.See(r, a, 0)
	session := newSession(h.App, a, pass.Session)
	session.ReauthToken = pass.Renewal
	status := http.StatusOK
	if len(a.Roles) == 0 && !a.Consented {
		status = http.StatusPreconditionFailed // clients take it for signed in, and ask for consent
	}
	call.Write(w, status, session)
	return nil
}

func (h *Handlers) signOut(w http.ResponseWriter, r *http.Request) error {
	token := call.Token(r)
	if r.URL.Path == "/v4/auth/signOut" {
		if token == "" {
			return call.BadRequest("Not signed in.")
		}
		w.Header().Set("Clear-Site-Data", `"cache", "cookies", "storage"`)
	}
	if err := h.Gate.SignOut(r.Context(), token); err != nil {
		return err
	}
	call.Write(w, http.StatusOK, call.StatusMessage("Signed out."))
	return nil
}
