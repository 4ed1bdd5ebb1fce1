package bundle_test

import (
	"fmt"
	"strings"
	"testing"

	"footbridge/core/bundle"

	"github.com/google/go-cmp/cmp"
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

// Of many large files only so much is looked into; the rest is said. That they are not
// JSON is seen at their second byte, which spares the time of parsing them.
func TestLookingIsBounded(t *testing.T) {
	var fields, says []string
	all := files{"info.json", plainInfo, "data.json", "{}"}
	large := "{" + strings.Repeat("x", 19<<20)
	for i, text := range []string{large, large, large, large, large, large[:6<<20], recording(99 << 10)} {
		fields = append(fields, fmt.Sprintf(`{"name":"f%d.z","type":"int","required":false}`, i))
		all = append(all, fmt.Sprintf("f%d", i), text)
	}
	out, err := bundle.Read(opener(store(t, all...)), strict, described(t, fields...))
	if err != nil || out.Rejection != nil {
		t.Fatal(out.Rejection, err)
	}
	for _, m := range out.Messages {
		says = append(says, strings.TrimPrefix(m.Message, "File "))
	}
	want := []string{
		"f0 is not JSON, so field f0.z is not taken from it.", "f1 is not JSON, so field f1.z is not taken from it.",
		"f2 is not JSON, so field f2.z is not taken from it.", "f3 is not JSON, so field f3.z is not taken from it.",
		"f4 is not JSON, so field f4.z is not taken from it.",
		"f5 makes more than 104857600 bytes of JSON together with the files before it, so field f5.z is not taken from it.",
	}
	if diff := cmp.Diff(want, says); diff != "" || text(t, out.Data) != `{"f6.z":5}` {
		t.Errorf("%s: %s", text(t, out.Data), diff)
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
