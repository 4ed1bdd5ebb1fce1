package synapse_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/sync/synapse"
	"footbridge/sync/synapse/synapsetest"
)

// hasty is a config that waits for milliseconds where it would for seconds.
func hasty() synapse.Config {
	return synapse.Config{
		Token: func(context.Context) (string, error) { return synapsetest.Token, nil },
		Wait:  time.Millisecond, MaxWait: 20 * time.Millisecond, Timeout: 5 * time.Second,
		Rate: -1, Poll: time.Millisecond, Settle: 30 * time.Millisecond, Retries: 3,
	}
}

// once is hasty without further attempts, so that a fault ends a call as a crash would.
func once() synapse.Config {
	config := hasty()
	config.Retries = -1
	return config
}

func open(t testing.TB, s *synapsetest.Server, config synapse.Config) *synapse.Client {
	t.Helper()
	s.PutObject("study", "app/sleep/owner.txt", []byte("exporter\n")) // see build
	c, err := synapse.Open(s.URL, config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

func TestOpen(t *testing.T) {
	token := func(context.Context) (string, error) { return "t", nil }
	for _, test := range []struct {
		endpoint string
		config   synapse.Config
		ok       bool
	}{
		{"https://repo-prod.prod.sagebase.org", synapse.Config{Token: token}, true},
		{"https://repo-prod.prod.sagebase.org/", synapse.Config{Token: token}, true},
		{"https://repo-prod.prod.sagebase.org/repo/v1/", synapse.Config{Token: token}, true},
		{"http://127.0.0.1:8080", synapse.Config{Token: token}, true},
		{"http://localhost", synapse.Config{Token: token}, true},
		{"http://repo-prod.prod.sagebase.org", synapse.Config{Token: token}, false},
		{"https://name:secret@host", synapse.Config{Token: token}, false},
		{"https://host", synapse.Config{}, false},
		{"ftp://host", synapse.Config{Token: token}, false},
		{"repo-prod", synapse.Config{Token: token}, false},
		{"", synapse.Config{Token: token}, false},
	} {
		if _, err := synapse.Open(test.endpoint, test.config); (err == nil) != test.ok {
			t.Errorf("Open(%q) = %v", test.endpoint, err)
		} else if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("Open(%q) tells a password: %v", test.endpoint, err)
		}
	}
}

func TestMe(t *testing.T) {
	s := synapsetest.Start(t, synapsetest.Config{})
	me, err := open(t, s, hasty()).Me(t.Context())
	if err != nil || me.Name != "exporter" || me.ID == 0 {
		t.Fatalf("Me() = %+v, %v", me, err)
	}
	s.Revoke(synapsetest.Token)
	if _, err := open(t, s, hasty()).Me(t.Context()); !errors.Is(err, synapse.ErrRefused) || strings.Contains(err.Error(), synapsetest.Token) {
		t.Errorf("Me() with a revoked token = %v", err)
	}
}

// Every way in which the repository can fail to answer is told apart.
func TestKindsOfErrors(t *testing.T) {
	const anything = "/repo/v1/userGroupHeaders/aliases"
	for _, test := range []struct {
		name  string
		fault synapsetest.Fault
		is    []error
		not   []error
	}{
		{"throttled", synapsetest.Throttled(""), []error{synapse.ErrThrottled, synapse.ErrAway}, []error{os.ErrPermission}},
		{"throttled for long", synapsetest.Throttled("3600"), []error{synapse.ErrThrottled, synapse.ErrAway}, []error{os.ErrPermission}},
		{"a gateway's page", synapsetest.BadGateway(), []error{synapse.ErrAway}, []error{os.ErrPermission, synapse.ErrThrottled, core.ErrImpostor}},
		{"a network's page", synapsetest.Portal(), []error{synapse.ErrAway, core.ErrImpostor}, []error{os.ErrPermission}},
		{"a network's page with 403", page(403), []error{synapse.ErrAway}, []error{os.ErrPermission}},
		{"a network's page with 404", page(404), []error{synapse.ErrAway}, []error{core.ErrNotFound}},
		{"a network's redirect", page(302), []error{synapse.ErrAway}, []error{os.ErrPermission}},
		{"no body", synapsetest.Fault{Status: 200, Body: " ", Type: "application/json"}, []error{synapse.ErrAway}, nil},
		{"half a body", synapsetest.Fault{Status: 200, Body: `{"list":[{`, Type: "application/json"}, []error{synapse.ErrAway}, nil},
		{"an error inside", synapsetest.Refused(500, "Something went wrong"), []error{synapse.ErrAway}, []error{os.ErrPermission}},
		{"unavailable", synapsetest.Refused(503, "Temporarily unavailable"), []error{synapse.ErrAway}, []error{synapse.ErrReadOnly}},
		{"no token", synapsetest.Refused(401, "Invalid access token"), []error{synapse.ErrToken, synapse.ErrRefused, os.ErrPermission}, []error{synapse.ErrAway, synapse.ErrInvalid}},
		{"no permission", synapsetest.Refused(403, "You do not have READ permission"), []error{synapse.ErrRefused, os.ErrPermission}, []error{synapse.ErrAway, synapse.ErrToken}},
		{"a locked account", synapsetest.Refused(423, "Locked"), []error{synapse.ErrRefused, os.ErrPermission}, []error{synapse.ErrAway}},
		{"a bad request", synapsetest.Refused(400, "Invalid"), []error{synapse.ErrInvalid, os.ErrInvalid, os.ErrPermission}, []error{synapse.ErrAway, synapse.ErrRefused}},
		{"a request that is too large", synapsetest.Refused(413, "Too large"), []error{synapse.ErrInvalid, os.ErrPermission}, []error{synapse.ErrAway}},
		{"a bad request that passes", synapsetest.Refused(400, "Could not obtain a lock. Please try again."), []error{synapse.ErrAway}, []error{synapse.ErrInvalid}},
		{"a bad request that quotes", synapsetest.Refused(400, "Invalid Name: 'try again'."), []error{synapse.ErrInvalid}, []error{synapse.ErrAway}},
		{"missing", synapsetest.Refused(404, "It does not exist"), []error{core.ErrNotFound}, []error{synapse.ErrAway, os.ErrPermission}},
		{"taken", synapsetest.Refused(409, "It exists"), []error{core.ErrExists}, []error{synapse.ErrAway, os.ErrPermission}},
		{"stale", synapsetest.Refused(412, "It was updated"), []error{core.ErrConflict}, []error{synapse.ErrAway, os.ErrPermission}},
		{"a broken line", synapsetest.Fault{Cut: true}, []error{synapse.ErrAway}, []error{os.ErrPermission}},
		{"a lost reply", synapsetest.Fault{DropReply: true}, []error{synapse.ErrAway}, []error{os.ErrPermission}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := synapsetest.Start(t, synapsetest.Config{})
			s.Inject(test.fault.At("POST", anything).Repeated(-1))
			_, err := open(t, s, hasty()).Principal(t.Context(), "exporter")
			for _, kind := range test.is {
				if !errors.Is(err, kind) {
					t.Errorf("%v is not %v", err, kind)
				}
			}
			for _, kind := range test.not {
				if errors.Is(err, kind) {
					t.Errorf("%v is %v", err, kind)
				}
			}
		})
	}
}

// page is what a network answers in the repository's place.
func page(status int) synapsetest.Fault {
	f := synapsetest.Portal()
	f.Status = status
	return f
}

// What passes within seconds is waited for within the call.
func TestTroubleThatPasses(t *testing.T) {
	for name, fault := range map[string]synapsetest.Fault{
		"throttled without a word": synapsetest.Throttled(""),
		"throttled for no time":    synapsetest.Throttled("0"),
		"a gateway's page":         synapsetest.BadGateway(),
		"unavailable":              synapsetest.Refused(503, "Temporarily unavailable"),
		"an error inside":          synapsetest.Refused(500, "Something went wrong"),
		"a broken line":            {Cut: true},
		"a lost reply":             {DropReply: true},
		"slow":                     {Delay: 50 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			s := synapsetest.Start(t, synapsetest.Config{})
			s.Inject(fault.At("POST", "/repo/v1/userGroupHeaders/aliases").Repeated(2))
			if id, err := open(t, s, hasty()).Principal(t.Context(), "exporter"); err != nil || id == 0 {
				t.Fatalf("Principal() = %d, %v", id, err)
			}
		})
	}
}

// A rest of seconds that the repository asks for is taken; a longer one is told.
func TestRetryAfter(t *testing.T) {
	s := synapsetest.Start(t, synapsetest.Config{})
	config := hasty()
	config.MaxWait = 2 * time.Second
	s.Inject(synapsetest.Throttled("1").At("GET", "/repo/v1/userProfile"))
	began := time.Now()
	if _, err := open(t, s, config).Me(t.Context()); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took < time.Second {
		t.Errorf("asked again after %v, and was to wait a second", took)
	}
	for header, want := range map[string]time.Duration{"120": 2 * time.Minute, "86400": 15 * time.Minute} {
		s.Inject(synapsetest.Throttled(header).At("GET", "/repo/v1/userProfile"))
		_, err := open(t, s, config).Me(t.Context())
		if later := (*core.Later)(nil); !errors.As(err, &later) || later.After != want {
			t.Errorf("Retry-After %s gives %v, want it to tell %v", header, err, want)
		}
	}
}

// While the repository is maintained it is not asked again and again.
func TestMaintenance(t *testing.T) {
	s := synapsetest.Start(t, synapsetest.Config{})
	c := open(t, s, hasty())
	s.Maintain("READ_ONLY", "Back on Monday", 0)
	_, err := c.Me(t.Context())
	if !errors.Is(err, synapse.ErrReadOnly) || !errors.Is(err, synapse.ErrAway) {
		t.Errorf("Me() = %v", err)
	}
	if calls := len(s.Calls()); calls != 2 { // the call and /status
		t.Errorf("it was asked %d times", calls)
	}
	state, message, err := c.State(t.Context())
	if state != synapse.ReadOnly || message != "Back on Monday" || err != nil {
		t.Errorf("State() = %v, %q, %v", state, message, err)
	}
	s.Maintain("READ_WRITE", "", 0)
	if _, err := c.Me(t.Context()); err != nil {
		t.Error(err)
	}
}

// Without a token nothing is sent.
func TestWithoutToken(t *testing.T) {
	s := synapsetest.Start(t, synapsetest.Config{})
	for name, token := range map[string]func(context.Context) (string, error){
		"empty":   func(context.Context) (string, error) { return "", nil },
		"failing": func(context.Context) (string, error) { return "", errors.New("the keyring is locked: pat-secret") },
	} {
		config := hasty()
		config.Token = token
		_, err := open(t, s, config).Me(t.Context())
		if !errors.Is(err, synapse.ErrToken) || !errors.Is(err, os.ErrPermission) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if calls := s.Calls(); len(calls) != 0 {
		t.Errorf("it was asked: %v", calls)
	}
}

// A call that is given up says so.
func TestGivenUp(t *testing.T) {
	s := synapsetest.Start(t, synapsetest.Config{})
	s.Inject(synapsetest.Fault{Delay: 10 * time.Second})
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := open(t, s, hasty()).Me(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Me() = %v", err)
	}
	config := once()
	config.Timeout = 20 * time.Millisecond
	s.Inject(synapsetest.Fault{Delay: 10 * time.Second})
	if _, err := open(t, s, config).Me(t.Context()); !errors.Is(err, synapse.ErrAway) || errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Me() = %v: an attempt's own limit is not the caller's", err)
	}
}

// A client stays below what the repository allows one user.
func TestPace(t *testing.T) {
	s := synapsetest.Start(t, synapsetest.Config{Concurrent: 2})
	config := once()
	config.Together, config.Rate = 2, 100
	c := open(t, s, config)
	failed := make(chan error, 16)
	began := time.Now()
	for range 16 {
		go func() {
			_, err := c.Me(context.WithoutCancel(t.Context()))
			failed <- err
		}()
	}
	for range 16 {
		if err := <-failed; err != nil {
			t.Error(err)
		}
	}
	if took := time.Since(began); took < 50*time.Millisecond {
		t.Errorf("16 calls at 100 in a second took %v", took)
	}
}

// replier answers everything with one answer.
type replier struct {
	status int
	body   string
}

func (r replier) RoundTrip(asked *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: r.status, Header: http.Header{}, Request: asked, Body: io.NopCloser(strings.NewReader(r.body)),
	}, nil
}

// Whatever is answered: no panic, no success without an id, and no error that
// tells what was sent, the token, or a link.
func FuzzAnswers(f *testing.F) {
	f.Add(200, `{"list":[{"ownerId":"7"}]}`)
	f.Add(404, `{"reason":"no secret-name here"}`)
	f.Add(400, `{"concreteType":"org.sagebionetworks.repo.model.ErrorResponse","reason":"'secret-name' at https://b.s3/k?X-Amz-Signature=1","errorCode":"A_B"}`)
	f.Add(429, `{"reason":"pat-of-the-exporter"}`)
	f.Add(502, `<html>secret-name</html>`)
	f.Add(403, "{\"reason\":\"\\u0000secret\\u0000-name\"}")
	f.Fuzz(func(t *testing.T, status int, body string) {
		if status < 100 || status > 999 {
			t.Skip()
		}
		config := once()
		config.Transport = replier{status, body}
		c, err := synapse.Open("https://repository.example", config)
		if err != nil {
			t.Fatal(err)
		}
		id, err := c.Principal(t.Context(), "secret-name")
		if err == nil && (status < 200 || status > 299 || id == 0) {
			t.Errorf("%d %q gives %d", status, body, id)
		}
		if err != nil {
			for _, secret := range []string{"secret-name", synapsetest.Token, "X-Amz-Signature"} {
				if strings.Contains(err.Error(), secret) {
					t.Errorf("the error tells %q: %v", secret, err)
				}
			}
			if len([]rune(err.Error())) > 600 {
				t.Errorf("the error is %d long", len(err.Error()))
			}
		}
	})
}
