package api_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"footbridge/app/api/openapi/openapitest"
	"footbridge/core"

	"pgregory.net/rapid"
)

// What people and programs put where they should not.
var (
	oddTexts = []string{"", " ", "x", "self", "null", "0", "-1", "1e999", "99999999999999999999", "%00", "%ff", "..", "externalid:", "healthcode:", "recordId:", ":", "é\u2028", "2026-13-45T99:99:99Z", "2026-11-20T07:00:00.000Z", strings.Repeat("x", 40_000)}
	oddJSON  = []string{
		"", "null", "[]", "[null]", "{}", "1", `"x"`, "{", `{"a":`, "\ufeff{}", "\xff\xfe", `{"a":1}{"b":2}`, strings.Repeat("[", 20_000), strings.Repeat(`{"a":`, 20_000),
		`{"appId":1}`, `{"appId":null,"password":null}`, `{"externalIds":{"":""}}`, `{"records":null}`, `{"records":[null]}`, `{"records":[{}]}`, `{"records":{}}`, `{"uploadIds":null}`, `{"uploadIds":[null,1]}`, `{"uploadIds":["",""]}`,
		`{"metadata":[]}`, `{"metadata":{"":null}}`, `{"contentLength":-1}`, `{"contentLength":1e400}`, `{"contentLength":1.5}`, `{"contentLength":"7"}`, `{"version":9223372036854775808}`, `{"roles":[null]}`, `{"sharingScope":null,"scope":null}`, `{"clientData":{"a":[{}]}}`,
		`{"schedule":null,"assessments":null,"sessions":null}`, `{"schedule":[null],"sessions":[{}]}`, `{"schedule":[{"assessments":[null]}]}`, `{"schedule":"x"}`, `{"instanceGuids":[null],"pageSize":"x"}`, `{"eventTimestamps":{"":"x"}}`, `{"startTime":"x"}`, `{"identifier":"a b"}`, `{"exporter3Configuration":{"dataAccessTeamId":"x"}}`,
		`{"schemaId":"walk","name":"x","schemaType":"ios_data","fieldDefinitions":[{"name":"a","type":"int"}]}`, `{"schemaId":"\u0000","name":"x","schemaType":"IOS_data"}`, `{"schemaId":{},"fieldDefinitions":[null],"minAppVersions":[]}`,
		`{"demographics":null}`, `{"demographics":{"":null}}`, `{"demographics":{"a":{"values":[null,[],{},{"value":{}},{"value":"x","invalidity":[]}]}}}`, `{"demographics":{"a":{"values":["x",1,{"b":true}],"units":null}}}`,
		`{"identifier":"sleep","name":"x","elements":[{"identifier":"a"}]}`, `{"identifier":"x","elements":[null,[]],"createdOn":1e99}`,
	}
	oddQueries = []string{"", "?", "?%zz", "?a;b", "?synchronous=maybe&redrive=2", "?pageSize=0", "?pageSize=x&offsetBy=-9", "?offsetKey=%00&pageSize=101", "?startTime=x", "?startTime=2026-11-20T07:00:00Z&endTime=2025-01-01T00:00:00Z", "?endTime=9999-12-31T23:59:59.999Z", "?startTime=0000-01-01T00:00:00Z", "?fetchTimeline=yes&fetchAdherence=1", "?fetchTimeline=true&fetchAdherence=true", "?consents=2", "?includeDeleted=true&physical=true&newSchemaRev=true", "?physical=x&includeDeleted=x&newSchemaRev=x", "?enrollmentFilter=%ff"}
)

var placeholder = regexp.MustCompile(`\{[^}]*\}`)

// No request, however malformed, is answered by a 500, and every error says what
// it is.
func TestNoRequestIsAnsweredByA500(t *testing.T) {
	s := newSite(t, nil)
	tokens := []string{"", "dead", s.participant("p1"), s.newcomer("p2")}
	for _, role := range core.Roles() {
		tokens = append(tokens, s.staff(role))
	}
	p := s.slot(tokens[2], body)
	s.put(p).want(t, 200)
	s.call("POST", "/v3/uploads/"+p.id+"/complete", tokens[2], nil).want(t, 200)
	s.process()
	names := append([]string{p.id, testStudy, testApp, "externalid:p1", "recordId:" + p.id}, oddTexts...)
	handler := openapitest.Described(t, s.server.Handler())
	for _, pattern := range s.server.Patterns() {
		method, path, ok := strings.Cut(strings.TrimSuffix(pattern, "{$}"), " ")
		if !ok {
			method, path = "GET", "/nowhere"
		}
		t.Run(pattern, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				at := placeholder.ReplaceAllStringFunc(path, func(string) string {
					return escaped(rapid.SampledFrom(names).Draw(rt, "name"))
				})
				r, err := http.NewRequest(method, "http://site"+at+rapid.SampledFrom(oddQueries).Draw(rt, "query"), strings.NewReader(rapid.SampledFrom(oddJSON).Draw(rt, "body")))
				if err != nil {
					return // not even a request
				}
				r.RemoteAddr = "127.0.0.1:1"
				r.Header.Set("Bridge-Session", rapid.SampledFrom(tokens).Draw(rt, "who"))
				r.Header.Set("User-Agent", rapid.SampledFrom(oddTexts).Draw(rt, "agent"))
				r.Header.Set("If-Modified-Since", rapid.SampledFrom(oddTexts).Draw(rt, "since"))
				w := httptest.NewRecorder()
				handler.ServeHTTP(w, r)
				var e struct {
					StatusCode    int
					Message, Type string
				}
				switch {
				case w.Code >= 500 && w.Code != http.StatusServiceUnavailable:
					rt.Fatalf("%s %s: %d %s", method, at, w.Code, w.Body)
				case w.Code >= 400 && w.Code != http.StatusPreconditionFailed:
					if err := json.Unmarshal(w.Body.Bytes(), &e); err != nil || e.StatusCode != w.Code || e.Message == "" || e.Type == "" {
						rt.Fatalf("%s %s: %d %s is no error", method, at, w.Code, w.Body)
					}
				}
			})
		})
	}
}

// escaped writes a text into a path, unless it is escaped already.
func escaped(text string) string {
	if strings.HasPrefix(text, "%") {
		return text
	}
	return strings.NewReplacer(" ", "%20", "é", "%C3%A9", "\u2028", "%E2%80%A8", "/", "%2F").Replace(text)
}
