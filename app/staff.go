package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"

	"footbridge/app/control"
	"footbridge/core/account"
)

// staffCommand looks after members of staff.
type staffCommand struct {
	Create staffCreate `cmd:"" help:"Create an account for a member of staff."`
}

// staffCreate creates an account with roles. The password comes from
// FOOTBRIDGE_PASSWORD, else one is made and printed once.
type staffCreate struct {
	Email string   `required:"" help:"The e-mail address to sign in with."`
	Role  []string `required:"" enum:"admin,developer,researcher,study_coordinator,worker" help:"What they may do: admin, developer, researcher, study_coordinator or worker; may be repeated."`
	Study string   `help:"The one study that a coordinator looks after; else all of them."`
	JSON  bool     `name:"json" help:"Print the result as JSON."`
}

// createdStaff is what staff create prints.
type createdStaff struct {
	Identifier string   `json:"identifier"`
	Email      string   `json:"email"`
	Roles      []string `json:"roles"`
	Study      string   `json:"study,omitempty"`
	Password   string   `json:"password,omitempty"` // only where one was made
}

// Run creates the account.
func (c *staffCreate) Run(ctx context.Context, s *session) error {
	if c.Study != "" && !slices.Equal(c.Role, []string{"study_coordinator"}) {
		return &usageError{errors.New("only a study_coordinator is of one study; leave --study out for other roles")}
	}
	password, made := os.Getenv("FOOTBRIDGE_PASSWORD"), ""
	if password == "" {
		password = account.NewPassword()
		made = password
	}
	path := "/v3/participants"
	if c.Study != "" {
		path = studyPath(c.Study) + "/participants"
	}
	return withAppliance(ctx, s, func(ctx context.Context, client *control.Client) error {
		r := createdStaff{Email: c.Email, Roles: c.Role, Study: c.Study, Password: made}
		asked := map[string]any{"email": c.Email, "password": password, "roles": c.Role}
		if err := client.Call(ctx, http.MethodPost, path, asked, &r); err != nil {
			return err
		}
		if c.JSON {
			return s.printJSON(r)
		}
		fmt.Fprintf(s.out, "%s may sign in as %s.\n", r.Email, strings.Join(r.Roles, " and "))
		if made != "" {
			fmt.Fprintf(s.out, "Password %s\nGive it to them now: it is shown this once.\n", made)
		}
		return nil
	})
}
