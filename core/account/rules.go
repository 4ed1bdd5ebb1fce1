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

// RequireIn is nil where the account has one of the roles, for a study (empty:
// for the whole app). Coordinators have theirs in studies alone: in those that
// they are enrolled in, or in every one where they never were enrolled. Errors:
// core.ErrForbidden.
func RequireIn(a core.Account, study core.StudyID, roles ...core.Role) error {
	beyond := slices.DeleteFunc(slices.Clone(roles), func(r core.Role) bool { return r == core.RoleStudyCoordinator })
	switch {
	case Has(a, beyond...):
		return nil
	case !slices.Contains(roles, core.RoleStudyCoordinator) || !Has(a, core.RoleStudyCoordinator):
		return Require(a, roles...)
	case study == "":
		return fmt.Errorf("a study coordinator asks for a study's data, by the study's own routes: %w", core.ErrForbidden)
	case !Reaches(a, study):
		return fmt.Errorf("the caller coordinates another study: %w", core.ErrForbidden)
	}
	return nil
}

// Reaches reports whether an account that has a role in a study has it in this
// one.
func Reaches(a core.Account, study core.StudyID) bool {
	if Has(a, core.RoleDeveloper, core.RoleResearcher, core.RoleWorker) {
		return true
	}
	return len(a.Enrollments) == 0 || a.Enrollments[study].Active() && !a.Enrollments[study].EnrolledOn.IsZero()
}

// RequireConsent is nil where the account may upload: it consented. Errors:
// core.ErrForbidden for staff, core.ErrNotConsented for participants.
func RequireConsent(a core.Account) error {
	switch {
	case a.Consented:
		return nil
	case len(a.Roles) > 0:
		return fmt.Errorf("this is for participants who consented: %w", core.ErrForbidden)
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

// MayView is nil where the caller owns an upload or has a role that reads the
// uploads of others, in the study by whose route it asks (empty: by the app's).
// Errors: core.ErrForbidden.
func MayView(caller core.Account, u core.Upload, study core.StudyID) error {
	if len(caller.Roles) == 0 || caller.HealthCode == u.HealthCode {
		return MayActFor(caller, u)
	}
	return RequireIn(caller, study, core.RoleResearcher, core.RoleStudyCoordinator, core.RoleDeveloper, core.RoleWorker)
}

// SeesHealthCodes reports whether lists of accounts and uploads show the caller
// whose health code is whose. Health codes leave the site with the data, names
// stay here: only workers, who carry the one to the other, and admins see both.
// Researchers find the codes in the repository, where no names are; coordinators
// and developers have no need of them.
func SeesHealthCodes(caller core.Account) bool { return Has(caller, core.RoleWorker) }
