package store

import (
	"context"
	"errors"
	"slices"

	"footbridge/core"
	"footbridge/store/rows"
)

// SaveSession stores a session; the account's oldest ends beyond keep
// (account.Sessions).
func (s *Store) SaveSession(ctx context.Context, session core.Session, keep int) error {
	return s.update(ctx, func(tx *rows.Tx) error {
		mine, err := signedIn(tx, session.User)
		if err != nil {
			return err
		}
		mine = append(mine, session.TokenHash)
		for len(mine) > keep {
			tx.Delete(sessionsBucket, mine[0])
			mine = mine[1:]
		}
		if err := save(tx, signedInBucket, string(session.User), mine); err != nil {
			return err
		}
		return save(tx, sessionsBucket, session.TokenHash, session)
	})
}

// signedIn lists the token hashes of a user's sessions, the oldest first.
func signedIn(tx *rows.Tx, id core.UserID) ([]string, error) {
	mine, err := load[[]string](tx, signedInBucket, string(id), "sessions of "+string(id))
	if errors.Is(err, core.ErrNotFound) {
		return nil, nil
	}
	return mine, err
}

// endSessions ends every session of a user: whoever signed in with a password
// that was changed has to sign in again.
func endSessions(tx *rows.Tx, id core.UserID) error {
	mine, err := signedIn(tx, id)
	for _, hash := range mine {
		tx.Delete(sessionsBucket, hash)
	}
	tx.Delete(signedInBucket, string(id))
	return err
}

// Session gives a session by the hash of its token. Errors: core.ErrNotFound.
func (s *Store) Session(_ context.Context, tokenHash string) (core.Session, error) {
	return load[core.Session](s.rows, sessionsBucket, tokenHash, "session")
}

// EndSession removes a session; it need not exist (account.Sessions).
func (s *Store) EndSession(ctx context.Context, tokenHash string) error {
	err := s.update(ctx, func(tx *rows.Tx) error {
		session, err := load[core.Session](tx, sessionsBucket, tokenHash, "session")
		if err != nil {
			return err
		}
		mine, err := signedIn(tx, session.User)
		if err != nil {
			return err
		}
		tx.Delete(sessionsBucket, tokenHash)
		return save(tx, signedInBucket, string(session.User),
			slices.DeleteFunc(mine, func(hash string) bool { return hash == tokenHash }))
	})
	if errors.Is(err, core.ErrNotFound) {
		return nil
	}
	return err
}
