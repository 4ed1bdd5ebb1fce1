package synapsetest_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"footbridge/sync/synapse/synapsetest"

	"github.com/google/go-cmp/cmp"
)

const location = `{"concreteType":"org.sagebionetworks.repo.model.project.ExternalS3StorageLocationSetting","bucket":"b","baseKey":"app","stsEnabled":true}`

// A bucket is taken from whom its owner.txt names, below the base key only.
func TestOwners(t *testing.T) {
	s := synapsetest.Start(t, synapsetest.Config{})
	for _, test := range []struct {
		key, text string
		status    int
	}{
		{"else", "exporter", 400},
		{"app/owner.txt", "somebody", 400},
		{"app/owner.txt", "exporters", 400},
		{"app/owner.txt", strings.Repeat("other\n", 100) + "exporter", 400},
		{"app/owner.txt", "somebody, Exporter\n", 201},
	} {
		s.PutObject("b", test.key, []byte(test.text))
		if status, fields := ask(t, s, synapsetest.Token, "POST", "/repo/v1/storageLocation", location); status != test.status {
			t.Errorf("%s with %q: answered %d %v, want %d", test.key, test.text, status, fields, test.status)
		}
	}
	s.AddUser(synapsetest.User{Name: "stranger", Token: "s"})
	if status, _ := ask(t, s, "s", "POST", "/repo/v1/storageLocation", location); status != 400 {
		t.Errorf("a stranger is answered %d", status)
	}
}

// The bucket lets pass what the credentials allow, as long as they last.
func TestGuard(t *testing.T) {
	s := synapsetest.Start(t, synapsetest.Config{AccessKey: "key", SecretKey: "secret"})
	s.PutObject("b", "app/owner.txt", []byte("exporter"))
	s.PutObject("b", "app/k", []byte("a"))
	syn := made(t, s, "/repo/v1/entity", project)
	raw := made(t, s, "/repo/v1/entity", strings.NewReplacer("NAME", "Raw", "PARENT", syn).Replace(folder))
	_, at := ask(t, s, synapsetest.Token, "POST", "/repo/v1/storageLocation", location)
	number, _ := json.Marshal(at["storageLocationId"])
	made(t, s, "/repo/v1/projectSettings", `{"concreteType":"org.sagebionetworks.repo.model.project.UploadDestinationListSetting","projectId":"`+raw+
		`","settingsType":"upload","locations":[`+string(number)+`]}`)
	lend := func(permission string) string {
		_, given := ask(t, s, synapsetest.Token, "GET", "/repo/v1/entity/"+raw+"/sts?permission="+permission, "")
		token, _ := given["sessionToken"].(string)
		if given["accessKeyId"] != "key" || given["bucket"] != "b" || given["baseKey"] != "app" || token == "" {
			t.Fatalf("given are %v", given)
		}
		return token
	}
	guarded := s.Guard(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	refused := func(token, method, path string) string {
		r := httptest.NewRequest(method, path, strings.NewReader("bytes"))
		if token != "" {
			r.Header.Set("X-Amz-Security-Token", token)
		}
		w := httptest.NewRecorder()
		guarded.ServeHTTP(w, r)
		_, code, _ := strings.Cut(w.Body.String(), "<Code>")
		code, _, _ = strings.Cut(code, "</Code>")
		if code == "" && w.Code != http.StatusOK {
			return http.StatusText(w.Code)
		}
		return code
	}
	read, write := lend("read_only"), lend("read_write")
	for _, test := range []struct{ token, method, path, want string }{
		{"", "GET", "/b/app/k", "AccessDenied"},
		{"mine", "GET", "/b/app/k", "InvalidToken"},
		{read, "GET", "/b/app/k", ""},
		{read, "GET", "/b?list-type=2&prefix=app/", ""},
		{read, "GET", "/b?list-type=2&prefix=", "AccessDenied"},
		{read, "GET", "/b?list-type=2&prefix=apps/", "AccessDenied"},
		{read, "PUT", "/b/app/new", "AccessDenied"},
		{read, "DELETE", "/b/app/k", "AccessDenied"},
		{write, "PUT", "/b/app/new", ""},
		{write, "PUT", "/b/apps/new", "AccessDenied"},
		{write, "PUT", "/other/app/new", "AccessDenied"},
		{write, "PUT", "/b/app/owner.txt", "AccessDenied"},
		{write, "HEAD", "/b/app/none", "Forbidden"},
		{write, "DELETE", "/b/app/k", ""},
	} {
		if got := refused(test.token, test.method, test.path); got != test.want {
			t.Errorf("%s %s is refused with %q, want %q", test.method, test.path, got, test.want)
		}
	}
	s.ExpireAfter(2)
	for i, want := range []string{"", "ExpiredToken", "ExpiredToken"} {
		if got := refused(write, "GET", "/b/app/k"); got != want {
			t.Errorf("request %d is refused with %q, want %q", i, got, want)
		}
	}
	if got := refused(lend("read_write"), "GET", "/b/app/k"); got != "" {
		t.Errorf("new credentials are refused with %q", got)
	}
	if diff := cmp.Diff([]synapsetest.Effect{{Kind: "object", ID: "app/new"}, {Kind: "gone", ID: "app/k"}}, s.Effects("object", "gone")); diff != "" {
		t.Error(diff)
	}
}
