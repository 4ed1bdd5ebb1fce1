package remotetest

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"strings"
	"testing"
)

// Guarded serves the server at a second address, behind a guard, until the test ends.
func (s *Server) Guarded(t testing.TB, guard func(http.Handler) http.Handler) (addr string) {
	t.Helper()
	through := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { // the name of the host stays: it is signed
			r.Out.URL.Scheme, r.Out.URL.Host = "http", s.Addr
		},
		ErrorLog: log.New(io.Discard, "", 0), // requests that are given up
	}
	server := httptest.NewServer(guard(through))
	t.Cleanup(server.Close)
	return strings.TrimPrefix(server.URL, "http://")
}
