package account_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"footbridge/core"
	"footbridge/core/account"
)

var ada = core.EmailLogin("ada@example.org")

func enter(t *testing.T, g *account.Gate) account.Pass {
	t.Helper()
	_, pass, err := g.SignIn(t.Context(), ada, password, "10.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	return pass
}

func renew(t *testing.T, g *account.Gate, p account.Pass, want error) account.Pass {
	t.Helper()
	a, pass, err := g.Reauth(t.Context(), ada, p.Renewal, "10.0.0.1")
	if !errors.Is(err, want) || (err == nil) != (a.ID == "1") {
		t.Fatalf("account %q, %v, want %v", a.ID, err, want)
	}
	return pass
}

func TestReauthTokensRotate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, _ := newGate()
		passes := []account.Pass{enter(t, g)}
		for i := range 4 {
			time.Sleep(time.Hour)
			passes = append(passes, renew(t, g, passes[i], nil))
		}
		for i, p := range passes {
			_, err := g.Caller(t.Context(), p.Session, "")
			if err != nil {
				t.Errorf("session %d of 5: %v", i, err)
			}
		}
		renew(t, g, passes[1], core.ErrNotFound)
		again := renew(t, g, passes[2], nil) // its answer may have been lost
		renew(t, g, passes[3], core.ErrNotFound)
		for range 20 { // as a device does that asks many times at once
			renew(t, g, passes[2], nil)
		}
		again = renew(t, g, passes[2], nil)
		time.Sleep(30 * 24 * time.Hour)
		if _, err := g.Caller(t.Context(), again.Session, ""); !errors.Is(err, core.ErrNotAuthenticated) {
			t.Errorf("a session of a month ago: %v", err)
		}
		renew(t, g, again, nil)
	})
}

func TestADeviceThatSignsOutNeedsThePassword(t *testing.T) {
	g, _ := newGate()
	phone, tablet := enter(t, g), enter(t, g)
	second := renew(t, g, phone, nil)
	if err := g.SignOut(t.Context(), phone.Session); err != nil {
		t.Fatal(err)
	}
	renew(t, g, phone, core.ErrNotFound)
	renew(t, g, second, core.ErrNotFound)
	if _, err := g.Caller(t.Context(), second.Session, ""); !errors.Is(err, core.ErrNotAuthenticated) {
		t.Errorf("the device's other session: %v", err)
	}
	renew(t, g, tablet, nil)
}

func TestTheOldestOfElevenDevicesGivesWay(t *testing.T) {
	g, _ := newGate()
	var passes []account.Pass
	for range 10 {
		passes = append(passes, enter(t, g))
	}
	renew(t, g, passes[0], nil) // so the second is the oldest
	enter(t, g)
	renew(t, g, passes[1], core.ErrNotFound)
	for _, at := range []int{0, 2, 9} {
		renew(t, g, passes[at], nil)
	}
}

func TestWhoseReauthIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, p := newGate()
		pass := enter(t, g)
		for name, login := range map[string]string{"another account": core.EmailLogin("none@example.org"), "nobody": core.EmailLogin("eve@example.org")} {
			if _, _, err := g.Reauth(t.Context(), login, pass.Renewal, "10.0.0.1"); !errors.Is(err, core.ErrNotFound) {
				t.Errorf("%s: %v", name, err)
			}
		}
		p.accounts[0].Status = core.StatusDisabled
		renew(t, g, pass, core.ErrDisabled)
		p.accounts[0].Status = core.StatusEnabled
		for i := range 10 {
			if _, _, err := g.Reauth(t.Context(), ada, fmt.Sprint("guess", i), "10.0.0.1"); !errors.Is(err, core.ErrNotFound) {
				t.Fatal(err)
			}
		}
		if _, _, err := g.SignIn(t.Context(), ada, password, "10.0.0.1"); err != nil {
			t.Errorf("the password is held up: %v", err)
		}
		var later *core.Later
		if _, _, err := g.Reauth(t.Context(), ada, pass.Renewal, "10.0.0.1"); !errors.As(err, &later) {
			t.Errorf("after ten guesses: %v", err)
		}
		time.Sleep(time.Minute)
		renew(t, g, pass, nil)
	})
}

func TestStaffSessionsAreBoundToTheirAddress(t *testing.T) {
	g, p := newGate()
	p.accounts[0].Roles = []core.Role{core.RoleResearcher}
	for from, test := range map[string]struct {
		at  string
		may bool
	}{
		"10.0.0.1":  {"10.0.0.1", true},
		"10.0.0.2":  {"10.0.0.1", false},
		"127.0.0.1": {"::1", true},
		"::1":       {"10.0.0.1", false},
		"10.0.0.9":  {"::ffff:10.0.0.9", true},
		"fe80::1":   {"fe80::1%eth0", true},
	} {
		_, pass, err := g.SignIn(context.Background(), ada, password, from)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := g.Caller(t.Context(), pass.Session, test.at); (err == nil) != test.may {
			t.Errorf("signed in at %s, asking from %s: %v", from, test.at, err)
		}
	}
}
