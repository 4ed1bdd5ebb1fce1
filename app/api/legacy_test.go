package api_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"footbridge/core"
	"footbridge/core/cms"
	"footbridge/core/schema"
	"footbridge/testdata"

	"github.com/google/go-cmp/cmp"
)

// legacySite is a site whose study has no project, so that bundles need schemas.
type legacySite struct {
	*site
	developer, owner string
}

func newLegacySite(t *testing.T) *legacySite {
	t.Helper()
	s := newSite(t, nil)
	s.keys = []cms.Key{testdata.Key(t, "test-only")}
	return &legacySite{s, s.staff(core.RoleDeveloper), s.participant("p1")}
}

// describe makes a schema of some fields, each as JSON.
func (s *legacySite) describe(id string, fields ...string) {
	s.t.Helper()
	s.call("POST", "/v4/uploadschemas", s.developer, `{"name":"A walk","schemaId":"`+id+`","revision":1,"schemaType":"ios_data","fieldDefinitions":[`+
		strings.Join(fields, ",")+`]}`).want(s.t, 201)
}

// delivery is how a bundle is sent.
type delivery struct {
	sealed   bool
	single   bool // no bundle
	metadata map[string]any
}

// deliver sends a bundle and gives its status once it was processed.
func (s *legacySite) deliver(content []byte, d delivery) answer {
	s.t.Helper()
	if d.sealed {
		var sealed bytes.Buffer
		w, err := cms.Seal(&sealed, s.keys[0].Certificate)
		if err == nil {
			_, err = w.Write(content)
		}
		if err = errors.Join(err, w.Close()); err != nil {
			s.t.Fatal(err)
		}
		content = sealed.Bytes()
	}
	p := &parcel{body: string(content), mimeType: "application/zip"}
	request := p.request()
	request["encrypted"], request["zipped"], request["metadata"] = d.sealed, !d.single, d.metadata
	a := s.call("POST", "/v3/uploads", s.owner, request).want(s.t, 200)
	p.id, p.url = a.text("id"), a.text("url")
	s.put(p).want(s.t, 200)
	s.call("POST", "/v3/uploads/"+p.id+"/complete", s.owner, nil).want(s.t, 200)
	s.process()
	return s.call("GET", "/v3/uploadstatuses/"+p.id, s.owner, nil).want(s.t, 200)
}

// fetch gets an attachment of a record as its owner.
func (s *legacySite) fetch(status answer, id string) answer {
	s.t.Helper()
	return s.call("GET", "/v3/healthdata/"+status.text("id")+"/attachments/"+id, s.owner, nil)
}

// data is a record's data without the upload's id, as JSON, and what its
// attachments hold instead of their ids.
func (s *legacySite) data(status answer) string {
	s.t.Helper()
	id := status.text("id")
	data, _ := status.field("record", "data").(map[string]any)
	for field, value := range data {
		if value == id+"-"+field {
			data[field] = "<" + s.fetch(status, id+"-"+field).want(s.t, 200).raw + ">"
		}
	}
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(data); err != nil {
		s.t.Fatal(err)
	}
	return strings.TrimSpace(text.String())
}

// isProcessed checks status and messages, each by how it begins.
func (a answer) isProcessed(t *testing.T, status string, messages ...string) {
	t.Helper()
	said, _ := a.field("messageList").([]any)
	if a.text("status") != status || len(said) != len(messages) {
		t.Fatalf("it is %s and says %q, want %s and %q", a.text("status"), said, status, messages)
	}
	for i, message := range said {
		if text, _ := message.(string); !strings.HasPrefix(text, messages[i]) {
			t.Errorf("it says %q, want %q", text, messages[i])
		}
	}
}

const (
	legacyInfo  = `{"item":"walk","schemaRevision":1,"files":[{"filename":"gait.json","timestamp":"2026-11-19T21:30:00.125-05:00"}],"appVersion":"version 3.1.4, build 15","phoneInfo":"Test Phone 9"}`
	genericInfo = `{"format":"v2_generic","item":"walk","schemaRevision":1,"createdOn":"2026-11-19T21:30:00.125-05:00","dataFilename":"gait.json","appVersion":"version 3.1.4, build 15","phoneInfo":"Test Phone 9"}`
)

// both runs a test on bundles that are sent open and sealed.
func both(t *testing.T, test func(*testing.T, *legacySite, bool)) {
	for name, sealed := range map[string]bool{"open": false, "sealed": true} {
		t.Run(name, func(t *testing.T) { test(t, newLegacySite(t), sealed) })
	}
}

// A survey is made, published and answered: both formats give the same record.
func TestTheSameSurveyInBothFormats(t *testing.T) {
	both(t, func(t *testing.T, s *legacySite, sealed bool) {
		holder := s.call("POST", "/v3/surveys", s.developer, `{"name":"Habits","identifier":"habits","elements":[
			{"identifier":"coffee","type":"SurveyQuestion","prompt":"Coffee?"},{"identifier":"sports","type":"SurveyQuestion"},{"identifier":"height","type":"SurveyQuestion"}]}`).want(t, 201)
		guid, createdOn := holder.text("guid"), holder.text("createdOn")
		s.call("POST", "/v3/surveys/"+guid+"/revisions/"+createdOn+"/publish", s.developer, nil).want(t, 200)
		var made map[string]any
		if err := json.Unmarshal([]byte(s.call("GET", "/v3/uploadschemas/habits/recent", s.developer, nil).want(t, 200).raw), &made); err != nil {
			t.Fatal(err)
		}
		made["fieldDefinitions"] = append(made["fieldDefinitions"].([]any), // as the old format had it
			map[string]any{"name": "coffee", "type": "single_choice"},
			map[string]any{"name": "sports", "type": "multi_choice", "multiChoiceAnswerList": []string{"judo", "chess", "5"}},
			map[string]any{"name": "height", "type": "float"}, map[string]any{"name": "height_unit", "type": "string"})
		s.call("POST", "/v4/uploadschemas/habits/revisions/1", s.developer, made).want(t, 200)

		keys := `"surveyGuid":"` + guid + `","surveyCreatedOn":"` + createdOn + `"`
		legacy := s.deliver(testdata.Bundle(t,
			"info.json", `{"files":[{"filename":"coffee.json","timestamp":"2026-11-19T21:30:00.125-05:00"}],`+keys+`}`,
			"coffee.json", `{"item":"coffee","questionTypeName":"SingleChoice","choiceAnswers":["Often"]}`,
			"sports.json", `{"item":"sports","questionTypeName":"MultipleChoice","choiceAnswers":["judo","chess",5]}`,
			"height.json", `{"item":"height","questionTypeName":"Decimal","numericAnswer":171.5,"unit":"cm"}`), delivery{sealed: sealed})
		generic := s.deliver(testdata.Bundle(t,
			"info.json", `{"format":"v2_generic","dataFilename":"all.json","createdOn":"2026-11-19T21:30:00.125-05:00",`+keys+`}`,
			"all.json", `{"coffee":["Often"],"height":171.5,"height_unit":"cm","sports":["judo","chess",5]}`), delivery{sealed: sealed})
		const want = `{"answers":"<{\"coffee\":[\"Often\"],\"height\":171.5,\"height_unit\":\"cm\",\"sports\":[\"judo\",\"chess\",5]}>",` +
			`"coffee":"Often","height":171.5,"height_unit":"cm","sports":["judo","chess","5"]}`
		var records []map[string]any
		for _, status := range []answer{legacy, generic} {
			status.isProcessed(t, "succeeded")
			if got := s.data(status); got != want {
				t.Errorf("its data is %s", got)
			}
			record, _ := status.field("record").(map[string]any)
			for _, own := range []string{"id", "uploadId", "uploadedOn", "rawDataAttachmentId", "data", "metadata"} { // each of its own
				delete(record, own)
			}
			records = append(records, record)
		}
		if diff := cmp.Diff(records[0], records[1]); diff != "" || records[0]["schemaId"] != "habits" || records[0]["schemaRevision"] != 1.0 ||
			records[0]["createdOn"] != "2026-11-20T02:30:00.125Z" || records[0]["createdOnTimeZone"] != "-0500" {
			t.Errorf("%s\n%v", diff, records[0])
		}
		wrong := strings.Replace(createdOn, "Z", "-01:00", 1)
		s.deliver(testdata.Bundle(t, "info.json", `{"surveyGuid":"`+guid+`","surveyCreatedOn":"`+wrong+`","createdOn":"2026-11-19T21:30Z","files":[{"filename":"info.json","timestamp":"2026-11-19T21:30Z"}]}`),
			delivery{sealed: sealed}).isProcessed(t, "validation_failed", "Survey schema not found: ")
	})
}

// Every type of field, in both formats, with both kinds of attachment.
func TestEveryFieldType(t *testing.T) {
	fields := []string{
		`{"name":"notes.txt","type":"attachment_blob"}`, `{"name":"table.csv","type":"attachment_csv","mimeType":"text/csv","fileExtension":".csv"}`,
		`{"name":"blob.json","type":"attachment_json_blob"}`, `{"name":"table.json","type":"attachment_json_table"}`, `{"name":"film.mp4","type":"attachment_v2"}`,
		`{"name":"gait.json.path","type":"attachment_v2"}`, `{"name":"gait.json.diary","type":"large_text_attachment"}`, `{"name":"gait.json.done","type":"boolean"}`,
		`{"name":"gait.json.day","type":"calendar_date"}`, `{"name":"gait.json.lasted","type":"duration_v2"}`, `{"name":"gait.json.speed","type":"float"}`,
		`{"name":"gait.json.marks","type":"inline_json_blob"}`, `{"name":"gait.json.steps","type":"int"}`,
		`{"name":"gait.json.felt","type":"multi_choice","multiChoiceAnswerList":["well","tired"]}`, `{"name":"gait.json.hand","type":"single_choice"}`,
		`{"name":"gait.json.code","type":"string"}`, `{"name":"gait.json.at","type":"time_v2"}`, `{"name":"gait.json.began","type":"timestamp"}`,
		`{"name":"nothing.bin","type":"attachment_v2","required":false}`,
	}
	const gait = `{"path":[[0,1],[2,3]],"diary":"It rained.","done":1,"day":"2026-11-19T23:59-0500","lasted":"PT90S","speed":"1.25","marks":{"a":[1]},` +
		`"steps":"1204.9","felt":["well"],"hand":["left"],"code":77,"at":"2026-11-19T21:30:00.125-0500","began":1795141800125,"more":{"nested":1}}`
	const want = `{"blob.json":"<{\"k\":1}>","film.mp4":"<film>","gait.json.at":"21:30:00.125","gait.json.began":"2026-11-20T02:30:00.125Z","gait.json.code":"77",` +
		`"gait.json.day":"2026-11-19","gait.json.diary":"<\"It rained.\">","gait.json.done":true,"gait.json.felt":["well"],"gait.json.hand":"left","gait.json.lasted":"PT90S",` +
		`"gait.json.marks":{"a":[1]},"gait.json.path":"<[[0,1],[2,3]]>","gait.json.speed":1.25,"gait.json.steps":1204,"notes.txt":"<some notes>","table.csv":"<a,b\n1,2\n>","table.json":"<[{\"k\":1}]>"}`
	both(t, func(t *testing.T, s *legacySite, sealed bool) {
		s.strictness = schema.Strict
		s.describe("walk", fields...)
		for name, info := range map[string]string{"v1_legacy": legacyInfo, "v2_generic": genericInfo} {
			status := s.deliver(testdata.Bundle(t, "info.json", info, "notes.txt", "some notes", "table.csv", "a,b\n1,2\n", "blob.json", `{"k":1}`,
				"table.json", `[{"k":1}]`, "film.mp4", "film", "gait.json", gait, "nothing.bin", "", "metadata.json", `{"weather":{"rain":true}}`),
				delivery{sealed: sealed, metadata: map[string]any{"mood": 3}})
			status.isProcessed(t, "succeeded")
			if diff := cmp.Diff(want, s.data(status)); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
			if name == "v2_generic" && !sealed {
				status.golden(t, "status-legacy")
			}
			table := s.fetch(status, status.text("id")+"-table.csv")
			if got := table.header; got.Get("Content-Type") != "text/csv" || got.Get("Content-Length") != "8" ||
				got.Get("Content-Disposition") != `attachment; filename=`+status.text("id")+`-table.csv` || got.Get("X-Content-Type-Options") != "nosniff" {
				t.Errorf("headers %v", got)
			}
		}
	})
}

// What a bundle without a schema, and a file that is none, have for a record.
func TestRecordsWithoutData(t *testing.T) {
	both(t, func(t *testing.T, s *legacySite, sealed bool) {
		bundle := testdata.Bundle(t, "info.json", `{"format":"v2_generic","createdOn":"2026-11-19T21:30Z"}`, "any.txt", "any", "metadata.json", `{"file":[1],"both":"file"}`)
		status := s.deliver(bundle, delivery{sealed: sealed, metadata: map[string]any{"request": true, "both": "request"}})
		status.isProcessed(t, "succeeded")
		status.want(t, 200, `"data":{}`, `"schemaId":null,"schemaRevision":null`, `"userMetadata":{"both":"request","file":[1],"request":true}`, `"rawDataAttachmentId":"`+status.text("id")+`-raw.zip"`)
		if got := s.fetch(status, status.text("id")+"-raw.zip").want(t, 200).raw; got != string(bundle) {
			t.Errorf("the raw bundle has %d bytes, not %d", len(got), len(bundle))
		}

		status = s.deliver([]byte("dummy content"), delivery{sealed: sealed, single: true, metadata: map[string]any{"request": 1}})
		status.isProcessed(t, "succeeded")
		status.want(t, 200, `"data":{}`, `"metadata":{}`, `"userMetadata":{"request":1}`, `"rawDataAttachmentId":"`+status.text("id")+`-walk.bin"`)
		for _, absent := range []string{"appVersion", "phoneInfo", "createdOnTimeZone"} {
			if status.field("record", absent) != nil {
				t.Errorf("it has %s: %s", absent, status.raw)
			}
		}
		if got := s.fetch(status, status.text("id")+"-walk.bin").want(t, 200).raw; got != "dummy content" {
			t.Errorf("the raw file is %q", got)
		}
		s.fetch(status, "another").want(t, 404, "no attachment with this id")
	})
}

// However deep what a device sends, the upload and the lists that it is in can be
// read, and what is in the record can be read by any program.
func TestNothingSentMakesARecordUnreadable(t *testing.T) {
	s := newLegacySite(t)
	s.describe("walk", `{"name":"steps","type":"float"}`, `{"name":"marks","type":"inline_json_blob","required":false}`)
	deep := strings.Repeat("[", 9_999) + strings.Repeat("]", 9_999)
	for _, files := range [][]string{
		{"info.json", `{"format":"v2_generic","createdOn":"2026-11-19T21:30Z","p":` + deep + `}`},
		{"info.json", genericInfo, "gait.json", `{"steps":1,"marks":` + deep + `}`},
		{"info.json", genericInfo, "gait.json", `{"steps":1e400}`},
		{"info.json", genericInfo, "gait.json", `{"steps":1}`, "metadata.json", `{"deep":` + deep + `}`},
	} {
		status := s.deliver(testdata.Bundle(t, files...), delivery{})
		if got := status.text("status"); got != "succeeded" && got != "validation_failed" {
			t.Errorf("it is %s", status.raw)
		}
	}
	admin := s.staff(core.RoleAdmin)
	if list := s.call("GET", "/v1/apps/self/uploads", admin, nil); list.status != 200 || strings.Count(list.raw, `"type":"Upload"`) != 4 {
		t.Errorf("the list is %d %s", list.status, list.raw)
	}
	s.call("POST", "/v3/participants/self", s.owner, `{"clientData":`+deep+`}`).want(t, 400, "arrays and objects in each other")
	s.call("GET", "/v3/participants/self", s.owner, nil).want(t, 200)
	s.call("POST", "/v3/surveys", s.developer, `{"name":"Deep","identifier":"deep","elements":[],"p":`+deep+`}`).want(t, 400, "arrays and objects in each other")
	s.call("POST", "/v3/surveys", s.developer, `{"name":"Own","identifier":"own","elements":[{"type":"SurveyQuestion","identifier":"answers"}]}`).want(t, 400, "cannot be answers")
	s.call("POST", "/v4/uploadschemas", s.developer, `{"name":"Raw","schemaId":"raw","schemaType":"ios_data","fieldDefinitions":[{"name":"Raw.zip","type":"attachment_v2"}]}`).
		want(t, 400, "cannot be Raw.zip: that name is reserved")
}

// A bundle without any metadata has none; a file that is no bundle says nothing of
// metadata at all.
func TestNoMetadata(t *testing.T) {
	s := newLegacySite(t)
	s.deliver(testdata.Bundle(t, "info.json", `{"format":"v2_generic","createdOn":"2026-11-19T21:30Z"}`), delivery{}).want(t, 200, `"userMetadata":{}`)
	if single := s.deliver([]byte("dummy"), delivery{single: true}); strings.Contains(single.raw, "userMetadata") {
		t.Errorf("it has %s", single.raw)
	}
}
