package store

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"

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
func (s *Store) Accounts(_ context.Context, study core.StudyID) ([]core.Account, error) {
	var all []core.Account
	var failed error
	s.rows.Scan(accountsBucket, "", "", func(id string, raw []byte) bool {
		a, err := decode[core.Account](raw)
		if err != nil {
			failed = fmt.Errorf("read account %s: %w", id, err)
			return false
		}
		if _, member := a.Enrollments[study]; member || study == "" {
			all = append(all, a)
		}
		return true
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
	if before != nil && !before.SharingScope.Allows() && a.SharingScope.Allows() {
		if err := s.shareAgain(tx, a.HealthCode); err != nil {
			return err
		}
	}
	return s.putVersion(tx, *a, next)
}

// putVersion adds the account's next version, if there is one, and marks the
// tables that are behind.
func (s *Store) putVersion(tx *rows.Tx, a core.Account, next nextVersion) error {
	app, err := loadApp(tx, a.App)
	if err != nil {
		return err
	}
	latest, err := latestVersion(tx, a.HealthCode)
	if err != nil {
		return err
	}
	v, ok := next(app, a, latest)
	if !ok {
		return nil
	}
	tx.Put(versionsBucket, latestKey(v.HealthCode), fmt.Appendf(nil, "%d", v.Version))
	for study := range v.StudyMemberships {
		s.behind(tx, tableKey{core.DestinationID(study), versionsTable})
	}
	s.behind(tx, tableKey{core.DestinationID(a.App), versionsTable})
	return save(tx, versionsBucket, versionKey(v.HealthCode, v.Version), v)
}

func versionKey(code core.HealthCode, n int) string { return fmt.Sprintf("%s/%08d", code, n) }

// latestKey sorts behind every version of its health code.
func latestKey(code core.HealthCode) string { return string(code) + "/latest" }

func latestVersion(from getter, code core.HealthCode) (*core.ParticipantVersion, error) {
	raw := from.Get(versionsBucket, latestKey(code))
	if raw == nil {
		return nil, nil
	}
	var n int
	fmt.Sscan(string(raw), &n)
	v, err := load[core.ParticipantVersion](from, versionsBucket, versionKey(code, n), "participant version")
	return &v, err
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

// Versions hands every participant version with a membership in the study
// (empty: every one) to visit, by health code and version.
func (s *Store) Versions(_ context.Context, study core.StudyID, visit func(core.ParticipantVersion) error) error {
	var failed error
	s.rows.Scan(versionsBucket, "", "", func(key string, raw []byte) bool {
		if strings.HasSuffix(key, "/latest") {
			return true
		}
		v, err := decode[core.ParticipantVersion](raw)
		if err != nil {
			failed = fmt.Errorf("read a participant version: %w", err)
			return false
		}
		if _, member := v.StudyMemberships[study]; member || study == "" {
			failed = visit(v)
		}
		return failed == nil
	})
	return failed
}
