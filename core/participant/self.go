package participant

import (
	"context"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"time"

	"footbridge/core"
)

// The rules here are what participants may do with their own account. A scope
// changes only once they consented. A signature consents with any scope; the same
// signature again is no second one, so that a device may repeat what it heard no
// answer to. Whoever withdraws shares nothing from then on.

// Edit lets a participant change what is theirs: edit is given the account as a
// form and changes it. It may run twice. Errors: edit's own, *core.Invalid,
// core.ErrNotFound.
func (r *Roster) Edit(ctx context.Context, id core.UserID, edit func(*Form) error) (core.Account, error) {
	return r.ledger.UpdateAccount(ctx, id, func(a *core.Account) error {
		form := formOf(*a)
		if err := edit(&form); err != nil {
			return err
		}
		if !a.Consented {
			form.SharingScope = ""
		}
		if err := form.check(r.groups(), func(core.StudyID) bool { return true }); err != nil { // it names no new study
			return err
		}
		form.fill(a, "", r.now())
		return nil
	}, r.next)
}

// formOf gives a form that leaves an account as it is.
func formOf(a core.Account) Form {
	return Form{
		Email: a.Email, Phone: a.Phone, FirstName: a.FirstName, LastName: a.LastName,
		DataGroups: a.DataGroups, Languages: a.Languages, ClientTimeZone: a.ClientTimeZone,
		Attributes: a.Attributes, Note: a.Note, ClientData: a.ClientData, SynapseUserID: a.SynapseUserID,
	}
}

// Share sets how far the data of a participant who consented may travel. Errors:
// *core.Invalid, core.ErrNotConsented, core.ErrNotFound.
func (r *Roster) Share(ctx context.Context, id core.UserID, scope core.SharingScope) (core.Account, error) {
	invalid := &core.Invalid{Entity: "SharingOption"}
	checkScope(invalid, scope)
	if err := invalid.Err(); err != nil {
		return core.Account{}, err
	}
	return r.ledger.UpdateAccount(ctx, id, func(a *core.Account) error {
		if !a.Consented {
			return core.ErrNotConsented
		}
		a.SharingScope, a.ModifiedOn = scope, r.now().UTC()
		return nil
	}, r.next)
}

// Learn takes up the languages that a device speaks, where none are known yet.
// Tags that are no language are passed over. Errors: core.ErrNotFound.
func (r *Roster) Learn(ctx context.Context, id core.UserID, tags []string) (core.Account, error) {
	return r.ledger.UpdateAccount(ctx, id, func(a *core.Account) error {
		if len(a.Languages) > 0 {
			return nil
		}
		for _, tag := range tags {
			if language := languageOf(tag); languageForm.MatchString(language) && !slices.Contains(a.Languages, language) && len(a.Languages) < languagesMax {
				a.Languages = append(a.Languages, language)
			}
		}
		a.ModifiedOn = r.now().UTC()
		return nil
	}, r.next)
}

// imageMax is how large the picture of a signature may be, bytes of base64.
const imageMax = 1 << 20

// Sign records a signature. Errors: *core.Invalid, core.ErrExists (another
// signature stands), core.ErrNotFound.
func (r *Roster) Sign(ctx context.Context, id core.UserID, consent core.Consent) (core.Account, error) {
	if err := checkConsent(consent); err != nil {
		return core.Account{}, err
	}
	consent.SignedOn = r.now().UTC().Truncate(time.Millisecond)
	return r.ledger.Consent(ctx, id, func(a *core.Account, standing *core.Consent) (*core.Consent, error) {
		if standing != nil && standing.Name == consent.Name && standing.Birthdate == consent.Birthdate && standing.Scope == consent.Scope {
			return standing, nil
		}
		if standing != nil {
			return nil, fmt.Errorf("a signature: %w", core.ErrExists)
		}
		a.Consented, a.SharingScope, a.SignedOn, a.ModifiedOn = true, consent.Scope, &consent.SignedOn, consent.SignedOn
		return &consent, nil
	}, r.next)
}

// WithdrawConsent ends the consent of a participant. note says why, or nothing.
// Errors: core.ErrNotFound (also where there is no consent).
func (r *Roster) WithdrawConsent(ctx context.Context, id core.UserID, note string) (core.Account, error) {
	return r.ledger.Consent(ctx, id, func(a *core.Account, standing *core.Consent) (*core.Consent, error) {
		if !a.Consented {
			return nil, fmt.Errorf("consent: %w", core.ErrNotFound)
		}
		now := r.now().UTC()
		a.Consented, a.SharingScope, a.SignedOn, a.ModifiedOn = false, core.NoSharing, nil, now
		if standing != nil {
			standing.WithdrawnOn, standing.WithdrawalNote = &now, note
		}
		return standing, nil
	}, r.next)
}

func checkConsent(c core.Consent) error {
	invalid := &core.Invalid{Entity: "ConsentSignature"}
	if strings.TrimSpace(c.Name) == "" {
		invalid.Complain("name", "cannot be missing, null, or blank")
	} else if len([]rune(c.Name)) > textMax {
		invalid.Complain("name", "must be at most %d characters", textMax)
	}
	if c.Birthdate != "" {
		if _, err := time.Parse(time.DateOnly, c.Birthdate); err != nil {
			invalid.Complain("birthdate", "must be a date such as 1990-12-31")
		}
	}
	if len(c.ImageData) > imageMax {
		invalid.Complain("imageData", "must be at most %d bytes of base64", imageMax)
	} else if _, err := base64.StdEncoding.DecodeString(c.ImageData); err != nil {
		invalid.Complain("imageData", "must be base64")
	}
	if (c.ImageData == "") != (c.ImageMimeType == "") {
		invalid.Complain("imageMimeType", "must be given with imageData, and only with it")
	} else if len(c.ImageMimeType) > textMax {
		invalid.Complain("imageMimeType", "must be at most %d characters", textMax)
	}
	checkScope(invalid, c.Scope)
	return invalid.Err()
}

func checkScope(invalid *core.Invalid, scope core.SharingScope) {
	if scope != core.NoSharing && !scope.Allows() {
		invalid.Complain("scope", "must be no_sharing, sponsors_and_partners or all_qualified_researchers")
	}
}
