package remotetest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	toxiproxy "github.com/Shopify/toxiproxy/v2"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"
)

// Line is a line to a server that can go bad.
type Line struct {
	Addr  string // where it begins
	t     testing.TB
	proxy *toxiproxy.Proxy
}

// NewLine lays a line to an address, until the test ends.
func NewLine(t testing.TB, to string) *Line {
	t.Helper()
	server := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(prometheus.NewRegistry()), zerolog.Nop())
	proxy := toxiproxy.NewProxy(server, t.Name(), "127.0.0.1:0", to)
	if err := proxy.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(proxy.Stop)
	return &Line{Addr: proxy.Listen, t: t, proxy: proxy}
}

// Toxic makes the line bad in one of toxiproxy's ways; up is towards the server.
func (l *Line) Toxic(kind string, up bool, attributes map[string]any) {
	l.t.Helper()
	direction := "downstream"
	if up {
		direction = "upstream"
	}
	text, err := json.Marshal(map[string]any{"type": kind, "stream": direction, "attributes": attributes})
	if err != nil {
		l.t.Fatal(err)
	}
	if _, err := l.proxy.Toxics.AddToxicJson(strings.NewReader(string(text))); err != nil {
		l.t.Fatal(err)
	}
}

// Mend makes the line good again.
func (l *Line) Mend() { l.proxy.Toxics.ResetToxics(l.t.Context()) }

// Cut ends every connection, and lets none come.
func (l *Line) Cut() { l.proxy.Stop() }

// Portal is a network that answers whatever it is asked with its sign-in page:
// with 200, or by leading there.
func Portal(t testing.TB, leads bool) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if leads && r.URL.Path != "/welcome" {
			http.Redirect(w, r, "/welcome", http.StatusFound)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<!DOCTYPE html><html><body><h1>Welcome to our network</h1><p>Please sign in.</body></html>")
	}))
	t.Cleanup(server.Close)
	return strings.TrimPrefix(server.URL, "http://")
}

// Lead leads whoever connects from now on to another address, in the same place.
func (l *Line) Lead(to string) {
	l.t.Helper()
	l.proxy.Stop()
	listen := l.Addr
	server := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(prometheus.NewRegistry()), zerolog.Nop())
	l.proxy = toxiproxy.NewProxy(server, l.t.Name(), listen, to)
	if err := l.proxy.Start(); err != nil {
		l.t.Fatal(err)
	}
	l.t.Cleanup(l.proxy.Stop)
}
