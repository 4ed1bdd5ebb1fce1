package bundle_test

import (
	"fmt"
	"strings"
	"testing"

	"footbridge/core/bundle"
	"footbridge/core/schema"
	"footbridge/testdata"
)

// answered reads a v1_legacy survey bundle of some answers.
func answered(t *testing.T, all ...string) (answers string, out bundle.Outcome) {
	t.Helper()
	s := surveyShelf(t)
	s.schemas[0].Fields = s.schemas[0].Fields[:1]
	const info = `{"createdOn":"2024-03-01T08:15Z","files":[{"filename":"info.json","timestamp":"2024-03-01T08:15Z"}],` + surveyKeys + `}`
	all = append([]string{"info.json", info, "metadata.json", `{"item":"never","questionTypeName":"Text","textAnswer":"an answer"}`}, all...)
	out = read(t, s, bundle.Upload{ID: "up-1", Strictness: schema.Report}, all...)
	return kept(t, testdata.Bundle(t, all...), out)["up-1-answers"], out
}

func TestEveryTypeOfQuestion(t *testing.T) {
	for kind, key := range map[string]string{
		"Boolean": "booleanAnswer", "Date": "dateAnswer", "DateAndTime": "dateAnswer", "Decimal": "numericAnswer", "Integer": "numericAnswer",
		"MultipleChoice": "choiceAnswers", "None": "scaleAnswer", "Scale": "scaleAnswer", "SingleChoice": "choiceAnswers", "Text": "textAnswer",
		"TimeInterval": "intervalAnswer", "TimeOfDay": "dateComponentsAnswer",
	} {
		all := `"booleanAnswer":true,"dateAnswer":true,"numericAnswer":true,"choiceAnswers":true,"scaleAnswer":true,"textAnswer":true,"intervalAnswer":true,"dateComponentsAnswer":true`
		file := strings.Replace(all, `"`+key+`":true`, `"`+key+`":{"as": 1.50}`, 1)
		got, out := answered(t, "q.json", `{"item":"q","questionTypeName":"`+kind+`",`+file+`}`)
		if got != `{"q":{"as": 1.50}}` || codes(out) != "" {
			t.Errorf("%s: got %s, %s", kind, got, codes(out))
		}
	}
}

func TestAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		files files
		want  string
		says  string
	}{
		"none":                    {nil, `{}`, ""},
		"interval, as documented": {files{"q", `{"item":"q","questionTypeName":"TimeInterval","IntervalAnswer":90}`}, `{"q":90}`, ""},
		"interval, null and not":  {files{"q", `{"item":"q","questionTypeName":"TimeInterval","intervalAnswer":null,"IntervalAnswer":90}`}, `{"q":90}`, ""},
		"unit":                    {files{"q", `{"item":"q","questionTypeName":"Decimal","numericAnswer":36.60,"unit":"°C"}`}, `{"q":36.60,"q_unit":"°C"}`, ""},
		"unit without answer":     {files{"q", `{"item":"q","questionTypeName":"Decimal","numericAnswer":null,"unit":"°C"}`}, `{"q_unit":"°C"}`, ""},
		"old name of the type":    {files{"q", `{"item":"q","questionType":"Text","textAnswer":"a"}`}, `{"q":"a"}`, ""},
		"not answered":            {files{"q", `{"item":"q","questionTypeName":"Text","textAnswer":null}`}, `{}`, ""},
		"two questions":           {files{"b", `{"item":"b","questionTypeName":"Text","textAnswer":"2"}`, "a", `{"item":"a","questionTypeName":"Text","textAnswer":"1"}`}, `{"a":"1","b":"2"}`, ""},
		"3 KiB":                   {files{"q", pad(`{"item":"q","questionTypeName":"Text","textAnswer":"a"}`, 3<<10)}, `{"q":"a"}`, ""},
		"over 3 KiB":              {files{"q", pad(`{"item":"q","questionTypeName":"Text","textAnswer":"a"}`, 3<<10+1)}, `{}`, "answer_too_large"},
		"not JSON":                {files{"q", `{"item":"q"`}, `{}`, "answer_unreadable"},
		"null":                    {files{"q", `null`}, `{}`, "answer_unreadable"},
		"empty":                   {files{"q", ``}, `{}`, "answer_unreadable"},
		"no question":             {files{"q", `{"questionTypeName":"Text","textAnswer":"a"}`}, `{}`, "answer_unnamed"},
		"blank question":          {files{"q", `{"item":" ","questionTypeName":"Text","textAnswer":"a"}`}, `{}`, "answer_unnamed"},
		"no type":                 {files{"q", `{"item":"q","textAnswer":"a"}`}, `{}`, "answer_untyped"},
		"unknown type":            {files{"q", `{"item":"q","questionTypeName":"Smell","textAnswer":"a"}`}, `{}`, "answer_type_unknown"},
		"one is bad":              {files{"a", `{`, "b", `{"item":"b","questionTypeName":"Text","textAnswer":"2"}`}, `{"b":"2"}`, "answer_unreadable"},
	} {
		got, out := answered(t, c.files...)
		if got != c.want || codes(out) != c.says || out.Rejection != nil {
			t.Errorf("%s: got %s, %s, %v", name, got, codes(out), out.Rejection)
		}
		for _, m := range out.Messages {
			if !strings.Contains(m.Message, "File ") {
				t.Errorf("%s: does not name the file: %s", name, m.Message)
			}
		}
	}
}

func pad(text string, size int) string { return fmt.Sprintf("%-*s", size, text) }

// The old survey format, found by item and revision.
func TestAnswersOfASurveyThatIsNotHere(t *testing.T) {
	s := surveyShelf(t)
	s.surveys = nil
	info := `{"createdOn":"2024-03-01T08:15Z","files":[{"filename":"smoker.json","timestamp":"2024-03-01T08:15Z"}],"item":"habits","schemaRevision":3}`
	out := read(t, s, bundle.Upload{ID: "up-1"}, append(files{"info.json", info}, legacySurvey[2:]...)...)
	if got := text(t, out.Data); got != `{"answers":"up-1-answers","drinks":["Tea","Milk"],"smoker":"No","sports":["tennis","7"]}` {
		t.Errorf("got %s, %+v", got, out.Messages)
	}
}

// C20: what a site makes of data that breaks its schema.
func TestStrictness(t *testing.T) {
	s := described(t, `{"name":"data.json.rate","type":"int"}`, `{"name":"data.json.side","type":"multi_choice","multiChoiceAnswerList":["left"]}`,
		`{"name":"film.mov","type":"attachment_v2"}`)
	for strictness, want := range map[schema.Strictness]string{schema.Warn: "", schema.Report: "told", schema.Strict: "refused data_invalid", "": "told"} {
		out := read(t, s, bundle.Upload{ID: "up-1", Strictness: strictness}, "info.json", `{"format":"v2_generic","createdOn":"2024-02-29T18:30Z","item":"walk"}`,
			"data.json", `{"rate":"ninety-nine","side":["up","left","down"]}`)
		if codes(out) != "field_invalid choice_unknown choice_unknown field_missing" {
			t.Errorf("%s: got %s", strictness, codes(out))
		}
		got := ""
		told := out.ValidationErrors
		switch {
		case out.Rejection != nil:
			got, told = "refused "+out.Rejection.Code, out.Rejection.Message
			if out.Data != nil || out.Attachments != nil {
				t.Errorf("%s: refused, yet %+v", strictness, out)
			}
		case told != "":
			got = "told"
		}
		if got != want {
			t.Errorf("%s: got %q", strictness, got)
		}
		for _, word := range []string{"data.json.rate", "the 1st", "the 3rd", "film.mov"} {
			if told != "" && !strings.Contains(told, word) {
				t.Errorf("%s: %q is missing in %s", strictness, word, told)
			}
		}
		if strings.Contains(fmt.Sprint(out), "ninety-nine") && strictness == schema.Strict {
			t.Errorf("tells the value")
		}
	}
}
