package library_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/core/library"
	"footbridge/core/schema"

	"github.com/google/go-cmp/cmp"
)

// sleep is a survey document with other values.
func sleep(other string) []byte {
	return []byte(`{"name":"Sleep","identifier":"sleep","copyrightNotice":"ours","elements":[
		{"type":"SurveyQuestion","identifier":"hours","prompt":"How <long>?"},{"type":"SurveyQuestion","identifier":"mood","guid":"e2"}]` + other + `}`)
}

// read shows a survey but for its guids, or the error in its place.
func read(s schema.Survey, err error) string {
	if err != nil {
		return err.Error()
	}
	text := fmt.Sprintf("%s %s of %s, modified %s, version %d", s.Identifier, s.Name, s.CreatedOn.Format("05.000"), s.ModifiedOn.Format("05.000"), s.Version)
	if s.Published {
		text += fmt.Sprint(", published to ", s.SchemaRevision)
	}
	if s.Deleted {
		text += ", deleted"
	}
	return text
}

func (d *desk) survey(other string) schema.Survey {
	d.t.Helper()
	s, err := d.CreateSurvey(d.t.Context(), sleep(other))
	must(d.t, err)
	return s
}

func TestCreatingSurveys(t *testing.T) {
	d := newDesk(t)
	s := d.survey(`,"guid":"mine","createdOn":"2020-01-01","published":true,"deleted":true,"version":7,"schemaRevision":3`)
	d.want(read(s, nil), "sleep Sleep of 00.123, modified 00.123, version 1")
	d.want(core.FormatTime(s.CreatedOn), "2026-11-20T07:00:00.123Z")
	if !core.ValidID(s.GUID) || s.SchemaRevision != 0 || !core.ValidID(s.Elements[0].GUID) || s.Elements[1].GUID != "e2" {
		t.Errorf("%+v", s)
	}
	var element map[string]string
	must(t, json.Unmarshal(s.Elements[0].Document, &element))
	want := map[string]string{"type": "SurveyQuestion", "identifier": "hours", "prompt": "How <long>?", "guid": s.Elements[0].GUID}
	if diff := cmp.Diff(want, element); diff != "" {
		t.Error(diff)
	}
	d.want(read(d.CreateSurvey(t.Context(), sleep(""))), "survey "+s.GUID+" with the identifier sleep: exists already")
	d.want(read(d.CreateSurvey(t.Context(), sleep(`,"identifier":""`))), "Survey is invalid: identifier is required")
	d.want(read(d.CreateSurvey(t.Context(), sleep(`,"elements":7`))), "Survey is invalid: elements must be a list")
	must(t, d.DeleteSurvey(t.Context(), s.GUID, s.CreatedOn, false))
	if _, err := d.CreateSurvey(t.Context(), sleep("")); !errors.Is(err, core.ErrExists) {
		t.Error(err)
	}
	must(t, d.DeleteSurvey(t.Context(), s.GUID, s.CreatedOn, true))
	d.survey("")
}

func TestUpdatingSurveys(t *testing.T) {
	d := newDesk(t)
	s := d.survey("")
	d.now = d.now.Add(time.Second)
	update := func(other string) string {
		return read(d.UpdateSurvey(t.Context(), s.GUID, s.CreatedOn, sleep(other)))
	}
	d.want(update(`,"name":"Rest","guid":"x","createdOn":"2020-01-01","published":true,"schemaRevision":2`), "sleep Rest of 00.123, modified 01.123, version 2")
	d.want(update(`,"identifier":null,"version":2`), "sleep Sleep of 00.123, modified 01.123, version 3")
	d.want(update(`,"version":2`), "survey "+s.GUID+": changed meanwhile")
	d.want(update(`,"identifier":"nap"`), "Survey is invalid: identifier cannot change: it is sleep in every version; make another survey for another one")
	d.want(update(`,"name":null`), "Survey is invalid: name is required")
	_, err := d.UpdateSurvey(t.Context(), s.GUID, s.CreatedOn.Add(time.Millisecond), sleep(""))
	d.want(fmt.Sprint(errors.Is(err, core.ErrNotFound)), "true")
	_, err = d.PublishSurvey(t.Context(), s.GUID, s.CreatedOn, false)
	must(t, err)
	if _, err := d.UpdateSurvey(t.Context(), s.GUID, s.CreatedOn, sleep("")); err != library.ErrPublished {
		t.Error(err)
	}
	must(t, d.DeleteSurvey(t.Context(), s.GUID, s.CreatedOn, false))
	d.want(update(""), "survey "+s.GUID+" of 2026-11-20T07:00:00.123Z: not found")
	if _, err := d.PublishSurvey(t.Context(), s.GUID, s.CreatedOn, false); !errors.Is(err, core.ErrNotFound) {
		t.Error(err)
	}
	if _, err := d.VersionSurvey(t.Context(), s.GUID, s.CreatedOn); !errors.Is(err, core.ErrNotFound) {
		t.Error(err)
	}
}

// Versions made in one millisecond, or while the clock went back, are told apart.
func TestVersionsOfSurveys(t *testing.T) {
	d := newDesk(t)
	s := d.survey("")
	_, err := d.PublishSurvey(t.Context(), s.GUID, s.CreatedOn, false)
	must(t, err)
	version := func(of time.Time) schema.Survey {
		t.Helper()
		v, err := d.VersionSurvey(t.Context(), s.GUID, of)
		must(t, err)
		return v
	}
	second := version(s.CreatedOn)
	d.want(read(second, nil), "sleep Sleep of 00.124, modified 00.124, version 1")
	if diff := cmp.Diff(s.Elements, second.Elements); diff != "" || second.Published || second.SchemaRevision != 0 {
		t.Errorf("%+v %s", second, diff)
	}
	d.now = d.now.Add(-time.Hour)
	third := version(s.CreatedOn)
	d.want(read(third, nil), "sleep Sleep of 00.125, modified 00.125, version 1")
	d.now = d.now.Add(2 * time.Hour).Add(time.Second)
	fourth := version(third.CreatedOn)
	d.want(read(fourth, nil), "sleep Sleep of 01.123, modified 01.123, version 1")

	all := func(deletedToo bool) (times []string) {
		versions, err := d.Versions(t.Context(), s.GUID, deletedToo)
		must(t, err)
		for _, v := range versions {
			times = append(times, v.CreatedOn.Format("05.000"))
		}
		return times
	}
	must(t, d.DeleteSurvey(t.Context(), s.GUID, fourth.CreatedOn, false))
	if err := d.DeleteSurvey(t.Context(), s.GUID, fourth.CreatedOn, false); !errors.Is(err, core.ErrNotFound) {
		t.Error(err)
	}
	d.want(fmt.Sprint(all(false)), "[00.125 00.124 00.123]")
	d.want(fmt.Sprint(all(true)), "[01.123 00.125 00.124 00.123]")
	d.want(read(d.RecentSurvey(t.Context(), s.GUID)), "sleep Sleep of 00.125, modified 00.125, version 1")
	d.want(read(d.PublishedSurvey(t.Context(), s.GUID)), "sleep Sleep of 00.123, modified 00.123, version 2, published to 1")
	d.want(read(d.Survey(t.Context(), s.GUID, fourth.CreatedOn)), "sleep Sleep of 01.123, modified 01.123, version 2, deleted")
	d.want(read(d.RecentSurvey(t.Context(), "x")), "survey x: not found")
	d.want(read(d.PublishedSurvey(t.Context(), "")), "survey : not found")
}

func TestPublishing(t *testing.T) {
	d := newDesk(t)
	s := d.survey("")
	publish := func(of schema.Survey, newRevision bool) string {
		return read(d.PublishSurvey(t.Context(), of.GUID, of.CreatedOn, newRevision))
	}
	version := func() schema.Survey {
		t.Helper()
		d.now = d.now.Add(time.Second)
		v, err := d.VersionSurvey(t.Context(), s.GUID, s.CreatedOn)
		must(t, err)
		return v
	}
	d.now = d.now.Add(time.Second)
	d.want(publish(s, false), "sleep Sleep of 00.123, modified 01.123, version 2, published to 1")
	d.want(saw(d.Schema(t.Context(), "sleep", 1)), "sleep revision 1 version 1")
	d.want(publish(s, true), "sleep Sleep of 00.123, modified 01.123, version 2, published to 1") // it is published

	second := version()
	d.want(publish(second, false), "sleep Sleep of 02.123, modified 02.123, version 2, published to 1")
	answers, err := d.Schema(t.Context(), "sleep", 1)
	d.want(saw(answers, err), "sleep revision 1 version 2")
	if answers.SurveyGUID != s.GUID || !answers.SurveyCreatedOn.Equal(second.CreatedOn) || answers.Kind != schema.Answers {
		t.Errorf("%+v", answers)
	}
	d.want(publish(s, false), "sleep Sleep of 00.123, modified 01.123, version 2, published to 1")
	if again, _ := d.Schema(t.Context(), "sleep", 1); !again.SurveyCreatedOn.Equal(second.CreatedOn) {
		t.Error("an old version that is published again takes the schema back")
	}
	d.want(publish(version(), true), "sleep Sleep of 03.123, modified 03.123, version 2, published to 2")
	must(t, d.DeleteSchema(t.Context(), "sleep", 2, false))
	d.want(publish(version(), false), "sleep Sleep of 04.123, modified 04.123, version 2, published to 3")
	d.want(saw(d.Schema(t.Context(), "sleep", 2)), "sleep revision 2 version 2 deleted")

	taken, err := d.CreateSurvey(t.Context(), sleep(`,"identifier":"walk"`))
	must(t, err)
	_, err = d.CreateSchema(t.Context(), walk(""))
	must(t, err)
	var isTaken *schema.Taken
	if _, err := d.PublishSurvey(t.Context(), taken.GUID, taken.CreatedOn, true); !errors.As(err, &isTaken) {
		t.Error(err)
	}
	d.want(read(d.Survey(t.Context(), taken.GUID, taken.CreatedOn)), "walk Sleep of 04.123, modified 04.123, version 1")
	must(t, d.DeleteSurvey(t.Context(), taken.GUID, taken.CreatedOn, true))
	if _, err := d.CreateSurvey(t.Context(), sleep(`,"identifier":"walk"`)); !errors.As(err, &isTaken) {
		t.Error(err)
	}
	_, err = d.PublishSurvey(t.Context(), "x", taken.CreatedOn, false)
	d.want(fmt.Sprint(errors.Is(err, core.ErrNotFound)), "true")
}

func TestListingSurveys(t *testing.T) {
	d := newDesk(t)
	s := d.survey("")
	d.now = d.now.Add(time.Second)
	other := d.survey(`,"identifier":"nap","name":"Nap"`)
	_, err := d.PublishSurvey(t.Context(), s.GUID, s.CreatedOn, false)
	must(t, err)
	newer, err := d.VersionSurvey(t.Context(), s.GUID, s.CreatedOn)
	must(t, err)
	names := func(all []schema.Survey, err error) string {
		must(t, err)
		var names []string
		for _, s := range all {
			names = append(names, s.Name+" "+s.CreatedOn.Format("05.000"))
		}
		return fmt.Sprint(names)
	}
	d.want(names(d.Surveys(t.Context(), false)), "[Sleep 01.123 Nap 01.123]")
	d.want(names(d.PublishedSurveys(t.Context(), false)), "[Sleep 00.123]")
	must(t, d.DeleteSurvey(t.Context(), s.GUID, newer.CreatedOn, false))
	must(t, d.DeleteSurvey(t.Context(), s.GUID, s.CreatedOn, false))
	d.want(names(d.Surveys(t.Context(), false)), "[Nap 01.123]")
	d.want(names(d.Surveys(t.Context(), true)), "[Sleep 01.123 Nap 01.123]")
	d.want(names(d.PublishedSurveys(t.Context(), false)), "[]")
	d.want(names(d.PublishedSurveys(t.Context(), true)), "[Sleep 00.123]")
	if !slices.IsSorted([]string{s.GUID, other.GUID}) {
		t.Error("guids do not sort by time")
	}
}
