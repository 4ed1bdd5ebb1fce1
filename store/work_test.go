package store_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/core/participant"
	"footbridge/store"

	"github.com/google/go-cmp/cmp"
)

func TestWorkIsLeasedUntilItIsSettled(t *testing.T) {
	s := newSite(t, store.Config{})
	first, second := s.received(s.participant("1"), []byte("first")), s.received(s.participant("2"), []byte("second"))
	claim := func(s *site) core.UploadID {
		t.Helper()
		u, ok, err := s.Claim(t.Context())
		must(t, err)
		if ok != (u.ID != "") {
			t.Fatalf("claimed %q, %v", u.ID, ok)
		}
		return u.ID
	}
	claims := func(s *site, want ...core.UploadID) {
		t.Helper()
		var got []core.UploadID
		for id := claim(s); id != ""; id = claim(s) {
			got = append(got, id)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
	claims(s, first.ID, second.ID)

	refused := errors.New("refused")
	wants(t, s.Settle(t.Context(), first.ID, func(*core.Upload) ([]core.Export, error) { return nil, refused }), refused)
	claims(s)
	s.Release(first.ID, s.clock.now().Add(time.Minute))
	s.Release(first.ID, s.clock.now()) // is leased to nobody any more
	claims(s)
	s.clock.pass(time.Minute)
	claims(s, first.ID)

	left := s.crash(t.TempDir()) // leases are forgotten
	defer left.Close()
	claims(left, first.ID, second.ID)

	settle := func(state core.State) {
		must(t, s.Settle(t.Context(), first.ID, func(u *core.Upload) ([]core.Export, error) { u.State = state; return nil, nil }))
	}
	settle(core.StateFailed)
	claims(s)
	must(t, s.complete(first.ID, true))
	claims(s, first.ID)
	settle(core.StateSucceeded)
	s = s.reopen()
	defer s.Close()
	claims(s, second.ID)
	want := map[string]int{"uploads/completed": 1, "uploads/succeeded": 1}
	got := s.Counts()
	for what, n := range got {
		if n == 0 {
			delete(got, what)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A redrive while the upload is being processed is processed after it.
func TestARedriveDuringItsLeaseIsNotLost(t *testing.T) {
	s := newSite(t, store.Config{})
	u := s.received(s.participant("1"), []byte("bytes"))
	_, ok, err := s.Claim(t.Context())
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	must(t, s.Settle(t.Context(), u.ID, func(u *core.Upload) ([]core.Export, error) { u.State = core.StateFailed; return nil, nil }))
	must(t, s.complete(u.ID, true))
	if !s.process(core.Accepted) || s.upload(u.ID).State != core.StateSucceeded {
		t.Errorf("it is %s", s.upload(u.ID).State)
	}
}

func TestCompletingTwiceChangesNothing(t *testing.T) {
	s := newSite(t, store.Config{})
	u := s.received(s.participant("1"), []byte("bytes"))
	must(t, s.complete(u.ID, false))
	must(t, s.complete(u.ID, true))
	if diff := cmp.Diff(u, s.upload(u.ID)); diff != "" {
		t.Error(diff)
	}
	wants(t, s.complete("unknown", false), core.ErrNotFound)
	refused := errors.New("refused")
	_, err := s.Complete(t.Context(), u.ID, func(u *core.Upload, _ core.Standing) error { u.State = core.StateFailed; return refused })
	wants(t, err, refused)
	if diff := cmp.Diff(u, s.upload(u.ID)); diff != "" {
		t.Error(diff)
	}
}

func TestTheStandingIsThatOfTheMoment(t *testing.T) {
	s := newSite(t, store.Config{})
	a := s.participant("ext-1")
	_, err := s.CreateStudy(t.Context(), core.Study{ID: "sleep", App: app})
	must(t, err)
	_, err = s.roster.Enrol(t.Context(), "sleep", a.ID, participant.Membership{ExternalID: "ext-2"})
	must(t, err)
	u := s.begin(a, []byte("bytes"))
	must(t, s.put(u.ID, []byte("bytes")))
	standing := func() (got core.Standing) {
		s.Complete(t.Context(), u.ID, func(_ *core.Upload, standing core.Standing) error { got = standing; return errors.New("look only") })
		return got
	}
	got := standing()
	if diff := cmp.Diff([]core.StudyID{study, "sleep"}, got.StudyIDs()); diff != "" || got.Version != 2 || got.Account.ID != a.ID {
		t.Error(diff, got.Version, got.Account.ID)
	}
	if diff := cmp.Diff([]core.DestinationID{"memory"}, got.Destinations()); diff != "" {
		t.Error(diff)
	}
	_, err = s.roster.Withdraw(t.Context(), study, a.ID, "", "")
	must(t, err)
	if diff := cmp.Diff([]core.StudyID{"sleep"}, standing().StudyIDs()); diff != "" {
		t.Error(diff)
	}
}

func TestTheBell(t *testing.T) {
	s := newSite(t, store.Config{})
	a := s.participant("1")
	before := s.Revision()
	rung := make(chan uint64, 1)
	go func() {
		revision, _ := s.Wait(context.Background(), before)
		rung <- revision
	}()
	s.begin(a, []byte("bytes"))
	if revision := <-rung; revision <= before {
		t.Errorf("revision %d after %d", revision, before)
	}
	gone, stop := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer stop()
	for s.Failed() == nil {
		if _, err := s.Wait(gone, s.Revision()); err != nil {
			wants(t, err, context.DeadlineExceeded)
			return
		}
	}
}

func TestAppsAndStudies(t *testing.T) {
	s := newSite(t, store.Config{})
	_, err := s.CreateStudy(t.Context(), core.Study{ID: study})
	wants(t, err, core.ErrExists)
	_, err = s.Study(t.Context(), "none")
	wants(t, err, core.ErrNotFound)
	_, err = s.App(t.Context(), "none")
	wants(t, err, core.ErrNotFound)
	refused := errors.New("refused")
	_, err = s.UpdateStudy(t.Context(), study, func(*core.Study) error { return refused })
	wants(t, err, refused)
	_, err = s.UpdateStudy(t.Context(), "none", func(*core.Study) error { return nil })
	wants(t, err, core.ErrNotFound)
	got, err := s.UpdateStudy(t.Context(), study, func(s *core.Study) error { s.Name = "Memory"; return nil })
	must(t, err)
	if got.Version != 2 || got.Name != "Memory" {
		t.Errorf("%+v", got)
	}
	changed, err := s.SaveApp(t.Context(), app, func(a *core.App) error { a.Repository = complete; return nil })
	must(t, err)
	if !changed.Configured() || !changed.Export || changed.Version != 2 {
		t.Errorf("%+v", changed)
	}
	s = s.reopen()
	defer s.Close()
	apps, err := s.Apps(t.Context())
	must(t, err)
	studies, err := s.Studies(t.Context())
	must(t, err)
	if diff := cmp.Diff([]core.App{changed}, apps); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]core.Study{got}, studies); diff != "" {
		t.Error(diff)
	}
}

// Who visits rows may read others while writers write.
func TestVisitorsMayUseTheStore(t *testing.T) {
	s := newSite(t, store.Config{})
	for i := range 20 {
		s.participant(fmt.Sprint(i))
	}
	seen := 0
	err := s.Versions(t.Context(), study, func(v core.ParticipantVersion) error {
		seen++
		_, err := s.AccountByHealthCode(t.Context(), v.HealthCode)
		s.participant(fmt.Sprint("more", seen))
		if seen == 30 {
			return errors.New("enough")
		}
		return err
	})
	if err != nil && err.Error() != "enough" {
		t.Error(err)
	}
	if seen < 20 {
		t.Errorf("%d versions", seen)
	}
}

// Different messages with the same sealed key are counted, the same bytes once.
func TestSealedKeysAreCounted(t *testing.T) {
	s := newSite(t, store.Config{})
	settle := func(id core.UploadID) {
		t.Helper()
		if _, _, err := s.Claim(t.Context()); err != nil {
			t.Fatal(err)
		}
		must(t, s.Settle(t.Context(), id, func(u *core.Upload) ([]core.Export, error) {
			u.State, u.Envelope = core.StateFailed, "sealed"
			return nil, nil
		}))
	}
	var digests []core.Digest
	for i, body := range []string{"one copy", "another copy", "one copy"} {
		a := s.participant(fmt.Sprint(i))
		u := s.received(a, []byte(body))
		digests = append(digests, u.Blob.Digest)
		settle(u.ID)
		must(t, s.complete(u.ID, true))
		settle(u.ID) // a redrive
	}
	if n := s.Uses(t.Context(), "sealed", core.Digest{SHA256: "a third copy"}); n != 2 {
		t.Errorf("%d uses before a third message, want 2", n)
	}
	if n := s.Uses(t.Context(), "sealed", digests[0]); n != 0 {
		t.Errorf("%d uses before bytes that were opened already, want 0", n)
	}
	if n := s.Uses(t.Context(), "other", digests[0]); n != 0 {
		t.Errorf("%d uses of a key that never came", n)
	}
}

// However much one participant sends, the next one's turn comes at once.
func TestOneParticipantHoldsUpNobodyElse(t *testing.T) {
	s := newSite(t, store.Config{})
	greedy, other := s.participant("1"), s.participant("2")
	var heavy []core.UploadID
	for i := range 5 {
		heavy = append(heavy, s.received(greedy, []byte{byte(i)}).ID)
	}
	small := s.received(other, []byte("steps")).ID
	claim := func() core.UploadID {
		t.Helper()
		u, _, err := s.Claim(t.Context())
		must(t, err)
		return u.ID
	}
	settle := func(id core.UploadID) {
		t.Helper()
		must(t, s.Settle(t.Context(), id, func(u *core.Upload) ([]core.Export, error) { u.State = core.StateFailed; return nil, nil }))
	}
	if got := []core.UploadID{claim(), claim(), claim()}; !cmp.Equal(got, []core.UploadID{heavy[0], small, ""}) {
		t.Errorf("claimed %v", got)
	}
	s.Release(heavy[0], s.clock.now())
	s.Release(heavy[0], s.clock.now()) // it has no turn any more
	for _, id := range heavy[1:4] {
		if got := claim(); got != id {
			t.Errorf("claimed %s, not %s", got, id)
		}
		settle(id)
	}
	s = s.reopen()
	defer s.Close()
	if got := []core.UploadID{claim(), claim(), claim()}; !cmp.Equal(got, []core.UploadID{heavy[0], small, ""}) {
		t.Errorf("after a restart claimed %v", got)
	}
}
