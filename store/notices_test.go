package store_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/core/notice"
	"footbridge/store"
)

var (
	appTopic   = core.Topic{Kind: core.TopicExports, App: app}
	studyTopic = core.Topic{Kind: core.TopicExports, App: app, Study: study}
	created    = core.Topic{Kind: core.TopicCreation, App: app}
)

// telling is a configuration of a store that tells of what happens.
func telling() store.Config {
	return store.Config{
		Exported: func(u core.Upload, reached core.DestinationID, all []core.Export, project func(core.DestinationID) core.RepositoryConfig) []core.Notice {
			return notice.Exported(u, reached, all, func(d core.DestinationID) notice.Place {
				return notice.Place{Project: project(d).Project, Folder: project(d).RawDataFolder, File: "f", Bucket: "b", Key: "k"}
			})
		},
		Created: func(s core.Study) []core.Notice { return []core.Notice{notice.Created(s)} },
	}
}

// subscribe makes a subscription of a topic.
func (s *site) subscribe(topic core.Topic, endpoint string) core.Subscription {
	s.t.Helper()
	sub, err := notice.Subscribe(topic, "https", endpoint, s.clock.now())
	must(s.t, err)
	sub, _, err = s.Subscribe(context.Background(), sub, 3)
	must(s.t, err)
	return sub
}

// sent is a record that reached its destination.
func (s *site) sent(a core.Account, body string) core.Upload {
	s.t.Helper()
	u := s.received(a, []byte(body))
	s.process(core.Accepted)
	s.writeTables()
	if !s.push() {
		s.t.Fatal("nothing was pushed")
	}
	return u
}

// due is what a receiver is to be told now; false where there is nothing.
func (s *site) due() (core.Delivery, bool) {
	s.t.Helper()
	d, ok, err := s.ClaimNotice(context.Background())
	must(s.t, err)
	return d, ok
}

// deliver delivers what is due, and tells what it was, as type and endpoint.
func (s *site) deliver() (told []string) {
	s.t.Helper()
	for {
		d, ok := s.due()
		if !ok {
			slices.Sort(told)
			return told
		}
		d.Delivered = true
		must(s.t, s.SettleNotice(context.Background(), d))
		told = append(told, d.Notice.Type+" "+d.Subscription.Endpoint)
	}
}

func (s *site) waitingFor(sub core.Subscription) int { return s.Counts()["notices/"+string(sub.ID)] }

// notices are all that are kept.
func (s *site) notices() []core.Notice {
	s.t.Helper()
	all, err := s.Notices(context.Background(), 0, 1<<20)
	must(s.t, err)
	return all
}

func TestWhoSubscribedIsTold(t *testing.T) {
	s := newSite(t, telling())
	a := s.participant("1")
	s.sent(a, "before anyone subscribed")
	s.subscribe(appTopic, "https://a.example.org/")
	s.subscribe(studyTopic, "https://s.example.org/")
	s.subscribe(studyTopic, "https://t.example.org/")
	s.subscribe(created, "https://c.example.org/")
	if told := s.deliver(); told != nil {
		t.Errorf("told of what was before: %v", told)
	}
	u := s.sent(a, "after")
	want := []string{"ExportToAppNotification https://a.example.org/", "ExportToStudyNotification https://s.example.org/", "ExportToStudyNotification https://t.example.org/"}
	if told := s.deliver(); !slices.Equal(told, want) {
		t.Errorf("told %v", told)
	}
	kept := s.notices()
	if len(kept) != 4 || kept[3].Number != 4 || !kept[3].MadeOn.Equal(s.clock.now()) {
		t.Fatalf("kept are %+v", kept)
	}
	s.clock.pass(time.Hour) // a redrive is told again, by the same ids
	must(t, s.complete(u.ID, true))
	s.process(core.Accepted)
	s.push()
	if told := s.deliver(); !slices.Equal(told, want) {
		t.Errorf("told again %v", told)
	}
	again := s.notices()
	if len(again) != 6 || again[4].ID != kept[2].ID || again[5].ID != kept[3].ID || string(again[5].Body) != string(kept[3].Body) {
		t.Errorf("kept are %+v", again)
	}
	for range 2 {
		_, err := s.UpdateStudy(t.Context(), study, func(s *core.Study) error { s.Made = true; return nil })
		must(t, err)
	}
	if told := s.deliver(); !slices.Equal(told, []string{"ExporterCreateStudyNotification https://c.example.org/"}) {
		t.Errorf("told of the study %v", told)
	}
}

// What is withheld is told to nobody.
func TestWhatIsWithheldIsNotTold(t *testing.T) {
	s := newSite(t, telling())
	a := s.participant("1")
	s.writeTables()
	s.received(a, []byte("bytes"))
	s.process(core.Accepted)
	e := s.claim()
	s.share(a, core.NoSharing)
	e.State, e.Reason = core.ExportWithheld, core.ReasonNoSharingNow
	must(t, s.SettleExport(t.Context(), e))
	if kept := s.notices(); len(kept) > 0 {
		t.Errorf("kept are %+v", kept)
	}
}

// What waits outlasts a restart and a crash, and is told once more at most.
func TestNoticesOutlastAnything(t *testing.T) {
	s := newSite(t, telling())
	a := s.participant("1")
	sub := s.subscribe(studyTopic, "https://s.example.org/")
	s.sent(a, "one")
	s.sent(a, "two")
	first, _ := s.due() // a lease is forgotten
	s = s.reopen()
	defer s.Close()
	again, ok := s.due()
	if !ok || again.Notice.ID != first.Notice.ID || again.Subscription.Secret != sub.Secret {
		t.Fatalf("after a restart %+v is due", again)
	}
	again.Delivered = true
	must(t, s.SettleNotice(t.Context(), again))
	_, err := s.SaveApp(t.Context(), app, func(*core.App) error { return nil }) // durable, with all before it
	must(t, err)
	left := s.crash(t.TempDir())
	defer left.Close()
	if n := left.waitingFor(sub); n != 1 {
		t.Errorf("%d wait", n)
	}
	if told := left.deliver(); len(told) != 1 {
		t.Errorf("told %v", told)
	}
}

// A receiver that is away rests; one notice that it refuses lets the others pass.
func TestFailuresHoldUpTheirOwn(t *testing.T) {
	s := newSite(t, telling())
	a := s.participant("1")
	bad, good := s.subscribe(studyTopic, "https://bad.example.org/"), s.subscribe(studyTopic, "https://good.example.org/")
	for i := range 3 {
		s.sent(a, fmt.Sprint(i))
	}
	d, _ := s.due()
	for d.Subscription.ID != bad.ID {
		d.Delivered = true
		must(t, s.SettleNotice(t.Context(), d))
		d, _ = s.due()
	}
	d.Subscription.Failures, d.Subscription.Why, d.Subscription.NextTry = 1, "it was away", s.clock.now().Add(time.Hour)
	must(t, s.SettleNotice(t.Context(), d))
	s.deliver()
	if n := s.waitingFor(good); n != 0 {
		t.Errorf("%d wait for the good one", n)
	}
	s.sent(a, "while it rests")
	if told := s.deliver(); len(told) != 1 {
		t.Errorf("told %v", told)
	}
	if next, ok := s.NextNotice(); !ok || !next.Equal(d.Subscription.NextTry) {
		t.Errorf("next at %v", next)
	}
	s.clock.pass(time.Hour)
	refused, ok := s.due()
	if !ok || refused.Notice.ID != d.Notice.ID || refused.Subscription.Why != "it was away" {
		t.Fatalf("due is %+v", refused)
	}
	refused.Refusals, refused.NextTry = 1, s.clock.now().Add(time.Hour)
	refused.Subscription.NextTry = s.clock.now().Add(time.Minute)
	must(t, s.SettleNotice(t.Context(), refused))
	if told := s.deliver(); told != nil {
		t.Errorf("it does not rest: %v", told)
	}
	s.clock.pass(time.Minute)
	if told := s.deliver(); len(told) != 3 {
		t.Errorf("the others are %v", told)
	}
	if next, ok := s.NextNotice(); !ok || !next.Equal(refused.NextTry) {
		t.Errorf("the refused one is due at %v", next)
	}
	s.clock.pass(time.Second)
	s.Hurry()
	if last, ok := s.due(); !ok || last.Notice.ID != refused.Notice.ID || last.Refusals != 1 {
		t.Errorf("in a hurry %+v is due", last)
	}
}

// Who unsubscribed, or is gone, is told nothing more; nothing waits for them.
func TestSubscriptionsEnd(t *testing.T) {
	s := newSite(t, telling())
	a := s.participant("1")
	one, two := s.subscribe(studyTopic, "https://one.example.org/"), s.subscribe(studyTopic, "https://two.example.org/")
	for i := range 3 {
		s.sent(a, fmt.Sprint(i))
	}
	leased, _ := s.due()
	must(t, s.Unsubscribe(t.Context(), one.ID))
	wants(t, s.Unsubscribe(t.Context(), one.ID), core.ErrNotFound)
	must(t, s.SettleNotice(t.Context(), leased))
	d, ok := s.due()
	if !ok || d.Subscription.ID != two.ID {
		t.Fatalf("due is %+v", d)
	}
	d.Subscription.EndedOn = s.clock.now()
	must(t, s.SettleNotice(t.Context(), d))
	s.sent(a, "nobody is left")
	if told := s.deliver(); told != nil || s.waitingFor(one) != 0 || s.waitingFor(two) != 0 {
		t.Errorf("told %v; %d and %d wait", told, s.waitingFor(one), s.waitingFor(two))
	}
	again := s.subscribe(studyTopic, two.Endpoint)
	if again.ID == two.ID || again.Secret == two.Secret {
		t.Error("one that ended was taken up again as it was")
	}
	if all, err := s.Subscriptions(t.Context()); err != nil || len(all) != 1 {
		t.Errorf("subscriptions %+v (%v)", all, err)
	}
}

func TestSubscribing(t *testing.T) {
	s := newSite(t, telling())
	first := s.subscribe(studyTopic, "https://one.example.org/")
	if again := s.subscribe(studyTopic, first.Endpoint); again.ID != first.ID || again.Secret != first.Secret {
		t.Error("the same endpoint has two subscriptions of a topic")
	}
	if other := s.subscribe(appTopic, first.Endpoint); other.ID == first.ID {
		t.Error("two topics share a subscription")
	}
	s.subscribe(created, "https://one.example.org/")
	s.subscribe(studyTopic, "https://two.example.org/")
	s.subscribe(studyTopic, "https://three.example.org/")
	sub, err := notice.Subscribe(studyTopic, "https", "https://four.example.org/", s.clock.now())
	must(t, err)
	_, _, err = s.Subscribe(t.Context(), sub, 3)
	wants(t, err, core.ErrTooMany)
	sub.Topic.Study = "nowhere"
	_, _, err = s.Subscribe(t.Context(), sub, 3)
	wants(t, err, core.ErrNotFound)
	named, err := s.Study(t.Context(), study)
	must(t, err)
	whole, err := s.App(t.Context(), app)
	must(t, err)
	if named.Repository.ExportNotification != studyTopic.String() || whole.Repository.ExportNotification != appTopic.String() || whole.Repository.CreateNotification != created.String() {
		t.Errorf("the configurations name %+v, %+v", named.Repository, whole.Repository)
	}
}

// The last thousand are kept, and whatever still waits for someone.
func TestWhatIsKept(t *testing.T) {
	s := newSite(t, store.Config{Created: func(core.Study) []core.Notice {
		return []core.Notice{{ID: "first", Topic: created}, {ID: "second", Topic: created, Body: []byte("{}")}}
	}})
	happens := func(times int) {
		t.Helper()
		for i := range times {
			id := core.StudyID(fmt.Sprint("s-", len(s.notices()), "-", i))
			_, err := s.CreateStudy(t.Context(), core.Study{ID: id, App: app})
			must(t, err)
			_, err = s.UpdateStudy(t.Context(), id, func(s *core.Study) error { s.Made = true; return nil })
			must(t, err)
		}
	}
	happens(3)
	if all := s.notices(); len(all) != 6 || all[0].Number != 1 {
		t.Fatalf("kept are %+v", all)
	}
	for id, want := range map[core.NoticeID]uint64{"": 6, "first": 1, "second": 2, "unknown": 0} {
		if after, err := s.NoticesSince(t.Context(), id); err != nil || after != want {
			t.Errorf("since %q is after %d (%v)", id, after, err)
		}
	}
	sub := s.subscribe(created, "https://one.example.org/")
	happens(2)
	happens(499)
	if all := s.notices(); len(all) != 1002 || all[0].Number != 7 || s.waitingFor(sub) != 1002 {
		t.Errorf("%d are kept from %d on, %d wait", len(all), all[0].Number, s.waitingFor(sub))
	}
	if told := s.deliver(); len(told) != 1002 {
		t.Errorf("told %d", len(told))
	}
	if all := s.notices(); len(all) != 1000 || all[999].Number != 1008 {
		t.Errorf("%d are kept", len(all))
	}
	if page, err := s.Notices(t.Context(), 1000, 3); err != nil || len(page) != 3 || page[0].Number != 1001 {
		t.Errorf("a page is %+v (%v)", page, err)
	}
}
