package fleet_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/core/account"
	"footbridge/core/fleet"
	"footbridge/core/participant"
	"footbridge/store"

	"pgregory.net/rapid"
)

var (
	_ fleet.Ledger    = (*store.Store)(nil)
	_ fleet.Sightings = (*store.Store)(nil)
)

// site is a desk and a log over a store, with a participant.
type site struct {
	t     *testing.T
	home  string
	clock atomic.Int64
	store *store.Store
	desk  *fleet.Desk
	log   *fleet.Log
	gate  *account.Gate
	who   core.Account
}

func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{t: t, home: t.TempDir()}
	s.clock.Store(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC).UnixNano())
	s.open()
	t.Cleanup(func() { s.store.Close() })
	_, err := s.store.SaveApp(t.Context(), "walk", func(*core.App) error { return nil })
	if err == nil {
		_, err = s.store.CreateStudy(t.Context(), core.Study{ID: "sleep", App: "walk"})
	}
	if err != nil {
		t.Fatal(err)
	}
	roster := participant.NewRoster(s.store, "walk", participant.Config{Now: s.now})
	s.who, err = roster.Create(t.Context(), "sleep", participant.Form{
		ExternalIDs: map[core.StudyID]string{"sleep": "p1"}, Password: "Right-as-rain-1", SharingScope: core.SponsorsAndPartners,
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *site) now() time.Time        { return time.Unix(0, s.clock.Load()).UTC() }
func (s *site) pass(by time.Duration) { s.clock.Add(int64(by)) }

func (s *site) open() {
	s.t.Helper()
	var err error
	if s.store, err = store.Open(s.home, store.Config{Now: s.now}); err != nil {
		s.t.Fatal(err)
	}
	s.desk, s.log, s.gate = fleet.NewDesk(s.store, s.now), fleet.NewLog(s.store, s.now), account.NewGate(s.store, s.store, s.now)
}

func (s *site) reopen() {
	s.t.Helper()
	if err := s.store.Close(); err != nil {
		s.t.Fatal(err)
	}
	s.open()
}

// pair makes a pairing of fifteen minutes.
func (s *site) pair() (core.Pairing, string) {
	s.t.Helper()
	p, code, err := s.desk.Pair(s.t.Context(), s.who, "sleep", 0)
	if err != nil {
		s.t.Fatal(err)
	}
	return p, code
}

func from(address string) fleet.Newcomer {
	return fleet.Newcomer{Visit: fleet.Visit{Address: address, Kind: "Walker, Pixel 9, Android"}, Name: "Ward\u202e 3's\n phone"}
}

// redeem redeems a code from an address.
func (s *site) redeem(code, address string, want error) fleet.Redeemed {
	s.t.Helper()
	r, err := s.desk.Redeem(s.t.Context(), code, from(address))
	if !errors.Is(err, want) {
		s.t.Errorf("redeeming %s: %v, want %v", code, err, want)
	}
	return r
}

// signIn signs the participant in, and gives the account.
func (s *site) signIn(password string, want error) core.Account {
	s.t.Helper()
	a, _, err := s.gate.SignIn(s.t.Context(), core.ExternalLogin("p1"), password, "10.0.0.1")
	if !errors.Is(err, want) {
		s.t.Errorf("signing in: %v, want %v", err, want)
	}
	return a
}

// stores reports whether a text lies anywhere in the home.
func (s *site) stores(text string) (found bool) {
	s.t.Helper()
	err := filepath.WalkDir(s.home, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := os.ReadFile(path)
		found = found || bytes.Contains(body, []byte(text))
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return found
}

// devices are those that are known.
func (s *site) devices() []core.FieldDevice {
	s.t.Helper()
	all, err := s.desk.Devices(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	return all
}

// Codes have eight signs that nobody takes for others, are read however they are
// typed, and differ.
func TestCodes(t *testing.T) {
	s := newSite(t)
	seen := map[string]bool{}
	for range 60 {
		_, code := s.pair()
		if len(code) != 8 || strings.ContainsAny(code, "ILO01258") || seen[code] {
			t.Fatalf("the code is %s", code)
		}
		seen[code] = true
	}
	for typed, want := range map[string]string{
		"ABCD-EFGH": "ABCDEFGH", " abcd efgh ": "ABCDEFGH", "8cd3-25zz": "BCD3ZSZZ", "ABCD–EFGH": "ABCDEFGH",
		"ABCDEFG": "", "ABCDEFGHJ": "", "ABCD-EFG0": "", "": "", "ÄBCDEFGH": "", strings.Repeat("-", 100) + "ABCDEFGH": "",
	} {
		if got, ok := fleet.ReadCode(typed); got != want || ok != (want != "") {
			t.Errorf("%q is read as %q", typed, got)
		}
	}
	if got := fleet.ShownCode("ABCDEFGH"); got != "ABCD-EFGH" {
		t.Errorf("shown as %s", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		if code, ok := fleet.ReadCode(rapid.String().Draw(t, "typed")); ok && (len(code) != 8 || code != strings.ToUpper(code)) {
			t.Fatalf("read %q", code)
		}
	})
}

// A device that redeems a code has the participant's account: whoever had its password
// before has not.
func TestADeviceIsPaired(t *testing.T) {
	s := newSite(t)
	_, before, err := s.gate.SignIn(t.Context(), core.ExternalLogin("p1"), "Right-as-rain-1", "10.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	made, code := s.pair()
	s.pass(14 * time.Minute)
	s.reopen() // a restart in between
	r := s.redeem(strings.ToLower(fleet.ShownCode(code)), "10.0.0.7", nil)
	if r.Pairing.ID != made.ID || r.Device.Name != "Ward 3's phone" || r.Pairing.Device != r.Device.ID {
		t.Errorf("redeemed %+v", r)
	}
	s.reopen()
	s.redeem(code, "10.0.0.8", fleet.ErrUsed)
	s.signIn("Right-as-rain-1", core.ErrNotFound)
	s.signIn(r.Password, nil)
	if _, err := s.gate.Caller(t.Context(), before.Session, "10.0.0.1"); !errors.Is(err, core.ErrNotAuthenticated) {
		t.Errorf("a session of before: %v", err)
	}
	kept, err := s.store.Pairing(t.Context(), made.ID)
	if err != nil || kept.Device != r.Device.ID || !kept.RedeemedOn.Equal(s.now()) || strings.Contains(fmt.Sprint(kept), code) {
		t.Errorf("kept %+v (%v)", kept, err)
	}
	if !s.stores(made.CodeHash) || s.stores(code) || s.stores(r.Password) {
		t.Error("the store has what it should not, or nothing")
	}
	if versions, _ := s.store.VersionsOf(t.Context(), s.who.HealthCode); len(versions) > 1 {
		t.Errorf("%d participant versions", len(versions))
	}
}

// What is no code, or none any more, pairs nothing.
func TestCodesThatPairNothing(t *testing.T) {
	s := newSite(t)
	_, code := s.pair()
	s.redeem("nonsense!", "10.0.0.1", core.ErrNotFound)
	s.redeem("ABCD-EFGH", "10.0.0.1", core.ErrNotFound)
	s.pass(15 * time.Minute)
	s.redeem(code, "10.0.0.1", fleet.ErrExpired)
	if len(s.devices()) != 0 {
		t.Errorf("devices %+v", s.devices())
	}
	s.signIn("Right-as-rain-1", nil)

	nobody := s.who
	nobody.Enrollments = nil
	if _, _, err := s.desk.Pair(t.Context(), nobody, "sleep", 0); !errors.Is(err, core.ErrNotFound) {
		t.Errorf("pairing for somebody of no study: %v", err)
	}
	var invalid *core.Invalid
	for _, life := range []time.Duration{time.Second, -time.Minute, 25 * time.Hour} {
		if _, _, err := s.desk.Pair(t.Context(), s.who, "sleep", life); !errors.As(err, &invalid) {
			t.Errorf("a life of %v: %v", life, err)
		}
	}
}

// Of ten devices that have the same code at the same moment, one is paired.
func TestTenDevicesWithOneCode(t *testing.T) {
	s := newSite(t)
	_, code := s.pair()
	var won, lost atomic.Int64
	var password atomic.Value
	var devices sync.WaitGroup
	for i := range 10 {
		devices.Go(func() {
			switch r, err := s.desk.Redeem(t.Context(), code, from(fmt.Sprint("10.0.0.", i))); {
			case err == nil:
				won.Add(1)
				password.Store(r.Password)
			case errors.Is(err, fleet.ErrUsed):
				lost.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	devices.Wait()
	if won.Load() != 1 || lost.Load() != 9 || len(s.devices()) != 1 {
		t.Fatalf("%d were paired, %d not; %d are known", won.Load(), lost.Load(), len(s.devices()))
	}
	s.signIn(password.Load().(string), nil)
}

// Whoever guesses is held up: one address after ten codes, all together after sixty.
func TestGuessing(t *testing.T) {
	s := newSite(t)
	_, code := s.pair()
	var later *core.Later
	guess := func(address string) error {
		_, err := s.desk.Redeem(t.Context(), "ABCD-EFGH", from(address))
		return err
	}
	for i := range 10 {
		if err := guess("10.0.0.1"); errors.As(err, &later) {
			t.Fatalf("held up after %d", i)
		}
	}
	if _, err := s.desk.Redeem(t.Context(), code, from("10.0.0.1")); !errors.As(err, &later) || later.After != time.Minute {
		t.Errorf("with the right code: %v", err)
	}
	for i := range 50 {
		if err := guess(fmt.Sprint("10.0.1.", i)); errors.As(err, &later) {
			t.Fatalf("another address is held up after %d", i)
		}
	}
	if err := guess("10.0.2.1"); !errors.As(err, &later) {
		t.Errorf("after sixty: %v", err)
	}
	s.pass(time.Minute)
	s.redeem(code, "10.0.0.1", nil)
}

// A hundred codes are open at most, and those that ended are let go of.
func TestPairingsAreFew(t *testing.T) {
	s := newSite(t)
	first, _ := s.pair()
	for range 99 {
		s.pair()
	}
	if _, _, err := s.desk.Pair(t.Context(), s.who, "sleep", 0); !errors.Is(err, core.ErrTooMany) {
		t.Errorf("one more: %v", err)
	}
	s.pass(25 * time.Hour)
	s.pair()
	if _, err := s.store.Pairing(t.Context(), first.ID); !errors.Is(err, core.ErrNotFound) {
		t.Errorf("one that ended a day ago: %v", err)
	}
}

// Forgetting a device ends its password and its sessions; forgetting one whose
// password is not good any more harms no other.
func TestForget(t *testing.T) {
	s := newSite(t)
	_, code := s.pair()
	old := s.redeem(code, "10.0.0.7", nil)
	_, code = s.pair()
	newer, err := s.desk.Redeem(t.Context(), code, fleet.Newcomer{Name: "another"})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.devices()) != 2 {
		t.Fatalf("devices %+v", s.devices())
	}
	if _, err := s.desk.Forget(t.Context(), old.Device.ID); err != nil {
		t.Fatal(err)
	}
	_, pass, err := s.gate.SignIn(t.Context(), core.ExternalLogin("p1"), newer.Password, "10.0.0.1")
	if err != nil {
		t.Fatal("the other device: ", err)
	}
	if _, err := s.desk.Forget(t.Context(), newer.Device.ID); err != nil || len(s.devices()) != 0 {
		t.Fatalf("%v; devices %+v", err, s.devices())
	}
	if _, err := s.gate.Caller(t.Context(), pass.Session, "10.0.0.1"); !errors.Is(err, core.ErrNotAuthenticated) {
		t.Errorf("its session: %v", err)
	}
	s.signIn(newer.Password, core.ErrNotFound)
	if _, err := s.desk.Forget(t.Context(), newer.Device.ID); !errors.Is(err, core.ErrNotFound) {
		t.Errorf("once more: %v", err)
	}
}

// counting is Sightings that count what is written, and may be broken.
type counting struct {
	*store.Store
	writes int
	broken error
}

func (c *counting) NoteDevices(ctx context.Context, user core.UserID, change func([]core.FieldDevice) []core.FieldDevice) error {
	if c.broken != nil {
		return c.broken
	}
	c.writes++
	return c.Store.NoteDevices(ctx, user, change)
}

// A device that is here is written at once, once more with its first upload, and then
// at most once a minute, whatever it does.
func TestWhoIsHereIsWrittenNowAndThen(t *testing.T) {
	s := newSite(t)
	kept := &counting{Store: s.store}
	log := fleet.NewLog(kept, s.now)
	visit := fleet.Visit{Address: "10.0.0.7", UserAgent: "Walker/7 (Pixel 9; Android/16)", Kind: "Walker, Pixel 9, Android"}
	see := func(uploads, want int) {
		t.Helper()
		log.See(s.who, visit, uploads)
		if err := log.Write(t.Context(), false); err != nil {
			t.Fatal(err)
		}
		if kept.writes != want {
			t.Errorf("written %d times, want %d", kept.writes, want)
		}
	}
	see(0, 1)
	<-log.Rung()
	see(0, 1)
	see(1, 2)
	<-log.Rung()
	for range 100 {
		s.pass(500 * time.Millisecond)
		see(1, 2)
	}
	select {
	case <-log.Rung():
		t.Error("it rings for nothing new")
	default:
	}
	s.pass(10 * time.Second)
	visit.Clock = s.now().Add(-90 * time.Second)
	see(0, 3)
	kept.broken = errors.New("disk on fire")
	see2 := func() {
		log.See(s.who, visit, 1)
		if err := log.Write(t.Context(), true); !errors.Is(err, kept.broken) {
			t.Errorf("written to a broken store: %v", err)
		}
	}
	see2()
	see2()
	kept.broken = nil
	if err := log.Write(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	s.reopen()
	all := s.devices()
	if len(all) != 1 || all[0].Uploads != 103 || all[0].Address != "10.0.0.7" || !all[0].PairedOn.IsZero() || *all[0].Ahead != -90 || !all[0].LastSeen.Equal(s.now()) {
		t.Errorf("devices %+v", all)
	}
}

// The device that was paired is the one that has the password, whatever app asks with
// it; and one that comes back is the same one.
func TestWhichDeviceIsHere(t *testing.T) {
	s := newSite(t)
	_, code := s.pair()
	r := s.redeem(code, "10.0.0.7", nil)
	a := s.signIn(r.Password, nil)
	s.log.See(a, fleet.Visit{Kind: "curl"}, 1)
	if err := s.log.Write(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	if all := s.devices(); len(all) != 1 || all[0].ID != r.Device.ID || all[0].Uploads != 1 || all[0].Kind != "curl" {
		t.Fatalf("devices %+v", all)
	}
	s.pass(time.Hour)
	_, code = s.pair()
	again, err := s.desk.Redeem(t.Context(), code, fleet.Newcomer{Visit: fleet.Visit{Kind: "curl"}, Name: "Ward 3's phone"})
	if err != nil || again.Device.ID != r.Device.ID || len(s.devices()) != 1 {
		t.Errorf("paired again: %+v (%v)", s.devices(), err)
	}
	s.log.See(s.who, fleet.Visit{Kind: "Walker"}, 0) // with a password that staff gave
	if err := s.log.Write(t.Context(), false); err != nil || len(s.devices()) != 2 {
		t.Errorf("another device: %+v (%v)", s.devices(), err)
	}
	for i := range 40 {
		s.pass(time.Second)
		s.log.See(s.who, fleet.Visit{Kind: fmt.Sprint("app ", i)}, 0)
	}
	if err := s.log.Write(t.Context(), true); err != nil || len(s.devices()) != 20 {
		t.Errorf("%d devices of one participant (%v)", len(s.devices()), err)
	}
}
