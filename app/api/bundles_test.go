package api_test

import (
	"fmt"
	"strings"
	"testing"

	"footbridge/core/schema"
	"footbridge/testdata"
)

// What bundles say badly is told, and what they hold is found as it is named.
func TestWhatBundlesSay(t *testing.T) {
	const dated = `"createdOn":"2026-11-19T21:30:00.125-05:00"`
	many := []string{"info.json", `{"format":"v2_generic",` + dated + `}`}
	for i := range 100 {
		many = append(many, fmt.Sprint(i), "")
	}
	type says []string
	tests := map[string]struct {
		files    []string
		status   string
		messages says
		data     string // "": not looked at
		time     string // createdOnTimeZone
	}{
		"no info.json":      {[]string{"gait.json", "{}"}, "validation_failed", says{"The upload does not contain info.json file"}, "", ""},
		"info.json no JSON": {[]string{"info.json", "item: walk"}, "validation_failed", says{"The upload does not contain info.json file that is"}, "", ""},
		"unknown format":    {[]string{"info.json", `{"format":"v9"}`}, "validation_failed", says{"info.json says a format"}, "", ""},

		"generic, undated":    {[]string{"info.json", `{"format":"v2_generic"}`}, "succeeded", says{"The bundle does not say when"}, "{}", ""},
		"generic, badly":      {[]string{"info.json", `{"format":"v2_generic","createdOn":"Tuesday morning"}`}, "succeeded", says{"info.json: createdOn", "The bundle does not say when"}, "{}", ""},
		"generic, dated":      {[]string{"info.json", `{"format":"v2_generic",` + dated + `}`}, "succeeded", nil, "{}", "-0500"},
		"legacy, undated":     {[]string{"info.json", `{"files":[{"filename":"a"}]}`, "a", ""}, "succeeded", says{"info.json lists file a without a timestamp", "info.json has no timestamps"}, "{}", ""},
		"legacy, by itself":   {[]string{"info.json", `{` + dated + `,"files":[{"filename":"a","timestamp":"2026-11-19T09:00:00+09:00"}]}`, "a", ""}, "succeeded", nil, "{}", "-0500"},
		"legacy, by files":    {[]string{"info.json", `{"files":[{"filename":"a","timestamp":"2026-11-19 09:00:00 +0900"},{"filename":"b","timestamp":"2026-11-19T00:00:01Z"}]}`, "a", "", "b", ""}, "succeeded", nil, "{}", "+0000"},
		"legacy, none listed": {[]string{"info.json", `{` + dated + `}`}, "succeeded", says{"info.json does not contain a list"}, "{}", "-0500"},

		"too many entries": {many, "validation_failed", says{"The bundle is refused: "}, "", ""},
		"twice":            {[]string{"info.json", "{}", "a", "1", "a", "2"}, "validation_failed", says{"The bundle is refused: "}, "", ""},
		"leads out":        {[]string{"info.json", "{}", "../../keys/a", "1"}, "validation_failed", says{"The bundle is refused: "}, "", ""},

		"the right way": {[]string{"info.json", genericInfo, "gait.json", `{"steps":3,"sway!x":[1]}`, "my notes-20261119213000.txt", "x"}, "succeeded", nil, `{"gait.json.sway_x":"<[1]>","steps":3}`, "-0500"},
		"timestamps": {[]string{"info.json", legacyInfo, "gait-20261119213000.json", `{"sway!x":[1]}`}, "succeeded",
			says{"info.json lists file gait.json, which is not", "Field steps is required"}, `{"gait.json.sway_x":"<[1]>"}`, "-0500"},
		"odd names": {[]string{"info.json", genericInfo, "gait.json", `{"steps":3}`, "any#thing", "1"}, "succeeded", nil, `{"any_thing":1,"steps":3}`, "-0500"},
		"too much to stand in a record": {[]string{"info.json", genericInfo, "gait.json", `{"steps":3}`, "any_thing", "[" + strings.Repeat(" ", 10<<10) + "]"},
			"succeeded", says{"File any_thing has more than 10240 bytes"}, `{"steps":3}`, "-0500"},
		"nothing in it": {[]string{"info.json", genericInfo, "gait.json", `{"steps":3,"sway_x":null}`, "film", ""}, "succeeded", nil, `{"steps":3}`, "-0500"},
		"no number":     {[]string{"info.json", genericInfo, "gait.json", `{"steps":"ninety-nine"}`}, "succeeded", says{"Field steps "}, `{"steps":"ninety-nine"}`, "-0500"},
		"no number at all": {[]string{"info.json", genericInfo, "gait.json", `{"steps":null,"felt":["bad1","well","bad2"]}`}, "succeeded",
			says{"Field steps is required", "Field felt has an answer that is none of its choices: the 1st", "Field felt has an answer that is none of its choices: the 3rd"}, `{"felt":["bad1","well","bad2"]}`, "-0500"},
		"a data file that is none": {[]string{"info.json", genericInfo, "gait.json", `{"steps":`}, "validation_failed", says{"The data file gait.json is not JSON"}, "", ""},
		"a version that is long": {[]string{"info.json", strings.Replace(genericInfo, "Test Phone 9", strings.Repeat("long ", 20), 1), "gait.json", `{"steps":3}`},
			"succeeded", says{"info.json: phoneInfo has more than 48 characters"}, `{"steps":3}`, "-0500"},
	}
	both(t, func(t *testing.T, s *legacySite, sealed bool) {
		s.describe("walk", `{"name":"steps","type":"int"}`, `{"name":"gait.json.sway_x","type":"attachment_v2","required":false}`,
			`{"name":"any_thing","type":"inline_json_blob","required":false}`,
			`{"name":"film","type":"attachment_v2","required":false}`, `{"name":"felt","type":"multi_choice","multiChoiceAnswerList":["well"],"required":false}`)
		for name, test := range tests {
			t.Run(name, func(t *testing.T) {
				status := s.deliver(testdata.Bundle(t, test.files...), delivery{sealed: sealed})
				status.isProcessed(t, test.status, test.messages...)
				if test.data != "" {
					if got := s.data(status); got != test.data {
						t.Errorf("its data is %s, want %s", got, test.data)
					}
				}
				if zone, _ := status.field("record", "createdOnTimeZone").(string); zone != test.time {
					t.Errorf("its offset is %q, want %q", zone, test.time)
				}
			})
		}
	})
}

// What does not fit its schema is told in any case; how strict the site is says
// what else follows.
func TestStrictness(t *testing.T) {
	both(t, func(t *testing.T, s *legacySite, sealed bool) {
		s.describe("walk", `{"name":"steps","type":"int"}`, `{"name":"path","type":"attachment_v2"}`, `{"name":"pain","type":"int","required":false}`)
		wrong := testdata.Bundle(t, "info.json", genericInfo, "gait.json", `{"steps":"many","pain":false}`)
		problems := []string{"Field steps ", "Attachment field path is required", "Field pain "}
		for _, strictness := range []schema.Strictness{schema.Warn, schema.Report, schema.Strict} {
			s.strictness = strictness
			status := s.deliver(append(wrong, strictness...), delivery{sealed: sealed}) // else it is a duplicate
			status.isProcessed(t, "validation_failed", "The bundle is refused")
			status = s.deliver(testdata.Bundle(t, "info.json", genericInfo, "gait.json", `{"steps":"many","pain":false}`, "of", string(strictness)), delivery{sealed: sealed})
			said, _ := status.field("record", "validationErrors").(string)
			switch strictness {
			case schema.Strict:
				status.isProcessed(t, "validation_failed", append(problems, "The data does not fit schema walk revision 1: ")...)
			default:
				status.isProcessed(t, "succeeded", problems...)
			}
			if (said != "") != (strictness == schema.Report) || said != "" && strings.Count(said, "; ") != 2 {
				t.Errorf("%s: the record says %q", strictness, said)
			}
		}
	})
}
