package remote_test

import (
	"net/http"
	"strings"
	"testing"

	"footbridge/sync/remote"
	"footbridge/sync/remote/remotetest"
)

// forgetful is an answer without the metadata of an object.
type forgetful struct{ http.ResponseWriter }

func (f forgetful) WriteHeader(status int) {
	for key := range f.Header() {
		if strings.HasPrefix(key, "X-Amz-Meta-") {
			f.Header().Del(key)
		}
	}
	f.ResponseWriter.WriteHeader(status)
}

// A store that drops metadata is not taken for one where somebody removed it, also
// before anything was put there by this process.
func TestMetadataThatIsMissed(t *testing.T) {
	s, ctx := remotetest.Start(t, "s3"), t.Context()
	addr := s.Guarded(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(forgetful{w}, r) })
	})
	bare, _ := object(path, []byte("steps"), nil)
	if err := reach(t, s.Spec()).Put(ctx, bare); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		r    *remote.Remote
		want bool
	}{"one that keeps it": {reach(t, s.Spec()), false}, "one that drops it": {reach(t, s.Through(addr)), true}} {
		for range 2 {
			if bears, err := test.r.Bears(ctx, path, map[string]string{"recordId": "r1"}); bears != test.want || err != nil {
				t.Errorf("%s: %v, %v", name, bears, err)
			}
		}
	}
	holds(t, s.Folder(), map[string]string{path: "steps"})
}
