package bundle_test

import (
	"fmt"
	"strings"
	"testing"
)

func nested(depth int) string { return strings.Repeat("[", depth) + strings.Repeat("]", depth) }

// What is very deep is refused before it is kept: whoever reads the record later
// could not.
func TestDepth(t *testing.T) {
	const info = `{"format":"v2_generic","createdOn":"2024-02-29T18:30Z","item":"walk","dataFilename":"data.json"%s}`
	s := described(t, `{"name":"deep","type":"inline_json_blob","required":false}`, `{"name":"kept","type":"attachment_v2","required":false}`)
	for name, c := range map[string]struct {
		files    files
		rejected string
		says     string
		data     string
	}{
		"info.json":            {files{"info.json", fmt.Sprintf(info, `,"p":`+nested(101))}, "info_too_deep", "", ""},
		"info.json, not so":    {files{"info.json", fmt.Sprintf(info, `,"p":`+nested(99)), "data.json", "{}"}, "", "", "{}"},
		"metadata.json":        {files{"info.json", fmt.Sprintf(info, ""), "data.json", "{}", "metadata.json", `{"a":` + nested(5_000) + `}`}, "", "metadata_too_large", "{}"},
		"many keys":            {files{"info.json", fmt.Sprintf(info, ""), "data.json", "{}", "metadata.json", keys(501)}, "", "metadata_too_large", "{}"},
		"as many as can be":    {files{"info.json", fmt.Sprintf(info, ""), "data.json", "{}", "metadata.json", keys(500)}, "", "", "{}"},
		"a value":              {files{"info.json", fmt.Sprintf(info, ""), "data.json", `{"deep":` + nested(101) + `}`}, "", "value_too_deep", "{}"},
		"a value, not so":      {files{"info.json", fmt.Sprintf(info, ""), "data.json", `{"deep":` + nested(2) + `}`}, "", "", `{"deep":[[]]}`},
		"a value that is kept": {files{"info.json", fmt.Sprintf(info, ""), "data.json", `{"kept":` + nested(5_000) + `}`}, "", "", `{"kept":"up-1-kept"}`},
	} {
		out := read(t, s, strict, c.files...)
		rejected := ""
		if out.Rejection != nil {
			rejected = out.Rejection.Code
		}
		if rejected != c.rejected || codes(out) != c.says || rejected == "" && text(t, out.Data) != c.data {
			t.Errorf("%s: %q, %s, %s", name, rejected, codes(out), text(t, out.Data))
		}
	}
}

func keys(n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf(`"k%d":1`, i)
	}
	return "{" + strings.Join(all, ",") + "}"
}

// Of many large files only so much is looked into; the rest is said.
func TestLookingIsBounded(t *testing.T) {
	var fields []string
	all := files{"info.json", plainInfo, "data.json", "{}"}
	for i := range 6 {
		fields = append(fields, fmt.Sprintf(`{"name":"f%d.z","type":"int","required":false}`, i))
		all = append(all, fmt.Sprintf("f%d", i), recording(19<<20))
	}
	out := read(t, described(t, fields...), strict, all...)
	if len(out.Data) != 5 || strings.Count(codes(out), "file_not_read") != 1 {
		t.Errorf("%s: %s", text(t, out.Data), codes(out))
	}
}

// The same file says the same in both formats.
func TestAKeyThatIsTheFieldsOwnCounts(t *testing.T) {
	const data = `{"x_y":1,"x!y":2}`
	for name, info := range map[string]string{
		"v1_legacy":  `{"createdOn":"2024-02-29T18:30Z","item":"walk","files":[{"filename":"f","timestamp":"2024-02-29T18:30Z"}]}`,
		"v2_generic": `{"format":"v2_generic","createdOn":"2024-02-29T18:30Z","item":"walk","dataFilename":"f"}`,
	} {
		field := map[string]string{"v1_legacy": "f.x_y", "v2_generic": "x_y"}[name]
		out := read(t, described(t, `{"name":"`+field+`","type":"int"}`), strict, "info.json", info, "f", data)
		if got := text(t, out.Data); got != `{"`+field+`":1}` {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// Two answers to one question: the later counts, and it is said.
func TestAQuestionThatIsAnsweredTwice(t *testing.T) {
	out := read(t, surveyShelf(t), strict, "info.json", legacySurvey[1],
		"smoker.json", `{"item":"smoker","questionTypeName":"SingleChoice","choiceAnswers":["No"]}`, "sports.json", legacySurvey[5], "drinks.json", legacySurvey[7],
		"smoker2.json", `{"item":"smoker","questionTypeName":"SingleChoice","choiceAnswers":["Yes"]}`)
	if codes(out) != "answer_twice" || string(out.Data["smoker"]) != `"Yes"` {
		t.Errorf("%s, %s", codes(out), text(t, out.Data))
	}
	out = read(t, shelf{}, strict, "info.json", `{"format":"v2_generic","createdOn":"2024-02-29T18:30Z","surveyGuid":"s-1"}`)
	if codes(out) != "survey_incomplete" {
		t.Errorf("half a survey: %s", codes(out))
	}
}
