package schema_test

import (
	"encoding/json"
	"testing"

	"footbridge/core/schema"

	"github.com/google/go-cmp/cmp"
)

// raw reads data.
func raw(t testing.TB, text string) map[string]json.RawMessage {
	t.Helper()
	var data map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &data); err != nil {
		t.Fatal(err)
	}
	return data
}

// text writes data, or any other value.
func text(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestValidate(t *testing.T) {
	blob := schema.Field{Name: "recording", Type: schema.AttachmentBlob, Required: true}
	note := schema.Field{Name: "note", Type: schema.String, Required: true}
	for name, c := range map[string]struct {
		fields []schema.Field
		data   string
		want   string
		says   []string
	}{
		"all is well": {nil, `{}`, `{"note":"n","recording":"id"}`, nil},
		"one of each type": {[]schema.Field{
			{Name: "csv", Type: schema.AttachmentCSV, Required: true},
			{Name: "json", Type: schema.AttachmentJSONBlob, Required: true},
			{Name: "table", Type: schema.AttachmentJSONTable, Required: true},
			{Name: "file", Type: schema.AttachmentV2, Required: true},
			{Name: "text", Type: schema.LargeText, Required: true},
			{Name: "bool", Type: schema.Boolean, Required: true},
			{Name: "date", Type: schema.CalendarDate, Required: true},
			{Name: "duration", Type: schema.Duration, Required: true},
			{Name: "float", Type: schema.Float, Required: true},
			{Name: "inline", Type: schema.InlineJSON, Required: true},
			{Name: "int", Type: schema.Int, Required: true},
			{Name: "multi", Type: schema.MultiChoice, Required: true, Choices: []string{"a", "b"}},
			{Name: "others", Type: schema.MultiChoice, Required: true, Choices: []string{"a"}, AllowOtherChoices: new(true)},
			{Name: "single", Type: schema.SingleChoice, Required: true},
			{Name: "time", Type: schema.Time, Required: true},
			{Name: "stamp", Type: schema.Timestamp, Required: true},
			{Name: "absent file", Type: schema.AttachmentBlob},
			{Name: "absent", Type: schema.Int},
		}, `{"csv":"1","json":"2","table":"3","file":"4","text":"5","bool":1,"date":"2024-02-29T10:00Z","duration":"PT1H","float":"2.5",
		     "inline":[1],"int":2.5,"multi":["b","a"],"others":["a","z"],"single":["x"],"time":"10:00","stamp":0,"unknown to the schema":true}`,
			`{"bool":true,"csv":"1","date":"2024-02-29","duration":"PT1H","file":"4","float":2.5,"inline":[1],"int":2,"json":"2",` +
				`"multi":["b","a"],"note":"n","others":["a","z"],"recording":"id","single":"x","stamp":"1970-01-01T00:00:00.000Z",` +
				`"table":"3","text":"5","time":"10:00:00.000","unknown to the schema":true}`, nil},
		"invalid": {[]schema.Field{{Name: "rate", Type: schema.Int, Required: true}}, `{"rate":"ninety"}`,
			`{"note":"n","rate":"ninety","recording":"id"}`, []string{"field_invalid: Field rate is no number."}},
		"optional and invalid": {[]schema.Field{{Name: "rate", Type: schema.Int}}, `{"rate":false}`,
			`{"note":"n","rate":false,"recording":"id"}`, []string{"field_invalid: Field rate is no number."}},
		"optional and null": {[]schema.Field{{Name: "rate", Type: schema.Int}}, `{"rate":null}`, `{"note":"n","recording":"id"}`, nil},
		"unknown choices": {[]schema.Field{{Name: "colour", Type: schema.MultiChoice, Choices: []string{"red", "blue"}}},
			`{"colour":["pink","blue","grey",null]}`, `{"colour":["pink","blue","grey",null],"note":"n","recording":"id"}`,
			[]string{"choice_unknown: Field colour has an answer that is none of its choices: the 1st.",
				"choice_unknown: Field colour has an answer that is none of its choices: the 3rd.",
				"choice_unknown: Field colour has an answer that is none of its choices: the 4th."}},
		"missing": {[]schema.Field{{Name: "film", Type: schema.AttachmentV2, Required: true}, {Name: "rate", Type: schema.Int, Required: true}}, `{}`,
			`{"note":"n","recording":"id"}`, []string{"field_missing: Attachment field film is required and is missing.",
				"field_missing: Field rate is required and is missing."}},
		"null and required": {nil, `{"note":null,"recording":null}`, `{}`, []string{"field_missing: Attachment field recording is required and is missing.",
			"field_missing: Field note is required and is missing."}},
	} {
		data := raw(t, `{"recording":"id","note":"n"}`)
		for key, value := range raw(t, c.data) {
			data[key] = value
		}
		before := text(t, data)
		got, problems := schema.Schema{Fields: append([]schema.Field{blob, note}, c.fields...)}.Validate(data)
		var says []string
		for _, p := range problems {
			says = append(says, p.Code+": "+p.Message)
		}
		if diff := cmp.Diff(c.want, text(t, got)) + cmp.Diff(c.says, says); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if text(t, data) != before {
			t.Errorf("%s: changed the data it was given", name)
		}
	}
}

func TestStrictness(t *testing.T) {
	problems := []schema.Problem{{Message: "one."}, {Message: "two."}}
	for s, want := range map[schema.Strictness]struct {
		errors string
		refuse bool
	}{
		schema.Warn: {"", false}, schema.Report: {"one.; two.", false}, schema.Strict: {"", true}, "": {"one.; two.", false},
	} {
		if errors, refuse := s.Judge(problems); errors != want.errors || refuse != want.refuse {
			t.Errorf("%q: got %q, %v", s, errors, refuse)
		}
		if errors, refuse := s.Judge(nil); errors != "" || refuse {
			t.Errorf("%q without problems: got %q, %v", s, errors, refuse)
		}
	}
	for text, want := range map[string]schema.Strictness{"WARNING": schema.Warn, "report": schema.Report, "Strict": schema.Strict} {
		if got, ok := schema.ParseStrictness(text); !ok || got != want {
			t.Errorf("%s: got %q, %v", text, got, ok)
		}
	}
	if _, ok := schema.ParseStrictness("lenient"); ok {
		t.Error("lenient is taken for a strictness")
	}
}
