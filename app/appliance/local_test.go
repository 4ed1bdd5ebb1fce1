package appliance_test

import (
	"encoding/json"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"footbridge/app/api/openapi/openapitest"
	"footbridge/app/appliance"
	"footbridge/app/appliance/appliancetest"
	"footbridge/core"
)

// What Bridge has no word for is described too, and answers as it is described.
func TestLocalRoutesAreDescribed(t *testing.T) {
	a := appliancetest.Open(t, appliancetest.Make(t))
	var described []string
	for path, item := range openapitest.Document(t).Paths.Map() {
		for method := range item.Operations() {
			if strings.HasPrefix(path, "/local/") || path == "/readyz" || path == "/metrics" {
				described = append(described, method+" "+path)
			}
		}
	}
	patterns := a.LocalPatterns()
	slices.Sort(patterns)
	if slices.Sort(described); !slices.Equal(described, patterns) {
		t.Errorf("described are %v, the routes are %v", described, patterns)
	}

	handler := openapitest.Described(t, a.Handler())
	token := ""
	var subscription struct{ SubscriptionArn string }
	call := func(method, path, body string, want int) string {
		t.Helper()
		r := httptest.NewRequest(method, path, strings.NewReader(body))
		r.Header.Set("Bridge-Session", token)
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("%s %s: %d %s", method, path, w.Code, w.Body)
		}
		return w.Body.String()
	}
	call("GET", "/local/v1/status", "", 401)
	call("GET", "/readyz", "", 200)
	call("GET", "/metrics", "", 401)
	var session struct{ SessionToken string }
	signedIn := call("POST", "/v4/auth/signIn", `{"appId":"test-app","email":"admin@example.org","password":"Right-as-rain-1"}`, 200)
	if err := json.Unmarshal([]byte(signedIn), &session); err != nil {
		t.Fatal(err)
	}
	token = session.SessionToken
	call("GET", "/local/v1/status", "", 200)
	if text := call("GET", "/metrics", "", 200); !strings.Contains(text, "footbridge_uploads{state=\"requested\"} 0\n") || !strings.Contains(text, "footbridge_records{destination=\"sleep\",state=\"exported\"} 0\n") {
		t.Errorf("the metrics are %s", text)
	}
	call("GET", "/local/v1/settings", "", 200)
	call("POST", "/local/v1/settings/try", `{"key":"sync.transfers","value":"17"}`, 200)
	call("POST", "/local/v1/settings/try", `{"key":"colour","value":"red"}`, 400)
	call("PATCH", "/local/v1/settings", `{"key":"sync.transfers","value":"2"}`, 200)
	call("PATCH", "/local/v1/settings", `[]`, 400)
	call("GET", "/local/v1/uploads/none/destinations", "", 404)
	ids := announced(t, a, "u", "walk.zip")
	if text := call("GET", "/local/v1/uploads?standing=expected&study=&text=walk&pageSize=1", "", 200); !strings.Contains(text, `"file":"walk.zip"`) {
		t.Errorf("the uploads are %s", text)
	}
	call("GET", "/local/v1/uploads/"+string(ids[0]), "", 200)
	call("GET", "/local/v1/uploads?since=2026-11-20T08:00:00Z&until=2026-11-20T10:00:00Z", "", 200)
	call("GET", "/local/v1/uploads?since=yesterday", "", 400)
	call("GET", "/local/v1/uploads/none", "", 404)
	call("GET", "/local/v1/traffic", "", 200)
	call("GET", "/local/v1/deeds?pageSize=1", "", 200)
	call("GET", "/local/v1/deeds?pageSize=0", "", 400)
	call("GET", "/local/v1/sync/comparison", "", 200)
	call("POST", "/local/v1/sync/comparison", "[]", 400)
	call("POST", "/local/v1/sync/comparison", `{"repair":true}`, 200)
	call("GET", "/local/v1/uploads?study=none", "", 404)
	call("GET", "/local/v1/uploads?standing=lost", "", 400)
	call("GET", "/local/v1/uploads?pageSize=501", "", 400)
	var made struct{ Identifier string }
	created := call("POST", "/v5/studies/sleep/participants", `{"externalIds":{"sleep":"P-17"},"password":"Right-as-rain-1"}`, 201)
	if err := json.Unmarshal([]byte(created), &made); err != nil {
		t.Fatal(err)
	}
	if text := call("GET", "/local/v1/studies/sleep/participants?presence=excused&days=3&text=p-17&pageSize=1", "", 200); !strings.Contains(text, `"externalId":"P-17"`) {
		t.Errorf("the participants are %s", text)
	}
	call("GET", "/local/v1/studies/none/participants", "", 404)
	call("GET", "/local/v1/studies/sleep/participants?presence=lost", "", 400)
	call("GET", "/local/v1/studies/sleep/participants?days=0", "", 400)
	call("GET", "/local/v1/studies/sleep/participants/"+made.Identifier, "", 200)
	call("GET", "/local/v1/studies/sleep/participants/none", "", 404)
	call("POST", "/local/v1/studies/sleep/access/requests", `{"account":"jo"}`, 200)
	call("POST", "/local/v1/studies/sleep/access/grants", `{"account":"jo"}`, 200)
	call("POST", "/local/v1/studies/sleep/access/grants", `{}`, 400)
	call("POST", "/local/v1/studies/none/access/requests", `{"account":"jo"}`, 404)
	call("GET", "/local/v1/studies/sleep/access", "", 200)
	call("GET", "/local/v1/studies/none/access", "", 404)
	call("POST", "/local/v1/studies/sleep/credentials", "", 400)
	call("POST", "/local/v1/studies/none/project", "", 404)
	call("GET", "/local/v1/studies/none/project", "", 404)
	if text := call("GET", "/local/v1/studies/sleep/project", "", 200); !strings.Contains(text, `"state":"made"`) {
		t.Errorf("the project is %s", text)
	}
	call("POST", "/local/v1/uploads/redrive", `{"all":true,"dryRun":true}`, 200)
	call("POST", "/local/v1/uploads/redrive", `{"refused":true}`, 200)
	call("POST", "/local/v1/uploads/redrive", `{"study":"sleep","since":"2026-11-20T00:00:00Z"}`, 200)
	call("POST", "/local/v1/uploads/redrive", `{"uploadIds":["none"]}`, 404)
	call("POST", "/local/v1/uploads/redrive", `{"study":"none"}`, 404)
	call("POST", "/local/v1/uploads/redrive", `{}`, 400)
	call("POST", "/local/v1/uploads/redrive", `{"since":"yesterday"}`, 400)
	call("POST", "/local/v1/uploads/withdraw", `{}`, 200)
	call("POST", "/local/v1/uploads/withdraw", `{"uploadIds":["none"]}`, 404)
	call("POST", "/local/v1/uploads/withdraw", `{"participant":"none"}`, 404)
	call("POST", "/local/v1/uploads/withdraw", `[]`, 400)
	call("GET", "/local/v1/regrets", "", 200)
	call("POST", "/local/v1/uploads/retry", `{"all":true}`, 200)
	call("POST", "/local/v1/uploads/retry", `{}`, 400)
	call("POST", "/local/v1/uploads/retry", `{"uploadIds":["none"]}`, 404)
	call("POST", "/local/v1/sync/reconcile", "", 200)
	call("POST", "/local/v1/sync/reconcile", `{"repair":true,"orphans":[]}`, 200)
	call("POST", "/local/v1/sync/reconcile", `[]`, 400)
	for _, way := range [][2]string{{"pause", `"state":"paused"`}, {"now", `"state":"paused"`}, {"resume", `"state":"ok"`}} {
		if text := call("POST", "/local/v1/sync/"+way[0], "", 200); !strings.Contains(text, way[1]) {
			t.Errorf("after %s: %s", way[0], text)
		}
	}
	call("GET", "/local/v1/audit?since=2026-11-20T00:00:00Z&until=2126-11-20T00:00:00Z", "", 200)
	call("GET", "/local/v1/audit?since=yesterday", "", 400)
	call("GET", "/local/v1/subscriptions", "", 200)
	subscribed := call("POST", "/v1/apps/self/exporter3/notifications/export/subscribe", `{"endpoint":"https://a.example.org/x?key=private","protocol":"https"}`, 201)
	if err := json.Unmarshal([]byte(subscribed), &subscription); err != nil {
		t.Fatal(err)
	}
	if text := call("GET", "/local/v1/subscriptions", "", 200); !strings.Contains(text, `"endpoint":"https://a.example.org/x?…"`) || strings.Contains(text, "whsec") {
		t.Errorf("the subscriptions are %s", text)
	}
	if text := call("GET", "/metrics", "", 200); !strings.Contains(text, "footbridge_notices_waiting{subscription=") {
		t.Errorf("the metrics are %s", text)
	}
	call("DELETE", "/local/v1/subscriptions/"+subscription.SubscriptionArn, "", 200)
	call("DELETE", "/local/v1/subscriptions/"+subscription.SubscriptionArn, "", 404)
	call("GET", "/local/v1/events?changes=perhaps", "", 400)
	a.End()
	call("GET", "/local/v1/events?after=none", "", 200)
	call("GET", "/local/v1/keys", "", 200)
	call("POST", "/local/v1/keys", "", 200)
	call("POST", "/local/v1/keys/import", `{"pem":"none"}`, 400)
	if text := call("POST", "/local/v1/repository/test", "", 200); !strings.Contains(text, `"ok":true,"checks":[`) {
		t.Errorf("the repository's test says %s", text)
	}
	if text := call("POST", "/local/v1/repository/test", `{"repository":"folder:elsewhere"}`, 200); !strings.Contains(text, `"trouble":"no_folder"`) {
		t.Errorf("the test of a folder that is not there says %s", text)
	}
	if text := call("POST", "/local/v1/repository/test", `{"repository":"folder:footbridge.toml"}`, 200); !strings.Contains(text, `"trouble":"not_folder"`) || !strings.Contains(text, `"ok":false`) {
		t.Errorf("a file tried out is %s", text)
	}
	call("POST", "/local/v1/repository/test", `{"repository":"floppy:a"}`, 400)
	call("POST", "/local/v1/repository/test", `{"repository":"rclone:nowhere"}`, 400)
	call("POST", "/local/v1/repository/test", `repository`, 400)
	call("GET", "/local/v1/studies/sleep/view?join=latest&format=json", "", 200)
	call("GET", "/local/v1/studies/sleep/view?join=latest&format=csv", "", 200)
	call("GET", "/local/v1/studies/sleep/view?join=first&format=csv", "", 400)
	call("GET", "/local/v1/studies/none/view?join=latest&format=csv", "", 404)
	if text := call("POST", "/local/v1/studies/sleep/project", "", 200); !strings.Contains(text, `"state":"making"`) {
		t.Errorf("the project that is asked for is %s", text)
	}
}

// announced has uploads announced by an account.
func announced(t *testing.T, a *appliance.Appliance, who core.UserID, names ...string) []core.UploadID {
	t.Helper()
	ids, err := a.Announced(t.Context(), who, names...)
	if err != nil {
		t.Fatal(err)
	}
	return ids
}
