package remote_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"footbridge/sync/remote"
	"footbridge/sync/remote/remotetest"

	"github.com/google/go-cmp/cmp"
)

// tokenService answers as STS does, with status and body, and gives what it was asked.
func tokenService(t *testing.T, status int, body string) (addr string, asked *url.Values) {
	t.Helper()
	asked = &url.Values{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := r.ParseForm(); err != nil {
			t.Error(err)
		}
		*asked = r.PostForm
		asked.Set("signed", r.Header.Get("Authorization"))
		w.Header().Set("Content-Type", "text/xml")
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}))
	t.Cleanup(server.Close)
	return server.URL, asked
}

// stsAnswer is what an action of STS answers.
func stsAnswer(action string) string {
	return fmt.Sprintf(`<%[1]sResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><%[1]sResult><Credentials><AccessKeyId>ASIAFORAWHILE</AccessKeyId>`+
		`<SecretAccessKey>a-lent-secret</SecretAccessKey><SessionToken>a-lent-token</SessionToken><Expiration>2026-11-20T20:00:00Z</Expiration></Credentials></%[1]sResult></%[1]sResponse>`, action)
}

const stsRefusal = `<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><Error><Type>Sender</Type><Code>%s</Code><Message>User arn:aws:iam::1:user/ours is not authorized</Message></Error></ErrorResponse>`

// Each provider is asked in its own way, for keys that read one folder and nothing else.
func TestLend(t *testing.T) {
	for name, test := range map[string]struct{ spec, action, role, region string }{
		"AWS":            {"rclone::s3,provider=AWS,region=eu-central-1,access_key_id=AKIAOURS,secret_access_key=ours,sts_endpoint='%s':bucket/studies", "GetFederationToken", "", "eu-central-1"},
		"AWS by a role":  {"rclone::s3,provider=AWS,region=eu-central-1,access_key_id=AKIAOURS,secret_access_key=ours,role_arn='arn:aws:iam::1:role/readers',sts_endpoint='%s':bucket/studies", "AssumeRole", "arn:aws:iam::1:role/readers", "eu-central-1"},
		"another":        {"rclone::s3,provider=Minio,access_key_id=AKIAOURS,secret_access_key=ours,endpoint='%s':bucket/studies", "AssumeRole", "arn:xxx:xxx:xxx:xxxx", "us-east-1"},
		"without a name": {"rclone::s3,access_key_id=AKIAOURS,secret_access_key=ours,endpoint='%s':bucket/studies/", "AssumeRole", "arn:xxx:xxx:xxx:xxxx", "us-east-1"},
	} {
		addr, asked := tokenService(t, http.StatusOK, stsAnswer(test.action))
		given, until, err := reach(t, fmt.Sprintf(test.spec, addr)).Lend(t.Context(), "sleep")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if given.Name != "bucket" || given.Prefix != "studies/sleep" || given.AccessKeyID != "ASIAFORAWHILE" || given.SecretAccessKey != "a-lent-secret" || given.SessionToken != "a-lent-token" || !until.Equal(time.Date(2026, 11, 20, 20, 0, 0, 0, time.UTC)) {
			t.Errorf("%s: %v with %s until %s", name, given, given.AccessKeyID, until)
		}
		if asked.Get("Action") != test.action || asked.Get("RoleArn") != test.role || !strings.Contains(asked.Get("signed"), "Credential=AKIAOURS/") || !strings.Contains(asked.Get("signed"), "/"+test.region+"/sts/") {
			t.Errorf("%s: asked %v", name, asked)
		}
		var policy, want any
		if err := json.Unmarshal([]byte(asked.Get("Policy")), &policy); err != nil {
			t.Fatal(err)
		}
		json.Unmarshal([]byte(`{"Version":"2012-10-17","Statement":[
			{"Effect":"Allow","Action":["s3:ListBucket"],"Resource":["arn:aws:s3:::bucket"],"Condition":{"StringLike":{"s3:prefix":["studies/sleep","studies/sleep/*"]}}},
			{"Effect":"Allow","Action":["s3:GetObject"],"Resource":["arn:aws:s3:::bucket/studies/sleep/*"]}]}`), &want)
		if diff := cmp.Diff(want, policy); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// Whoever lends nothing is told apart from whoever is away.
func TestWhoLendsNothing(t *testing.T) {
	minio := func(status int, body string) string {
		addr, _ := tokenService(t, status, body)
		return "rclone::s3,provider=Minio,access_key_id=AKIAOURS,secret_access_key=our-secret,endpoint='" + addr + "':bucket/studies"
	}
	for name, test := range map[string]struct {
		spec  string
		lends bool // another time
	}{
		"no S3":           {"folder:" + t.TempDir(), false},
		"refused":         {minio(403, fmt.Sprintf(stsRefusal, "AccessDenied")), false},
		"unknown":         {minio(400, fmt.Sprintf(stsRefusal, "InvalidAction")), false},
		"not implemented": {minio(501, "<Error><Code>NotImplemented</Code></Error>"), false},
		"a page":          {minio(200, "<!DOCTYPE html><html><body>Welcome</body></html>"), false},
		"nothing":         {minio(200, `<AssumeRoleResponse><AssumeRoleResult></AssumeRoleResult></AssumeRoleResponse>`), false},
		"a wild card":     {strings.Replace(minio(200, stsAnswer("AssumeRole")), "bucket/studies", "bucket/stud*", 1), false},
		"without keys":    {"rclone::s3,provider=AWS:bucket", false},
		"busy":            {minio(503, fmt.Sprintf(stsRefusal, "ServiceUnavailable")), true},
		"away":            {remotetest.Spec("s3", "127.0.0.1:1", "our-secret", "bucket"), true},
	} {
		_, _, err := reach(t, test.spec).Lend(t.Context(), "sleep")
		if err == nil || errors.Is(err, remote.ErrLendsNothing) == test.lends {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil && strings.Contains(err.Error(), "our-secret") {
			t.Errorf("%s tells %v", name, err)
		}
	}
}
