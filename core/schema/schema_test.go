package schema_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/core/schema"

	"github.com/google/go-cmp/cmp"
)

func parse(t testing.TB, text string) schema.Schema {
	t.Helper()
	s, err := schema.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// says gives the complaints of an error, by field.
func says(t testing.TB, err error) map[string][]string {
	t.Helper()
	if err == nil {
		return nil
	}
	var invalid *core.Invalid
	if !errors.As(err, &invalid) {
		t.Fatal(err)
	}
	return invalid.Fields
}

func TestParseIsLenient(t *testing.T) {
	got := parse(t, `{"name":"Walk","schemaId":"walk","revision":"3","schemaType":"IOS_Data","surveyGuid":null,"note":"unknown",
		"minAppVersions":{"iPhone OS":7,"Android":null},"deleted":null,"surveyCreatedOn":1709231415250,"fieldDefinitions":[
		{"name":"steps","type":"INT","required":null,"colour":"unknown"},
		{"name":"side","type":"Multi_Choice","multiChoiceAnswerList":["left",2],"allowOtherChoices":false,"required":false},
		{"name":"note","type":"string","maxLength":20,"unboundedText":null}]}`)
	want := schema.Schema{Name: "Walk", ID: "walk", Revision: 3, Kind: schema.Data, MinAppVersions: map[string]int{"iPhone OS": 7},
		SurveyCreatedOn: time.UnixMilli(1709231415250).UTC(), Fields: []schema.Field{
			{Name: "steps", Type: schema.Int, Required: true},
			{Name: "side", Type: schema.MultiChoice, Choices: []string{"left", "2"}, AllowOtherChoices: new(false)},
			{Name: "note", Type: schema.String, Required: true, MaxLength: new(20)},
		}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestParseComplainsByPath(t *testing.T) {
	for text, want := range map[string]string{
		`[]`:                      "UploadSchema",
		`{"name":`:                "UploadSchema",
		`{"name":["x"]}`:          "name",
		`{"revision":1.5}`:        "revision",
		`{"revision":4294967296}`: "revision",
		`{"schemaType":"paper"}`:  "schemaType",
		`{"fieldDefinitions":{}}`: "fieldDefinitions",
		`{"fieldDefinitions":[{"name":"a"},null]}`:              "fieldDefinitions[1]",
		`{"fieldDefinitions":[{"type":"time"}]}`:                "fieldDefinitions[0].type",
		`{"fieldDefinitions":[{"required":"maybe"}]}`:           "fieldDefinitions[0].required",
		`{"fieldDefinitions":[{"maxLength":"long"}]}`:           "fieldDefinitions[0].maxLength",
		`{"fieldDefinitions":[{"multiChoiceAnswerList":[[]]}]}`: "fieldDefinitions[0].multiChoiceAnswerList[0]",
		`{"minAppVersions":7}`:                                  "minAppVersions",
		`{"maxAppVersions":{"Android":"new"}}`:                  "maxAppVersions.Android",
		`{"surveyCreatedOn":"yesterday"}`:                       "surveyCreatedOn",
		`{"deleted":"perhaps"}`:                                 "deleted",
		`{"name":"` + strings.Repeat("x", 1<<20) + `"}`:         "UploadSchema",
	} {
		_, err := schema.Parse([]byte(text))
		if fields := says(t, err); len(fields[want]) != 1 || len(fields) != 1 {
			t.Errorf("%.60s: got %v, want a complaint about %s", text, fields, want)
		}
	}
}

func TestJSONIsThatOfTheAPI(t *testing.T) {
	s := parse(t, `{"name":"Walk","schemaId":"walk","revision":2,"schemaType":"ios_data","surveyGuid":"g","surveyCreatedOn":"2024-02-29T18:30:15.25Z",
		"fieldDefinitions":[{"name":"steps","type":"int"},{"name":"pic","type":"attachment_v2","fileExtension":".png","mimeType":"image/png",
		"required":false}],"moduleId":"m","moduleVersion":4,"version":5,"published":true,"maxAppVersions":{"Android":9}}`)
	want := `{"name":"Walk","schemaId":"walk","revision":2,"schemaType":"ios_data","fieldDefinitions":[` +
		`{"multiChoiceAnswerList":[],"name":"steps","required":true,"type":"int"},` +
		`{"fileExtension":".png","mimeType":"image/png","multiChoiceAnswerList":[],"name":"pic","required":false,"type":"attachment_v2"}],` +
		`"surveyGuid":"g","minAppVersions":{},"maxAppVersions":{"Android":9},"moduleId":"m","moduleVersion":4,"deleted":false,"version":5,` +
		`"published":true,"surveyCreatedOn":"2024-02-29T18:30:15.250Z","type":"UploadSchema"}`
	if diff := cmp.Diff(want, text(t, s)); diff != "" {
		t.Error(diff)
	}
	var again schema.Schema
	if err := json.Unmarshal([]byte(want), &again); err != nil || text(t, again) != want {
		t.Errorf("read back: %s, %v", text(t, again), err)
	}
	if got := text(t, schema.Schema{}); !strings.Contains(got, `"fieldDefinitions":[],"minAppVersions":{},"maxAppVersions":{}`) {
		t.Errorf("an empty one: %s", got)
	}
}

// schemaOf is a schema of some fields, each as JSON.
func schemaOf(t testing.TB, fields ...string) schema.Schema {
	return parse(t, `{"name":"Walk","schemaId":"walk","revision":1,"schemaType":"ios_data","fieldDefinitions":[`+strings.Join(fields, ",")+`]}`)
}

func TestCheck(t *testing.T) {
	named := func(name string) string { return `{"name":"` + name + `","type":"int"}` }
	all := func(n int, field string) []string {
		fields := make([]string, n)
		for i := range fields {
			fields[i] = strings.ReplaceAll(field, "#", fmt.Sprint(i))
		}
		return fields
	}
	const path = "fieldDefinitions[0]"
	for name, c := range map[string]struct {
		fields []string
		want   string // the path of the one complaint; empty where there is none
	}{
		"no fields":                   {nil, ""},
		"special characters":          {[]string{named("left-foot_2.v1 b")}, ""},
		"of 127 characters":           {[]string{named(strings.Repeat("x", 127))}, ""},
		"of 128 characters":           {[]string{named(strings.Repeat("x", 128))}, path + ".name"},
		"no name":                     {[]string{`{"type":"int"}`}, path + ".name"},
		"blank name":                  {[]string{named("  ")}, path + ".name"},
		"no type":                     {[]string{`{"name":"a"}`}, path + ".type"},
		"other characters":            {[]string{named("left*foot")}, path + ".name"},
		"letters beyond ASCII":        {[]string{named("größe")}, path + ".name"},
		"underscore first":            {[]string{named("_a")}, path + ".name"},
		"period last":                 {[]string{named("a.")}, path + ".name"},
		"two specials in a row":       {[]string{named("a-_b")}, path + ".name"},
		"reserved":                    {[]string{named("Row_ID")}, path + ".name"},
		"reserved etag":               {[]string{named("row_etag")}, path + ".name"},
		"reserved version":            {[]string{named("ROW_VERSION")}, path + ".name"},
		"twice":                       {[]string{named("a"), named("a")}, "fieldDefinitions"},
		"twice in other case":         {[]string{named("a"), named("A")}, ""},
		"no choices":                  {[]string{`{"name":"a","type":"multi_choice"}`}, path + ".multiChoiceAnswerList"},
		"bad choice":                  {[]string{`{"name":"a","type":"multi_choice","multiChoiceAnswerList":["b","c?"]}`}, path + ".multiChoiceAnswerList[1]"},
		"reserved word as choice":     {[]string{`{"name":"a","type":"multi_choice","multiChoiceAnswerList":["row_id"]}`}, ""},
		"choice twice":                {[]string{`{"name":"a","type":"multi_choice","multiChoiceAnswerList":["b","b"]}`}, "fieldDefinitions"},
		"choice collides":             {[]string{`{"name":"a","type":"multi_choice","multiChoiceAnswerList":["b"]}`, named("a.b")}, "fieldDefinitions"},
		"other collides":              {[]string{`{"name":"a","type":"multi_choice","multiChoiceAnswerList":["b"],"allowOtherChoices":true}`, named("a.other")}, "fieldDefinitions"},
		"other does not collide":      {[]string{`{"name":"a","type":"multi_choice","multiChoiceAnswerList":["b"]}`, named("a.other")}, ""},
		"time zone collides":          {[]string{`{"name":"a","type":"timestamp"}`, named("a.timezone")}, "fieldDefinitions"},
		"unbounded":                   {[]string{`{"name":"a","type":"string","unboundedText":true}`}, ""},
		"unbounded and bounded":       {[]string{`{"name":"a","type":"string","unboundedText":true,"maxLength":9}`}, path + ".unboundedText"},
		"of no length":                {[]string{`{"name":"a","type":"string","maxLength":0}`}, path + ".maxLength"},
		"100 columns":                 {all(100, named("c#")), ""},
		"101 columns":                 {all(101, named("c#")), "fieldDefinitions"},
		"50 timestamps":               {all(50, `{"name":"c#","type":"timestamp"}`), ""},
		"51 timestamps":               {all(51, `{"name":"c#","type":"timestamp"}`), "fieldDefinitions"},
		"choices and others, 100":     {[]string{`{"name":"a","type":"multi_choice","allowOtherChoices":true,"multiChoiceAnswerList":["` + strings.Join(all(99, "c#"), `","`) + `"]}`}, ""},
		"choices and others, 101":     {[]string{`{"name":"a","type":"multi_choice","allowOtherChoices":true,"multiChoiceAnswerList":["` + strings.Join(all(100, "c#"), `","`) + `"]}`}, "fieldDefinitions"},
		"48,000 bytes of large text":  {all(16, `{"name":"c#","type":"large_text_attachment"}`), ""},
		"51,000 bytes of large text":  {all(17, `{"name":"c#","type":"large_text_attachment"}`), "fieldDefinitions"},
		"51,000 bytes of other texts": {all(17, `{"name":"c#","type":"single_choice","unboundedText":true}`), "fieldDefinitions"},
		"49,998 bytes of text":        {[]string{`{"name":"a","type":"inline_json_blob","maxLength":16666}`}, ""},
		"50,001 bytes of text":        {[]string{`{"name":"a","type":"inline_json_blob","maxLength":16667}`}, "fieldDefinitions"},
	} {
		got := says(t, schemaOf(t, c.fields...).Check())
		if c.want == "" && len(got) > 0 || c.want != "" && (len(got) != 1 || len(got[c.want]) != 1) {
			t.Errorf("%s: got %v, want %q", name, got, c.want)
		}
	}
}

func TestCheckOfTheRest(t *testing.T) {
	good := `{"name":"Walk","schemaId":"walk","revision":1,"schemaType":"ios_data"}`
	for change, want := range map[string]string{
		`{}`:                     "",
		`{"name":" "}`:           "name",
		`{"schemaId":""}`:        "schemaId",
		`{"schemaId":"default"}`: "schemaId",
		`{"schemaId":"a\nb"}`:    "schemaId",
		`{"schemaId":"` + strings.Repeat("x", 256) + `"}`: "schemaId",
		`{"revision":0}`:      "revision",
		`{"revision":-1}`:     "revision",
		`{"schemaType":null}`: "schemaType",
		`{"minAppVersions":{"Android":3},"maxAppVersions":{"Android":3}}`: "",
		`{"minAppVersions":{"Android":4},"maxAppVersions":{"Android":3}}`: "minAppVersions{Android}",
	} {
		whole := raw(t, good)
		for key, value := range raw(t, change) {
			whole[key] = value
		}
		got := says(t, parse(t, text(t, whole)).Check())
		if want == "" && len(got) > 0 || want != "" && (len(got) != 1 || len(got[want]) != 1) {
			t.Errorf("%.60s: got %v", change, got)
		}
	}
}
