package device

import (
	"context"
	"errors"
	"fmt"

	"footbridge/core"
)

// signInRequest is a SignIn.
type signInRequest struct {
	AppID      string `json:"appId"`
	Email      string `json:"email,omitempty"`
	ExternalID string `json:"externalId,omitempty"`
	Password   string `json:"password"`
	Type       string `json:"type"`
}

// SignIn starts a session. Send does it where there is none. Errors: *Refused,
// which is core.ErrNotFound for a wrong name or password, core.ErrNotConsented
// and core.ErrDisabled; ErrWrongSite; ErrGaveUp.
func (c *Client) SignIn(ctx context.Context) error {
	if c.wrong != nil {
		return c.wrong
	}
	c.token = ""
	asked := signInRequest{AppID: c.config.AppID, Email: c.config.Email, Password: c.config.Password, Type: "SignIn"}
	if asked.Email == "" {
		asked.ExternalID = c.config.ExternalID
	}
	var session struct {
		Token string `json:"sessionToken"`
	}
	err := c.persist(ctx, func() error {
		return c.ask(ctx, "sign in", "POST", "/v4/auth/signIn", asked, &session)
	})
	switch {
	case errors.Is(err, core.ErrNotFound):
		return fmt.Errorf("%w (check the app id, the login and the password)", err)
	case err != nil:
		return err
	case session.Token == "":
		return errors.New("sign in: what answers there is no upload site. Check the address")
	}
	c.token = session.Token
	return nil
}
