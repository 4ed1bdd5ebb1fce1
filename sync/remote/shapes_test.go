package remote_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dropbox/dropbox-sdk-go-unofficial/v6/dropbox/files"
	onedrive "github.com/rclone/rclone/backend/onedrive/api"
	"golang.org/x/oauth2"
	"google.golang.org/api/googleapi"

	"footbridge/core"
	"footbridge/sync/remote"
	"footbridge/sync/remote/remotetest"
)

// What stores answer when something is wrong, as their documents and their users
// show it.
func TestWhatStoresAnswer(t *testing.T) {
	s3 := func(code string) string {
		return `<?xml version="1.0" encoding="UTF-8"?><Error><Code>` + code + `</Code><Message>m</Message><RequestId>4442587FB7D0A2F9</RequestId></Error>`
	}
	azure := func(code string) string {
		return "\ufeff" + `<?xml version="1.0" encoding="utf-8"?><Error><Code>` + code + `</Code><Message>m</Message></Error>`
	}
	key := base64.StdEncoding.EncodeToString([]byte("s3cret-key-of-the-account"))
	specs := map[string]string{
		"s3":        "rclone::s3,provider=AWS,access_key_id=AKIAXXXXXXXXXXXXXXXX,secret_access_key='s3cret-key-of-the-account',force_path_style,endpoint='http://%s':studies/x",
		"azureblob": "rclone::azureblob,account=hospital,key='" + key + "',endpoint='http://%s/hospital':studies/x",
		"gcs":       "rclone::gcs,anonymous,endpoint='http://%s/':studies/x",
	}
	for _, test := range []struct {
		kind    string
		status  int
		header  string
		body    string
		trouble remote.Trouble
		refused bool
	}{
		{"s3", 403, "", s3("RequestTimeTooSkewed"), remote.WrongClock, true},
		{"s3", 403, "", s3("SignatureDoesNotMatch"), remote.WrongKey, true},
		{"s3", 403, "", s3("InvalidAccessKeyId"), remote.WrongKey, true},
		{"s3", 400, "", s3("ExpiredToken"), remote.WrongKey, true},
		{"s3", 403, "", s3("AccessDenied"), remote.NotAllowed, true},
		{"s3", 404, "", s3("NoSuchBucket"), remote.NoBucket, false},
		{"s3", 503, "", s3("SlowDown"), remote.Busy, false},
		{"s3", 400, "", s3("BadDigest"), remote.Differs, false},
		{"s3", 507, "", s3("QuotaExceeded"), remote.Full, false},
		{"s3", 502, "", "<html><body>Bad Gateway</body></html>", remote.Unclear, false},
		{"azureblob", 403, "AuthenticationFailed", azure("AuthenticationFailed"), remote.WrongKey, true},
		{"azureblob", 403, "AuthorizationPermissionMismatch", azure("AuthorizationPermissionMismatch"), remote.NotAllowed, true},
		{"azureblob", 404, "ContainerNotFound", azure("ContainerNotFound"), remote.NoBucket, false},
		{"azureblob", 503, "ServerBusy", azure("ServerBusy"), remote.Busy, false},
		{"azureblob", 400, "Md5Mismatch", azure("Md5Mismatch"), remote.Differs, false},
		{"gcs", 401, "", `{"error":{"code":401,"message":"Invalid Credentials","errors":[{"reason":"authError"}]}}`, remote.WrongKey, true},
		{"gcs", 403, "", `{"error":{"code":403,"message":"no access","errors":[{"reason":"forbidden"}]}}`, remote.NotAllowed, true},
		{"gcs", 404, "", `{"error":{"code":404,"message":"The specified bucket does not exist.","errors":[{"reason":"notFound"}]}}`, remote.NoBucket, false},
		{"gcs", 429, "", `{"error":{"code":429,"message":"slow","errors":[{"reason":"rateLimitExceeded"}]}}`, remote.Busy, false},
	} {
		t.Run(fmt.Sprintf("%s/%d/%s", test.kind, test.status, test.trouble), func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "application/xml")
				if strings.HasPrefix(test.body, "{") {
					w.Header().Set("Content-Type", "application/json")
				}
				if test.header != "" {
					w.Header().Set("x-ms-error-code", test.header)
				}
				w.WriteHeader(test.status)
				fmt.Fprint(w, test.body)
			}))
			defer server.Close()
			r := reach(t, fmt.Sprintf(specs[test.kind], strings.TrimPrefix(server.URL, "http://")))
			err := r.PutBytes(impatient(t), path, []byte("bytes"), "")
			if got := remote.TroubleOf(err); got != test.trouble || err == nil {
				t.Errorf("%v is %q, not %q", err, got, test.trouble)
			}
			if errors.Is(err, os.ErrPermission) != test.refused || errors.Is(err, core.ErrNotFound) ||
				errors.Is(err, core.ErrNoToken) != (test.trouble == remote.WrongKey) || errors.Is(err, core.ErrThrottled) != (test.trouble == remote.Busy) {
				t.Errorf("%v is of the wrong class", err)
			}
			if err != nil && (strings.Contains(err.Error(), "s3cret") || strings.Contains(err.Error(), "://")) {
				t.Errorf("it tells a secret or a URL: %v", err)
			}
		})
	}
}

// Those that no test can reach are told apart by their own error types.
func TestWhatDrivesAnswer(t *testing.T) {
	drive := func(code int, reason string) error {
		return fmt.Errorf("couldn't list directory: %w", &googleapi.Error{Code: code, Errors: []googleapi.ErrorItem{{Reason: reason}}})
	}
	one := func(code string) error {
		err := &onedrive.Error{}
		err.ErrorInfo.Code = code
		return fmt.Errorf("couldn't list files: %w", err)
	}
	box := &files.UploadAPIError{}
	box.ErrorSummary = "path/no_write_permission/.."
	full := &files.UploadAPIError{}
	full.ErrorSummary = "path/insufficient_space/."
	for _, test := range []struct {
		err  error
		want remote.Trouble
	}{
		{drive(403, "insufficientFilePermissions"), remote.NotAllowed},
		{drive(403, "userRateLimitExceeded"), remote.Busy},
		{drive(403, "storageQuotaExceeded"), remote.Full},
		{drive(401, "authError"), remote.WrongKey},
		{drive(500, "internalError"), remote.Unclear},
		{&oauth2.RetrieveError{ErrorCode: "invalid_grant"}, remote.WrongKey},
		{one("InvalidAuthenticationToken"), remote.WrongKey},
		{one("unauthenticated"), remote.WrongKey},
		{one("accessDenied"), remote.NotAllowed},
		{one("quotaLimitReached"), remote.Full},
		{one("activityLimitReached"), remote.Busy},
		{box, remote.NotAllowed},
		{full, remote.Full},
		{errors.New("expired_access_token/.."), remote.WrongKey},
		{errors.New("too_many_write_operations/.."), remote.Busy},
		{errors.New("empty token found - please run \"rclone config reconnect drive:\""), remote.WrongKey},
		{errors.New("something else"), remote.Unclear},
	} {
		if got := remote.SortOut(test.err); got != test.want {
			t.Errorf("%v is %q, not %q", test.err, got, test.want)
		}
	}
}

// Every kind opens without a connection, by connection string and from the file.
func TestEveryKindOpensWithoutAConnection(t *testing.T) {
	file := filepath.Join(t.TempDir(), "rclone.conf")
	text := "[box]\ntype = dropbox\ntoken = {\"access_token\":\"s3cret\"}\n\n[one]\ntype = onedrive\ntoken = {\"access_token\":\"s3cret\"}\ndrive_id = d\ndrive_type = business\n\n" +
		"[g]\ntype = drive\ntoken = {\"access_token\":\"s3cret\"}\n\n[store]\ntype = s3\nprovider = Minio\naccess_key_id = a\nsecret_access_key = s3cret\n\n" +
		"[sealed]\ntype = crypt\nremote = store:studies/sealed\npassword = kl98xc-Qk3dRz4FmVgK6Ig\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, spec := range []string{
		"rclone:box:studies", "rclone:one:studies", "rclone:g:studies", "rclone:store:studies/x", "rclone:sealed:", "rclone:sealed", "rclone:store,region=eu:studies",
		"rclone::s3,provider=Wasabi:b", "rclone::azureblob,account=a,key=YQ==:c/x", "rclone::gcs,anonymous:b", "rclone::google cloud storage,anonymous:b",
		"rclone::sftp,host=h,user=u:x", "rclone::webdav,url='https://u:s3cret@h/':x", "rclone::crypt,remote='store:studies',password=kl98xc-Qk3dRz4FmVgK6Ig:",
	} {
		r, err := remote.Open(t.Context(), spec, file)
		if err != nil {
			t.Errorf("%s: %v", spec, err)
			continue
		}
		if strings.Contains(r.String(), "s3cret") {
			t.Errorf("%s is called %s", spec, r)
		}
	}
}

// A crypt remote holds nothing that can be read without its password, wherever
// it lies.
func TestCrypt(t *testing.T) {
	folder := t.TempDir()
	places := map[string]string{"folder": folder}
	roots := map[string]string{"folder": folder}
	for _, kind := range remotetest.Kinds {
		s := remotetest.Start(t, kind)
		places[kind], roots[kind] = strings.TrimPrefix(s.Spec(), "rclone:"), s.Folder()
	}
	for kind, place := range places {
		t.Run(kind, func(t *testing.T) {
			spec := "rclone::crypt,remote='" + strings.ReplaceAll(place, "'", "''") + "',password=kl98xc-Qk3dRz4FmVgK6Ig:"
			r := reach(t, spec)
			data := []byte(strings.Repeat("in plain text ", 100_000))
			obj, opened := object(path, data, map[string]string{"healthCode": "in plain text"})
			for range 2 {
				if err := r.Put(t.Context(), obj); err != nil {
					t.Fatal(err)
				}
				if err := r.Verify(t.Context(), path, obj.Digest); err != nil {
					t.Error(err)
				}
			}
			if *opened != 1 {
				t.Errorf("it was sent %d times", *opened)
			}
			if got, err := reach(t, spec).Hash(t.Context(), path); err != nil || got != obj.Digest {
				t.Error(got, err)
			}
			found := onDisk(t, roots[kind])
			for name, text := range found {
				if strings.Contains(name, "tapping") || strings.Contains(name, "raw-data") || strings.Contains(text, "plain") {
					t.Errorf("%s can be read", name)
				}
			}
			if len(found) != 1 {
				t.Errorf("there are %d files", len(found))
			}
			if checks := r.Probe(t.Context()); !checks[len(checks)-1].OK {
				t.Errorf("%+v", checks)
			}
			if err := r.Remove(t.Context(), path); err != nil || len(onDisk(t, roots[kind])) > 0 {
				t.Error("remove:", err)
			}
		})
	}
}
