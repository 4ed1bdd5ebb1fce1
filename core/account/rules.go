package account

import (
	"fmt"
	"slices"

	"footbridge/core"
)

// Has reports whether an account has one of the roles; an admin has them all.
func Has(a core.Account, roles ...core.Role) bool {
	return slices.ContainsFunc(a.Roles, func(r core.Role) bool {
		return r == core.RoleAdmin || slices.Contains(roles, r)
	})
}

// Require is nil where the account has one of the roles. Errors:
// core.ErrForbidden.
func Require(a core.Account, roles ...core.Role) error {
	if Has(a, roles...) {
		return nil
	}
	return fmt.Errorf("this needs the role %s: %w", roles[0], core.ErrForbidden)
}

// RequireConsent is nil where the account may upload: it consented. Errors:
// core.ErrForbidden for staff, core.ErrNotConsented for participants.
func RequireConsent(a core.Account) error {
	switch {
	case a.Consented:
		return nil
	case len(a.Roles) > 0:
		return fmt.Errorf("only participants who consented upload: %w", core.ErrForbidden)
	}
	return core.ErrNotConsented
}

// MayActFor is nil where the caller owns an upload or has one of the roles.
// Errors: core.ErrForbidden.
func MayActFor(caller core.Account, u core.Upload, roles ...core.Role) error {
	if caller.HealthCode == u.HealthCode {
		return nil
	}
	if len(roles) > 0 && Has(caller, roles...) {
		return nil
	}
	return fmt.Errorf("this upload belongs to someone else: %w", core.ErrForbidden)
}
