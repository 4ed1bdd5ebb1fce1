package account_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"footbridge/core"
	"footbridge/core/account"
	"footbridge/store"

	"pgregory.net/rapid"
)

var (
	_ account.Accounts = (*store.Store)(nil)
	_ account.Sessions = (*store.Store)(nil)
)

const password = "Pa55-word"

var hash = account.Hash(password)

// people is Accounts and Sessions in memory.
type people struct {
	mu       sync.Mutex
	accounts []core.Account
	devices  map[core.UserID][]core.Device
	broken   error
}

func (p *people) find(is func(core.Account) bool) (core.Account, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, a := range p.accounts {
		if is(a) {
			return a, p.broken
		}
	}
	return core.Account{}, errors.Join(core.ErrNotFound, p.broken)
}
func (p *people) Account(_ context.Context, id core.UserID) (core.Account, error) {
	return p.find(func(a core.Account) bool { return a.ID == id })
}
func (p *people) AccountByLogin(_ context.Context, login string) (core.Account, error) {
	return p.find(func(a core.Account) bool { return core.EmailLogin(a.Email) == login })
}
func (p *people) UpdateDevices(_ context.Context, user core.UserID, change func([]core.Device) ([]core.Device, error)) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	after, err := change(p.devices[user])
	if err == nil && p.broken == nil {
		p.devices[user] = after
	}
	return errors.Join(err, p.broken)
}
func (p *people) Session(_ context.Context, hash string) (core.Session, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, session := range p.sessions() {
		if session.TokenHash == hash {
			return session, nil
		}
	}
	return core.Session{}, core.ErrNotFound
}

// sessions lists all that there are.
func (p *people) sessions() (all []core.Session) {
	for _, devices := range p.devices {
		for _, d := range devices {
			all = append(all, d.Sessions...)
		}
	}
	return all
}

func newGate() (*account.Gate, *people) {
	p := &people{devices: map[core.UserID][]core.Device{}, accounts: []core.Account{
		{ID: "1", Email: "ada@example.org", PasswordHash: hash},
		{ID: "2", Email: "off@example.org", PasswordHash: hash, Status: core.StatusDisabled},
		{ID: "3", Email: "none@example.org"},
		{ID: "4", Email: "odd@example.org", PasswordHash: strings.Replace(hash, "p=1", "p=0", 1)},
	}}
	return account.NewGate(p, p, time.Now), p
}

func signIn(g *account.Gate, name, password string) (string, error) {
	_, pass, err := g.SignIn(context.Background(), core.EmailLogin(name), password, "10.0.0.1")
	return pass.Session, err
}

func TestSignIn(t *testing.T) {
	for name, test := range map[string]struct {
		login, password string
		want            error
	}{
		"right":                            {"Ada@example.org", password, nil},
		"wrong password":                   {"ada@example.org", password + "!", core.ErrNotFound},
		"no password":                      {"ada@example.org", "", core.ErrNotFound},
		"wrong name":                       {"eve@example.org", password, core.ErrNotFound},
		"disabled":                         {"off@example.org", password, core.ErrDisabled},
		"disabled, with a wrong password":  {"off@example.org", "wrong", core.ErrNotFound},
		"has no password":                  {"none@example.org", "", core.ErrNotFound},
		"has a hash that nothing can have": {"odd@example.org", password, core.ErrNotFound},
	} {
		t.Run(name, func(t *testing.T) {
			g, p := newGate()
			token, err := signIn(g, test.login, test.password)
			if !errors.Is(err, test.want) || (err == nil) != (token != "") {
				t.Fatalf("%q, %v", token, err)
			}
			if err != nil {
				if len(p.sessions()) > 0 {
					t.Error("a session began")
				}
				return
			}
			for _, session := range p.sessions() {
				if strings.Contains(session.TokenHash, token) {
					t.Error("the token itself is stored")
				}
			}
			caller, err := g.Caller(t.Context(), token, "10.0.0.9")
			if err != nil || caller.ID != "1" {
				t.Error(caller.ID, err)
			}
		})
	}
}

// What a wrong name is told is what a wrong password is told, and takes as long.
func TestAWrongNameLooksLikeAWrongPassword(t *testing.T) {
	g, _ := newGate()
	texts := map[string]bool{}
	least := map[string]time.Duration{}
	for i := range 4 {
		for _, name := range []string{"ada@example.org", fmt.Sprint("eve", i, "@example.org")} {
			began := time.Now()
			_, err := signIn(g, name, "Wr0ng-word")
			took := time.Since(began)
			kind := name[:3]
			if least[kind] == 0 || took < least[kind] {
				least[kind] = took
			}
			texts[err.Error()] = true
		}
	}
	if len(texts) != 1 {
		t.Errorf("they differ: %v", texts)
	}
	if ratio := float64(least["eve"]) / float64(least["ada"]); ratio < 0.3 {
		t.Errorf("a wrong name takes %v, a wrong password %v", least["eve"], least["ada"])
	}
}

func TestTenFailuresInAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, _ := newGate()
		fail := func(n int) {
			t.Helper()
			for range n {
				if _, err := signIn(g, "ada@example.org", "wrong"); !errors.Is(err, core.ErrNotFound) {
					t.Fatal(err)
				}
				time.Sleep(time.Second)
			}
		}
		fail(9)
		if _, err := signIn(g, "ada@example.org", password); err != nil {
			t.Fatal("after nine failures:", err)
		}
		fail(10) // the right one has reset the count
		var later *core.Later
		if _, err := signIn(g, "ada@example.org", password); !errors.As(err, &later) || later.After != 50*time.Second {
			t.Fatalf("after ten failures: %v, %+v", err, later)
		}
		if _, _, err := g.SignIn(t.Context(), core.EmailLogin("ada@example.org"), password, "10.0.0.2"); err != nil {
			t.Error("another address is held up:", err)
		}
		if _, err := signIn(g, "off@example.org", password); !errors.Is(err, core.ErrDisabled) {
			t.Error("another account is held up:", err)
		}
		time.Sleep(later.After)
		if _, err := signIn(g, "ada@example.org", password); err != nil {
			t.Error("after the wait:", err)
		}
	})
}

// Guesses at the same moment are counted like those one after the other.
func TestGuessesAtOnceAreCounted(t *testing.T) {
	g, _ := newGate()
	var mu sync.Mutex
	tried := 0
	var callers sync.WaitGroup
	for range 40 {
		callers.Go(func() {
			if _, err := signIn(g, "ada@example.org", "wrong"); errors.Is(err, core.ErrNotFound) {
				mu.Lock()
				tried++
				mu.Unlock()
			}
		})
	}
	callers.Wait()
	if tried > 11 { // two are checked at once
		t.Errorf("%d guesses were checked", tried)
	}
}

func TestSessionsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, p := newGate()
		first, err := signIn(g, "ada@example.org", password)
		if err != nil {
			t.Fatal(err)
		}
		second, _ := signIn(g, "ada@example.org", password)
		caller := func(token string, want error) {
			t.Helper()
			if _, err := g.Caller(t.Context(), token, "10.0.0.9"); !errors.Is(err, want) {
				t.Errorf("got %v, want %v", err, want)
			}
		}
		caller("", core.ErrNotAuthenticated)
		caller("unknown", core.ErrNotAuthenticated)
		for range 2 {
			if err := g.SignOut(t.Context(), second); err != nil {
				t.Error(err)
			}
		}
		caller(second, core.ErrNotAuthenticated)
		time.Sleep(12*time.Hour - time.Nanosecond)
		caller(first, nil)
		time.Sleep(time.Nanosecond)
		caller(first, core.ErrNotAuthenticated)

		third, _ := signIn(g, "ada@example.org", password)
		p.accounts[0].Status = core.StatusDisabled
		caller(third, core.ErrDisabled)
		p.accounts = nil
		caller(third, core.ErrNotAuthenticated)
		p.broken = errors.New("disk on fire")
		caller(third, core.ErrNotAuthenticated)
	})
}

func TestAStoreThatFailsIsNoWrongPassword(t *testing.T) {
	g, p := newGate()
	p.broken = errors.New("disk on fire")
	for range 12 {
		if token, err := signIn(g, "ada@example.org", password); !errors.Is(err, p.broken) || token != "" {
			t.Fatalf("%q, %v", token, err)
		}
	}
	gone, stop := context.WithCancel(t.Context())
	stop()
	p.broken = nil
	for range 20 { // who left may or may not come to their turn, but never gets a wrong answer
		if _, _, err := g.SignIn(gone, core.EmailLogin("ada@example.org"), password, "a"); err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
}

func TestPasswords(t *testing.T) {
	for password, want := range map[string]string{
		"Pa55-word":                 "",
		"Ünïcödé-1":                 "",
		"Pa5-wor":                   "must have at least 8 characters",
		"Päß1-äö":                   "must have at least 8 characters",
		"Pass-word":                 "must contain a digit",
		"Pa55sword":                 "must contain a symbol, such as -",
		"PA55-WORD":                 "must contain a lower-case letter",
		"pa55-word":                 "must contain an upper-case letter",
		strings.Repeat("Aa1-", 250): "must have at most 999 bytes",
	} {
		if got := account.CheckPassword(password); got != want {
			t.Errorf("%q %s, want %s", password, got, want)
		}
	}
	made := map[string]bool{}
	rapid.Check(t, func(t *rapid.T) {
		password := account.NewPassword()
		if lack := account.CheckPassword(password); lack != "" || len(password) != 23 || made[password] {
			t.Fatalf("%q %s", password, lack)
		}
		made[password] = true
	})
	if again := account.Hash(password); again == hash || !strings.HasPrefix(again, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Error(again)
	}
}

func TestWhoMayDoWhat(t *testing.T) {
	admin, worker := core.Account{Roles: []core.Role{core.RoleAdmin}}, core.Account{Roles: []core.Role{core.RoleWorker}}
	owner, consented := core.Account{HealthCode: "code"}, core.Account{Consented: true}
	u := core.Upload{HealthCode: "code"}
	for name, test := range map[string]struct{ got, want error }{
		"an admin has every role":             {account.Require(admin, core.RoleWorker), nil},
		"a worker has their own":              {account.Require(worker, core.RoleDeveloper, core.RoleWorker), nil},
		"and no other":                        {account.Require(worker, core.RoleDeveloper), core.ErrForbidden},
		"a participant has none":              {account.Require(owner, core.RoleWorker), core.ErrForbidden},
		"an owner may":                        {account.MayActFor(owner, u), nil},
		"a worker may for others":             {account.MayActFor(worker, u, core.RoleWorker), nil},
		"where the role is asked for":         {account.MayActFor(worker, u), core.ErrForbidden},
		"an admin may not where none is":      {account.MayActFor(admin, u), core.ErrForbidden},
		"another participant may not":         {account.MayActFor(core.Account{HealthCode: "x"}, u, core.RoleWorker), core.ErrForbidden},
		"who consented may upload":            {account.RequireConsent(consented), nil},
		"who did not may not":                 {account.RequireConsent(owner), core.ErrNotConsented},
		"staff who did not may not, and know": {account.RequireConsent(worker), core.ErrForbidden},
	} {
		if !errors.Is(test.got, test.want) {
			t.Errorf("%s: %v, want %v", name, test.got, test.want)
		}
	}
}
