package account

import (
	"context"
	"errors"
	"fmt"
	"time"

	"footbridge/core"
)

// Accounts finds accounts. Safe for concurrent use.
type Accounts interface {
	// Account gives an account. Errors: core.ErrNotFound.
	Account(ctx context.Context, id core.UserID) (core.Account, error)

	// AccountByLogin gives the account with a login name, as core.EmailLogin,
	// core.PhoneLogin and core.ExternalLogin spell it. Errors: core.ErrNotFound.
	AccountByLogin(ctx context.Context, login string) (core.Account, error)
}

// Sessions keeps who is signed in where. Safe for concurrent use.
type Sessions interface {
	// Session gives a session by the hash of its token. Errors: core.ErrNotFound.
	Session(ctx context.Context, tokenHash string) (core.Session, error)

	// UpdateDevices changes the devices that an account is signed in on, the oldest
	// first, in one durable transaction. Errors: change's own.
	UpdateDevices(ctx context.Context, user core.UserID, change func([]core.Device) ([]core.Device, error)) error
}

const hashesMax = 2 // password hashes computed at once, 19 MiB each

// Gate lets callers in. Safe for concurrent use.
type Gate struct {
	accounts Accounts
	sessions Sessions
	now      func() time.Time
	attempts Limiter
	hashing  chan struct{}
}

// NewGate makes a gate.
func NewGate(accounts Accounts, sessions Sessions, now func() time.Time) *Gate {
	return &Gate{accounts: accounts, sessions: sessions, now: now, hashing: make(chan struct{}, hashesMax)}
}

// SignIn checks a password and begins a session on one more device. Errors:
// core.ErrNotFound for a wrong name or password, core.ErrDisabled, *core.Later
// after too many failures.
func (g *Gate) SignIn(ctx context.Context, login, password, address string) (core.Account, Pass, error) {
	key := login + "\x00" + address
	if err := g.held(key); err != nil {
		return core.Account{}, Pass{}, err
	}
	a, err := g.accounts.AccountByLogin(ctx, login)
	if err != nil && !errors.Is(err, core.ErrNotFound) {
		return core.Account{}, Pass{}, err
	}
	right, err := g.check(ctx, key, a.PasswordHash, password)
	if err != nil {
		return core.Account{}, Pass{}, err
	}
	if !right {
		return core.Account{}, Pass{}, fmt.Errorf("sign in: %w", core.ErrNotFound)
	}
	return g.begin(ctx, a, address, func(devices []core.Device, begun core.Device) ([]core.Device, error) {
		return signIn(devices, begun), nil
	})
}

// Reauth takes one of a device's last reauth tokens for a password. Sessions of
// the device that have not expired stay good. Errors: those of SignIn.
func (g *Gate) Reauth(ctx context.Context, login, token, address string) (core.Account, Pass, error) {
	key := "reauth\x00" + login + "\x00" + address // guesses at tokens hold up no password
	if err := g.held(key); err != nil {
		return core.Account{}, Pass{}, err
	}
	a, err := g.accounts.AccountByLogin(ctx, login)
	if err != nil && !errors.Is(err, core.ErrNotFound) {
		return core.Account{}, Pass{}, err
	}
	var pass Pass
	if err == nil {
		a, pass, err = g.begin(ctx, a, address, func(devices []core.Device, begun core.Device) ([]core.Device, error) {
			return renew(devices, tokenHash(token), begun, g.now())
		})
	}
	if errors.Is(err, core.ErrNotFound) {
		g.attempts.Failed(key, g.now())
	}
	return a, pass, err
}

// held is why a key may not try now, nil where it may.
func (g *Gate) held(key string) error {
	if wait := g.attempts.Wait(key, g.now()); wait > 0 {
		return &core.Later{After: wait, Err: errors.New("too many failed sign-ins; wait a minute and try again")}
	}
	return nil
}

// check holds a password against a hash, in turn, and counts the failure. An
// account that does not exist has an empty hash, which takes as long. Whoever
// comes to their turn after many have failed is turned away as well: guesses at
// the same moment are counted like those one after the other.
func (g *Gate) check(ctx context.Context, key, hash, password string) (bool, error) {
	select {
	case g.hashing <- struct{}{}:
	case <-ctx.Done():
		return false, ctx.Err()
	}
	defer func() { <-g.hashing }()
	if err := g.held(key); err != nil {
		return false, err
	}
	right := matches(hash, password)
	if right {
		g.attempts.Succeeded(key)
	} else {
		g.attempts.Failed(key, g.now())
	}
	return right, nil
}

// begin begins a session for an account; admit says on which device.
func (g *Gate) begin(ctx context.Context, a core.Account, address string, admit func([]core.Device, core.Device) ([]core.Device, error)) (core.Account, Pass, error) {
	pass := Pass{Session: newToken(sessionToken), Renewal: newToken(renewalToken)}
	now := g.now().UTC()
	session := core.Session{TokenHash: tokenHash(pass.Session), User: a.ID, CreatedOn: now, ExpiresOn: now.Add(sessionLife)}
	if len(a.Roles) > 0 {
		session.Address = place(address)
	}
	begun := core.Device{Sessions: []core.Session{session}, Renewals: []string{tokenHash(pass.Renewal)}}
	err := g.sessions.UpdateDevices(ctx, a.ID, func(devices []core.Device) ([]core.Device, error) {
		devices, err := admit(devices, begun)
		if err == nil && a.Status == core.StatusDisabled {
			err = core.ErrDisabled // said to nobody who could not prove to be this account
		}
		return devices, err
	})
	if err != nil {
		return core.Account{}, Pass{}, fmt.Errorf("begin a session: %w", err)
	}
	return a, pass, nil
}

// Caller gives the account that a session's token stands for. Errors:
// core.ErrNotAuthenticated, core.ErrDisabled.
func (g *Gate) Caller(ctx context.Context, token, address string) (core.Account, error) {
	if token == "" {
		return core.Account{}, core.ErrNotAuthenticated
	}
	s, err := g.sessions.Session(ctx, tokenHash(token))
	if errors.Is(err, core.ErrNotFound) || err == nil && (!alive(s, g.now()) || s.Address != "" && s.Address != place(address)) {
		return core.Account{}, core.ErrNotAuthenticated
	}
	if err != nil {
		return core.Account{}, err
	}
	a, err := g.accounts.Account(ctx, s.User)
	switch {
	case errors.Is(err, core.ErrNotFound):
		return core.Account{}, core.ErrNotAuthenticated
	case err == nil && a.Status == core.StatusDisabled:
		return core.Account{}, core.ErrDisabled
	}
	return a, err
}

// SignOut signs a device out; a dead token is no error.
func (g *Gate) SignOut(ctx context.Context, token string) error {
	hash := tokenHash(token)
	s, err := g.sessions.Session(ctx, hash)
	if errors.Is(err, core.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	return g.sessions.UpdateDevices(ctx, s.User, func(devices []core.Device) ([]core.Device, error) {
		return signOut(devices, hash), nil
	})
}
