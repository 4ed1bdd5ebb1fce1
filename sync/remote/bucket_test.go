package remote_test

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/rclone/rclone/fs"

	"footbridge/core"
	"footbridge/sync/remote"
	"footbridge/sync/remote/remotetest"
)

// lent is a bucket of which a part is lent.
func lent(addr string) remote.Bucket {
	return remote.Bucket{
		Name: remotetest.Place, Prefix: "app/sleep", Provider: "Rclone", Endpoint: "http://" + addr,
		AccessKeyID: remotetest.User, SecretAccessKey: remotetest.Key, SessionToken: "a-token-that-was-lent",
	}
}

// Who was lent a part of a bucket works in it although the bucket does not say of
// what is missing that it is, and is told apart once the loan is over.
func TestABucketThatIsLent(t *testing.T) {
	s, ctx := remotetest.Start(t, "s3"), t.Context()
	var over atomic.Bool
	addr := s.Guarded(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, missing := os.Stat(filepath.Join(s.Root, filepath.FromSlash(r.URL.Path)))
			part := strings.HasPrefix(r.URL.Path, "/"+remotetest.Place+"/app/sleep/") || strings.HasPrefix(r.URL.Query().Get("prefix"), "app/sleep/")
			switch {
			case over.Load():
				w.WriteHeader(http.StatusBadRequest)
				fmt.Fprint(w, "<Error><Code>ExpiredToken</Code></Error>")
			case r.Header.Get("X-Amz-Security-Token") != "a-token-that-was-lent", !part, r.Method == "HEAD" && missing != nil:
				w.WriteHeader(http.StatusForbidden)
				fmt.Fprint(w, "<Error><Code>AccessDenied</Code></Error>")
			default:
				next.ServeHTTP(w, r)
			}
		})
	})
	r, err := remote.OpenBucket(ctx, lent(addr))
	if err != nil {
		t.Fatal(err)
	}
	obj, opened := object("2026-11-20/r1-walk.zip", []byte("steps"), map[string]string{"recordId": "r1", "clientInfo": "Grüße"})
	if held, err := r.Exists(ctx, obj.Path); held || err != nil {
		t.Error("before it was put:", held, err)
	}
	if err := r.Remove(ctx, obj.Path); err != nil {
		t.Error("remove of nothing:", err)
	}
	if _, err := r.Hash(ctx, obj.Path); !errors.Is(err, core.ErrNotFound) {
		t.Error("hash of nothing:", err)
	}
	for range 2 {
		if err := r.Put(ctx, obj); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := r.Hash(ctx, obj.Path); got != obj.Digest || err != nil || *opened != 1 {
		t.Errorf("it is %+v, %v, and was sent %d times", got, err, *opened)
	}
	for key, want := range map[string]bool{"recordId": true, "recordid": true, "other": false} {
		if bears, err := r.Bears(ctx, obj.Path, map[string]string{key: "r1", "clientInfo": "Grüße"}); bears != want || err != nil {
			t.Errorf("it bears %s: %v, %v", key, bears, err)
		}
	}
	holds(t, s.Folder(), map[string]string{"app/sleep/2026-11-20/r1-walk.zip": "steps"})
	over.Store(true)
	_, asked := r.Hash(ctx, obj.Path)
	for name, err := range map[string]error{"put": r.Put(ctx, obj), "hash": asked, "remove": r.Remove(ctx, obj.Path)} {
		if remote.TroubleOf(err) != remote.WrongKey || strings.Contains(err.Error(), "a-token") || strings.Contains(err.Error(), remotetest.Key) {
			t.Errorf("%s once it is over: %v (%s)", name, err, remote.TroubleOf(err))
		}
	}
}

func TestLentKeysAreNotShown(t *testing.T) {
	b := lent("127.0.0.1:1")
	var log strings.Builder
	slog.New(slog.NewTextHandler(&log, nil)).Info("lent", "bucket", b)
	for _, text := range []string{fmt.Sprint(b), fmt.Sprintf("%+v", b), fmt.Sprintf("%#v", b), fmt.Sprint(&b), log.String()} {
		if strings.Contains(text, b.SecretAccessKey) || strings.Contains(text, b.SessionToken) || !strings.Contains(text, "studies/app/sleep") {
			t.Errorf("it is shown as %s", text)
		}
	}
	b.SecretAccessKey = ""
	if _, err := remote.OpenBucket(t.Context(), b); err == nil {
		t.Error("a bucket without keys is opened")
	}
}

// At AWS objects are encrypted in the way in which their MD5 is told.
func TestABucketAtAWS(t *testing.T) {
	asked := make(chan *http.Request, 10)
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		asked <- r
		if r.Method == http.MethodGet {
			fmt.Fprint(w, `<ListBucketResult><Name>study-data</Name><KeyCount>0</KeyCount><IsTruncated>false</IsTruncated></ListBucketResult>`)
			return
		}
		w.WriteHeader(http.StatusForbidden) // it is enough to be asked
	}))
	defer server.Close()
	ctx, config := fs.AddConfig(t.Context())
	config.InsecureSkipVerify = true
	b := lent("")
	b.Name, b.Provider, b.Region, b.Endpoint = "study-data", "AWS", "eu-central-1", server.URL
	r, err := remote.OpenBucket(ctx, b)
	if err != nil {
		t.Fatal(err)
	}
	obj, _ := object("2026-11-20/r1-walk.zip", []byte("steps"), nil)
	if err := r.Put(ctx, obj); !errors.Is(err, os.ErrPermission) {
		t.Errorf("it was put: %v", err)
	}
	for range len(asked) {
		if r := <-asked; r.Method == http.MethodPut {
			if r.Header.Get("X-Amz-Server-Side-Encryption") != "AES256" || !strings.Contains(r.Header.Get("Authorization"), "/eu-central-1/s3/") || !strings.HasSuffix(r.URL.Path, "app/sleep/2026-11-20/r1-walk.zip") {
				t.Errorf("asked is %s %s with %v", r.Method, r.URL, r.Header)
			}
			return
		}
	}
	t.Error("nothing was put")
}
