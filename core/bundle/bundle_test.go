package bundle_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/core/bundle"
	"footbridge/core/schema"
	"footbridge/testdata"

	"github.com/google/go-cmp/cmp"
)

// files are the files of a bundle, name and content by turns.
type files []string

// opener opens bytes again and again.
func opener(b []byte) bundle.Opener {
	return func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b)), nil }
}

// shelf is a site's schemas and surveys.
type shelf struct {
	schemas []schema.Schema
	surveys []schema.Survey
}

func (s shelf) Schema(id string, revision int) (schema.Schema, error) {
	for _, one := range s.schemas {
		if one.ID == id && one.Revision == revision {
			return one, nil
		}
	}
	return schema.Schema{}, fmt.Errorf("schema %s: %w", id, core.ErrNotFound)
}

func (s shelf) Survey(guid string, createdOn time.Time) (schema.Survey, error) {
	for _, one := range s.surveys {
		if one.GUID == guid && one.CreatedOn.Equal(createdOn) {
			return one, nil
		}
	}
	return schema.Survey{}, fmt.Errorf("survey %s: %w", guid, core.ErrNotFound)
}

// described is a shelf with one schema of some fields, each as JSON: walk
// revision 1, or of another kind and revision.
func described(t testing.TB, fields ...string) shelf {
	t.Helper()
	text := `{"name":"Walk","schemaId":"walk","revision":1,"schemaType":"ios_data","fieldDefinitions":[` + strings.Join(fields, ",") + `]}`
	s, err := schema.Parse([]byte(text))
	if err == nil {
		err = s.Check()
	}
	if err != nil {
		t.Fatal(err)
	}
	return shelf{schemas: []schema.Schema{s}}
}

var strict = bundle.Upload{ID: "up-1", Strictness: schema.Strict}

func read(t testing.TB, s shelf, upload bundle.Upload, all ...string) bundle.Outcome {
	t.Helper()
	out, err := bundle.Read(opener(testdata.Bundle(t, all...)), upload, s)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// codes are those of an outcome's messages.
func codes(out bundle.Outcome) string {
	var all []string
	for _, m := range out.Messages {
		all = append(all, m.Code)
	}
	return strings.Join(all, " ")
}

// text writes any value as JSON.
func text(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// kept reads the attachments of an outcome: id → content.
func kept(t testing.TB, b []byte, out bundle.Outcome) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, a := range out.Attachments {
		var content strings.Builder
		if err := bundle.Extract(opener(b), a, &content); err != nil {
			t.Fatal(err)
		}
		all[a.ID] = content.String()
	}
	return all
}

// surveyShelf has a published survey, whose schema also has fields of its
// questions, as the old format had it.
func surveyShelf(t testing.TB) shelf {
	s := described(t, `{"name":"answers","type":"large_text_attachment"}`, `{"name":"smoker","type":"single_choice"}`,
		`{"name":"sports","type":"multi_choice","multiChoiceAnswerList":["tennis","golf","7"]}`,
		`{"name":"drinks","type":"multi_choice","multiChoiceAnswerList":["Tea"],"allowOtherChoices":true}`)
	s.schemas[0].ID, s.schemas[0].Revision, s.schemas[0].Kind = "habits", 3, schema.Answers
	s.surveys = []schema.Survey{{Identifier: "habits", GUID: "s-1", CreatedOn: time.Date(2024, 2, 29, 9, 30, 0, 5e6, time.UTC), SchemaRevision: 3}}
	return s
}

const surveyKeys = `"surveyGuid":"s-1","surveyCreatedOn":"2024-02-29T11:30:00.005+02:00","appVersion":"version 2.1.0, build 12","phoneInfo":"Test Phone 5"`

var (
	legacySurvey = files{
		"info.json", `{"files":[{"filename":"smoker.json","timestamp":"2024-03-01T08:15:10.250-05:00"},
			{"filename":"sports.json","timestamp":"2024-03-01T08:15:20.250-05:00"},{"filename":"drinks.json","timestamp":"2024-03-01T08:15:15.250-05:00"}],` + surveyKeys + `}`,
		"smoker.json", `{"questionType":0,"choiceAnswers":["No"],"questionTypeName":"SingleChoice","item":"smoker"}`,
		"sports.json", `{"questionType":0,"choiceAnswers":["tennis", 7],"questionTypeName":"MultipleChoice","item":"sports"}`,
		"drinks.json", `{"choiceAnswers":["Tea","Milk"],"questionTypeName":"MultipleChoice","item":"drinks"}`,
		"metadata.json", `{"round":2}`,
	}
	genericSurvey = files{
		"info.json", `{"format":"V2_Generic","dataFilename":"answers.json","createdOn":"2024-03-01T08:15:20.250-0500",` + surveyKeys + `}`,
		"answers.json", `{"drinks":["Tea","Milk"],"smoker":["No"],"sports":["tennis",7]}`,
		"metadata.json", `{"round":2}`,
	}
)

// C1, C2: the same survey in both formats gives the same record.
func TestTheSameSurveyInBothFormats(t *testing.T) {
	var outs []bundle.Outcome
	for name, all := range map[string]files{"v1_legacy": legacySurvey, "v2_generic": genericSurvey} {
		out := read(t, surveyShelf(t), strict, all...)
		if out.Rejection != nil || len(out.Messages) > 0 {
			t.Errorf("%s: got %+v, %+v", name, out.Rejection, out.Messages)
		}
		if got, want := text(t, out.Data), `{"answers":"up-1-answers","drinks":["Tea","Milk"],"smoker":"No","sports":["tennis","7"]}`; got != want {
			t.Errorf("%s: got %s", name, got)
		}
		got := kept(t, testdata.Bundle(t, all...), out)
		want := map[string]string{"up-1-answers": `{"drinks":["Tea","Milk"],"smoker":["No"],"sports":["tennis", 7]}`}
		if name == "v2_generic" {
			want["up-1-answers"] = all[3]
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		out.Info, out.Attachments = nil, nil
		outs = append(outs, out)
	}
	if diff := cmp.Diff(outs[0], outs[1]); diff != "" {
		t.Error(diff)
	}
	if at := time.Date(2024, 3, 1, 13, 15, 20, 250e6, time.UTC); !outs[0].CreatedOn.Equal(at) || outs[0].CreatedOnZone != "-0500" ||
		outs[0].SchemaID != "habits" || outs[0].SchemaRevision != 3 || outs[0].AppVersion != "version 2.1.0, build 12" || outs[0].PhoneInfo != "Test Phone 5" {
		t.Errorf("got %+v", outs[0])
	}
}

const readings = `{"a1":["attachment","in","file"],"b1":1,"c1":"2024-02-29T17:03-0700","d1":"PT1H","e1":"36.6","f1":["in","line"],
	"g1":"72.9","h1":1204,"i1":"2024-02-29T19:21:35.378-0700","j1":"2024-02-29T18:12:34.567+0900"}`

var allTypes = []string{`{"name":"blob.txt","type":"attachment_blob"}`, `{"name":"table.csv","type":"attachment_csv"}`,
	`{"name":"blob.json","type":"attachment_json_blob"}`, `{"name":"table.json","type":"attachment_json_table"}`,
	`{"name":"any.png","type":"attachment_v2","mimeType":"image/png","fileExtension":".png"}`, `{"name":"r.json.a1","type":"attachment_v2"}`,
	`{"name":"r.json.b1","type":"boolean"}`, `{"name":"r.json.c1","type":"calendar_date"}`, `{"name":"r.json.d1","type":"duration_v2"}`,
	`{"name":"r.json.e1","type":"float"}`, `{"name":"r.json.f1","type":"inline_json_blob"}`, `{"name":"r.json.g1","type":"int"}`,
	`{"name":"r.json.h1","type":"string"}`, `{"name":"r.json.i1","type":"time_v2"}`, `{"name":"r.json.j1","type":"timestamp"}`,
	`{"name":"nothing","type":"attachment_v2","required":false}`}

// C3: every type, in both formats.
func TestEveryType(t *testing.T) {
	for name, info := range map[string]string{
		"v1_legacy":  `{"item":"walk","schemaRevision":1,"createdOn":"2024-03-01T10:00:00Z","files":[{"filename":"r.json","timestamp":"2024-03-01T09:00:00Z"}]}`,
		"v2_generic": `{"item":"walk","schemaRevision":1,"createdOn":"2024-03-01T10:00:00Z","format":"v2_generic"}`,
	} {
		all := files{"info.json", info, "blob.txt", "a blob", "table.csv", "a,b\n1,2\n", "blob.json", `{"k":1}`, "table.json", `[{"k":1},{"k":2}]`,
			"any.png", "\x89PNG", "r.json", readings, "nothing", ""}
		out := read(t, described(t, allTypes...), strict, all...)
		want := `{"any.png":"up-1-any.png","blob.json":"up-1-blob.json","blob.txt":"up-1-blob.txt","r.json.a1":"up-1-r.json.a1","r.json.b1":true,` +
			`"r.json.c1":"2024-02-29","r.json.d1":"PT1H","r.json.e1":36.6,"r.json.f1":["in","line"],"r.json.g1":72,"r.json.h1":"1204",` +
			`"r.json.i1":"19:21:35.378","r.json.j1":"2024-02-29T18:12:34.567+09:00","table.csv":"up-1-table.csv","table.json":"up-1-table.json"}`
		if got := text(t, out.Data); got != want || out.Rejection != nil || len(out.Messages) > 0 {
			t.Errorf("%s: got %s, %+v, %+v", name, got, out.Rejection, out.Messages)
		}
		contents := map[string]string{"up-1-blob.txt": "a blob", "up-1-table.csv": "a,b\n1,2\n", "up-1-blob.json": `{"k":1}`,
			"up-1-table.json": `[{"k":1},{"k":2}]`, "up-1-any.png": "\x89PNG", "up-1-r.json.a1": `["attachment","in","file"]`}
		if diff := cmp.Diff(contents, kept(t, testdata.Bundle(t, all...), out)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		picture := out.Attachments[slices.IndexFunc(out.Attachments, func(a core.Attachment) bool { return a.Field == "any.png" })]
		if diff := cmp.Diff(core.Attachment{ID: "up-1-any.png", Field: "any.png", File: 6, ContentType: "image/png", Extension: ".png", Digest: core.Digest{
			Size: 4, MD5: "3bdaf5969285188ac756c339f69f5c79", SHA256: "0f4636c78f65d3639ece5a064b5ae753e3408614a14fb18ab4d7540d2c248543"}}, picture); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// C4: a bundle that names no schema has no data.
func TestSchemaless(t *testing.T) {
	for name, info := range map[string]string{
		"v2_generic": `{"format":"v2_generic","createdOn":"2024-03-01T10:00Z"}`,
		"v1_legacy":  `{"format":"","createdOn":"2024-03-01T10:00Z","files":[{"filename":"notes.txt","timestamp":"2024-03-01T10:00Z"}]}`,
	} {
		out := read(t, surveyShelf(t), strict, "info.json", info, "notes.txt", "some notes")
		if text(t, out.Data) != "{}" || out.SchemaID != "" || len(out.Messages) > 0 || out.Rejection != nil || out.UserMetadata == nil || string(out.Info) != info {
			t.Errorf("%s: got %+v", name, out)
		}
	}
}

// C5: one file is no bundle.
func TestSingle(t *testing.T) {
	metadata := map[string]json.RawMessage{"round": json.RawMessage("2")}
	want := bundle.Outcome{Data: map[string]json.RawMessage{}, UserMetadata: metadata}
	if diff := cmp.Diff(want, bundle.Single(bundle.Upload{ID: "up-1", Metadata: metadata})); diff != "" {
		t.Error(diff)
	}
}

// C6: metadata of the bundle and of the request.
func TestMetadata(t *testing.T) {
	const info = `{"format":"v2_generic","createdOn":"2024-03-01T10:00Z"}`
	request := map[string]json.RawMessage{"request": json.RawMessage(`true`), "both": json.RawMessage(`"request"`)}
	for name, c := range map[string]struct {
		file    []string
		request map[string]json.RawMessage
		want    string
		says    string
	}{
		"neither":    {nil, nil, `{}`, ""},
		"request":    {nil, request, `{"both":"request","request":true}`, ""},
		"file":       {[]string{"metadata.json", `{"file":{"a":1},"both":"file"}`}, nil, `{"both":"file","file":{"a":1}}`, ""},
		"both":       {[]string{"metadata.json", `{"file":1,"both":"file"}`}, request, `{"both":"request","file":1,"request":true}`, ""},
		"no object":  {[]string{"metadata.json", `[1]`}, request, `{"both":"request","request":true}`, "metadata_unreadable"},
		"no JSON":    {[]string{"metadata.json", `{"a"`}, nil, `{}`, "metadata_unreadable"},
		"much of it": {[]string{"metadata.json", `{"a":"` + strings.Repeat("x", 256<<10) + `"}`}, nil, `{}`, "metadata_too_large"},
	} {
		out := read(t, shelf{}, bundle.Upload{ID: "up-1", Metadata: c.request}, append([]string{"info.json", info}, c.file...)...)
		if got := text(t, out.UserMetadata); got != c.want || codes(out) != c.says || out.Rejection != nil {
			t.Errorf("%s: got %s, %s, %v", name, got, codes(out), out.Rejection)
		}
	}
}
