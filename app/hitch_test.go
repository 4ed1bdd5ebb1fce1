package main_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"footbridge/sync/synapse/synapsetest"
)

// stuck is a repository of which nobody hears after the next call, until it is freed.
type stuck struct {
	*synapsetest.Server
	mu    sync.Mutex
	freed chan struct{} // nil: it is free
	met   int           // calls since it is not
}

// ServeHTTP answers one call.
func (s *stuck) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	freed := s.freed
	if s.met++; s.met == 1 {
		freed = nil
	}
	s.mu.Unlock()
	if freed != nil {
		<-freed
	}
	s.Server.ServeHTTP(w, r)
}

// hold has the next call meet a fault, and those behind it wait.
func (s *stuck) hold(fault synapsetest.Fault) (free func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Inject(fault)
	freed := make(chan struct{})
	s.freed, s.met = freed, 0
	return sync.OnceFunc(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.freed = nil
		close(freed)
	})
}

// What keeps a record is told once a single attempt failed, while the call that made it
// is still being repeated and nobody has heard its end.
func TestTheFirstFailedAttemptIsTold(t *testing.T) {
	t.Parallel()
	server := &stuck{Server: synapsetest.New(synapsetest.Config{Polls: -1})}
	at := httptest.NewServer(server)
	t.Cleanup(at.Close)
	server.URL = at.URL
	s := newSite(t)
	s.giveToken(synapsetest.Token)
	s.command(nil, "config", "set", "repository", "synapse:"+server.URL)
	s.start()
	s.command(nil, "study", "create-project", testStudy)
	token := s.enrol("p1")
	sent := func(p *parcel) {
		t.Helper()
		within(t, time.Minute, func() bool { return strings.Contains(s.command(nil, "upload", "show", p.ID), "Sent to sleep.") }, s.out.String)
	}
	send := func(body string) *parcel {
		t.Helper()
		p := &parcel{name: "walk.bin", body: []byte(body)}
		if _, err := s.send(token, p); err != nil {
			t.Fatal(err)
		}
		return p
	}
	sent(send("before"))
	for want, fault := range map[string]synapsetest.Fault{
		"repository_throttled":   synapsetest.Throttled(""),
		"repository_unreachable": synapsetest.BadGateway(),
	} {
		free := server.hold(fault)
		t.Cleanup(free)
		p := send("steps before a " + want)
		within(t, time.Minute, func() bool {
			h, d, _ := s.standing(p.ID)
			return h.ExportState == "waiting" && h.ExportReason == want && h.Since != "" && h.NextTry != "" && d["reason"] == want && d["state"] == "waiting" && d["nextTry"] != nil
		}, func() string {
			return s.command(nil, "upload", "show", p.ID, "--json") + s.command(nil, "status", "--json")
		})
		if told := s.out.String(); strings.Contains(told, "export "+p.ID) {
			t.Errorf("the call has ended: %s", told)
		}
		free()
		sent(p)
		eventually(t, func() bool { return strings.HasPrefix(s.command(nil, "status"), "All is well") })
	}
}
