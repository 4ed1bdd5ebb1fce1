package push_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/core/participant"
	"footbridge/sync/push"

	"github.com/google/go-cmp/cmp"
)

func TestARecordIsPushedWithItsTables(t *testing.T) {
	s := newSite(t)
	u := s.waiting("some bytes")
	s.clock.pass(time.Second)
	if errs := s.steps(); errs != nil {
		t.Fatal(errs)
	}
	s.clock.pass(10 * time.Second)
	s.steps()
	s.isExported(u, "some bytes")
	want := []string{
		"memory/annotations/2026-11-20/" + string(u.ID) + ".json",
		"memory/file-view/2026-11-20",
		"memory/participant-versions",
		"memory/raw-data/2026-11-20/" + u.Facts.FileName,
	}
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(s.remote.files))); diff != "" {
		t.Error(diff)
	}
	if got := s.remote.files["memory/participant-versions"]; got != "1 memory\n" {
		t.Errorf("versions %q", got)
	}
	if since, next := s.worker.Away("memory"); !since.IsZero() || !next.IsZero() {
		t.Error(since, next)
	}
}

// Whichever call fails, before or after its effect, with or without a restart
// behind it: in the end everything is there, once.
func TestEveryStepCanFailAndBeResumed(t *testing.T) {
	down := errors.New("connection refused")
	var calls []string
	s := newSite(t)
	s.fail = func(call string) error { calls = append(calls, call); return nil }
	s.waiting("some bytes")
	s.settle()
	if len(calls) < 20 {
		t.Fatalf("only %d calls: %v", len(calls), calls)
	}
	for n := range calls {
		for _, restart := range []bool{false, true} {
			name, _, _ := strings.Cut(calls[n], "/")
			t.Run(fmt.Sprintf("%d, %s, restart %v", n, name, restart), func(t *testing.T) {
				s := newSite(t)
				made := 0
				s.fail = func(string) error {
					if made++; made == n+1 {
						return down
					}
					return nil
				}
				u := s.waiting("some bytes")
				for made <= n {
					if errs := s.steps(); made > n && len(errs) == 0 {
						t.Error("no error was told")
					}
					s.clock.pass(time.Minute)
				}
				if restart || strings.HasSuffix(calls[n], "settle") { // a settle that is not heard of needs one
					s.restart()
				}
				s.settle()
				s.isExported(u, "some bytes")
			})
		}
	}
}

func TestConsent(t *testing.T) {
	share := func(s *site, scope core.SharingScope) {
		_, err := s.roster().Update(context.Background(), s.a.ID, participant.Form{SharingScope: scope})
		must(s.t, err)
	}
	s := newSite(t)
	u := s.waiting("some bytes")
	share(s, core.NoSharing)
	s.settle()
	raw, notes := "memory/raw-data/2026-11-20/"+u.Facts.FileName, "memory/annotations/2026-11-20/"+string(u.ID)+".json"
	if e := s.export(u.ID); e.State != core.ExportWithheld || e.Reason != core.ReasonNoSharingNow || s.remote.files[raw] != "" {
		t.Errorf("before it was put: %+v, %q", e, s.remote.files[raw])
	}
	share(s, core.SponsorsAndPartners)
	s.fail = func(call string) error { // consent ends between the bytes and their annotations
		if strings.HasPrefix(call, "verify ") {
			share(s, core.NoSharing)
		}
		return nil
	}
	s.settle()
	if e := s.export(u.ID); e.State != core.ExportWithheld || e.Step != core.StepVerified || s.remote.files[notes] != "" || s.remote.files["memory/file-view/2026-11-20"] != "" {
		t.Errorf("before it was annotated: %+v, %q", e, s.remote.files[notes])
	}
	s.fail = func(string) error { return nil }
	share(s, core.SponsorsAndPartners)
	s.settle()
	s.isExported(u, "some bytes")
}

// What the repository lost or holds otherwise is put again.
func TestWhatIsNotThereIsPutAgain(t *testing.T) {
	for name, harm := range map[string]func(*site, string){
		"lost":   func(s *site, file string) { delete(s.remote.files, file); delete(s.remote.puts, file) },
		"others": func(s *site, file string) { s.remote.files[file] = "other bytes"; delete(s.remote.puts, file) },
	} {
		s := newSite(t)
		u := s.waiting("some bytes")
		once := true
		s.fail = func(call string) error {
			if file, ok := strings.CutPrefix(call, "verify "); ok && once {
				once = false
				harm(s, file)
			}
			return nil
		}
		s.settle()
		if once {
			t.Errorf("%s: nothing was verified", name)
		}
		s.isExported(u, "some bytes")
	}
}

func TestARepositoryThatIsAwayIsAskedGently(t *testing.T) {
	s := newSite(t)
	for i := range 20 {
		s.waiting(fmt.Sprint("body ", i))
	}
	asked := 0
	s.fail = func(call string) error {
		if strings.HasPrefix(call, "put ") {
			asked++
			return errors.New("no route to host")
		}
		return nil
	}
	began := s.clock.now()
	for s.clock.now().Sub(began) < time.Hour {
		s.steps()
		s.clock.pass(time.Second)
	}
	if asked < 5 || asked > 40 {
		t.Errorf("asked %d times in an hour", asked)
	}
	if since, next := s.worker.Away("memory"); since.IsZero() || !next.After(s.clock.now()) || next.Sub(s.clock.now()) > 15*time.Minute {
		t.Errorf("away since %v, next %v", since, next)
	}
	s.fail = func(string) error { return nil }
	s.settle()
	if got := s.Counts()["exports/memory/exported"]; got != 20 {
		t.Errorf("%d are exported", got)
	}
	if since, next := s.worker.Away("memory"); !since.IsZero() || !next.IsZero() {
		t.Error(since, next)
	}
}

func TestWhatBecomesOfAFailure(t *testing.T) {
	damaged := func(s *site) {
		s.open = func(core.Upload) (io.ReadCloser, error) { return nil, errors.New("input/output error") }
	}
	for name, test := range map[string]struct {
		harm   func(*site)
		rounds int
		state  core.ExportState
		reason core.ExportReason
		rest   bool // for the repository
	}{
		"the repository is away": {func(s *site) { s.failing("put memory/raw", errors.New("timeout")) }, 1, core.ExportWaiting, core.ReasonRepositoryAway, true},
		"for long":               {func(s *site) { s.failing("put memory/raw", errors.New("timeout")) }, 9, core.ExportWaiting, core.ReasonRepositoryAway, true},
		"it cannot be asked":     {func(s *site) { s.failing("verify", errors.New("timeout")) }, 1, core.ExportWaiting, core.ReasonRepositoryAway, true},
		"it refuses":             {func(s *site) { s.failing("put memory/raw", fmt.Errorf("403: %w", os.ErrPermission)) }, 1, core.ExportWaiting, core.ReasonRepositoryRefused, true},
		"it never takes this":    {func(s *site) { s.failing("put memory/raw", unwelcome{}) }, 1, core.ExportParked, core.ReasonRepositoryInvalid, false},
		"it wants to be left": {func(s *site) {
			s.failing("put memory/raw", &core.Later{After: 40 * time.Minute, Err: errors.New("429")})
		}, 1, core.ExportWaiting, core.ReasonRepositoryAway, true},
		"it lost the file":      {func(s *site) { s.failing("verify", core.ErrNotFound) }, 1, core.ExportWaiting, core.ReasonRepositoryAway, true},
		"other bytes arrived":   {func(s *site) { s.failing("verify", core.ErrDigestMismatch) }, 1, core.ExportWaiting, core.ReasonBytesDamaged, false},
		"again and again":       {func(s *site) { s.failing("verify", core.ErrDigestMismatch) }, 9, core.ExportParked, core.ReasonBytesDamaged, false},
		"no key":                {func(s *site) { s.open = func(core.Upload) (io.ReadCloser, error) { return nil, core.ErrNoKey } }, 1, core.ExportParked, core.ReasonNeedsKey, false},
		"bytes unreadable once": {damaged, 1, core.ExportWaiting, core.ReasonBytesDamaged, false},
		"bytes unreadable":      {damaged, 9, core.ExportParked, core.ReasonBytesDamaged, false},
		"bytes break off": {func(s *site) {
			s.open = func(core.Upload) (io.ReadCloser, error) {
				return io.NopCloser(io.MultiReader(strings.NewReader("so"), failing{})), nil
			}
		}, 9, core.ExportParked, core.ReasonBytesDamaged, false},
		"our store takes nothing": {func(s *site) { s.failing("journal", core.ErrNoSpace) }, 1, core.ExportWaiting, "", false},
		"a panic":                 {func(s *site) { s.open = func(core.Upload) (io.ReadCloser, error) { panic("oops") } }, 1, core.ExportWaiting, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			s.steps() // the tables
			u := s.waiting("some bytes")
			test.harm(s)
			for i := range test.rounds {
				if i > 0 {
					s.clock.pass(20 * time.Minute)
				}
				s.steps()
			}
			e := s.export(u.ID)
			if e.State != test.state || e.Reason != test.reason || e.Attempts < 1 {
				t.Errorf("%+v", e)
			}
			if (e.Why != "") != (name == "it never takes this") {
				t.Errorf("it is said that %q", e.Why)
			}
			if e.NextTry.IsZero() != (e.State == core.ExportParked) || e.State == core.ExportWaiting && !e.NextTry.After(s.clock.now()) {
				t.Errorf("next try %v", e.NextTry)
			}
			if since, _ := s.worker.Away("memory"); since.IsZero() == test.rest {
				t.Errorf("away since %v", since)
			}
			// It holds nobody else up.
			s.open, s.fail = nil, func(string) error { return nil }
			other := s.waiting("other bytes")
			s.settle()
			s.isExported(other, "other bytes")
			if e := s.export(u.ID); test.state == core.ExportWaiting {
				s.isExported(u, "some bytes")
			} else if e.State != core.ExportParked {
				t.Errorf("parked and then %+v", e)
			}
		})
	}
}

// An outage and then one unreadable moment do not add up to damage.
func TestFailuresOfDifferentKindsAreCountedApart(t *testing.T) {
	s := newSite(t)
	s.steps()
	u := s.waiting("some bytes")
	s.failing("put memory/raw", errors.New("timeout"))
	s.settle()
	s.fail = func(string) error { return nil }
	s.open = func(core.Upload) (io.ReadCloser, error) { return nil, errors.New("too many open files") }
	s.steps()
	if e := s.export(u.ID); e.State != core.ExportWaiting || e.Attempts != 1 {
		t.Errorf("%+v", e)
	}
	s.open = nil
	s.settle()
	s.isExported(u, "some bytes")
}

// A program that is stopped in the middle says nothing about the repository.
func TestStoppingIsNoFailure(t *testing.T) {
	s := newSite(t)
	s.steps()
	u := s.waiting("some bytes")
	ctx, stop := context.WithCancel(t.Context())
	s.open = func(core.Upload) (io.ReadCloser, error) { stop(); return nil, ctx.Err() }
	did, err := s.worker.Step(ctx)
	if !did || err != nil {
		t.Error(did, err)
	}
	e := s.export(u.ID)
	if since, _ := s.worker.Away("memory"); e.State != core.ExportWaiting || e.Reason != "" || e.Attempts != 0 || e.Step != core.StepPlanned || !since.IsZero() {
		t.Errorf("%+v, away since %v", e, since)
	}
	s.open = nil
	s.settle()
	s.isExported(u, "some bytes")
}

// A table that can never be written is tried again, and records pass it by.
func TestATableThatFailsHoldsNobodyUp(t *testing.T) {
	s := newSite(t)
	tried := 0
	s.fail = func(call string) error {
		if strings.HasPrefix(call, "put memory/participant-versions") {
			tried++
			return errors.New("quota")
		}
		return nil
	}
	u := s.waiting("some bytes")
	for range 60 {
		s.steps()
		s.clock.pass(time.Minute)
	}
	s.isExported(u, "some bytes")
	if tried < 3 || tried > 40 {
		t.Errorf("tried %d times in an hour", tried)
	}
	s.fail = func(string) error { return nil }
	s.settle()
	if got := s.remote.files["memory/participant-versions"]; got != "1 memory\n" {
		t.Errorf("versions %q", got)
	}
}

func TestWorkersShareTheWork(t *testing.T) {
	s := newSite(t)
	s.steps()
	files := &shared{inner: s.remote}
	worker := push.NewWorker(push.Config{Outbox: s.Store, Tables: s.Store, Repository: files, Now: s.clock.now,
		Open: func(ctx context.Context, u core.Upload) (io.ReadCloser, error) { return s.Open(ctx, *u.Blob) },
		Destination: func(_ context.Context, id core.DestinationID) (core.Destination, bool) {
			return core.Destination{ID: id, Study: core.StudyID(id)}, true
		}})
	var all []core.Upload
	for i := range 30 {
		all = append(all, s.waiting(fmt.Sprint("body ", i)))
	}
	done := make(chan error, 4)
	for range 4 {
		go func() {
			for {
				if did, err := worker.Step(context.Background()); !did || err != nil {
					done <- err
					return
				}
			}
		}()
	}
	for range 4 {
		must(t, <-done)
	}
	s.settle()
	for i, u := range all {
		s.isExported(u, fmt.Sprint("body ", i))
	}
}
