package call

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"footbridge/core"
)

// Accounts finds accounts. Errors: core.ErrNotFound. Safe for concurrent use.
type Accounts interface {
	Account(ctx context.Context, id core.UserID) (core.Account, error)
	AccountByLogin(ctx context.Context, login string) (core.Account, error)
	AccountByHealthCode(ctx context.Context, code core.HealthCode) (core.Account, error)
}

// Named gives the account that a path's {user} names: by id, or as externalid:X,
// healthcode:X, email:X, synapseuserid:X or syn:X. In a study's path it must be, or
// have been, a member of the study. Errors: 404.
func Named(r *http.Request, accounts Accounts) (core.Account, error) {
	name, ctx := r.PathValue("user"), r.Context()
	kind, value, _ := strings.Cut(name, ":")
	var a core.Account
	var err error
	switch strings.ToLower(kind) {
	case "externalid":
		a, err = accounts.AccountByLogin(ctx, core.ExternalLogin(value))
	case "email":
		a, err = accounts.AccountByLogin(ctx, core.EmailLogin(value))
	case "synapseuserid", "syn":
		a, err = accounts.AccountByLogin(ctx, core.SynapseLogin(value))
	case "healthcode":
		a, err = accounts.AccountByHealthCode(ctx, core.HealthCode(value))
	default:
		a, err = accounts.Account(ctx, core.UserID(name))
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
	return NotFound("Account", "There is no such account. Check the id, and that it belongs to the study.")
}
