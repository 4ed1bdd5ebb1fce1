package synapsetest_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"footbridge/sync/synapse/synapsetest"
)

// get asks for what is behind a link, following nothing, and gives status, where it
// leads to, and text.
func get(t *testing.T, link, token string) (status int, location, text string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), "GET", link, nil)
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	raw, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, answer.Header.Get("Location"), string(raw)
}

// A file handle is its maker's alone, whose token needs the scope; links need no token,
// and stand no change. A handle goes when no entity has it.
func TestDownloads(t *testing.T) {
	s := synapsetest.Start(t, synapsetest.Config{})
	s.AddUser(synapsetest.User{Name: "stranger", Token: "of-a-stranger", Certified: true})
	s.AddUser(synapsetest.User{Name: "viewer", Token: "of-a-viewer", Scopes: []string{"view", "modify"}})
	in := made(t, s, "/repo/v1/entity", project)
	_, fields := ask(t, s, synapsetest.Token, "POST", "/file/v1/file/multipart", `{"concreteType":"org.sagebionetworks.repo.model.file.MultipartUploadRequest","fileName":"n","fileSizeBytes":1,"partSizeBytes":5242880,"contentMD5Hex":"0cc175b9c0f1b6a831c399e269772661"}`)
	id, _ := fields["uploadId"].(string)
	path := "/file/v1/file/multipart/" + id
	_, fields = ask(t, s, synapsetest.Token, "POST", path+"/presigned/url/batch", `{"uploadId":"`+id+`","partNumbers":[1]}`)
	signed := fields["partPresignedUrls"].([]any)[0].(map[string]any)
	put, err := http.NewRequestWithContext(t.Context(), "PUT", signed["uploadPresignedUrl"].(string), strings.NewReader("a"))
	if err != nil {
		t.Fatal(err)
	}
	put.Header.Set("x-amz-meta-signed", "yes")
	if answer, err := http.DefaultClient.Do(put); err != nil || answer.StatusCode != 200 {
		t.Fatal(answer, err)
	}
	ask(t, s, synapsetest.Token, "PUT", path+"/add/1?partMD5Hex=0cc175b9c0f1b6a831c399e269772661", "")
	_, fields = ask(t, s, synapsetest.Token, "PUT", path+"/complete", "")
	handle, _ := fields["resultFileHandleId"].(string)
	at := "/file/v1/fileHandle/" + handle
	file := made(t, s, "/repo/v1/entity", `{"concreteType":"org.sagebionetworks.repo.model.FileEntity","name":"n","parentId":"`+in+`","dataFileHandleId":"`+handle+`"}`)

	for token, want := range map[string]int{"": 401, "of-a-stranger": 403, "of-a-viewer": 403} {
		if status, _, _ := get(t, s.URL+at+"/url?redirect=false", token); status != want {
			t.Errorf("%q is answered %d", token, status)
		}
	}
	if status, to, _ := get(t, s.URL+at+"/url", synapsetest.Token); status != 307 || !strings.HasPrefix(to, s.URL+"/storage/") {
		t.Errorf("answered %d, leads to %s", status, to)
	}
	status, _, link := get(t, s.URL+at+"/url?redirect=false", synapsetest.Token)
	if status != 200 {
		t.Fatal(status, link)
	}
	for name, test := range map[string]struct {
		link, token string
		status      int
		text        string
	}{
		"as it is":     {link, "", 200, "a"},
		"with a token": {link, synapsetest.Token, 400, "<Error><Code>InvalidArgument</Code></Error>"},
		"changed":      {link + "x", "", 403, "<Error><Code>AccessDenied</Code></Error>"},
	} {
		if status, _, text := get(t, test.link, test.token); status != test.status || text != test.text {
			t.Errorf("%s: %d %s", name, status, text)
		}
	}
	for _, test := range []struct {
		token, method, path string
		status              int
	}{
		{"of-a-stranger", "DELETE", at, 403},
		{synapsetest.Token, "DELETE", at, 409},
		{synapsetest.Token, "DELETE", "/repo/v1/entity/" + file, 200},
		{synapsetest.Token, "DELETE", at, 409}, // it is in the trash
		{synapsetest.Token, "DELETE", "/repo/v1/entity/" + in + "?skipTrashCan=true", 200},
		{synapsetest.Token, "DELETE", at, 200},
		{synapsetest.Token, "DELETE", at, 200},
		{synapsetest.Token, "GET", at + "/url?redirect=false", 404},
	} {
		if status, fields := ask(t, s, test.token, test.method, test.path, ""); status != test.status {
			t.Errorf("%s %s: %d %v", test.method, test.path, status, fields)
		}
	}
	if s.Handles() != 0 {
		t.Error("the handle is there")
	}
}
