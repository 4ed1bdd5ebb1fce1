package schema_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"footbridge/core/schema"

	"github.com/google/go-cmp/cmp"
)

const sleepSurvey = `{"identifier":"sleep","guid":"g1","createdOn":"2024-02-29T18:30:15.250Z","name":"Sleep","published":false,"version":2,
	"copyrightNotice":"ours","appearance":{"dark":[1,2]},"deleted":null,"elements":[
	{"type":"SurveyQuestion","identifier":"hours","guid":"e1","prompt":"How long?","uiHint":"numberfield","constraints":{"dataType":"integer","unit":"hours"}},
	{"type":"SurveyInfoScreen","identifier":"Thank you!","title":"Done"},
	{"type":"SurveyQuestion","identifier":"mood"}]}`

func survey(t testing.TB, text string) schema.Survey {
	t.Helper()
	s, err := schema.ParseSurvey([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSurveysKeepWhatTheyAreNotAskedAbout(t *testing.T) {
	s := survey(t, sleepSurvey)
	if err := s.Check(); err != nil {
		t.Error(err)
	}
	var got, want map[string]any
	if err := json.Unmarshal([]byte(text(t, s)), &got); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(sleepSurvey), &want); err != nil {
		t.Fatal(err)
	}
	want["type"], want["deleted"] = "Survey", false
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if again := survey(t, text(t, s)); text(t, again) != text(t, s) {
		t.Errorf("read back: %s", text(t, again))
	}
}

func TestSurveyComplaints(t *testing.T) {
	for change, want := range map[string]string{
		`{}`:                         "",
		`{"name":""}`:                "name",
		`{"identifier":null}`:        "identifier",
		`{"identifier":"default"}`:   "identifier",
		`{"guid":null}`:              "guid",
		`{"createdOn":"now"}`:        "createdOn",
		`{"elements":{}}`:            "elements",
		`{"elements":[7]}`:           "elements[0]",
		`{"elements":[]}`:            "",
		`{"schemaRevision":"three"}`: "schemaRevision",
		`{"elements":[{"type":"SurveyQuestion"}]}`:                                   "elements[0].identifier",
		`{"elements":[{"type":"SurveyQuestion","identifier":"how long?"}]}`:          "elements[0].identifier",
		`{"elements":[{"type":"SurveyQuestion","identifier":"Row_Id"}]}`:             "elements[0].identifier",
		`{"elements":[{"type":"SurveyInfoScreen","identifier":"how long?"}]}`:        "",
		`{"elements":[{"identifier":"a"},{"identifier":"a"}]}`:                       "elements[1].identifier",
		`{"elements":[{"identifier":"a","guid":"g"},{"identifier":"b","guid":"g"}]}`: "elements[1].guid",
	} {
		whole := raw(t, sleepSurvey)
		for key, value := range raw(t, change) {
			whole[key] = value
		}
		s, err := schema.ParseSurvey([]byte(text(t, whole)))
		if err == nil {
			err = s.Check()
		}
		got := says(t, err)
		if want == "" && len(got) > 0 || want != "" && (len(got) != 1 || len(got[want]) != 1) {
			t.Errorf("%s: got %v", change, got)
		}
	}
}

func TestPublish(t *testing.T) {
	const old = `{"name":"Old","schemaId":"sleep","revision":4,"schemaType":"ios_survey","surveyGuid":"g1","version":7,"fieldDefinitions":[%]}`
	const answers = `{"name":"answers","type":"large_text_attachment"}`
	for name, c := range map[string]struct {
		latest   string
		always   bool
		revision int
		fields   string
	}{
		"the first":                     {"", false, 1, "answers"},
		"the first, forced":             {"", true, 1, "answers"},
		"one that has answers":          {strings.Replace(old, "%", answers, 1), false, 4, "answers"},
		"one that is old":               {strings.Replace(old, "%", `{"name":"mood","type":"string"}`, 1), false, 4, "mood answers"},
		"one with answers as a file":    {strings.Replace(old, "%", `{"name":"answers","type":"attachment_v2"}`, 1), false, 4, "answers"},
		"one with answers as long text": {strings.Replace(old, "%", `{"name":"answers","type":"string","unboundedText":true}`, 1), false, 4, "answers"},
		"one with answers as text":      {strings.Replace(old, "%", `{"name":"mood","type":"string"},{"name":"answers","type":"string"}`, 1), false, 5, "answers"},
		"one with a number of answers":  {strings.Replace(old, "%", `{"name":"answers","type":"int"}`, 1), false, 5, "answers"},
		"a new revision":                {strings.Replace(old, "%", answers, 1), true, 5, "answers"},
		"after a deleted one":           {strings.Replace(strings.Replace(old, "%", answers, 1), `"version":7`, `"deleted":true`, 1), false, 5, "answers"},
	} {
		var latest *schema.Schema
		if c.latest != "" {
			latest = new(parse(t, c.latest))
		}
		before := text(t, latest)
		published, got, err := schema.Publish(survey(t, sleepSurvey), latest, c.always)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var fields []string
		for _, f := range got.Fields {
			fields = append(fields, f.Name)
		}
		if got.Revision != c.revision || strings.Join(fields, " ") != c.fields || got.Name != "Sleep" || got.ID != "sleep" ||
			got.Kind != schema.Answers || got.SurveyGUID != "g1" || !got.SurveyCreatedOn.Equal(survey(t, sleepSurvey).CreatedOn) {
			t.Errorf("%s: got %s", name, text(t, got))
		}
		if !published.Published || published.SchemaRevision != c.revision {
			t.Errorf("%s: the survey is %s", name, text(t, published))
		}
		if text(t, latest) != before {
			t.Errorf("%s: changed what it was given", name)
		}
		again, same, err := schema.Publish(published, &got, false)
		if diff := cmp.Diff(text(t, got)+text(t, published), text(t, same)+text(t, again)); err != nil || diff != "" {
			t.Errorf("%s, again: %v %s", name, err, diff)
		}
	}
}

func TestPublishConflicts(t *testing.T) {
	var taken *schema.Taken
	for name, other := range map[string]schema.Schema{
		"a schema of data": {ID: "sleep", Kind: schema.Data, Revision: 1, SurveyGUID: "g1"},
		"another survey's": {ID: "sleep", Kind: schema.Answers, Revision: 1, SurveyGUID: "g2"},
	} {
		if _, _, err := schema.Publish(survey(t, sleepSurvey), &other, true); !errors.As(err, &taken) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	bad := survey(t, sleepSurvey)
	bad.Name = ""
	if _, _, err := schema.Publish(bad, nil, false); says(t, err)["name"] == nil {
		t.Error(err)
	}
}
