package upload_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/core/upload"

	"github.com/google/go-cmp/cmp"
)

// scheduled is the participant's standing when the studies' schedules have the
// instance that the upload names.
func scheduled(studies ...core.StudyID) core.Standing {
	s := standing
	s.Activities = map[core.StudyID]*core.Activities{}
	for _, id := range studies {
		s.Activities[id] = &core.Activities{Study: id, User: "user", Metadata: map[string]core.TimelineMetadata{
			"a-1": {AssessmentInstanceGUID: "a-1", SessionInstanceGUID: "s-1", ScheduleGUID: "schedule of " + string(id)}}}
	}
	return s
}

// of gives a completed upload of an instance.
func (d *desk) of(t *testing.T, metadata string) core.Upload {
	t.Helper()
	r := request()
	must(t, json.Unmarshal([]byte(metadata), &r.Metadata))
	u, err := d.Begin(t.Context(), standing.Account, r, upload.Client{})
	must(t, err)
	_, err = d.Receive(t.Context(), u.ID, declared(u.Request), bytes.NewReader(body))
	must(t, err)
	u, err = d.Complete(t.Context(), u.ID, upload.Completion{})
	must(t, err)
	return u
}

const walk = `{"instanceGuid":"a-1","eventTimestamp":"2026-11-01T00:00:00Z","startedOn":"2026-11-20T17:00:00Z"}`

// The studies whose schedule has the upload's instance are those that it goes to.
func TestAnUploadGoesToTheStudiesThatScheduledIt(t *testing.T) {
	both := []core.StudyID{"memory", "sleep"}
	for name, test := range map[string]struct {
		scheduled, studies []core.StudyID
		destinations       []core.DestinationID
		externalID         string
		schedule           string
	}{
		"none":           {nil, both, []core.DestinationID{"sleep", "tapping"}, "ext-1", ""},
		"both":           {both, both, []core.DestinationID{"sleep", "tapping"}, "ext-1", "schedule of memory"},
		"one":            {both[1:], both[1:], []core.DestinationID{"sleep", "tapping"}, "ext-1", "schedule of sleep"},
		"not configured": {both[:1], both[:1], []core.DestinationID{"tapping"}, "", "schedule of memory"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk()
			d.fake.standing = scheduled(test.scheduled...)
			d.fake.standing.App.Export, d.fake.standing.App.Repository = true, standing.Studies[1].Repository
			facts := d.of(t, walk).Facts
			if !slices.Equal(facts.Studies, test.studies) || !slices.Equal(facts.Destinations, test.destinations) ||
				facts.ExternalID != test.externalID || !facts.Schemaless {
				t.Errorf("%+v", facts)
			}
			want := map[string]string{"assessmentInstanceGuid": "a-1", "sessionInstanceGuid": "s-1", "scheduleGuid": test.schedule}
			if test.schedule == "" {
				want = nil
			}
			if diff := cmp.Diff(want, facts.Timeline); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Whether an upload is schemaless is a matter of all the participant's studies.
func TestAnUploadOfAnotherStudysScheduleStaysSchemaless(t *testing.T) {
	d := newDesk()
	d.fake.standing = scheduled("memory") // which is not configured, as sleep is
	facts := d.of(t, walk).Facts
	if !facts.Schemaless || len(facts.Destinations) != 0 || !slices.Equal(facts.Studies, []core.StudyID{"memory"}) {
		t.Errorf("%+v", facts)
	}
}

func TestCompletionLinksOnceAndARedriveChangesNothing(t *testing.T) {
	d := newDesk()
	d.fake.standing = scheduled("memory", "sleep")
	u := d.of(t, walk)
	started := time.Date(2026, 11, 20, 17, 0, 0, 0, time.UTC)
	event := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	check := func() {
		t.Helper()
		for id, a := range d.fake.standing.Activities {
			want := []core.AdherenceRecord{{Study: id, User: "user", InstanceGUID: "a-1", EventTimestamp: event, InstanceTimestamp: event,
				StartedOn: started, UploadedOn: u.Facts.UploadedOn, UploadIDs: []core.UploadID{u.ID}}}
			if diff := cmp.Diff(want, a.Records); diff != "" {
				t.Errorf("%s: %s", id, diff)
			}
		}
	}
	check()
	d.now = d.now.Add(-time.Hour) // a clock that was set back is not when it was uploaded
	for _, state := range []core.State{core.StateCompleted, core.StateFailed, core.StateSucceeded} {
		d.fake.uploads[0].State = state
		_, err := d.Complete(t.Context(), u.ID, upload.Completion{Redrive: true, Staff: true})
		must(t, err)
		check()
	}
}

func TestAnnotationsNeedNoEvent(t *testing.T) {
	d := newDesk()
	d.fake.standing = scheduled("sleep")
	facts := d.of(t, `{"instanceGuid":"a-1","eventTimestamp":"never"}`).Facts
	if facts.Timeline["scheduleGuid"] != "schedule of sleep" || len(d.fake.standing.Activities["sleep"].Records) != 0 {
		t.Errorf("%+v", facts)
	}
}
