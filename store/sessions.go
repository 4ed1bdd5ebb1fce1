package store

import (
	"context"
	"errors"

	"footbridge/core"
	"footbridge/store/rows"
)

// Session gives a session by the hash of its token. Errors: core.ErrNotFound.
func (s *Store) Session(_ context.Context, tokenHash string) (core.Session, error) {
	return load[core.Session](s.rows, sessionsBucket, tokenHash, "session")
}

// UpdateDevices changes the devices that an account is signed in on
// (account.Sessions).
func (s *Store) UpdateDevices(ctx context.Context, user core.UserID, change func([]core.Device) ([]core.Device, error)) error {
	return s.update(ctx, func(tx *rows.Tx) error {
		before, err := devices(tx, user)
		if err != nil {
			return err
		}
		after, err := change(before)
		if err != nil {
			return err
		}
		return putDevices(tx, user, before, after)
	})
}

// devices lists what a user is signed in on, the oldest first.
func devices(tx *rows.Tx, user core.UserID) ([]core.Device, error) {
	all, err := load[[]core.Device](tx, signedInBucket, string(user), "devices of "+string(user))
	if errors.Is(err, core.ErrNotFound) {
		return nil, nil
	}
	return all, err
}

func putDevices(tx *rows.Tx, user core.UserID, before, after []core.Device) error {
	for _, d := range before {
		for _, session := range d.Sessions {
			tx.Delete(sessionsBucket, session.TokenHash)
		}
	}
	for _, d := range after {
		for _, session := range d.Sessions {
			if err := save(tx, sessionsBucket, session.TokenHash, session); err != nil {
				return err
			}
		}
	}
	if len(after) == 0 {
		tx.Delete(signedInBucket, string(user))
		return nil
	}
	return save(tx, signedInBucket, string(user), after)
}

// endSessions ends every session of a user: whoever signed in with a password
// that was changed has to sign in again.
func endSessions(tx *rows.Tx, user core.UserID) error {
	all, err := devices(tx, user)
	if err != nil {
		return err
	}
	return putDevices(tx, user, all, nil)
}
