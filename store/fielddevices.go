package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"footbridge/core"
	"footbridge/store/rows"
)

// pairingsKept is how long a pairing is kept once it ended, so that whoever made it
// learns what came of it.
const pairingsKept = 24 * time.Hour

// KeepPairing keeps a new pairing (fleet.Ledger).
func (s *Store) KeepPairing(ctx context.Context, p core.Pairing, most int, now time.Time) error {
	return s.update(ctx, func(tx *rows.Tx) (failed error) {
		open := 0
		tx.Scan(pairingsBucket, "", func(hash string, raw []byte) {
			known, err := decode[core.Pairing](raw)
			switch {
			case err != nil:
				failed = fmt.Errorf("read a pairing: %w", err)
			case known.Open(now):
				open++
			case now.Sub(known.ExpiresOn) > pairingsKept:
				tx.Delete(pairingsBucket, hash)
			}
		})
		switch {
		case failed != nil:
			return failed
		case open >= most:
			return fmt.Errorf("open pairings: %w", core.ErrTooMany)
		}
		return save(tx, pairingsBucket, p.CodeHash, p)
	})
}

// PairingByCode gives a pairing by the hash of its code. Errors: core.ErrNotFound.
func (s *Store) PairingByCode(_ context.Context, hash string) (core.Pairing, error) {
	return load[core.Pairing](s.rows, pairingsBucket, hash, "pairing")
}

// Pairing gives a pairing. Errors: core.ErrNotFound.
func (s *Store) Pairing(_ context.Context, id core.PairingID) (found core.Pairing, failed error) {
	s.rows.Scan(pairingsBucket, "", "", func(_ string, raw []byte) bool {
		var p core.Pairing
		if p, failed = decode[core.Pairing](raw); p.ID == id {
			found = p
		}
		return failed == nil && found.ID == ""
	})
	if failed == nil && found.ID == "" {
		failed = fmt.Errorf("pairing: %w", absent(s.rows))
	}
	return found, failed
}

// Pair changes a pairing, its participant and their devices (fleet.Ledger).
func (s *Store) Pair(ctx context.Context, hash string, change func(*core.Pairing, *core.Account, []core.FieldDevice) ([]core.FieldDevice, error)) error {
	return s.update(ctx, func(tx *rows.Tx) error {
		p, err := load[core.Pairing](tx, pairingsBucket, hash, "pairing")
		if err != nil {
			return err
		}
		err = s.changeDevices(tx, p.User, func(a *core.Account, known []core.FieldDevice) ([]core.FieldDevice, error) {
			return change(&p, a, known)
		})
		if err != nil {
			return err
		}
		return save(tx, pairingsBucket, hash, p)
	})
}

// ChangeDevices changes a participant and their devices (fleet.Ledger).
func (s *Store) ChangeDevices(ctx context.Context, user core.UserID, change func(*core.Account, []core.FieldDevice) ([]core.FieldDevice, error)) error {
	return s.update(ctx, func(tx *rows.Tx) error { return s.changeDevices(tx, user, change) })
}

func (s *Store) changeDevices(tx *rows.Tx, user core.UserID, change func(*core.Account, []core.FieldDevice) ([]core.FieldDevice, error)) error {
	a, err := loadAccount(tx, user)
	if err != nil {
		return err
	}
	before, err := loadAccount(tx, user) // change may write into what they would share
	if err != nil {
		return err
	}
	known, err := fieldDevices(tx, user)
	if err != nil {
		return err
	}
	if known, err = change(&a, known); err != nil {
		return err
	}
	if a.PasswordHash != before.PasswordHash {
		if err := s.putAccount(tx, &before, &a, noVersion); err != nil {
			return err
		}
	}
	return putFieldDevices(tx, user, known)
}

// noVersion adds no participant version: a password is none of theirs to see.
func noVersion(core.App, core.Account, *core.ParticipantVersion) (core.ParticipantVersion, bool) {
	return core.ParticipantVersion{}, false
}

// NoteDevices changes what is known of a participant's devices (fleet.Sightings).
func (s *Store) NoteDevices(ctx context.Context, user core.UserID, change func([]core.FieldDevice) []core.FieldDevice) error {
	return s.note(ctx, func(tx *rows.Tx) error {
		known, err := fieldDevices(tx, user)
		if err != nil {
			return err
		}
		return putFieldDevices(tx, user, change(known))
	})
}

// FieldDevices gives every device, by participant (fleet.Ledger).
func (s *Store) FieldDevices(_ context.Context) (all []core.FieldDevice, failed error) {
	s.rows.Scan(fieldDevicesBucket, "", "", func(user string, raw []byte) bool {
		known, err := decode[[]core.FieldDevice](raw)
		if err != nil {
			failed = fmt.Errorf("read the devices of %s: %w", user, err)
			return false
		}
		all = append(all, known...)
		return true
	})
	return all, failed
}

func fieldDevices(tx *rows.Tx, user core.UserID) ([]core.FieldDevice, error) {
	all, err := load[[]core.FieldDevice](tx, fieldDevicesBucket, string(user), "devices in the field of "+string(user))
	if errors.Is(err, core.ErrNotFound) {
		return nil, nil
	}
	return all, err
}

func putFieldDevices(tx *rows.Tx, user core.UserID, known []core.FieldDevice) error {
	if len(known) == 0 {
		tx.Delete(fieldDevicesBucket, string(user))
		return nil
	}
	return save(tx, fieldDevicesBucket, string(user), known)
}
