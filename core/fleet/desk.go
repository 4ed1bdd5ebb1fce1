package fleet

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
	"unicode"

	"footbridge/core"
	"footbridge/core/account"
)

// Ledger keeps pairings and devices. Safe for concurrent use.
type Ledger interface {
	// KeepPairing keeps a new pairing durably, and lets go of those that ended long
	// ago. Errors: core.ErrTooMany where as many as most are open at the time.
	KeepPairing(ctx context.Context, p core.Pairing, most int, now time.Time) error

	// PairingByCode gives a pairing by the hash of its code. Errors: core.ErrNotFound.
	PairingByCode(ctx context.Context, hash string) (core.Pairing, error)

	// Pair runs change with a pairing, its participant and their devices, and keeps
	// all as change leaves them, in one durable transaction. A password that changes
	// ends the participant's sessions. Errors: change's own, core.ErrNotFound.
	Pair(ctx context.Context, hash string, change func(*core.Pairing, *core.Account, []core.FieldDevice) ([]core.FieldDevice, error)) error

	// FieldDevices gives every device, by participant.
	FieldDevices(ctx context.Context) ([]core.FieldDevice, error)

	// ChangeDevices does as Pair, without a pairing.
	ChangeDevices(ctx context.Context, user core.UserID, change func(*core.Account, []core.FieldDevice) ([]core.FieldDevice, error)) error
}

// How long a code is good.
const (
	DefaultLife = 15 * time.Minute
	LongestLife = 24 * time.Hour
)

const (
	openMost    = 100 // pairings at once
	guessesMost = 60  // wrong codes a minute, from everywhere
	nameMax     = 100 // characters that a device may call itself
)

// Why a code that was right once pairs nothing more. Both are core.ErrNotFound.
var (
	ErrUsed    = fmt.Errorf("pairing that was used: %w", core.ErrNotFound)
	ErrExpired = fmt.Errorf("pairing that expired: %w", core.ErrNotFound)
)

// Desk pairs devices and lets go of them. Safe for concurrent use.
type Desk struct {
	ledger   Ledger
	now      func() time.Time
	guessing sync.Mutex
	from     account.Limiter // by address
	all      account.Limiter
}

// NewDesk makes a desk.
func NewDesk(ledger Ledger, now func() time.Time) *Desk {
	return &Desk{ledger: ledger, now: now, all: account.Limiter{Most: guessesMost}}
}

// Pair makes a pairing for a participant in a study, good for a while (0: fifteen
// minutes), and gives its code, which is kept nowhere. Errors: *core.Invalid,
// core.ErrNotFound (they are not in the study, or have no external id there),
// core.ErrTooMany.
func (d *Desk) Pair(ctx context.Context, a core.Account, study core.StudyID, life time.Duration) (core.Pairing, string, error) {
	if life == 0 {
		life = DefaultLife
	}
	if life < time.Minute || life > LongestLife {
		invalid := &core.Invalid{Entity: "Pairing"}
		invalid.Complain("minutes", "must be from 1 to %d", LongestLife/time.Minute)
		return core.Pairing{}, "", invalid
	}
	member, ok := a.Enrollments[study]
	if !ok || !member.Active() || member.ExternalID == "" || len(a.Roles) > 0 {
		return core.Pairing{}, "", fmt.Errorf("participant of study %s: %w", study, core.ErrNotFound)
	}
	code, now := newCode(), d.now().UTC().Truncate(time.Millisecond)
	p := core.Pairing{
		ID: core.PairingID(core.NewID(now)), CodeHash: hashOf(code), User: a.ID, Study: study, ExternalID: member.ExternalID,
		MadeOn: now, ExpiresOn: now.Add(life),
	}
	return p, code, d.ledger.KeepPairing(ctx, p, openMost, now)
}

// Newcomer is what a device says of itself when it is paired.
type Newcomer struct {
	Visit
	Name  string // what people call it; may be empty
	OwnID string // by which it knows itself, however often it is paired; may be empty
}

// Redeemed is what came of a code.
type Redeemed struct {
	Pairing  core.Pairing
	Device   core.FieldDevice
	Password string // of the participant's account from now on; kept nowhere
}

// Redeem pairs the device that says a code. The participant's account gets another
// password, so that whatever was signed in there is no more. Errors: core.ErrNotFound
// (which ErrUsed and ErrExpired are, too), core.ErrDisabled, *core.Later after too many
// wrong codes.
func (d *Desk) Redeem(ctx context.Context, typed string, by Newcomer) (Redeemed, error) {
	hash, err := d.guess(ctx, typed, by.Address)
	if err != nil {
		return Redeemed{}, err
	}
	r := Redeemed{Password: account.NewPassword()}
	passwordHash := account.Hash(r.Password) // it takes a while: not in a transaction
	err = d.ledger.Pair(ctx, hash, func(p *core.Pairing, a *core.Account, known []core.FieldDevice) ([]core.FieldDevice, error) {
		now := d.now().UTC().Truncate(time.Millisecond)
		if err := usable(*p, now); err != nil {
			return nil, err
		}
		if a.Status == core.StatusDisabled {
			return nil, core.ErrDisabled
		}
		a.PasswordHash, a.ModifiedOn = passwordHash, now
		r.Device, known = admit(known, *a, by, now)
		p.RedeemedOn, p.Device = now, r.Device.ID
		r.Pairing = *p
		return known, nil
	})
	if err != nil {
		return Redeemed{}, err
	}
	return r, nil
}

// guess gives the hash of a code that may be redeemed. Guesses at the same moment are
// counted like those one after the other.
func (d *Desk) guess(ctx context.Context, typed, address string) (string, error) {
	d.guessing.Lock()
	defer d.guessing.Unlock()
	now := d.now()
	if wait := max(d.from.Wait(address, now), d.all.Wait("", now)); wait > 0 {
		return "", &core.Later{After: wait, Err: errors.New("too many wrong codes; wait a minute and try again")}
	}
	code, ok := ReadCode(typed)
	hash := hashOf(code)
	err := core.ErrNotFound
	if ok {
		var p core.Pairing
		if p, err = d.ledger.PairingByCode(ctx, hash); err == nil {
			err = usable(p, now)
		}
	}
	if errors.Is(err, core.ErrNotFound) {
		d.from.Failed(address, now)
		d.all.Failed("", now)
	}
	return hash, err
}

// usable is nil where a pairing may be redeemed.
func usable(p core.Pairing, now time.Time) error {
	switch {
	case p.Open(now):
		return nil
	case !p.RedeemedOn.IsZero():
		return ErrUsed
	}
	return ErrExpired
}

// admit adds a device that is being paired; one that was here before is the same one.
func admit(known []core.FieldDevice, a core.Account, by Newcomer, now time.Time) (core.FieldDevice, []core.FieldDevice) {
	by.Name, by.OwnID = plain(by.Name, nameMax), plain(by.OwnID, nameMax)
	known = slices.Clone(known)
	i := slices.IndexFunc(known, func(k core.FieldDevice) bool {
		if by.OwnID != "" || k.OwnID != "" {
			return k.OwnID == by.OwnID
		}
		return k.Kind == by.Kind && k.Name == by.Name
	})
	if i < 0 {
		i = len(known)
		known = append(known, core.FieldDevice{ID: core.DeviceID(core.NewID(now)), User: a.ID})
	}
	k := &known[i]
	k.Name, k.OwnID, k.Kind, k.PairedOn, k.Credential = by.Name, by.OwnID, by.Kind, now, a.Credential()
	arrive(k, by.Visit)
	if ahead := by.ahead(now); ahead != nil {
		k.Ahead = ahead
	}
	admitted := *k
	return admitted, newest(known)
}

// plain is what a device says of itself, fit for people and at most so long.
func plain(text string, most int) string {
	var kept []rune
	for _, r := range text {
		if unicode.IsPrint(r) && len(kept) < most {
			kept = append(kept, r)
		}
	}
	return string(kept)
}

// Devices gives every device, by participant.
func (d *Desk) Devices(ctx context.Context) ([]core.FieldDevice, error) {
	return d.ledger.FieldDevices(ctx)
}

// Forget lets go of a device. Where its password is still that of its participant it
// is no more, nor are their sessions: whatever else is signed in as them has to be
// paired again, too. Errors: core.ErrNotFound.
func (d *Desk) Forget(ctx context.Context, id core.DeviceID) (core.FieldDevice, error) {
	all, err := d.ledger.FieldDevices(ctx)
	if err != nil {
		return core.FieldDevice{}, err
	}
	i := slices.IndexFunc(all, func(k core.FieldDevice) bool { return k.ID == id })
	if i < 0 {
		return core.FieldDevice{}, fmt.Errorf("device: %w", core.ErrNotFound)
	}
	forgotten := all[i]
	return forgotten, d.ledger.ChangeDevices(ctx, forgotten.User, func(a *core.Account, known []core.FieldDevice) ([]core.FieldDevice, error) {
		if a.Credential() == forgotten.Credential {
			a.PasswordHash = ""
		}
		return slices.DeleteFunc(slices.Clone(known), func(k core.FieldDevice) bool { return k.ID == id }), nil
	})
}
