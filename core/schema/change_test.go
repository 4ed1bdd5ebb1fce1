package schema_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"footbridge/core/schema"
)

func TestTypeChanges(t *testing.T) {
	allowed := strings.Fields(`
		attachment_blob→attachment_v2 attachment_csv→attachment_v2 attachment_json_blob→attachment_v2 attachment_json_table→attachment_v2
		int→float int→inline_json_blob float→inline_json_blob int→timestamp
		calendar_date→single_choice duration_v2→single_choice float→single_choice inline_json_blob→single_choice int→single_choice
		string→single_choice time_v2→single_choice
		calendar_date→string duration_v2→string float→string inline_json_blob→string int→string single_choice→string time_v2→string`)
	for _, before := range everyType {
		for _, after := range everyType {
			err := change(t, fmt.Sprintf(`{"name":"a","type":"%s"}`, before), fmt.Sprintf(`{"name":"a","type":"%s"}`, after))
			want := before == after || slices.Contains(allowed, fmt.Sprintf("%s→%s", before, after))
			if (err == nil) != want {
				t.Errorf("%s to %s: got %v", before, after, err)
			}
		}
	}
}

// change is what becomes of a schema of one field.
func change(t *testing.T, before, after string) error {
	return schemaOf(t, before).Change(schemaOf(t, after))
}

func TestFieldChanges(t *testing.T) {
	for name, c := range map[string]struct{ before, after, want string }{
		"hints":                      {`{"name":"a","type":"attachment_v2","mimeType":"text/csv"}`, `{"name":"a","type":"attachment_v2","mimeType":"text/plain"}`, ""},
		"required":                   {`{"name":"a","type":"int","required":false}`, `{"name":"a","type":"int"}`, ""},
		"renamed":                    {`{"name":"a","type":"int"}`, `{"name":"b","type":"int"}`, "field a is missing"},
		"another":                    {`{"name":"a","type":"int"}`, `{"name":"a","type":"int"},{"name":"b","type":"int"}`, ""},
		"longer":                     {`{"name":"a","type":"string","maxLength":10}`, `{"name":"a","type":"string","maxLength":11}`, ""},
		"shorter":                    {`{"name":"a","type":"string","maxLength":10}`, `{"name":"a","type":"string","maxLength":9}`, "cannot shrink from 10 to 9"},
		"to the default":             {`{"name":"a","type":"string","maxLength":10}`, `{"name":"a","type":"string"}`, ""},
		"shrunk to the default":      {`{"name":"a","type":"string","maxLength":200}`, `{"name":"a","type":"string"}`, "cannot shrink from 200 to 100"},
		"shorter than the default":   {`{"name":"a","type":"string"}`, `{"name":"a","type":"string","maxLength":99}`, "cannot shrink from 100 to 99"},
		"unbounded":                  {`{"name":"a","type":"string","maxLength":200}`, `{"name":"a","type":"string","unboundedText":true}`, ""},
		"bounded again":              {`{"name":"a","type":"string","unboundedText":true}`, `{"name":"a","type":"string"}`, "cannot stop to take text of any length"},
		"date in 10":                 {`{"name":"a","type":"calendar_date"}`, `{"name":"a","type":"string","maxLength":10}`, ""},
		"date in 9":                  {`{"name":"a","type":"calendar_date"}`, `{"name":"a","type":"string","maxLength":9}`, "cannot shrink"},
		"duration in 23":             {`{"name":"a","type":"duration_v2"}`, `{"name":"a","type":"string","maxLength":23}`, "cannot shrink"},
		"float in 21":                {`{"name":"a","type":"float"}`, `{"name":"a","type":"single_choice","maxLength":21}`, "cannot shrink"},
		"int in 19":                  {`{"name":"a","type":"int"}`, `{"name":"a","type":"string","maxLength":19}`, "cannot shrink"},
		"int in 20":                  {`{"name":"a","type":"int"}`, `{"name":"a","type":"string","maxLength":20}`, ""},
		"time in 11":                 {`{"name":"a","type":"time_v2"}`, `{"name":"a","type":"string","maxLength":11}`, "cannot shrink"},
		"more choices":               {choices("b"), choices("c", "b"), ""},
		"fewer choices":              {choices("b", "c"), choices("b"), "cannot lose its choice c"},
		"others allowed":             {choices("b"), strings.Replace(choices("b"), "}", `,"allowOtherChoices":true}`, 1), ""},
		"others allowed no longer":   {strings.Replace(choices("b"), "}", `,"allowOtherChoices":true}`, 1), choices("b"), "cannot stop to allow other choices"},
		"two reasons, and two again": {`{"name":"a","type":"int"},{"name":"b","type":"int"}`, `{"name":"b","type":"boolean"}`, "field a is missing; field b cannot change its type from int to boolean"},
	} {
		err := change(t, c.before, c.after)
		var why *schema.Incompatible
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: got %v", name, err)
		case c.want != "" && (!errors.As(err, &why) || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
	}
}

func choices(all ...string) string {
	return `{"name":"a","type":"multi_choice","multiChoiceAnswerList":["` + strings.Join(all, `","`) + `"]}`
}

func TestSchemasThatDoNotChange(t *testing.T) {
	s := schemaOf(t)
	other := s
	other.Kind = schema.Answers
	if err := s.Change(other); err == nil {
		t.Error("the kind changed")
	}
	shared := s
	shared.ModuleID = "module"
	if err := shared.Change(shared); err == nil {
		t.Error("a schema of a shared module changed")
	}
	if err := s.Change(s); err != nil {
		t.Error(err)
	}
}
