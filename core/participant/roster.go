package participant

import (
	"context"
	"errors"
	"fmt"
	"time"

	"footbridge/core"
)

// Ledger keeps accounts, their versions and the studies. Safe for concurrent use.
type Ledger interface {
	// CreateAccount stores a new account and, where next gives one, its first
	// version, durably. Errors: core.ErrExists when a login name is taken.
	CreateAccount(ctx context.Context, a core.Account, next NextVersion) (core.Account, error)

	// UpdateAccount changes an account and, where next gives one, adds a version,
	// in one durable transaction. Errors: change's own, core.ErrNotFound,
	// core.ErrExists when a login name is taken.
	UpdateAccount(ctx context.Context, id core.UserID, change func(*core.Account) error, next NextVersion) (core.Account, error)

	// Consent runs change with an account and the signature that stands (nil:
	// none), and stores both as change leaves them, and the version that next gives,
	// in one durable transaction. Errors: change's own, core.ErrNotFound.
	Consent(ctx context.Context, id core.UserID, change func(*core.Account, *core.Consent) (*core.Consent, error), next NextVersion) (core.Account, error)

	// Study gives a study. Errors: core.ErrNotFound.
	Study(ctx context.Context, id core.StudyID) (core.Study, error)
}

// NextVersion gives the version that follows latest (nil: none yet), if any.
type NextVersion = func(app core.App, a core.Account, latest *core.ParticipantVersion) (core.ParticipantVersion, bool)

// Roster creates and changes accounts. Safe for concurrent use.
type Roster struct {
	ledger Ledger
	app    core.AppID
	now    func() time.Time
	groups func() []string
}

// Config says how a roster behaves.
type Config struct {
	Now        func() time.Time
	DataGroups func() []string // those that there are; none or nil: any
}

// NewRoster makes the roster of an app.
func NewRoster(ledger Ledger, app core.AppID, config Config) *Roster {
	if config.DataGroups == nil {
		config.DataGroups = func() []string { return nil }
	}
	return &Roster{ledger, app, config.Now, config.DataGroups}
}

// Create makes an account from a form, enrolled in the study unless that is
// empty. Errors: *core.Invalid, core.ErrNotFound (the study), core.ErrExists.
func (r *Roster) Create(ctx context.Context, study core.StudyID, form Form) (core.Account, error) {
	if err := r.check(ctx, study, form); err != nil {
		return core.Account{}, err
	}
	now := r.now().UTC()
	a := core.Account{
		ID: core.UserID(core.NewID(now)), App: r.app, HealthCode: core.NewHealthCode(),
		Status: core.StatusEnabled, SharingScope: core.NoSharing, NotifyByEmail: true, CreatedOn: now,
	}
	form.fill(&a, form.passwordHash(), now)
	if study != "" {
		enrol(&a, study, Membership{ExternalID: form.ExternalIDs[study], ConsentRequired: true, By: form.By}, now)
	}
	return r.ledger.CreateAccount(ctx, a, func(app core.App, a core.Account, latest *core.ParticipantVersion) (core.ParticipantVersion, bool) {
		return Next(app, a, latest, now) // the first version is as old as the account
	})
}

// Update replaces what the form says of an account. Errors: *core.Invalid,
// core.ErrNotFound, core.ErrExists.
func (r *Roster) Update(ctx context.Context, id core.UserID, form Form) (core.Account, error) {
	if err := r.check(ctx, "", form); err != nil {
		return core.Account{}, err
	}
	hash := form.passwordHash()
	return r.ledger.UpdateAccount(ctx, id, func(a *core.Account) error {
		form.fill(a, hash, r.now())
		return nil
	}, r.next)
}

// Enrol makes an account a member of a study. Errors: *core.Invalid,
// core.ErrNotFound (the account or the study), core.ErrExists (the external id).
func (r *Roster) Enrol(ctx context.Context, study core.StudyID, id core.UserID, m Membership) (core.Account, error) {
	if _, err := r.ledger.Study(ctx, study); err != nil {
		return core.Account{}, err
	}
	return r.ledger.UpdateAccount(ctx, id, func(a *core.Account) error {
		enrol(a, study, m, r.now())
		a.ModifiedOn = r.now().UTC()
		return nil
	}, r.next)
}

// Withdraw ends an account's membership of a study; note says why, or nothing, and
// by who did it. Errors: core.ErrNotFound.
func (r *Roster) Withdraw(ctx context.Context, study core.StudyID, id core.UserID, note string, by core.UserID) (core.Account, error) {
	return r.ledger.UpdateAccount(ctx, id, func(a *core.Account) error {
		e, ok := a.Enrollments[study]
		if !ok || !e.Active() {
			return fmt.Errorf("enrolment in study %s: %w", study, core.ErrNotFound)
		}
		now := r.now().UTC()
		e.WithdrawnOn, e.WithdrawnBy, e.Note = &now, by, note
		a.Enrollments[study] = e
		a.ModifiedOn = now
		return nil
	}, r.next)
}

// Backfill gives an account the version that it lacks, if any: one that was
// created before the app exported.
func (r *Roster) Backfill(ctx context.Context, id core.UserID) error {
	_, err := r.ledger.UpdateAccount(ctx, id, func(*core.Account) error { return nil }, r.next)
	return err
}

func (r *Roster) next(app core.App, a core.Account, latest *core.ParticipantVersion) (core.ParticipantVersion, bool) {
	return Next(app, a, latest, r.now())
}

func (r *Roster) check(ctx context.Context, study core.StudyID, form Form) error {
	if study != "" {
		if _, err := r.ledger.Study(ctx, study); err != nil {
			return err
		}
	}
	studies := map[core.StudyID]bool{}
	for id := range form.ExternalIDs {
		_, err := r.ledger.Study(ctx, id)
		if err != nil && !errors.Is(err, core.ErrNotFound) {
			return err
		}
		studies[id] = err == nil
	}
	return form.check(r.groups(), func(id core.StudyID) bool { return studies[id] })
}
