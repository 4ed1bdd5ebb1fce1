package bundle_test

import (
	"encoding/json"
	"io"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"footbridge/core"
	"footbridge/core/bundle"
	"footbridge/core/schema"
	"footbridge/testdata"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// anything is a shelf that has every schema and every survey.
type anything struct{ schema schema.Schema }

func (a anything) Schema(id string, revision int) (schema.Schema, error) {
	s := a.schema
	s.ID, s.Revision = id, revision
	if revision%2 == 0 {
		s.Kind = schema.Answers
	}
	return s, nil
}

func (a anything) Survey(guid string, _ time.Time) (schema.Survey, error) {
	return schema.Survey{GUID: guid, Identifier: "survey", SchemaRevision: 2}, nil
}

// FuzzRead holds that any bytes get a verdict, the same each time, and that what
// comes of them is within the limits and can be kept.
func FuzzRead(f *testing.F) {
	f.Add([]byte{}, uint8(0))
	f.Add([]byte("PK"), uint8(1))
	f.Add(testdata.Bundle(f, legacySurvey...), uint8(2))
	f.Add(testdata.Bundle(f, genericSurvey...), uint8(2))
	f.Add(testdata.Bundle(f, "info.json", `{"item":"walk","files":[{"filename":"r-20240229.json","timestamp":"2024-02-29 18:30:15 -0500"},{}]}`,
		"r-20240229.json", readings, "blob.txt", "a blob", "metadata.json", `{"a":1}`), uint8(0))
	f.Add(testdata.Bundle(f, "info.json", `{"format":"v2_generic","item":"walk","dataFilename":"r.json","createdOn":"2024-02-29T18:30:15+0100","appVersion":"1"}`,
		"r.json", readings, "table.json", "[]", "any.png", "png", "answers", `{"a":[`+strings.Repeat(" ", 20<<10)+`]}`), uint8(1))
	f.Fuzz(func(t *testing.T, b []byte, strictness uint8) { judge(t, b, strictness) })
}

// FuzzContents is FuzzRead for what gets past a zip's checksums: bundles of any
// info.json and any two files.
func FuzzContents(f *testing.F) {
	f.Add(legacySurvey[1], legacySurvey[2], legacySurvey[3], legacySurvey[4], legacySurvey[5], uint8(2))
	f.Add(genericSurvey[1], genericSurvey[2], genericSurvey[3], genericSurvey[4], genericSurvey[5], uint8(2))
	f.Add(`{"item":"walk","files":[{"filename":"r-20240229.json","timestamp":"2024-02-29 18:30:15 -0500"}]}`, "r-20240229.json", readings, "any.png", "png", uint8(0))
	f.Add(plainInfo, "data.json", `{"answers":{"a":[1,"\u00e9"]},"smoker":["x"]}`, "answers", "\ufeff{}", uint8(1))
	f.Fuzz(func(t *testing.T, info, name, data, another, more string, strictness uint8) {
		if len(name) > 1<<10 || len(another) > 1<<10 || strings.HasSuffix(name, "/") || strings.HasSuffix(another, "/") {
			return // the standard library does not pack data into folders
		}
		judge(t, store(t, "info.json", info, name, data, another, more), strictness)
	})
}

// judge reads a bundle whose schema, whatever it is called, has fields of every
// type.
func judge(t *testing.T, b []byte, strictness uint8) {
	shelf := anything{described(t, append(allTypes, `{"name":"answers","type":"large_text_attachment"}`, `{"name":"smoker","type":"single_choice"}`,
		`{"name":"sports","type":"multi_choice","multiChoiceAnswerList":["tennis"]}`, `{"name":"answers.a","type":"inline_json_blob"}`,
		`{"name":"metadata.json","type":"inline_json_blob"}`)...).schemas[0]}
	upload := bundle.Upload{ID: "up-1", Strictness: []schema.Strictness{schema.Warn, schema.Report, schema.Strict}[strictness%3]}
	out, err := bundle.Read(opener(b), upload, shelf)
	if err != nil {
		t.Fatal(err)
	}
	again, err := bundle.Read(opener(b), upload, shelf)
	if diff := cmp.Diff(out, again); diff != "" || err != nil {
		t.Fatal(diff, err)
	}
	for _, m := range append(out.Messages, dereference(out.Rejection)...) {
		if m.Code == "" || m.Message == "" || !utf8.ValidString(m.Message) {
			t.Fatalf("says %+v", m)
		}
	}
	if out.Rejection != nil {
		if out.Data != nil || out.Attachments != nil {
			t.Fatalf("refused, yet %+v", out)
		}
		return
	}
	inline := 0
	for field, value := range out.Data {
		if inline += len(value); !json.Valid(value) || !utf8.Valid(value) {
			t.Fatalf("field %s is no JSON", field)
		}
	}
	if inline > 8<<20 || len(out.Info) > 256<<10 || len(out.Messages) > 301 {
		t.Fatalf("%d bytes of data, %d of info.json, %d messages", inline, len(out.Info), len(out.Messages))
	}
	attachments := map[string]bool{}
	for _, a := range out.Attachments {
		if err := bundle.Extract(opener(b), a, io.Discard); err != nil || a.Size == 0 || attachments[a.ID] || string(out.Data[a.Field]) != `"`+a.ID+`"` {
			t.Fatalf("%+v: %v, and the record has %s", a, err, out.Data[a.Field])
		}
		attachments[a.ID] = true
	}
}

func dereference(r *core.Reason) []core.Reason {
	if r == nil {
		return nil
	}
	return []core.Reason{*r}
}

// What is found in a JSON file is what the standard library finds in it.
func TestMembersAreThoseOfTheStandardLibrary(t *testing.T) {
	var value func(depth int) *rapid.Generator[any]
	value = func(depth int) *rapid.Generator[any] {
		scalars := []*rapid.Generator[any]{rapid.String().AsAny(), rapid.Float64Range(-1e9, 1e9).AsAny(), rapid.Bool().AsAny(), rapid.Just(any(nil))}
		if depth == 0 {
			return rapid.OneOf(scalars...)
		}
		return rapid.OneOf(append(scalars, rapid.SliceOfN(value(depth-1), 0, 3).AsAny(),
			rapid.MapOfN(rapid.String(), value(depth-1), 0, 3).AsAny())...)
	}
	keys := rapid.OneOf(rapid.SampledFrom([]string{"a", "b", "c", "A", "", `"`, `\`}), rapid.String())
	s := described(t, `{"name":"f.a","type":"inline_json_blob","required":false}`, `{"name":"f.b","type":"inline_json_blob","required":false}`,
		`{"name":"f.c","type":"inline_json_blob","required":false}`)
	rapid.Check(t, func(r *rapid.T) {
		object := rapid.MapOfN(keys, value(3), 0, 6).Draw(r, "object")
		document, err := json.MarshalIndent(object, rapid.SampledFrom([]string{"", " ", "\t"}).Draw(r, "prefix"), rapid.SampledFrom([]string{"", "\r\n"}).Draw(r, "indent"))
		if err != nil {
			r.Fatal(err)
		}
		out := read(t, s, strict, "info.json", `{"format":"v2_generic","createdOn":"2024-02-29T18:30Z","item":"walk"}`, "f", string(document))
		want := map[string]any{}
		for _, key := range []string{"a", "b", "c"} {
			if object[key] != nil {
				want["f."+key] = object[key]
			}
		}
		var got, normal map[string]any
		if json.Unmarshal([]byte(text(t, out.Data)), &got) != nil || json.Unmarshal([]byte(text(t, want)), &normal) != nil || !cmp.Equal(got, normal) {
			r.Fatalf("in %s found %s", document, text(t, out.Data))
		}
	})
}
