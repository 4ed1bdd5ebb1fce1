package api_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/core/participant"

	"github.com/google/go-cmp/cmp"
)

// with gives a slot request of which some fields are others; nil leaves out.
func with(change map[string]any) map[string]any {
	request := (&parcel{body: body, mimeType: "application/zip"}).request()
	maps.Copy(request, change)
	maps.DeleteFunc(request, func(_ string, v any) bool { return v == nil })
	return request
}

func TestWhatIsWrongWithASlotRequest(t *testing.T) {
	s := newSite(t, nil)
	token := s.participant("p1")
	for name, row := range map[string]struct {
		change map[string]any
		field  string
		want   string
	}{
		"no name":           {map[string]any{"name": nil}, "name", "name cannot be null or blank"},
		"empty name":        {map[string]any{"name": ""}, "name", "name cannot be null or blank"},
		"no type":           {map[string]any{"contentType": nil}, "contentType", "contentType cannot be null or blank"},
		"empty type":        {map[string]any{"contentType": ""}, "contentType", "contentType cannot be null or blank"},
		"no length":         {map[string]any{"contentLength": nil}, "contentLength", "contentLength Invalid content length. Must be > 0."},
		"zero length":       {map[string]any{"contentLength": 0}, "contentLength", "contentLength Invalid content length. Must be > 0."},
		"negative length":   {map[string]any{"contentLength": -1}, "contentLength", "contentLength Invalid content length. Must be > 0."},
		"too large":         {map[string]any{"contentLength": maxSize + 1}, "contentLength", "contentLength Content length is above the allowed maximum of 1048576 bytes. Send the data in smaller uploads."},
		"no MD5":            {map[string]any{"contentMd5": nil}, "contentMd5", "contentMd5 MD5 must not be empty."},
		"empty MD5":         {map[string]any{"contentMd5": ""}, "contentMd5", "contentMd5 MD5 must not be empty."},
		"MD5 of 17 bytes":   {map[string]any{"contentMd5": "AAAAAAAAAAAAAAAAAAAAAAA="}, "contentMd5", "contentMd5 MD5 hash must be 16 bytes."},
		"MD5 of 3 bytes":    {map[string]any{"contentMd5": "AAAA"}, "contentMd5", "contentMd5 MD5 hash must be 16 bytes."},
		"MD5 not in base64": {map[string]any{"contentMd5": "not-md5"}, "contentMd5", "contentMd5 MD5 is not base64 encoded."},
	} {
		t.Run(name, func(t *testing.T) {
			got := s.call("POST", "/v3/uploads", token, with(row.change)).want(t, 400)
			var body any
			json.Unmarshal([]byte(got.raw), &body)
			want := map[string]any{
				"statusCode": 400.0, "message": "UploadRequest is invalid: " + row.want, "type": "InvalidEntityException",
				"errors": map[string]any{row.field: []any{row.want}},
			}
			if diff := cmp.Diff(want, body); diff != "" {
				t.Error(diff)
			}
		})
	}
	s.call("POST", "/v3/uploads", token, "{}").want(t, 400).golden(t, "slot-everything-wrong")
}

func TestWhatIsNoJSON(t *testing.T) {
	s := newSite(t, nil)
	token := s.participant("p1")
	for text, want := range map[string]string{
		"":                         "Error parsing JSON in request body: it is empty.",
		"{":                        "Error parsing JSON in request body: it is not valid JSON.",
		"{} {}":                    "Error parsing JSON in request body: it is not valid JSON.",
		"[]":                       "Error parsing JSON in request body: it must be an object.",
		`"x"`:                      "Error parsing JSON in request body: it must be an object.",
		`{"metadata":["a"]}`:       "Error parsing JSON in request body, fields: metadata",
		`{"metadata":"a"}`:         "Error parsing JSON in request body, fields: metadata",
		`{"contentLength":"x"}`:    "Error parsing JSON in request body, fields: contentLength",
		`{"contentLength":1e30}`:   "Error parsing JSON in request body, fields: contentLength",
		`{"encrypted":"perhaps"}`:  "Error parsing JSON in request body, fields: encrypted",
		strings.Repeat("[", 20000): "Error parsing JSON in request body: it has more than 200 arrays and objects in each other.",
	} {
		got := s.call("POST", "/v3/uploads", token, text).want(t, 400, `"type":"InvalidEntityException"`)
		if got.text("message") != want || got.field("errors") != nil {
			t.Errorf("%.20q: %s, want %s", text, got.raw, want)
		}
	}
	s.call("POST", "/v3/uploads", token, `{"name":"`+strings.Repeat("x", 9<<20)+`"}`).want(t, 400, "too large")
}

// What is said of a slot, and what the row behind it remembers.
func TestASlot(t *testing.T) {
	s := newSite(t, nil)
	token := s.participant("p1")
	for name, row := range map[string]struct {
		text    string
		mime    string
		check   func(core.Request) bool
		explain string
	}{
		"defaults":       {`{}`, "application/json", func(r core.Request) bool { return r.Encrypted && r.Zipped }, "encrypted and zipped are true unless said otherwise"},
		"null is unsaid": {`{"encrypted":null,"zipped":null,"metadata":null}`, "", func(r core.Request) bool { return r.Encrypted && r.Zipped && r.Metadata == nil }, "null is as if absent"},
		"said otherwise": {`{"encrypted":false,"zipped":false}`, "text/plain", func(r core.Request) bool { return !r.Encrypted && !r.Zipped }, "false is false, whatever the Content-Type"},
		"unknown fields": {`{"type":"UploadRequest","new":{"a":[1]}}`, "multipart/form-data", func(r core.Request) bool { return r.Encrypted }, "unknown fields are ignored"},
		"any metadata": {`{"metadata":{"s":"a","b":false,"n":1.50,"o":{"x":[1, 2]},"z":null}}`, "", func(r core.Request) bool {
			return string(r.Metadata["n"]) == "1.50" && string(r.Metadata["z"]) == "null" && len(r.Metadata) == 5
		}, "metadata is kept as submitted"},
		"a byte order mark": {"\ufeff{}", "", func(r core.Request) bool { return r.Zipped }, "a byte order mark is skipped"},
		"no UTF-8":          {"{\"metadata\":{\"k\":\"\xff\"}}", "", func(r core.Request) bool { return string(r.Metadata["k"]) == "\"\ufffd\"" }, "what is no UTF-8 becomes the replacement character"},
		"blank name":        {`{"name":" "}`, "", func(r core.Request) bool { return r.Name == " " }, "a name of spaces passes"},
	} {
		t.Run(name, func(t *testing.T) {
			raw, _ := json.Marshal(map[string]any{"name": "n", "contentLength": 1, "contentType": "a/b", "contentMd5": hash(name)})
			text := strings.Replace(row.text, "{", strings.TrimSuffix(string(raw), "}")+",", 1)
			got := s.call("POST", "/v3/uploads", token, strings.Replace(text, ",}", "}", 1), "Content-Type", row.mime).want(t, 200)
			u, err := s.store.Upload(t.Context(), core.UploadID(got.text("id")))
			if err != nil || !row.check(u.Request) {
				t.Errorf("%s: %+v, %v", row.explain, u.Request, err)
			}
		})
	}
	before := s.now()
	got := s.call("POST", "/v3/uploads", token, with(nil)).want(t, 200)
	got.golden(t, "slot")
	expires, err := time.Parse("2006-01-02T15:04:05.000Z", got.text("expires"))
	if life := expires.Sub(before); err != nil || life < 24*time.Hour-time.Millisecond || life > 24*time.Hour+5*time.Second {
		t.Errorf("it expires in %v, %v", life, err)
	}
	s.call("POST", "/api/v1/upload", token, with(nil)).want(t, 200, `"type":"UploadSession"`)
}

// The URL leads to where the device reached the site.
func TestTheURLHasTheHostOfTheDevice(t *testing.T) {
	s := newSite(t, nil)
	token := s.participant("p1")
	raw, _ := json.Marshal(with(nil))
	head := "POST /v3/uploads HTTP/1.1\r\nHost: clinic.local:8443\r\nBridge-Session: " + token + "\r\nContent-Length: " + number(len(raw)) + "\r\n\r\n"
	if got := s.say(head+string(raw)).want(t, 200).text("url"); !strings.HasPrefix(got, "http://clinic.local:8443/put/") {
		t.Errorf("URL %s", got)
	}
	head = strings.Replace(strings.Replace(head, "1.1", "1.0", 1), "Host: clinic.local:8443\r\n", "", 1)
	if got := s.say(head+string(raw)).want(t, 200).text("url"); !strings.HasPrefix(got, s.base+"/put/") {
		t.Errorf("without a Host: URL %s", got)
	}
}

func number(n int) string { raw, _ := json.Marshal(n); return string(raw) }

func TestWhoGetsASlot(t *testing.T) {
	s := newSite(t, nil)
	s.account(testStudy, participant.Form{ExternalIDs: map[core.StudyID]string{testStudy: "silent"}})
	silent := s.call("POST", "/v4/auth/signIn", "", map[string]any{"appId": testApp, "externalId": "silent", "password": password}).want(t, 412).text("sessionToken")
	for name, row := range map[string]struct {
		token string
		want  int
		words string
	}{
		"no session":           {"", 401, "NotAuthenticatedException"},
		"a dead session":       {"dead", 401, "NotAuthenticatedException"},
		"staff":                {s.staff(core.RoleResearcher), 403, "UnauthorizedException"},
		"an admin":             {s.staff(core.RoleAdmin), 403, "this is for participants who consented"},
		"without consent":      {silent, 412, `"type":"UserSessionInfo"`},
		"the session is there": {silent, 412, silent},
		"a participant":        {s.participant("p1"), 200, "UploadSession"},
	} {
		t.Run(name, func(t *testing.T) {
			s.call("POST", "/v3/uploads", row.token, with(nil)).want(t, row.want, row.words)
		})
	}
	token := s.participant("p2")
	s.ahead.Store(int64(12*time.Hour + time.Second))
	s.call("POST", "/v3/uploads", token, with(nil)).want(t, 401)
}

// The same bytes again: the same slot while nothing is completed, afterwards a
// duplicate that is never processed, for seven days.
func TestTheSameBytesAgain(t *testing.T) {
	s := newSite(t, nil)
	token := s.participant("p1")
	first, again := s.slot(token, body), s.slot(token, body)
	if again.id != first.id {
		t.Errorf("another slot %s, want %s", again.id, first.id)
	}
	if s.slot(s.participant("p2"), body).id == first.id {
		t.Error("two participants share a slot")
	}
	s.put(again).want(t, 200)
	s.call("POST", "/v3/uploads/"+first.id+"/complete", token, nil).want(t, 200)
	second := s.slot(token, body)
	s.put(second).want(t, 200)
	got := s.call("POST", "/v3/uploads/"+second.id+"/complete", token, nil).want(t, 200)
	got.golden(t, "status-duplicate")
	s.process()
	if second.id == first.id || s.status(token, second.id) != "duplicate" {
		t.Errorf("%s is %s", second.id, s.status(token, second.id))
	}
	s.ahead.Store(int64(7*24*time.Hour + time.Minute))
	token = s.signIn(map[string]any{"externalId": "p1"})
	later := s.slot(token, body)
	s.put(later).want(t, 200)
	s.call("POST", "/v3/uploads/"+later.id+"/complete", token, nil).want(t, http.StatusOK, "validation_in_progress")
}

// Metadata describes a file; what is longer belongs in the file. A slot with too
// much is refused, where nothing is lost yet.
func TestHowMuchMetadataASlotTakes(t *testing.T) {
	s := newSite(t, nil)
	token := s.participant("p1")
	keys := func(n int) map[string]any {
		all := map[string]any{}
		for i := range n {
			all[fmt.Sprint("key", i)] = i
		}
		return all
	}
	nested := func(n int) json.RawMessage {
		return json.RawMessage(strings.Repeat("[", n) + `"]]\"]"` + strings.Repeat("]", n))
	}
	for name, row := range map[string]struct {
		metadata any
		words    string
	}{
		"keys":         {keys(500), ""},
		"too many":     {keys(501), "metadata has more than 500 keys"},
		"long":         {map[string]any{"a": strings.Repeat("x", 200_000)}, ""},
		"too long":     {map[string]any{"a": strings.Repeat("x", 300_000)}, "metadata has more than 262144 bytes"},
		"deep":         {map[string]any{"a": nested(50)}, ""},
		"too deep":     {map[string]any{"a": nested(51)}, "metadata has more than 50 arrays and objects"},
		"no object":    {[]int{1}, "fields: metadata"},
		"a line break": {"", "contentType cannot have control characters"},
	} {
		t.Run(name, func(t *testing.T) {
			asked := with(map[string]any{"metadata": row.metadata})
			if row.metadata == "" {
				asked = with(map[string]any{"contentType": "text/plain\r\nX: y"})
			}
			got := s.call("POST", "/v3/uploads", token, asked)
			if row.words == "" {
				got.want(t, 200)
				return
			}
			got.want(t, 400, row.words, "InvalidEntityException")
		})
	}
}
