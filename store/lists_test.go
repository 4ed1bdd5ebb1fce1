package store_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/core/participant"
	"footbridge/core/upload"
	"footbridge/store"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var ctx = context.Background()

func ids(all []core.Upload) (ids []core.UploadID) {
	for _, u := range all {
		ids = append(ids, u.ID)
	}
	return ids
}

// Every list is what a slice of the uploads by time would give: of the app and of
// a study the newest first, of a participant the oldest first; cut to a span of
// time and to a number, after a restart and after a kill too.
func TestListsAreWhatASliceWouldGive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "store")
		must(t, err)
		defer os.RemoveAll(dir)
		config := store.Config{Sync: func(*os.File) error { return nil }}
		s := open(t, dir+"/home", newClock(), config)
		defer func() { s.Close() }()
		s.found()
		_, err = s.CreateStudy(ctx, core.Study{ID: "sleep", App: app})
		must(t, err)
		owners := []core.Account{s.participant("1"), s.participant("2")}
		owners[1], err = s.roster.Enrol(ctx, "sleep", owners[1].ID, participant.Membership{})
		must(t, err)
		start := s.clock.now()
		var begun []core.Upload
		for i := range rapid.IntRange(1, 60).Draw(t, "uploads") {
			s.clock.pass(time.Duration(rapid.IntRange(1, 3).Draw(t, "pause")) * time.Millisecond)
			begun = append(begun, s.begin(rapid.SampledFrom(owners).Draw(t, "owner"), fmt.Append(nil, i)))
		}
		if rapid.Bool().Draw(t, "killed") {
			must(t, os.Mkdir(dir+"/again", 0o700))
			_, err := s.SaveApp(ctx, app, func(*core.App) error { return nil }) // what is durable brings what came before
			must(t, err)
			killed := s
			s = s.crash(dir + "/again")
			must(t, killed.Close())
		}
		ms := rapid.IntRange(-5, 200)
		from, to := start.Add(time.Duration(ms.Draw(t, "from"))*time.Millisecond), start.Add(time.Duration(ms.Draw(t, "to"))*time.Millisecond)
		span, most := core.Between(from, to), rapid.IntRange(1, 70).Draw(t, "most")
		if rapid.Bool().Draw(t, "everything") {
			span, from, to = core.Span{}, start, start.Add(time.Hour)
		}
		want := func(belongs func(core.Upload) bool, newestFirst bool) (want []core.UploadID) {
			for _, u := range begun {
				if belongs(u) && !u.RequestedOn.Before(from) && !u.RequestedOn.After(to) {
					want = append(want, u.ID)
				}
			}
			if newestFirst {
				slices.Reverse(want)
			}
			return want[:min(most, len(want))]
		}
		check := func(what string, got []core.Upload, err error, want []core.UploadID) {
			must(t, err)
			if diff := cmp.Diff(want, ids(got)); diff != "" && len(want)+len(got) > 0 {
				t.Fatalf("%s: %s", what, diff)
			}
		}
		anyone := func(core.Upload) bool { return true }
		got, err := s.Uploads(ctx, span, most)
		check("the app's", got, err, want(anyone, true))
		got, err = s.UploadsIn(ctx, study, span, most)
		check("the study's", got, err, want(anyone, true))
		for _, owner := range owners {
			owns := func(u core.Upload) bool { return u.HealthCode == owner.HealthCode }
			got, err = s.UploadsOf(ctx, owner.HealthCode, "", span, most)
			check("the participant's", got, err, want(owns, false))
		}
		second := func(u core.Upload) bool { return u.User == owners[1].ID }
		got, err = s.UploadsIn(ctx, "sleep", span, most)
		check("the other study's", got, err, want(second, true))
	})
}

// An upload is in the lists of the studies that its owner was in when it was asked
// for, and from completion on of those that they were in then.
func TestWhichStudysAnUploadIs(t *testing.T) {
	s := newSite(t, store.Config{})
	for _, id := range []core.StudyID{"sleep", "gait"} {
		_, err := s.CreateStudy(ctx, core.Study{ID: id, App: app})
		must(t, err)
	}
	a := s.participant("1")
	u := s.begin(a, []byte("walk"))
	_, err := s.roster.Withdraw(ctx, study, a.ID, "", "")
	must(t, err)
	_, err = s.roster.Enrol(ctx, "sleep", a.ID, participant.Membership{})
	must(t, err)
	in := func(id core.StudyID, want ...core.UploadID) {
		t.Helper()
		got, err := s.UploadsIn(ctx, id, core.Span{}, 10)
		must(t, err)
		if diff := cmp.Diff(want, ids(got)); diff != "" {
			t.Errorf("%s: %s", id, diff)
		}
	}
	in(study, u.ID)
	in("sleep")
	must(t, s.put(u.ID, []byte("walk")))
	must(t, s.complete(u.ID, false))
	must(t, s.complete(u.ID, false))
	in(study)
	in("sleep", u.ID)
	for id, want := range map[core.StudyID]int{"": 1, study: 0, "sleep": 1} {
		if got, err := s.UploadsOf(ctx, a.HealthCode, id, core.Span{}, 10); err != nil || len(got) != want {
			t.Errorf("the participant's in %q: %d, %v", id, len(got), err)
		}
	}
	_, err = s.roster.Enrol(ctx, "gait", a.ID, participant.Membership{})
	must(t, err)
	in("gait")
	s.clock.pass(time.Millisecond)
	if again := s.begin(a, []byte("walk")); again.DuplicateOf != u.ID {
		t.Errorf("%+v", again)
	} else {
		in("gait", again.ID)
		in("sleep", again.ID, u.ID)
	}
}

// A page takes as much work of a hundred uploads as of ten thousand: it reads its
// own rows and those read ahead, no others.
func TestAPageReadsItsOwnRows(t *testing.T) {
	s := newSite(t, store.Config{Sync: func(*os.File) error { return nil }})
	a, start := s.participant("1"), s.clock.now()
	fill := func(n int) {
		for i := range n {
			s.clock.pass(time.Millisecond)
			id := core.UploadID(core.NewID(s.clock.now()))
			fresh := core.Upload{ID: id, App: app, User: a.ID, HealthCode: a.HealthCode, State: core.StateRequested,
				RequestedOn: s.clock.now(), Request: core.Request{ContentMD5: fmt.Sprint(i)}}
			_, err := s.Begin(ctx, fresh, s.clock.now(), func(*core.Upload) core.Upload { return fresh })
			must(t, err)
		}
	}
	pages := map[string]func() ([]core.Upload, error){
		"the app's newest":       func() ([]core.Upload, error) { return s.Uploads(ctx, core.Span{}, 50) },
		"the study's newest":     func() ([]core.Upload, error) { return s.UploadsIn(ctx, study, core.Span{}, 50) },
		"a participant's oldest": func() ([]core.Upload, error) { return s.UploadsOf(ctx, a.HealthCode, "", core.Span{}, 50) },
		"the app's of a moment": func() ([]core.Upload, error) {
			return s.Uploads(ctx, core.Between(start, start.Add(50*time.Millisecond)), 50)
		},
		"a participant's of a moment": func() ([]core.Upload, error) {
			return s.UploadsOf(ctx, a.HealthCode, "", core.Between(start.Add(50*time.Millisecond), start.Add(time.Hour)), 50)
		},
	}
	cost := func(read func() ([]core.Upload, error)) float64 {
		return testing.AllocsPerRun(5, func() {
			if got, err := read(); err != nil || len(got) != 50 {
				t.Fatalf("%d uploads, %v", len(got), err)
			}
		})
	}
	fill(200)
	s = s.reopen() // everything is in bbolt then
	few := map[string]float64{}
	for name, read := range pages {
		few[name] = cost(read)
	}
	fill(10_000)
	s = s.reopen()
	defer s.Close()
	for name, read := range pages {
		if many := cost(read); many > few[name]*1.5 {
			t.Errorf("%s: a page takes %.0f allocations of 10,200 uploads, %.0f of 200", name, many, few[name])
		}
	}
}

// Whoever the store does not know may begin an upload; it is in no study.
func TestAnUploadOfNobodyKnown(t *testing.T) {
	s := newSite(t, store.Config{})
	u, err := s.desk.Begin(ctx, core.Account{ID: "gone", App: app, HealthCode: "code"}, request([]byte("x")), upload.Client{})
	must(t, err)
	got, err := s.UploadsOf(ctx, "code", "", core.Span{}, 10)
	must(t, err)
	if diff := cmp.Diff([]core.UploadID{u.ID}, ids(got)); diff != "" {
		t.Error(diff)
	}
}
