package store

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	"footbridge/core"
	"footbridge/store/rows"
)

// nextVersion gives the version that follows latest, if any (participant.NextVersion).
type nextVersion = func(core.App, core.Account, *core.ParticipantVersion) (core.ParticipantVersion, bool)

// Account gives an account. Errors: core.ErrNotFound.
func (s *Store) Account(_ context.Context, id core.UserID) (core.Account, error) {
	return loadAccount(s.rows, id)
}

func loadAccount(from getter, id core.UserID) (core.Account, error) {
	return load[core.Account](from, accountsBucket, string(id), "account "+string(id))
}

// AccountByLogin gives the account with a login name. Errors: core.ErrNotFound.
func (s *Store) AccountByLogin(_ context.Context, login string) (core.Account, error) {
	return accountBy(s.rows, loginsBucket, login)
}

// AccountByHealthCode gives a participant. Errors: core.ErrNotFound.
func (s *Store) AccountByHealthCode(_ context.Context, code core.HealthCode) (core.Account, error) {
	return accountBy(s.rows, codesBucket, string(code))
}

func accountBy(from getter, bucket rows.Bucket, key string) (core.Account, error) {
	id := from.Get(bucket, key)
	if id == nil {
		return core.Account{}, fmt.Errorf("account: %w", absent(from))
	}
	return loadAccount(from, core.UserID(id))
}

// Accounts gives every account of a study (empty: of the app), by age.
func (s *Store) Accounts(ctx context.Context, study core.StudyID) ([]core.Account, error) {
	if study == "" {
		return list[core.Account](s.rows, accountsBucket)
	}
	var all []core.Account
	var failed error
	prefix := memberKey(study, "")
	s.rows.Scan(membersBucket, prefix, "", func(key string, _ []byte) bool {
		var a core.Account
		a, failed = s.Account(ctx, core.UserID(key[len(prefix):]))
		all = append(all, a)
		return failed == nil
	})
	return all, failed
}

// CreateAccount stores a new account and its first version (participant.Ledger).
func (s *Store) CreateAccount(ctx context.Context, a core.Account, next nextVersion) (core.Account, error) {
	err := s.update(ctx, func(tx *rows.Tx) error { return s.putAccount(tx, nil, &a, next) })
	return a, err
}

// UpdateAccount changes an account and adds a version (participant.Ledger).
func (s *Store) UpdateAccount(ctx context.Context, id core.UserID, change func(*core.Account) error, next nextVersion) (core.Account, error) {
	var a core.Account
	err := s.update(ctx, func(tx *rows.Tx) (err error) {
		if a, err = loadAccount(tx, id); err != nil {
			return err
		}
		before, err := loadAccount(tx, id) // change may write into what they would share
		if err != nil {
			return err
		}
		if err := change(&a); err != nil {
			return err
		}
		return s.putAccount(tx, &before, &a, next)
	})
	return a, err
}

// Consent changes an account together with the signature that stands
// (participant.Ledger).
func (s *Store) Consent(ctx context.Context, id core.UserID, change func(*core.Account, *core.Consent) (*core.Consent, error), next nextVersion) (core.Account, error) {
	var a core.Account
	err := s.update(ctx, func(tx *rows.Tx) (err error) {
		if a, err = loadAccount(tx, id); err != nil {
			return err
		}
		before, err := loadAccount(tx, id)
		if err != nil {
			return err
		}
		var standing *core.Consent
		if a.SignedOn != nil {
			signed, err := load[core.Consent](tx, consentsBucket, consentKey(id, *a.SignedOn), "a signature")
			if err != nil {
				return err
			}
			standing = &signed
		}
		if standing, err = change(&a, standing); err != nil {
			return err
		}
		if standing != nil {
			if err := save(tx, consentsBucket, consentKey(id, standing.SignedOn), standing); err != nil {
				return err
			}
		}
		return s.putAccount(tx, &before, &a, next)
	})
	return a, err
}

func consentKey(id core.UserID, signed time.Time) string {
	return string(id) + "/" + signed.UTC().Format("20060102T150405.000")
}

// Consents gives every signature of an account, the oldest first.
func (s *Store) Consents(_ context.Context, id core.UserID) (all []core.Consent, failed error) {
	s.rows.Scan(consentsBucket, string(id)+"/", "", func(_ string, raw []byte) bool {
		var c core.Consent
		c, failed = decode[core.Consent](raw)
		all = append(all, c)
		return failed == nil
	})
	return all, failed
}

func (s *Store) putAccount(tx *rows.Tx, before, a *core.Account, next nextVersion) error {
	a.Version++
	if before != nil {
		for _, login := range before.Logins() {
			if !slices.Contains(a.Logins(), login) {
				tx.Delete(loginsBucket, login)
			}
		}
	}
	for _, login := range a.Logins() {
		if holder := tx.Get(loginsBucket, login); holder != nil && core.UserID(holder) != a.ID {
			kind, _, _ := strings.Cut(login, ":")
			return fmt.Errorf("an account with this %s: %w", kind, core.ErrExists)
		}
		tx.Put(loginsBucket, login, []byte(a.ID))
	}
	if before != nil && before.PasswordHash != a.PasswordHash {
		if err := endSessions(tx, a.ID); err != nil {
			return err
		}
	}
	tx.Put(codesBucket, string(a.HealthCode), []byte(a.ID))
	if err := save(tx, accountsBucket, string(a.ID), a); err != nil {
		return err
	}
	if err := enlistMember(tx, before, a); err != nil {
		return err
	}
	s.regret(tx, before, a)
	if err := s.followSharing(tx, before, a); err != nil {
		return err
	}
	return s.putVersion(tx, *a, next)
}

// standing reads how a participant stands.
func (s *Store) standing(from getter, id core.UserID) (core.Standing, error) {
	a, err := loadAccount(from, id)
	if err != nil {
		return core.Standing{}, err
	}
	standing := core.Standing{Account: a}
	if standing.App, err = loadApp(from, a.App); err != nil {
		return standing, err
	}
	for id, e := range a.Enrollments {
		if !e.Active() {
			continue
		}
		study, err := loadStudy(from, id)
		if err != nil {
			return standing, err
		}
		standing.Studies = append(standing.Studies, study)
	}
	sort.Slice(standing.Studies, func(i, j int) bool { return standing.Studies[i].ID < standing.Studies[j].ID })
	latest, err := latestVersion(from, a.HealthCode)
	if latest != nil {
		standing.Version = latest.Version
	}
	return standing, err
}
