package store_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/core/participant"
	"footbridge/store"

	"github.com/google/go-cmp/cmp"
)

// signIn signs a user in on one more device; the oldest gives way beyond keep.
func (s *site) signIn(user core.UserID, hash string, keep int) {
	s.t.Helper()
	must(s.t, s.UpdateDevices(context.Background(), user, func(devices []core.Device) ([]core.Device, error) {
		devices = append(devices, core.Device{Sessions: []core.Session{{TokenHash: hash, User: user}}, Renewals: []string{"r" + hash}})
		return devices[max(0, len(devices)-keep):], nil
	}))
}

func (s *site) alive(hashes ...string) (alive []string) {
	for _, hash := range hashes {
		if _, err := s.Session(context.Background(), hash); err == nil {
			alive = append(alive, hash)
		}
	}
	return alive
}

func TestSessionsAreThoseOfTheDevices(t *testing.T) {
	s := newSite(t, store.Config{})
	for i := range 5 {
		s.signIn("u", fmt.Sprint("token", i), 3)
	}
	s.signIn("v", "another's", 3)
	refused := errors.New("refused")
	wants(t, s.UpdateDevices(t.Context(), "u", func([]core.Device) ([]core.Device, error) { return nil, refused }), refused)
	must(t, s.UpdateDevices(t.Context(), "u", func(devices []core.Device) ([]core.Device, error) {
		devices[1].Sessions = append(devices[1].Sessions, core.Session{TokenHash: "second", User: "u"})
		return devices[1:], nil
	}))
	s = s.reopen()
	defer s.Close()
	if diff := cmp.Diff([]string{"token3", "token4", "another's", "second"}, s.alive("token0", "token1", "token2", "token3", "token4", "another's", "second")); diff != "" {
		t.Error(diff)
	}
	must(t, s.UpdateDevices(t.Context(), "u", func(devices []core.Device) ([]core.Device, error) {
		if len(devices) != 2 || devices[0].Renewals[0] != "rtoken3" {
			t.Errorf("%+v", devices)
		}
		return nil, nil
	}))
	if diff := cmp.Diff([]string{"another's"}, s.alive("token3", "token4", "another's", "second")); diff != "" {
		t.Error(diff)
	}
}

func TestSessionsThatBeginAtOnceAreCounted(t *testing.T) {
	s := newSite(t, store.Config{})
	var all []string
	var callers sync.WaitGroup
	for i := range 40 {
		hash := fmt.Sprint("token", i)
		all = append(all, hash)
		callers.Go(func() { s.signIn("u", hash, 10) })
	}
	callers.Wait()
	if got := s.alive(all...); len(got) != 10 {
		t.Errorf("%d sessions are alive, want 10", len(got))
	}
}

func TestLoginsAreUniqueAndFreedWhenChanged(t *testing.T) {
	s := newSite(t, store.Config{})
	create := func(f participant.Form) (core.Account, error) { return s.roster.Create(t.Context(), study, f) }
	a, err := create(participant.Form{Email: "Ada@example.org", Phone: &core.Phone{Number: "5551234", RegionCode: "US"}})
	must(t, err)
	for name, f := range map[string]participant.Form{
		"e-mail": {Email: "ada@EXAMPLE.org"},
		"phone":  {Phone: &core.Phone{Number: "5551234", RegionCode: "US"}},
	} {
		if _, err := create(f); err == nil {
			t.Error(name, "was taken twice")
		} else {
			wants(t, err, core.ErrExists)
		}
	}
	for _, login := range []string{core.EmailLogin("ADA@example.org"), core.PhoneLogin(*a.Phone)} {
		got, err := s.AccountByLogin(t.Context(), login)
		if err != nil || got.ID != a.ID {
			t.Errorf("%s is %s, %v", login, got.ID, err)
		}
	}
	a, err = s.roster.Update(t.Context(), a.ID, participant.Form{Email: "ada@example.net"})
	must(t, err)
	for _, login := range []string{"email:ada@example.org", "phone:US:5551234"} {
		_, err = s.AccountByLogin(t.Context(), login)
		wants(t, err, core.ErrNotFound)
	}
	s.clock.pass(time.Millisecond) // ids sort by it
	b, err := create(participant.Form{Email: "ada@example.org"})
	must(t, err)
	_, err = s.roster.Update(t.Context(), b.ID, participant.Form{Email: "ada@example.net"})
	wants(t, err, core.ErrExists)
	s = s.reopen()
	defer s.Close()
	got, err := s.AccountByLogin(t.Context(), "email:ada@example.org")
	if err != nil || got.ID != b.ID {
		t.Errorf("after a refused change and a restart: %s, %v", got.ID, err)
	}
	byCode, err := s.AccountByHealthCode(t.Context(), a.HealthCode)
	must(t, err)
	if diff := cmp.Diff(a, byCode); diff != "" {
		t.Error(diff)
	}
	accounts, err := s.Accounts(t.Context(), study)
	if err != nil || len(accounts) != 2 || accounts[0].ID != a.ID {
		t.Errorf("%d accounts, %v", len(accounts), err)
	}
}

func (s *site) versions(a core.Account) (numbers []int, last core.ParticipantVersion) {
	s.t.Helper()
	must(s.t, s.Versions(context.Background(), "", func(v core.ParticipantVersion) error {
		if v.HealthCode == a.HealthCode {
			numbers, last = append(numbers, v.Version), v
		}
		return nil
	}))
	return numbers, last
}

func TestVersionsCountFromOne(t *testing.T) {
	s := newSite(t, store.Config{})
	a := s.participant("ext-1")
	created := a.CreatedOn
	for i := range 3 {
		s.clock.pass(time.Hour)
		form := participant.Form{DataGroups: []string{fmt.Sprint("group", i)}}
		for range 2 { // what stays the same makes no version
			_, err := s.roster.Update(t.Context(), a.ID, form)
			must(t, err)
		}
	}
	s = s.reopen()
	defer s.Close()
	numbers, last := s.versions(a)
	if diff := cmp.Diff([]int{1, 2, 3, 4}, numbers); diff != "" {
		t.Error(diff)
	}
	want := core.ParticipantVersion{
		HealthCode: a.HealthCode, Version: 4, CreatedOn: created, ModifiedOn: created.Add(3 * time.Hour),
		DataGroups: []string{"group2"}, SharingScope: core.AllQualifiedResearchers, StudyMemberships: map[core.StudyID]string{study: "ext-1"},
	}
	if diff := cmp.Diff(want, last); diff != "" {
		t.Error(diff)
	}
	_, err := s.roster.Update(t.Context(), a.ID, participant.Form{SharingScope: core.NoSharing})
	must(t, err)
	if numbers, _ = s.versions(a); len(numbers) != 4 {
		t.Errorf("sharing with nobody made version %v", numbers)
	}
}

func TestWhoHasNoVersion(t *testing.T) {
	for name, test := range map[string]struct {
		study  core.StudyID
		form   participant.Form
		export bool
	}{
		"staff":             {study, participant.Form{SharingScope: core.AllQualifiedResearchers, Roles: []core.Role{core.RoleWorker}}, true},
		"shares with none":  {study, participant.Form{}, true},
		"in no study":       {"", participant.Form{SharingScope: core.AllQualifiedResearchers}, true},
		"app exports never": {study, participant.Form{SharingScope: core.AllQualifiedResearchers}, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t, store.Config{})
			_, err := s.SaveApp(t.Context(), app, func(a *core.App) error { a.Export = test.export; return nil })
			must(t, err)
			a, err := s.roster.Create(t.Context(), test.study, test.form)
			must(t, err)
			if numbers, _ := s.versions(a); len(numbers) != 0 {
				t.Errorf("versions %v", numbers)
			}
			if test.export {
				return
			}
			_, err = s.SaveApp(t.Context(), app, func(a *core.App) error { a.Export = true; return nil })
			must(t, err)
			for range 2 {
				must(t, s.roster.Backfill(t.Context(), a.ID))
			}
			if numbers, _ := s.versions(a); len(numbers) != 1 {
				t.Errorf("versions after the backfill: %v", numbers)
			}
		})
	}
}
