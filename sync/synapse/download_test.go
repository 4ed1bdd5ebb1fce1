package synapse_test

import (
	"bytes"
	"context"
	"errors"
	"net"
	"strings"
	"testing"

	"footbridge/core"
	"footbridge/sync/synapse"
	"footbridge/sync/synapse/synapsetest"
)

// A file is read back by its handle, and is gone for good when it is deleted.
func TestReadAndDelete(t *testing.T) {
	s := synapsetest.Start(t, synapsetest.Config{})
	c := open(t, s, hasty())
	project, err := c.MakeProject(t.Context(), "Sleep")
	if err != nil {
		t.Fatal(err)
	}
	data := random(6 << 20)
	o, _ := object(data)
	handle, err := c.Upload(t.Context(), o, fileName, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.PutFile(t.Context(), synapse.File{Parent: project, Name: fileName, Handle: handle, Digest: o.Digest, Annotations: annotations}); err != nil {
		t.Fatal(err)
	}
	s.Inject(synapsetest.BadGateway().At("GET", "/storage"))
	if got, err := c.Read(t.Context(), handle, int64(len(data))); err != nil || !bytes.Equal(got, data) {
		t.Errorf("read %d bytes, %v", len(got), err)
	}
	if _, err := c.Read(t.Context(), handle, int64(len(data))-1); !errors.Is(err, core.ErrDigestMismatch) {
		t.Errorf("more than was asked for: %v", err)
	}
	if _, err := c.Read(t.Context(), "4711", 1); !errors.Is(err, core.ErrNotFound) {
		t.Errorf("no such handle: %v", err)
	}
	if err := c.Discard(t.Context(), handle); err != nil || s.Handles() != 1 {
		t.Errorf("a handle that a file has: %v, %d handles", err, s.Handles())
	}
	for range 2 {
		if err := errors.Join(c.Delete(t.Context(), project), c.Discard(t.Context(), handle)); err != nil {
			t.Error(err)
		}
	}
	if s.Handles() != 0 || len(s.Children("")) != 0 {
		t.Errorf("%d handles and the projects %v are left", s.Handles(), s.Children(""))
	}
	s.Inject(synapsetest.Portal())
	if err := c.Delete(t.Context(), project); !errors.Is(err, synapse.ErrAway) {
		t.Errorf("a network's page deleted it: %v", err)
	}
}

// Only a link that the repository gave is followed, and none is told.
func TestReadIsNotLedAstray(t *testing.T) {
	s := synapsetest.Start(t, synapsetest.Config{})
	c := open(t, s, once())
	o, _ := object([]byte("bytes"))
	handle, err := c.Upload(t.Context(), o, fileName, 0)
	if err != nil {
		t.Fatal(err)
	}
	const route = "/file/v1/fileHandle/*/url"
	for name, fault := range map[string]synapsetest.Fault{
		"a network's page":  synapsetest.Portal().At("GET", route),
		"words":             synapsetest.Fault{Status: 200, Type: "text/plain", Body: "Welcome! Please sign in."}.At("GET", route),
		"a bare connection": synapsetest.Fault{Status: 200, Type: "text/plain", Body: "http://elsewhere.example.org/x?X-Amz-Signature=s3cret"}.At("GET", route),
		"a broken line":     synapsetest.Fault{Cut: true}.At("GET", "/storage"),
		"a refusal":         synapsetest.Fault{Status: 403, Type: "application/xml", Body: "<Error><Code>AccessDenied</Code></Error>"}.At("GET", "/storage"),
	} {
		s.Inject(fault.Repeated(-1)) // HTTP repeats by itself what a broken connection cut
		text, err := c.Read(t.Context(), handle, 100)
		if !errors.Is(err, synapse.ErrAway) || len(text) > 0 || strings.Contains(printed(err), "ignature") {
			t.Errorf("%s: %q, %v", name, text, err)
		}
		s.Calm()
	}
}

// What is wrong is told apart as far as a person can do something about it.
func TestTroubles(t *testing.T) {
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	for want, harm := range map[synapse.Trouble]func(*synapsetest.Server, *synapse.Config){
		synapse.NoToken: func(_ *synapsetest.Server, c *synapse.Config) {
			c.Token = func(context.Context) (string, error) { return "", nil }
		},
		synapse.WrongToken: func(s *synapsetest.Server, _ *synapse.Config) { s.Revoke(synapsetest.Token) },
		synapse.MissingScope: func(s *synapsetest.Server, _ *synapse.Config) {
			s.AddUser(synapsetest.User{Name: "exporter", Token: synapsetest.Token, Certified: true, Scopes: []string{"download"}})
		},
		synapse.NotAllowed:  func(s *synapsetest.Server, _ *synapse.Config) { s.Inject(synapsetest.Refused(403, "You may not.")) },
		synapse.Maintenance: func(s *synapsetest.Server, _ *synapse.Config) { s.Maintain("DOWN", "back at noon", 0) },
		synapse.Busy:        func(s *synapsetest.Server, _ *synapse.Config) { s.Inject(synapsetest.Throttled("3600")) },
		synapse.Portal:      func(s *synapsetest.Server, _ *synapse.Config) { s.Inject(synapsetest.Portal()) },
		synapse.Refusing:    func(s *synapsetest.Server, _ *synapse.Config) { s.URL = "http://" + closed.Addr().String() },
	} {
		s := synapsetest.Start(t, synapsetest.Config{})
		config := once()
		harm(s, &config)
		_, err := open(t, s, config).Me(t.Context())
		if got := synapse.TroubleOf(err); got != want || got.Advice() == "" {
			t.Errorf("%v is %q, not %q", err, got, want)
		}
	}
	for kind, err := range map[synapse.Trouble]error{
		synapse.NotCertified: &synapse.Error{Kind: synapse.ErrRefused, Code: "USER_CERTIFICATION_REQUIRED"},
		synapse.Differs:      core.ErrDigestMismatch,
		synapse.Elsewhere:    core.ErrOtherRepository,
		synapse.Unclear:      errors.New("who knows"),
	} {
		if got := synapse.TroubleOf(err); got != kind {
			t.Errorf("%v is %q", err, got)
		}
	}
}
