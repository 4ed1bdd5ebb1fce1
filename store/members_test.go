package store_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/core/participant"
	"footbridge/store"
	"footbridge/store/rows"

	"github.com/google/go-cmp/cmp"
)

// members tells a study's participants in their order: who, what is expected of them,
// and for how many days nothing came.
func (s *site) members(study core.StudyID, from string) (all []string) {
	s.t.Helper()
	must(s.t, s.Members(ctx, study, from, func(m core.Member) bool {
		all = append(all, fmt.Sprintf("%s %s %d", m.Account.Enrollments[study].ExternalID, m.Attendance, int(s.clock.now().Sub(m.Since).Hours()/24)))
		return true
	}))
	return all
}

// sends has a participant send an upload.
func (s *site) sends(a core.Account, text string) core.UploadID {
	s.t.Helper()
	u := s.begin(a, []byte(text))
	must(s.t, s.put(u.ID, []byte(text)))
	must(s.t, s.complete(u.ID, false))
	return u.ID
}

const day = 24 * time.Hour

// Whoever was silent longest comes first, of those of whom uploads are expected; then
// come those who share nothing, then those who withdrew. It stays so after a restart,
// and a home that was written before there was an order gets the same.
func TestMembersAreInTheOrderOfTheirSilence(t *testing.T) {
	s := newSite(t, store.Config{})
	_, err := s.CreateStudy(ctx, core.Study{ID: "sleep", App: app})
	must(t, err)
	p := map[string]core.Account{}
	for _, id := range []string{"quiet", "busy", "alone", "gone", "new"} {
		p[id] = s.participant(id)
		s.clock.pass(day)
	}
	_, err = s.roster.Create(ctx, study, participant.Form{Roles: []core.Role{core.RoleResearcher}})
	must(t, err)
	_, err = s.roster.Update(ctx, p["alone"].ID, participant.Form{SharingScope: core.NoSharing, ExternalIDs: map[core.StudyID]string{study: "alone"}})
	must(t, err)
	_, err = s.roster.Withdraw(ctx, study, p["gone"].ID, "", "")
	must(t, err)
	s.sends(p["quiet"], "first")
	s.clock.pass(5 * day)
	sent := s.sends(p["busy"], "second")
	s.begin(p["quiet"], []byte("never came"))
	_, err = s.roster.Enrol(ctx, "sleep", p["busy"].ID, participant.Membership{ExternalID: "sleeper"})
	must(t, err)
	s.clock.pass(day)
	check := func(s *site) {
		t.Helper()
		want := []string{"new expected 7", "quiet expected 6", "busy expected 1", "alone excused 9", "gone withdrawn 8"}
		if diff := cmp.Diff(want, s.members(study, "")); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff([]string{"sleeper expected 1"}, s.members("sleep", "")); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(want[3:], s.members(study, store.PlaceOf(core.AttendanceExcused))); diff != "" {
			t.Error(diff)
		}
		for silent, late := range map[time.Duration]int{2 * day: 2, 6*day + time.Hour: 1, 7*day + time.Hour: 0} {
			since := s.clock.now().Add(-silent)
			if got := s.Late(ctx, study, since); got != late {
				t.Errorf("%d are late after %s, not %d", got, silent, late)
			}
			if diff := cmp.Diff(want[late:], s.members(study, store.PlaceSince(since))); diff != "" {
				t.Errorf("behind the late ones of %s: %s", silent, diff)
			}
		}
		m, err := s.Member(ctx, study, p["busy"].ID)
		if err != nil || m.Last != sent || !m.LastOn.Equal(m.Since) || m.Late(m.Since) || !m.Late(m.Since.Add(time.Millisecond)) {
			t.Errorf("%+v, %v", m, err)
		}
		_, err = s.Member(ctx, "sleep", p["quiet"].ID)
		wants(t, err, core.ErrNotFound)
		all, err := s.Accounts(ctx, study)
		if err != nil || len(all) != 6 || all[0].ID != p["quiet"].ID || all[5].Roles == nil {
			t.Errorf("the accounts are %d, %v", len(all), err)
		}
	}
	check(s)
	s = s.reopen()
	check(s)
	must(t, s.Close())
	forgetMembers(t, s.home)
	s = open(t, s.home, s.clock, store.Config{})
	defer s.Close()
	check(s)
}

// forgetMembers makes a home what it was before members were listed.
func forgetMembers(t *testing.T, home string) {
	t.Helper()
	db, err := rows.Open(filepath.Join(home, "footbridge.db"), filepath.Join(home, "blobs", "log"), rows.Config{Committed: func() {}})
	must(t, err)
	defer db.Close()
	must(t, db.Update(context.Background(), true, nil, func(tx *rows.Tx) error {
		for _, bucket := range []rows.Bucket{"members", "silence"} {
			db.Scan(bucket, "", "", func(key string, _ []byte) bool {
				tx.Delete(bucket, key)
				return true
			})
		}
		tx.Delete("site", "members")
		return nil
	}))
}

// What is processed again, and what comes late of a study that someone left, changes
// no order; whoever comes back is silent from then on.
func TestSilenceEndsWithWhatComesFirst(t *testing.T) {
	s := newSite(t, store.Config{})
	a := s.participant("1")
	first := s.sends(a, "first")
	s.clock.pass(day)
	second := s.sends(a, "second")
	s.clock.pass(day)
	must(t, s.complete(first, true))
	last := func(want core.UploadID, silent int) {
		t.Helper()
		m, err := s.Member(ctx, study, a.ID)
		if err != nil || m.Last != want || int(s.clock.now().Sub(m.Since).Hours()/24) != silent {
			t.Errorf("%s came last, silent since %s, %v", m.Last, m.Since, err)
		}
	}
	last(second, 1)
	_, err := s.roster.Withdraw(ctx, study, a.ID, "", "")
	must(t, err)
	s.clock.pass(day)
	s.sends(a, "of no study")
	last(second, 2)
	_, err = s.roster.Enrol(ctx, study, a.ID, participant.Membership{})
	must(t, err)
	last(second, 0)
	if got := s.members(study, ""); len(got) != 1 || got[0] != "1 expected 0" {
		t.Errorf("the members are %v", got)
	}
}
