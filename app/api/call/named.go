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

// Named gives the account that a path's {user} names. In a study's path it must be, or
// have been, a member of the study. Errors: 404.
func Named(r *http.Request, accounts Accounts) (core.Account, error) {
	a, err := Find(r.Context(), accounts, r.PathValue("user"))
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

// Find gives the account of a name: its id, or externalid:X, healthcode:X, email:X,
// synapseuserid:X or syn:X. Errors: core.ErrNotFound.
func Find(ctx context.Context, accounts Accounts, name string) (core.Account, error) {
	kind, value, _ := strings.Cut(name, ":")
	switch strings.ToLower(kind) {
	case "externalid":
		return accounts.AccountByLogin(ctx, core.ExternalLogin(value))
	case "email":
		return accounts.AccountByLogin(ctx, core.EmailLogin(value))
	case "synapseuserid", "syn":
		return accounts.AccountByLogin(ctx, core.SynapseLogin(value))
	case "healthcode":
		return accounts.AccountByHealthCode(ctx, core.HealthCode(value))
	}
	return accounts.Account(ctx, core.UserID(name))
}

func noAccount() error {
	return NotFound("Account", "There is no such account. Check the id, and that it belongs to the study.")
}
