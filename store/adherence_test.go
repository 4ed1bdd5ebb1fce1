package store_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/core/participant"
	"footbridge/core/schedule"
	"footbridge/core/upload"
	"footbridge/store"

	"github.com/google/go-cmp/cmp"
)

const walking = `{"sessions": [{"guid": "morning", "label": "Morning"}], "assessments": [{"key": "k", "identifier": "walk"}], "schedule": [
	{"instanceGuid": "s-1", "refGuid": "morning", "assessments": [{"refKey": "k", "instanceGuid": "a-1"}]},
	{"instanceGuid": "s-2", "refGuid": "morning", "persistent": true, "assessments": [{"refKey": "k", "instanceGuid": "a-2"}]}]}`

var event = time.Date(2020, 5, 10, 0, 0, 0, 0, time.UTC)

func (s *site) diary() *schedule.Diary { return schedule.NewDiary(s, s.clock.now) }

func (s *site) timeline(id core.StudyID, document string) core.Timeline {
	s.t.Helper()
	timeline, err := s.diary().PutTimeline(context.Background(), id, []byte(document))
	must(s.t, err)
	return timeline
}

// performed is a slot for an upload of an instance, whose bytes are here.
func (s *site) performed(a core.Account, body []byte, guid string, started string) core.Upload {
	s.t.Helper()
	r := request(body)
	metadata := fmt.Sprintf(`{"instanceGuid":%q,"eventTimestamp":"2020-05-10T00:00:00.000Z","startedOn":%q}`, guid, started)
	must(s.t, json.Unmarshal([]byte(metadata), &r.Metadata))
	u, err := s.desk.Begin(context.Background(), a, r, upload.Client{})
	must(s.t, err)
	must(s.t, s.put(u.ID, body))
	return u
}

// seen are a participant's records, those that wait included.
func (s *site) seen(a core.Account) []core.AdherenceRecord {
	s.t.Helper()
	all, err := s.Adherence(context.Background(), study, a.ID)
	must(s.t, err)
	return all
}

func TestTimelinesAndRecordsAreThereAfterARestart(t *testing.T) {
	s := newSite(t, store.Config{})
	a := s.participant("1")
	timeline := s.timeline(study, walking)
	must(t, s.diary().Save(t.Context(), study, a.ID, []core.AdherenceRecord{
		{InstanceGUID: "a-1", EventTimestamp: event, StartedOn: event.Add(time.Hour), ClientData: []byte(`{"x":"<"}`)}}))
	waits := s.performed(a, []byte("waits"), "a-2", "")
	must(t, s.complete(waits.ID, false))
	links := s.performed(a, []byte("links"), "a-1", "")
	must(t, s.complete(links.ID, false))
	all := s.seen(a)
	if len(all) != 3 { // of the assessment and its session, and the one that waits
		t.Errorf("%+v", all)
	}
	before, err := s.Instances(t.Context(), "a-1")
	must(t, err)

	s = s.crash(t.TempDir())
	defer s.Close()
	kept, err := s.Timeline(t.Context(), study)
	must(t, err)
	after, err := s.Instances(t.Context(), "a-1")
	must(t, err)
	if diff := cmp.Diff([]any{timeline, before, all}, []any{kept, after, s.seen(a)}); diff != "" {
		t.Error(diff)
	}
	if again := s.timeline(study, walking); again.ScheduleGUID != timeline.ScheduleGUID {
		t.Errorf("the schedule is %s and was %s", again.ScheduleGUID, timeline.ScheduleGUID)
	}
	must(t, s.diary().Save(t.Context(), study, a.ID, []core.AdherenceRecord{{InstanceGUID: "a-2", EventTimestamp: event, StartedOn: event.Add(2 * time.Hour)}}))
	found, _, err := s.diary().Search(t.Context(), study, a.ID, schedule.Search{UploadID: waits.ID})
	must(t, err)
	if len(found) != 1 || found[0].InstanceGUID != "a-2" || !found[0].UploadedOn.Equal(s.upload(waits.ID).Facts.UploadedOn) {
		t.Errorf("%+v", found)
	}
}

// Two uploads of the same event make one record; in a persistent window, one for
// each start.
func TestUploadsOfOneEvent(t *testing.T) {
	s := newSite(t, store.Config{})
	a := s.participant("1")
	s.timeline(study, walking)
	type row struct {
		guid, started string
		uploads       int
		first         bool
	}
	var first core.Upload
	for i, started := range []string{"2020-05-12T08:00:00.000Z", "2020-05-12T16:00:00.000Z"} {
		s.clock.pass(time.Hour)
		for _, guid := range []string{"a-1", "a-2"} {
			u := s.performed(a, fmt.Append(nil, guid, i), guid, started)
			must(t, s.complete(u.ID, false))
			if first.ID == "" {
				first = s.upload(u.ID)
			}
		}
	}
	for _, redrive := range []bool{false, true} {
		if redrive {
			for s.process(core.Accepted) {
			}
			must(t, s.complete(first.ID, true))
		}
		var got []row
		for _, r := range s.seen(a) {
			got = append(got, row{r.InstanceGUID, r.StartedOn.Format("15:04"), len(r.UploadIDs), r.UploadedOn.Equal(first.Facts.UploadedOn)})
		}
		want := []row{{"a-1", "08:00", 2, true}, {"a-2", "08:00", 1, true}, {"a-2", "16:00", 1, false}, {"s-1", "08:00", 0, false}, {"s-2", "08:00", 0, false}}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(row{})); diff != "" {
			t.Error(diff)
		}
	}
	facts := s.upload(first.ID).Facts
	if facts.Timeline["assessmentId"] != "walk" || !slices.Equal(facts.Studies, []core.StudyID{study}) {
		t.Errorf("%+v", facts)
	}
}

func TestUploadsThatAreCompletedAtOnceAreAllLinked(t *testing.T) {
	s := newSite(t, store.Config{})
	a := s.participant("1")
	s.timeline(study, walking)
	var callers sync.WaitGroup
	const n = 20
	for i := range n {
		started := ""
		if i%2 == 0 {
			started = "2020-05-12T08:00:00.000Z"
		}
		u := s.performed(a, fmt.Append(nil, "body ", i), "a-1", started)
		callers.Go(func() { must(t, s.complete(u.ID, false)) })
		callers.Go(func() {
			must(t, s.diary().Save(context.Background(), study, a.ID, []core.AdherenceRecord{
				{InstanceGUID: "a-1", EventTimestamp: event, StartedOn: event.Add(time.Duration(i) * time.Minute)}}))
		})
	}
	callers.Wait()
	all := s.seen(a)
	if len(all) != 2 || all[0].InstanceGUID != "a-1" || len(all[0].UploadIDs) != n {
		t.Errorf("%+v", all)
	}
}

// Only studies in which the participant is now, and whose timeline has or had the
// instance, are concerned.
func TestWhichStudiesAnUploadConcerns(t *testing.T) {
	s := newSite(t, store.Config{})
	a := s.participant("1")
	for _, id := range []core.StudyID{"sleep", "left", "never"} {
		_, err := s.CreateStudy(t.Context(), core.Study{ID: id, App: app, Export: true, Repository: complete})
		must(t, err)
		s.timeline(id, walking)
		if id != "never" {
			_, err = s.roster.Enrol(t.Context(), id, a.ID, participant.Membership{})
			must(t, err)
		}
	}
	_, err := s.roster.Withdraw(t.Context(), "left", a.ID, "", "")
	must(t, err)
	s.timeline("sleep", `{"schedule": []}`) // its devices still have the earlier one

	u := s.performed(a, []byte("one"), "a-1", "2020-05-12T08:00:00Z")
	must(t, s.complete(u.ID, false))
	if facts := s.upload(u.ID).Facts; !slices.Equal(facts.Studies, []core.StudyID{"sleep"}) || !slices.Equal(facts.Destinations, []core.DestinationID{"sleep"}) {
		t.Errorf("%+v", facts)
	}
	for id, want := range map[core.StudyID]int{"sleep": 2, study: 0, "left": 0, "never": 0} {
		if all, err := s.Adherence(t.Context(), id, ""); err != nil || len(all) != want {
			t.Errorf("%s has %+v, %v", id, all, err)
		}
	}
	u = s.performed(a, []byte("two"), "unknown", "2020-05-12T08:00:00Z")
	must(t, s.complete(u.ID, false))
	if facts := s.upload(u.ID).Facts; len(facts.Studies) != 2 || facts.Timeline != nil {
		t.Errorf("%+v", facts)
	}
}

func TestAnUploadIsLinkedInEachOfItsStudies(t *testing.T) {
	s := newSite(t, store.Config{})
	a := s.participant("1")
	_, err := s.CreateStudy(t.Context(), core.Study{ID: "sleep", App: app})
	must(t, err)
	_, err = s.roster.Enrol(t.Context(), "sleep", a.ID, participant.Membership{})
	must(t, err)
	for _, id := range []core.StudyID{study, "sleep"} {
		s.timeline(id, walking)
	}
	for _, body := range []string{"one", "two"} {
		must(t, s.complete(s.performed(a, []byte(body), "a-1", "2020-05-12T08:00:00Z").ID, false))
	}
	for _, id := range []core.StudyID{study, "sleep"} {
		all, err := s.Adherence(t.Context(), id, a.ID)
		must(t, err)
		if len(all) != 2 || len(all[0].UploadIDs) != 2 {
			t.Errorf("%s has %+v", id, all)
		}
	}
	if places, err := s.Instances(t.Context(), "a-1"); len(places) != 2 || err != nil || places[study].ScheduleGUID == places["sleep"].ScheduleGUID {
		t.Errorf("%+v, %v", places, err)
	}
}

func TestARefusedChangeLeavesRecordsAsTheyWere(t *testing.T) {
	s := newSite(t, store.Config{})
	a := s.participant("1")
	s.timeline(study, walking)
	must(t, s.diary().Save(t.Context(), study, a.ID, []core.AdherenceRecord{{InstanceGUID: "a-1", EventTimestamp: event, Declined: true}}))
	before := s.seen(a)
	refused := errors.New("refused")
	wants(t, s.SaveAdherence(t.Context(), study, a.ID, []string{"a-1"}, func(a *core.Activities) error {
		if len(a.Records) != 2 || a.Metadata["s-1"].Assessments[0] != "a-1" {
			t.Errorf("%+v", a)
		}
		a.Records = nil
		return refused
	}), refused)
	u := s.performed(a, []byte("one"), "a-1", "")
	_, err := s.Store.Complete(t.Context(), u.ID, func(_ *core.Upload, standing core.Standing) error {
		standing.Activities[study].Records = nil
		return refused
	})
	wants(t, err, refused)
	if diff := cmp.Diff(before, s.seen(a)); diff != "" {
		t.Error(diff)
	}
	_, err = s.SaveTimeline(t.Context(), study, func(before *core.Timeline) (core.Timeline, []core.TimelineMetadata, error) {
		return core.Timeline{}, []core.TimelineMetadata{{SessionInstanceGUID: "new"}}, refused
	})
	wants(t, err, refused)
	if places, err := s.Instances(t.Context(), "new"); len(places) != 0 || err != nil {
		t.Errorf("%v, %v", places, err)
	}
}

// Guids may look like parts of keys, and begin like one another.
func TestGuidsAreAnyText(t *testing.T) {
	s := newSite(t, store.Config{})
	a := s.participant("1")
	guids := []string{"a", "a/", "a/2020-05-10T00:00:00.000Z", "a/2020-05-10T00:00:00.000Z/2020-05-10T00:00:00.000Z", "ä\x00", "../a"}
	for hours := range 2 {
		var records []core.AdherenceRecord
		for _, guid := range guids {
			records = append(records, core.AdherenceRecord{InstanceGUID: guid, EventTimestamp: event, StartedOn: event.Add(time.Duration(hours) * time.Hour)})
		}
		must(t, s.diary().Save(t.Context(), study, a.ID, records))
		got := s.seen(a)
		if len(got) != len(guids) || slices.ContainsFunc(got, func(r core.AdherenceRecord) bool { return !r.StartedOn.Equal(records[0].StartedOn) }) {
			t.Errorf("%+v", got)
		}
	}
	for i, guid := range guids {
		must(t, s.diary().Delete(t.Context(), study, a.ID, guid, event, event))
		if got := s.seen(a); len(got) != len(guids)-i-1 {
			t.Errorf("without %q: %+v", guid, got)
		}
	}
}

func TestAClosedStoreNeverSaysThatThereIsNoTimeline(t *testing.T) {
	s := newSite(t, store.Config{})
	s.timeline(study, walking)
	must(t, s.Close())
	_, err := s.Timeline(t.Context(), study)
	wants(t, err, core.ErrClosed)
	_, err = s.Instances(t.Context(), "unknown")
	wants(t, err, core.ErrClosed)
}
