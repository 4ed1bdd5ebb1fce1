package store_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/core/upload"
	"footbridge/store"
	"footbridge/store/rows"

	"github.com/google/go-cmp/cmp"
)

// mixed is a site with two uploads in each of several states, on two days.
func mixed(t *testing.T) (*site, map[string][]core.UploadID) {
	t.Helper()
	s := newSite(t, store.Config{})
	a, private := s.participant("1"), s.participant("2")
	s.share(private, core.NoSharing)
	s.writeTables()
	all := map[string][]core.UploadID{}
	note := func(what string, u core.Upload) { all[what] = append(all[what], u.ID) }
	body := func(what string, i int) []byte { return fmt.Append(nil, what, i) }
	for i := range 2 {
		s.clock.pass(24 * time.Hour)
		note("sent", s.received(a, body("sent", i)))
		s.process(core.Accepted)
		for s.push() {
		}
		note("kept", s.received(private, body("kept", i)))
		s.process(core.Accepted)
		note("refused", s.received(a, body("refused", i)))
		s.process(core.Rejected)
		for _, what := range []string{"sent", "coming"} {
			s.clock.pass(time.Millisecond)
			note(map[string]string{"sent": "duplicate", "coming": "coming"}[what], s.begin(a, body(what, i)))
		}
	}
	for i := range 2 {
		note("waiting", s.received(a, body("waiting", i)))
		s.process(core.Accepted)
	}
	for _, found := range all {
		slices.Reverse(found)
	}
	return s, all
}

// expectApart fails where the lists of what is apart are others.
func (s *site) expectApart(all map[string][]core.UploadID) {
	s.t.Helper()
	for _, of := range []core.StudyID{"", study} {
		for _, why := range []store.Apart{store.ApartComing, store.ApartRefused, store.ApartDuplicate, store.ApartKept} {
			found, err := s.UploadsApart(ctx, why, of, core.Span{}, 10)
			must(s.t, err)
			if diff := cmp.Diff(all[string(why)], ids(found)); diff != "" {
				s.t.Errorf("%s of %q: %s", why, of, diff)
			}
			found, err = s.UploadsApart(ctx, why, of, core.Span{Last: all[string(why)][1]}, 1)
			must(s.t, err)
			if diff := cmp.Diff(all[string(why)][1:], ids(found)); diff != "" {
				s.t.Errorf("a page of %s of %q: %s", why, of, diff)
			}
		}
		found, err := s.UploadsWaiting(ctx, of, core.Span{}, 10)
		must(s.t, err)
		if diff := cmp.Diff(all["waiting"], ids(found)); diff != "" {
			s.t.Errorf("waiting of %q: %s", of, diff)
		}
	}
}

// days gives what was counted.
func (s *site) days(from string) []core.Day {
	s.t.Helper()
	all, err := s.Days(ctx, from)
	must(s.t, err)
	return all
}

var twoDays = []core.Day{{Date: "2026-11-21", Uploads: 3, Bytes: 18}, {Date: "2026-11-22", Uploads: 5, Bytes: 34}}

// What is apart is listed, and each day counted, as it happens; what is put right is
// in no such list any more, and counted no second time.
func TestWhatIsApart(t *testing.T) {
	s, all := mixed(t)
	s.expectApart(all)
	if diff := cmp.Diff(twoDays, s.days("")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(twoDays[1:], s.days("2026-11-22")); diff != "" {
		t.Error(diff)
	}
	must(t, s.complete(all["refused"][0], true))
	s.process(core.Accepted)
	all["waiting"] = append(all["refused"][:1:1], all["waiting"]...)
	slices.Sort(all["waiting"])
	slices.Reverse(all["waiting"])
	found, err := s.UploadsApart(ctx, store.ApartRefused, "", core.Span{}, 10)
	must(t, err)
	if diff := cmp.Diff(all["refused"][1:], ids(found)); diff != "" {
		t.Error(diff)
	}
	if found, err = s.UploadsWaiting(ctx, "", core.Span{}, 10); err != nil || !slices.Equal(ids(found), all["waiting"]) {
		t.Errorf("%v wait, and not %v (%v)", ids(found), all["waiting"], err)
	}
	if diff := cmp.Diff(twoDays, s.days("")); diff != "" {
		t.Error(diff)
	}
}

// Who gave up what could not be opened has it among what stays here, once; a redrive takes
// that back.
func TestGivenUp(t *testing.T) {
	s, all := mixed(t)
	id := all["refused"][0]
	listed := func(why store.Apart, want ...core.UploadID) {
		t.Helper()
		slices.Sort(want)
		slices.Reverse(want)
		found, err := s.UploadsApart(ctx, why, "", core.Span{}, 10)
		must(t, err)
		if diff := cmp.Diff(want, ids(found)); diff != "" {
			t.Errorf("%s: %s", why, diff)
		}
	}
	counted := func(refused, givenUp int) {
		t.Helper()
		if n := s.Counts(); n["uploads/failed"] != refused || n["uploads/given_up"] != givenUp {
			t.Errorf("counted are %v", n)
		}
	}
	for i, id := range []core.UploadID{id, id, all["sent"][0], all["coming"][0]} {
		if given, err := s.GiveUp(ctx, id); given != (i == 0) || err != nil {
			t.Errorf("%d: %v, %v", i, given, err)
		}
	}
	if _, err := s.GiveUp(ctx, "none"); !errors.Is(err, core.ErrNotFound) {
		t.Errorf("one that is not there: %v", err)
	}
	s = s.reopen()
	listed(store.ApartRefused, all["refused"][1])
	listed(store.ApartKept, append(slices.Clone(all["kept"]), id)...)
	counted(1, 1)
	must(t, s.complete(id, true))
	s.process(core.Rejected)
	if u := s.upload(id); !u.GivenUp.IsZero() {
		t.Errorf("it is still given up: %v", u.GivenUp)
	}
	listed(store.ApartRefused, slices.Clone(all["refused"])...)
	listed(store.ApartKept, slices.Clone(all["kept"])...)
	counted(2, 0)
}

// A store that an earlier build wrote lists all as well at once, and counts each upload
// once, however what comes meanwhile and restarts fall between.
func TestAnEarlierStoreIsGoneThrough(t *testing.T) {
	s, all := mixed(t)
	must(t, s.Close())
	untally(t, s.home)
	s = open(t, s.home, s.clock, store.Config{})
	if got := s.days(""); got != nil {
		t.Errorf("it counted %v before it looked", got)
	}
	for _, why := range []store.Apart{store.ApartComing, store.ApartKept} { // more than those, while it is not gone through
		found, err := s.UploadsApart(ctx, why, "", core.Span{}, 20)
		must(t, err)
		for _, id := range all[string(why)] {
			if !slices.Contains(ids(found), id) {
				t.Errorf("%s lacks %s", why, id)
			}
		}
	}
	must(t, s.put(all["coming"][0], []byte("coming1"))) // the walk comes to it
	must(t, s.complete(all["coming"][0], false))
	for range 2 {
		more, err := s.Tally(t.Context(), 3)
		if must(t, err); !more {
			t.Fatal("there is no more")
		}
	}
	must(t, s.put(all["coming"][1], []byte("coming0"))) // and to this, later
	s = s.reopen()
	defer s.Close()
	must(t, s.complete(all["coming"][1], false))
	account, err := s.Account(t.Context(), s.upload(all["sent"][0]).User)
	must(t, err)
	all["coming"] = []core.UploadID{s.begin(account, []byte("later")).ID, s.begin(account, []byte("latest")).ID}
	slices.Sort(all["coming"])
	slices.Reverse(all["coming"])
	s.received(account, []byte("new"))
	for steps := 0; ; steps++ {
		more, err := s.Tally(t.Context(), 3)
		if must(t, err); !more {
			break
		}
		if steps > 10 {
			t.Fatal("it never ends")
		}
	}
	for s.process(core.Accepted) {
	}
	for s.push() {
	}
	all["waiting"] = nil
	s.expectApart(all)
	want := []core.Day{twoDays[0], {Date: "2026-11-22", Uploads: 5 + 3, Bytes: 34 + 7 + 7 + 3}}
	if diff := cmp.Diff(want, s.days("")); diff != "" {
		t.Error(diff)
	}
}

// untally takes out of a store what earlier builds did not write.
func untally(t *testing.T, home string) {
	t.Helper()
	db, err := rows.Open(filepath.Join(home, "footbridge.db"), filepath.Join(home, "blobs", "log"), rows.Config{})
	must(t, err)
	defer func() { must(t, db.Close()) }()
	must(t, db.Update(t.Context(), true, nil, func(tx *rows.Tx) error {
		for _, index := range []rows.Bucket{"apart", "days"} {
			taken := 0
			tx.Scan(index, "", func(key string, _ []byte) { tx.Delete(index, key); taken++ })
			if taken == 0 {
				t.Errorf("there was nothing in %s", index)
			}
		}
		tx.Delete("site", "tally")
		return nil
	}))
}

// A search leaves out none that is meant, in any case and however the text is written,
// goes on where it stopped, and spends no more than it may.
func TestFind(t *testing.T) {
	s := newSite(t, store.Config{})
	a := s.participant("P-17")
	var all []core.UploadID
	for i, name := range []string{"walk 1.zip", "Rest & <tea>.zip", "WALK 2.zip", "été.zip"} {
		s.clock.pass(time.Millisecond)
		body := fmt.Append(nil, name)
		r := request(body)
		r.Name = name
		u, err := s.desk.Begin(ctx, a, r, upload.Client{})
		must(t, err)
		must(t, s.put(u.ID, body))
		if i < 3 {
			must(t, s.complete(u.ID, false))
		}
		all = append(all, u.ID)
	}
	for text, want := range map[string][]core.UploadID{
		"walk":             {all[3], all[2], all[0]}, // who the last is of nobody can tell from its row
		"& <TEA>":          {all[3], all[2], all[1], all[0]},
		"p-17":             {all[3], all[2], all[1], all[0]},
		string(all[1][9:]): {all[3], all[1]},
		"nothing":          {all[3]},
	} {
		for _, of := range []core.StudyID{"", study} {
			found, next, err := s.Find(ctx, text, of, core.Span{}, 10, 100)
			must(t, err)
			if diff := cmp.Diff(want, ids(found)); diff != "" || next != "" {
				t.Errorf("%q in %q, then %q: %s", text, of, next, diff)
			}
		}
	}
	found, next, err := s.Find(ctx, "walk", "", core.Span{Last: all[2]}, 1, 100)
	must(t, err)
	if !slices.Equal(ids(found), all[2:3]) || next != all[1] {
		t.Errorf("found %v, then %s", ids(found), next)
	}
	found, next, err = s.Find(ctx, "nothing", "", core.Span{}, 10, 1)
	must(t, err)
	if !slices.Equal(ids(found), all[3:]) || next != all[2] {
		t.Errorf("for little, found %v, then %s", ids(found), next)
	}
}

// The last deeds come page by page.
func TestLastDeeds(t *testing.T) {
	s := newSite(t, store.Config{})
	at := s.clock.now()
	for i := range 5 {
		must(t, s.Note(ctx, core.Deed{At: at.Add(time.Duration(i/2) * time.Second), Did: core.DeedKind(fmt.Sprint(i))}))
	}
	var got []string
	for before := ""; ; {
		deeds, next, err := s.LastDeeds(ctx, before, 2)
		must(t, err)
		for _, d := range deeds {
			got = append(got, string(d.Did))
		}
		if got = append(got, "|"); next == "" {
			break
		}
		before = next
	}
	if want := []string{"4", "3", "|", "2", "1", "|", "0", "|"}; !slices.Equal(got, want) {
		t.Errorf("the pages are %v, not %v", got, want)
	}
}
