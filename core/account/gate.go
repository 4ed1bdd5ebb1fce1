package account

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
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

// Sessions keeps sessions. Safe for concurrent use.
type Sessions interface {
	// SaveSession stores a session; the account's oldest ends beyond keep.
	SaveSession(ctx context.Context, s core.Session, keep int) error

	// Session gives a session by the hash of its token. Errors: core.ErrNotFound.
	Session(ctx context.Context, tokenHash string) (core.Session, error)

	// EndSession removes a session; it need not exist.
	EndSession(ctx context.Context, tokenHash string) error
}

const (
	sessionLife = 12 * time.Hour
	sessionsMax = 10 // per account
	hashesMax   = 2  // password hashes computed at once, 19 MiB each
)

// Gate lets callers in. Safe for concurrent use.
type Gate struct {
	accounts Accounts
	sessions Sessions
	now      func() time.Time
	attempts limiter
	hashing  chan struct{}
}

// NewGate makes a gate.
func NewGate(accounts Accounts, sessions Sessions, now func() time.Time) *Gate {
	return &Gate{accounts: accounts, sessions: sessions, now: now, hashing: make(chan struct{}, hashesMax)}
}

// SignIn checks a password and begins a session. It gives the account and the
// session's token. Errors: core.ErrNotFound for a wrong name or password,
// core.ErrDisabled, *core.Later after too many failures.
func (g *Gate) SignIn(ctx context.Context, login, password, address string) (core.Account, string, error) {
	key := login + "\x00" + address
	if err := g.held(key); err != nil {
		return core.Account{}, "", err
	}
	a, err := g.accounts.AccountByLogin(ctx, login)
	if err != nil && !errors.Is(err, core.ErrNotFound) {
		return core.Account{}, "", err
	}
	right, err := g.check(ctx, key, a.PasswordHash, password)
	if err != nil {
		return core.Account{}, "", err
	}
	if !right {
		return core.Account{}, "", fmt.Errorf("sign in: %w", core.ErrNotFound)
	}
	if a.Status == core.StatusDisabled {
		return core.Account{}, "", core.ErrDisabled
	}
	token, err := g.begin(ctx, a.ID)
	if err != nil {
		return core.Account{}, "", err
	}
	return a, token, nil
}

// held is why a key may not try now, nil where it may.
func (g *Gate) held(key string) error {
	if wait := g.attempts.wait(key, g.now()); wait > 0 {
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
		g.attempts.succeeded(key)
	} else {
		g.attempts.failed(key, g.now())
	}
	return right, nil
}

func (g *Gate) begin(ctx context.Context, id core.UserID) (string, error) {
	raw := make([]byte, 24)
	rand.Read(raw)
	token := base64.RawURLEncoding.EncodeToString(raw)
	now := g.now().UTC()
	err := g.sessions.SaveSession(ctx, core.Session{
		TokenHash: tokenHash(token), User: id, CreatedOn: now, ExpiresOn: now.Add(sessionLife),
	}, sessionsMax)
	if err != nil {
		return "", fmt.Errorf("begin a session: %w", err)
	}
	return token, nil
}

func tokenHash(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

// Caller gives the account that a session's token stands for. Errors:
// core.ErrNotAuthenticated, core.ErrDisabled.
func (g *Gate) Caller(ctx context.Context, token string) (core.Account, error) {
	if token == "" {
		return core.Account{}, core.ErrNotAuthenticated
	}
	s, err := g.sessions.Session(ctx, tokenHash(token))
	if errors.Is(err, core.ErrNotFound) || err == nil && !g.now().Before(s.ExpiresOn) {
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

// SignOut ends a session; a dead token is no error.
func (g *Gate) SignOut(ctx context.Context, token string) error {
	return g.sessions.EndSession(ctx, tokenHash(token))
}
