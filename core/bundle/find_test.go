package bundle_test

import (
	"slices"
	"strings"
	"testing"

	"footbridge/core/bundle"
	"footbridge/core/schema"
)

// found is what becomes of one field, in a bundle of some files.
func found(t *testing.T, format, field string, all ...string) (data string, out bundle.Outcome) {
	t.Helper()
	const dated = `"createdOn":"2024-02-29T18:30Z","item":"walk","dataFilename":"data.json","files":[{"filename":"metadata.json","timestamp":"2024-02-29T18:30Z"}]`
	if !slices.Contains(all, "metadata.json") {
		all = append(all, "metadata.json", `{"metaKey":"m"}`)
	}
	if !slices.Contains(all, "data.json") {
		all = append(all, "data.json", `{"own":1}`)
	}
	out = read(t, described(t, field), bundle.Upload{ID: "up-1", Strictness: schema.Warn}, append([]string{"info.json", `{"format":"` + format + `",` + dated + `}`}, all...)...)
	if out.Rejection != nil {
		return "refused " + out.Rejection.Code, out
	}
	return text(t, out.Data), out
}

// C23, and the naming rules.
func TestFindingFields(t *testing.T) {
	optional := func(name, kind string) string {
		return `{"name":"` + name + `","type":"` + kind + `","required":false,"multiChoiceAnswerList":["a"]}`
	}
	inline := `{"a":"` + strings.Repeat("x", 10<<10-8) + `"}`
	many := `{"a":` + strings.Repeat(" ", 16<<10) + `1}`
	for name, c := range map[string]struct {
		field string
		files files
		want  string
		says  string
	}{
		"file as attachment":           {optional("a.csv", "attachment_csv"), files{"a.csv", "1,2"}, `{"a.csv":"up-1-a.csv"}`, ""},
		"file that is empty":           {optional("a.csv", "attachment_csv"), files{"a.csv", ""}, `{}`, ""},
		"file of JSON, unparsed":       {optional("a.json", "attachment_json_blob"), files{"a.json", `{"broken`}, `{"a.json":"up-1-a.json"}`, ""},
		"file that is missing":         {optional("a.csv", "attachment_csv"), files{"b.csv", "1,2"}, `{}`, ""},
		"file inline":                  {optional("a.json", "inline_json_blob"), files{"a.json", ` {"b": [1]} `}, `{"a.json":{"b":[1]}}`, ""},
		"file inline, 10 KiB":          {optional("a.json", "inline_json_blob"), files{"a.json", inline}, `{"a.json":` + inline + `}`, ""},
		"file inline, more":            {optional("a.json", "inline_json_blob"), files{"a.json", inline + " "}, `{}`, "file_too_large"},
		"file inline, much more":       {optional("a.json", "inline_json_blob"), files{"a.json", many}, `{}`, "file_too_large"},
		"file inline, empty":           {optional("a.json", "inline_json_blob"), files{"a.json", ""}, `{}`, ""},
		"file inline, null":            {optional("a.json", "inline_json_blob"), files{"a.json", "null"}, `{}`, ""},
		"file inline, not JSON":        {optional("a.json", "inline_json_blob"), files{"a.json", "{"}, `{"a.json":"up-1-a.json"}`, "file_not_json"},
		"sound, not JSON":              {optional("a.m4a", "string"), files{"a.m4a", strings.Repeat("\x00\x01", 20<<10)}, `{"a.m4a":"up-1-a.m4a"}`, "file_not_json"},
		"file as a number":             {optional("a", "int"), files{"a", "72.5"}, `{"a":72}`, ""},
		"key":                          {optional("a.json.b", "string"), files{"a.json", `{"b":"v"}`}, `{"a.json.b":"v"}`, ""},
		"key, unpacked from far":       {optional("a.json.a", "int"), files{"a.json", many}, `{"a.json.a":1}`, ""},
		"key with dots":                {optional("a.json.b.c", "int"), files{"a.json", `{"b.c":1,"b":{"c":2}}`}, `{"a.json.b.c":1}`, ""},
		"nested key":                   {optional("a.json.b.c", "int"), files{"a.json", `{"b":{"c":2}}`}, `{}`, ""},
		"nested object":                {optional("a.json.b", "inline_json_blob"), files{"a.json", `{"b":{"c":2}}`}, `{"a.json.b":{"c":2}}`, ""},
		"key as attachment":            {optional("a.json.b", "attachment_v2"), files{"a.json", `{"b":[1, 2]}`}, `{"a.json.b":"up-1-a.json.b"}`, ""},
		"key that is null":             {optional("a.json.b", "attachment_v2"), files{"a.json", `{"b":null}`}, `{}`, ""},
		"key that is missing":          {optional("a.json.b", "int"), files{"a.json", `{"c":1}`}, `{}`, ""},
		"key twice":                    {optional("a.json.b", "int"), files{"a.json", `{"b":1,"b":2}`}, `{"a.json.b":2}`, ""},
		"key, sanitized":               {optional("a.json.b_c", "int"), files{"a.json", `{"b?c":1}`}, `{"a.json.b_c":1}`, ""},
		"key, escaped":                 {optional("a.json.b", "int"), files{"a.json", `{"\u0062":1,"\"":{"}":"]"}}`}, `{"a.json.b":1}`, ""},
		"no extension":                 {optional("foo_data.b", "int"), files{"foo_data", `{"b":1}`}, `{"foo_data.b":1}`, ""},
		"extension is not special":     {optional("foo_data.json.b", "int"), files{"foo_data", `{"b":1}`}, `{}`, ""},
		"file name, sanitized":         {optional("a_b.json.c", "int"), files{"a b/../a?b.json", `{}`, "a b!.json", `{}`}, `refused zip_unsafe_name`, ""},
		"file name, sanitized too":     {optional("a_b.json.c", "int"), files{"a?b.json", `{"c":1}`}, `{"a_b.json.c":1}`, ""},
		"file name, underscore":        {optional("a_b", "attachment_v2"), files{"a!b", `x`}, `{"a_b":"up-1-a_b"}`, ""},
		"two names in one":             {optional("a_b.c", "int"), files{"a!b", `{"c":1}`, "a?b", `{"c":2}`}, `{"a_b.c":2}`, "name_clash"},
		"longest name first":           {optional("a.json.b", "int"), files{"a", `{"json.b":1}`, "a.json", `{"b":2}`}, `{"a.json.b":2}`, ""},
		"shorter where it is there":    {optional("a.json.b", "int"), files{"a", `{"json.b":1}`, "a.json", `{"c":2}`}, `{"a.json.b":1}`, ""},
		"name without a separator":     {optional("ab", "int"), files{"a", `{"b":1,"":2}`}, `{}`, ""},
		"not JSON":                     {optional("a.b", "int"), files{"a", `{"b":1`}, `{}`, "file_not_read"},
		"not JSON, far":                {optional("a.b", "int"), files{"a", `{"b":1` + strings.Repeat(" ", 20<<10)}, `{}`, "file_not_read"},
		"not JSON at a glance":         {optional("a.b", "int"), files{"a", strings.Repeat("b=1\n", 20<<10)}, `{}`, "file_not_read"},
		"not JSON, but the other":      {optional("a.json.b", "int"), files{"a.json", `{`, "a", `{"json.b":1}`}, `{"a.json.b":1}`, ""},
		"no object":                    {optional("a.b", "int"), files{"a", `[{"b":1}]`}, `{}`, ""},
		"deeply nested":                {optional("a.b", "int"), files{"a", `{"b":` + strings.Repeat("[", 50_000)}, `{}`, "file_not_read"},
		"info.json is not looked into": {optional("info.json.item", "string"), nil, `{}`, ""},
		"info.json is no file":         {optional("info.json", "attachment_v2"), nil, `{}`, ""},
		"metadata.json is":             {optional("metadata.json.metaKey", "string"), nil, `{"metadata.json.metaKey":"m"}`, ""},
		"metadata.json as a file":      {optional("metadata.json", "attachment_v2"), nil, `{"metadata.json":"up-1-metadata.json"}`, ""},
		"prefix of the data file":      {optional("data.json.own", "int"), nil, `{"data.json.own":1}`, ""},
		"whole data file":              {optional("data.json", "inline_json_blob"), nil, `{"data.json":{"own":1}}`, ""},
		"file in a folder":             {optional("x_a.json.b", "int"), files{"x/", "", "x/a.json", `{"b":1}`}, `{"x_a.json.b":1}`, ""},
	} {
		for _, format := range []string{"v1_legacy", "v2_generic"} {
			if got, out := found(t, format, c.field, c.files...); got != c.want || codes(out) != c.says {
				t.Errorf("%s, %s: got %.99s, %s; want %.99s, %s", name, format, got, codes(out), c.want, c.says)
			}
		}
	}
}

func TestFindingFieldsOfOneFormat(t *testing.T) {
	own := `{"name":"own","type":"int","required":false}`
	answers := `{"name":"answers","type":"inline_json_blob","required":false}`
	large := `{"own":` + strings.Repeat(" ", 2<<20) + `7}`
	for name, c := range map[string]struct {
		format string
		field  string
		files  files
		want   string
		says   string
	}{
		"data file":                    {"v2_generic", own, nil, `{"own":1}`, ""},
		"data file, not in v1_legacy":  {"v1_legacy", own, nil, `{}`, ""},
		"data file of over 16 KiB":     {"v2_generic", own, files{"data.json", `{"own":` + strings.Repeat(" ", 20<<10) + `7}`}, `{"own":7}`, ""},
		"data file before other files": {"v2_generic", `{"name":"a.b","type":"int"}`, files{"a", `{"b":1}`, "data.json", `{"a.b":2}`}, `{"a.b":2}`, ""},
		"null in it is an answer":      {"v2_generic", `{"name":"a.b","type":"int","required":false}`, files{"a", `{"b":1}`, "data.json", `{"a.b":null}`}, `{}`, ""},
		"its keys may be odd":          {"v2_generic", `{"name":"a_b","type":"int"}`, files{"data.json", `{"a?b":2}`}, `{"a_b":2}`, ""},
		"the very key counts":          {"v2_generic", `{"name":"a_b","type":"int"}`, files{"data.json", `{"a_b":1,"a?b":2}`}, `{"a_b":1}`, ""},
		"data file as attachment":      {"v2_generic", `{"name":"own","type":"attachment_v2"}`, nil, `{"own":"up-1-own"}`, ""},
		"data file that is too large":  {"v2_generic", own, files{"data.json", large}, `{}`, "data_file_too_large"},
		"which can be looked into":     {"v2_generic", `{"name":"data.json.own","type":"int"}`, files{"data.json", large}, `{"data.json.own":7}`, "data_file_too_large"},
		"data file that is empty":      {"v2_generic", own, files{"data.json", ""}, `{}`, "data_file_empty"},
		"data file that is broken":     {"v2_generic", own, files{"data.json", "{"}, `refused data_file_not_json`, ""},
		"broken, and larger":           {"v2_generic", own, files{"data.json", "x" + large[:99<<10]}, `refused data_file_not_json`, ""},
		"data file that is a list":     {"v2_generic", own, files{"data.json", "[1]"}, `{}`, ""},
		"answers are the data file":    {"v2_generic", answers, nil, `{"answers":{"own":1}}`, ""},
		"answers, a list":              {"v2_generic", answers, files{"data.json", "[1]"}, `{"answers":[1]}`, ""},
		"answers, null":                {"v2_generic", answers, files{"data.json", "null"}, `{}`, ""},
		"answers by themselves":        {"v2_generic", answers, files{"data.json", `{"answers":2}`}, `{"answers":2}`, ""},
		"answers, null by themselves":  {"v2_generic", answers, files{"data.json", `{"answers":null}`}, `{"answers":{"answers":null}}`, ""},
		"answers as text":              {"v2_generic", `{"name":"answers","type":"string","unboundedText":true}`, nil, `{"answers":"{\"own\":1}"}`, ""},
		"answers, not in v1_legacy":    {"v1_legacy", answers, nil, `{}`, ""},
		"time in a name":               {"v1_legacy", `{"name":"walk.json.n","type":"int"}`, files{"walk-20240229183015.json", `{"n":1}`}, `{"walk.json.n":1}`, ""},
		"times in a name":              {"v1_legacy", `{"name":"walk","type":"attachment_v2"}`, files{"walk-20240229-18301500", `x`}, `{"walk":"up-1-walk"}`, ""},
		"no time in a name":            {"v1_legacy", `{"name":"walk-1234567","type":"attachment_v2"}`, files{"walk-1234567", `x`}, `{"walk-1234567":"up-1-walk-1234567"}`, ""},
		"time in a name, v2_generic":   {"v2_generic", `{"name":"walk-20240229","type":"attachment_v2"}`, files{"walk-20240229", `x`}, `{"walk-20240229":"up-1-walk-20240229"}`, ""},
		"time as a date":               {"v1_legacy", `{"name":"a.d","type":"calendar_date"}`, files{"a", `{"d":"2024-02-29T10:00Z"}`}, `{"a.d":"2024-02-29"}`, ""},
		"no date is left out":          {"v1_legacy", `{"name":"a.d","type":"calendar_date","required":false}`, files{"a", `{"d":"leap day"}`}, `{}`, "date_invalid"},
		"no date stays, v2_generic":    {"v2_generic", `{"name":"a.d","type":"calendar_date"}`, files{"a", `{"d":"leap day"}`}, `{"a.d":"leap day"}`, "field_invalid"},
		"number as text":               {"v1_legacy", `{"name":"a.d","type":"string"}`, files{"a", `{"d":80}`}, `{"a.d":"80"}`, ""},
	} {
		if got, out := found(t, c.format, c.field, c.files...); got != c.want || codes(out) != c.says {
			t.Errorf("%s: got %.99s, %s; want %.99s, %s", name, got, codes(out), c.want, c.says)
		}
	}
	out := read(t, described(t, own), strict, "info.json", `{"format":"v2_generic","createdOn":"2024-02-29T18:30Z","item":"walk","dataFilename":"info.json","own":3}`)
	if codes(out) != "data_file_missing" || text(t, out.Data) != "{}" {
		t.Errorf("info.json as the data file: got %s, %s", text(t, out.Data), codes(out))
	}
}
