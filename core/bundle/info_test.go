package bundle_test

import (
	"strings"
	"testing"

	"footbridge/core/bundle"
	"footbridge/core/schema"
	"footbridge/testdata"
)

// C16: without info.json nothing can be said of a bundle.
func TestInfoMustBeThere(t *testing.T) {
	const missing = "does not contain info.json file"
	for name, c := range map[string]struct {
		b    []byte
		code string
		says string
	}{
		"none":        {testdata.Bundle(t, "data.json", `{}`), "info_missing", missing},
		"in a folder": {testdata.Bundle(t, "walk/info.json", `{}`), "info_missing", missing},
		"other case":  {testdata.Bundle(t, "Info.json", `{}`), "info_missing", missing},
		"no entries":  {testdata.Bundle(t), "info_missing", missing},
		"no JSON":     {testdata.Bundle(t, "info.json", `{"item":`), "info_unreadable", missing},
		"empty":       {testdata.Bundle(t, "info.json", ``), "info_unreadable", missing},
		"no object":   {testdata.Bundle(t, "info.json", `["item"]`), "info_unreadable", missing},
		"not UTF-8":   {testdata.Bundle(t, "info.json", "{\"item\":\"\xff\"}"), "info_unreadable", missing},
		"huge":        {testdata.Bundle(t, "info.json", `{"a":"`+strings.Repeat("x", 256<<10)+`"}`), "info_too_large", "info.json"},
		"not a zip":   {[]byte("steps: 12"), "zip_not_a_zip", missing},
		"nothing":     {nil, "zip_not_a_zip", missing},
		"format":      {testdata.Bundle(t, "info.json", `{"format":"v3_future"}`), "format_unknown", "format"},
	} {
		out, err := bundle.Read(opener(c.b), strict, shelf{})
		if err != nil || out.Rejection == nil || out.Rejection.Code != c.code || !strings.Contains(out.Rejection.Message, c.says) {
			t.Errorf("%s: got %+v, %v", name, out, err)
		}
	}
	if out := read(t, shelf{}, strict, "info.json", "\ufeff {\"format\":\"V1_LEGACY\"} \n"); out.Rejection != nil || string(out.Info) != `{"format":"V1_LEGACY"}` {
		t.Errorf("with a byte order mark: got %+v", out)
	}
}

// C17, C18: when a bundle was recorded.
func TestDates(t *testing.T) {
	listed := func(stamps ...string) string {
		return `{"files":[{"filename":"a.json","timestamp":"` + strings.Join(stamps, `"},{"filename":"a.json","timestamp":"`) + `"}]`
	}
	for name, c := range map[string]struct{ info, want, says string }{
		"generic":                   {`{"format":"v2_generic","createdOn":"2024-02-29T18:30:15.250-07:00"}`, "2024-03-01T01:30:15.250Z -0700", ""},
		"generic, no colon":         {`{"format":"v2_generic","createdOn":"2024-02-29T18:30:15.250+0545"}`, "2024-02-29T12:45:15.250Z +0545", ""},
		"generic, UTC":              {`{"format":"v2_generic","createdOn":"2024-02-29T18:30:15Z"}`, "2024-02-29T18:30:15.000Z +0000", ""},
		"generic, none":             {`{"format":"v2_generic"}`, "", "created_on_missing"},
		"generic, null":             {`{"format":"v2_generic","createdOn":null}`, "", "created_on_missing"},
		"generic, invalid":          {`{"format":"v2_generic","createdOn":"Tuesday morning"}`, "", "created_on_invalid created_on_missing"},
		"generic, files are no use": {`{"format":"v2_generic","files":[{"filename":"a.json","timestamp":"2024-02-29T18:30Z"}]}`, "", "created_on_missing"},
		"legacy, none":              {`{"files":[{"filename":"a.json"}]}`, "", "file_undated created_on_missing"},
		"legacy, no list":           {`{}`, "", "file_list_missing created_on_missing"},
		"legacy, empty list":        {`{"files":[]}`, "", "file_list_empty created_on_missing"},
		"legacy, list is none":      {`{"files":{"a":1}}`, "", "file_list_empty created_on_missing"},
		"legacy, no objects":        {`{"files":[7]}`, "", "file_unnamed created_on_missing"},
		"legacy, own":               {listed("2024-02-29T18:30Z") + `,"createdOn":"2024-02-28T18:30-0100"}`, "2024-02-28T19:30:00.000Z -0100", ""},
		"legacy, latest":            {listed("2024-02-29T18:30+0100", "2024-02-29T18:30-0100", "2024-02-29T18:30Z") + `}`, "2024-02-29T19:30:00.000Z -0100", ""},
		"legacy, with spaces":       {listed("2024-02-29 18:30:15 -0500") + `}`, "2024-02-29T23:30:15.000Z -0500", ""},
		"legacy, one is invalid":    {listed("2024-02-29T18:30Z", "noon") + `}`, "2024-02-29T18:30:00.000Z +0000", "timestamp_invalid"},
		"legacy, own is invalid":    {listed("2024-02-29T18:30Z") + `,"createdOn":"Tuesday morning"}`, "2024-02-29T18:30:00.000Z +0000", "created_on_invalid"},
		"legacy, none is listed":    {`{"files":[{"filename":"b.json","timestamp":"2024-02-29T18:30Z"}]}`, "2024-02-29T18:30:00.000Z +0000", "file_missing"},
		"legacy, no name":           {`{"files":[{"timestamp":"2024-02-29T18:30Z"}]}`, "2024-02-29T18:30:00.000Z +0000", "file_unnamed"},
	} {
		out := read(t, shelf{}, strict, "info.json", c.info, "a.json", `{}`)
		got := ""
		if !out.CreatedOn.IsZero() || out.CreatedOnZone != "" {
			got = schema.FormatMoment(out.CreatedOn) + " " + out.CreatedOnZone
		}
		if got != c.want || codes(out) != c.says {
			t.Errorf("%s: got %q, %s", name, got, codes(out))
		}
		for _, m := range out.Messages {
			if strings.Contains(m.Message, "Tuesday") || strings.Contains(m.Message, "noon") {
				t.Errorf("%s: tells the value: %s", name, m.Message)
			}
		}
	}
}

func TestTextsAreCut(t *testing.T) {
	long := strings.Repeat("ä", 48)
	out := read(t, shelf{}, strict, "info.json", `{"format":"v2_generic","createdOn":"2024-02-29T18:30Z","appVersion":12.5,"phoneInfo":"`+long+`"}`)
	if out.AppVersion != "12.5" || out.PhoneInfo != long || codes(out) != "" {
		t.Errorf("got %q, %q, %s", out.AppVersion, out.PhoneInfo, codes(out))
	}
	out = read(t, shelf{}, strict, "info.json", `{"format":"v2_generic","createdOn":"2024-02-29T18:30Z","appVersion":["1"],"phoneInfo":"`+long+`!"}`)
	if out.AppVersion != "" || out.PhoneInfo != long || codes(out) != "text_cut" || !strings.Contains(out.Messages[0].Message, "phoneInfo") {
		t.Errorf("got %q, %q, %+v", out.AppVersion, out.PhoneInfo, out.Messages)
	}
}

func TestWhichSchema(t *testing.T) {
	s := surveyShelf(t)
	walk := described(t, `{"name":"n","type":"int","required":false}`)
	s.schemas = append(s.schemas, walk.schemas...)
	s.surveys = append(s.surveys, schema.Survey{Identifier: "draft", GUID: "s-2", CreatedOn: s.surveys[0].CreatedOn},
		schema.Survey{Identifier: "gone", GUID: "s-3", CreatedOn: s.surveys[0].CreatedOn, SchemaRevision: 9})
	const dated = `"createdOn":"2024-02-29T18:30Z","files":[{"filename":"a","timestamp":"2024-02-29T18:30Z"}],`
	for keys, want := range map[string]string{
		`"item":"walk","schemaRevision":1`:     "walk 1",
		`"item":"walk","schemaRevision":"1"`:   "walk 1",
		`"item":"walk","schemaRevision":1.0`:   "walk 1",
		`"item":"walk"`:                        "walk 1",
		`"item":"walk","schemaRevision":2`:     " schema_unknown",
		`"item":"walk","schemaRevision":0`:     " schema_revision_invalid",
		`"item":"walk","schemaRevision":"new"`: " schema_revision_invalid",
		`"item":"run"`:                         " schema_unknown",
		`"item":" "`:                           "",
		`"surveyGuid":"s-1","surveyCreatedOn":"2024-02-29T09:30:00.005Z"`: "habits 3",
		`"surveyGuid":"s-1","surveyCreatedOn":"","item":"walk"`:           "walk 1",
		`"surveyGuid":"s-1","surveyCreatedOn":"2024-02-29T09:30:00.006Z"`: "refused schema_not_found",
		`"surveyGuid":"s-9","surveyCreatedOn":"2024-02-29T09:30:00.005Z"`: "refused schema_not_found",
		`"surveyGuid":"s-1","surveyCreatedOn":"leap day","item":"walk"`:   "refused schema_not_found",
		`"surveyGuid":"s-2","surveyCreatedOn":"2024-02-29T09:30:00.005Z"`: " survey_unpublished",
		`"surveyGuid":"s-3","surveyCreatedOn":"2024-02-29T09:30:00.005Z"`: " schema_unknown",
		`"identifier":"walk"`: "walk 1 only in v1_legacy",
	} {
		for _, format := range []string{"v1_legacy", "v2_generic"} {
			if want := want; true {
				if only, ok := strings.CutSuffix(want, " only in v1_legacy"); ok {
					want = map[string]string{"v1_legacy": only, "v2_generic": ""}[format]
				}
				out := read(t, s, bundle.Upload{ID: "up-1", Strictness: schema.Warn}, "info.json", `{`+dated+keys+`,"format":"`+format+`"}`, "a", "b")
				got := out.SchemaID
				switch {
				case out.Rejection != nil:
					got = "refused " + out.Rejection.Code
					if !strings.Contains(out.Rejection.Message, "schema not found") {
						t.Errorf("%s, %s: %s", keys, format, out.Rejection.Message)
					}
				case out.SchemaID != "":
					got += " " + string(rune('0'+out.SchemaRevision))
				case len(out.Messages) > 0:
					got = " " + codes(out)
				}
				if got != want {
					t.Errorf("%s, %s: got %q, want %q (%+v)", keys, format, got, want, out.Messages)
				}
			}
		}
	}
}
