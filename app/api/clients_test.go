package api_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"footbridge/core"

	"pgregory.net/rapid"
)

// These tests play clients that were built for Bridge, each by its own habits, on
// a line that loses requests and answers. They end with one record, and no local
// copy is deleted before the site holds the bytes.

// line is a connection with faults: what a request meets next.
type line struct {
	faults []fault
	asked  []string // the paths that got through, in order
}

type fault string

const (
	lostRequest fault = "the request is lost"
	lostAnswer  fault = "the answer is lost"
	halfBody    fault = "the connection breaks in the body"
	fine        fault = "nothing is lost"
)

var errLine = errors.New("the line broke")

// RoundTrip sends a request over the line (http.RoundTripper).
func (l *line) RoundTrip(r *http.Request) (*http.Response, error) {
	next := fine
	if len(l.faults) > 0 {
		next, l.faults = l.faults[0], l.faults[1:]
	}
	switch next {
	case lostRequest:
		return nil, errLine
	case halfBody:
		if r.Body != nil && r.ContentLength > 1 {
			r.Body = io.NopCloser(io.MultiReader(io.LimitReader(r.Body, r.ContentLength/2), broken{}))
		}
	}
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	l.asked = append(l.asked, r.URL.Path)
	if next == lostAnswer {
		io.Copy(io.Discard, answer.Body)
		answer.Body.Close()
		return nil, errLine
	}
	return answer, nil
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errLine }

// client is what the clients of Bridge have in common.
type client struct {
	*signedIn
	site *site
	line *line
	who  string // external id

	agent  string
	signIn string // path
}

// signedIn is what a client keeps of its session.
type signedIn struct{ session, renewal string }

// refusal is an answer that a client takes for an error.
type refusal struct {
	status int
	kind   string
}

func (r *refusal) Error() string { return fmt.Sprint(r.status, " ", r.kind) }

// ask sends JSON; an answer over 299 is an error, but a 412 is taken for signed in.
func (c *client) ask(path string, body, answer any) error {
	text, _ := json.Marshal(body)
	r, err := http.NewRequest("POST", c.site.base+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	r.Header.Set("User-Agent", c.agent)
	r.Header.Set("Content-Type", "application/json; charset=UTF-8")
	r.Header.Set("Accept", "application/json")
	r.Header.Set("Accept-Language", "en")
	if c.session != "" {
		r.Header.Set("Bridge-Session", c.session)
	}
	got, err := (&http.Client{Transport: c.line}).Do(r)
	if err != nil {
		return err
	}
	defer got.Body.Close()
	raw, err := io.ReadAll(got.Body)
	if err != nil {
		return err
	}
	if got.StatusCode > 299 && got.StatusCode != http.StatusPreconditionFailed {
		var known struct{ Type string }
		json.Unmarshal(raw, &known)
		return &refusal{got.StatusCode, known.Type}
	}
	if answer == nil {
		return nil
	}
	return json.Unmarshal(raw, answer)
}

// userSession is what the clients need of a session; without these fields they crash.
type userSession struct {
	ID, SessionToken, ReauthToken string
	Authenticated                 *bool
	StudyIDs                      []string
}

func (c *client) enter(path string, body map[string]any) error {
	var s userSession
	c.session = ""
	if err := c.ask(path, body, &s); err != nil {
		return err
	}
	if s.ID == "" || s.SessionToken == "" || s.Authenticated == nil || len(s.StudyIDs) == 0 {
		return fmt.Errorf("a session that crashes clients: %+v", s)
	}
	c.session, c.renewal = s.SessionToken, s.ReauthToken
	return nil
}

// authorized makes a call with a session: at a 401 it is renewed, by the reauth
// token or else by the password, and the call made once more.
func (c *client) authorized(path string, body, answer any) error {
	password := func() error {
		return c.enter(c.signIn, map[string]any{"appId": testApp, "externalId": c.who, "password": password, "type": "SignIn"})
	}
	if c.session == "" {
		if err := password(); err != nil {
			return err
		}
	}
	err := c.ask(path, body, answer)
	var refused *refusal
	if !errors.As(err, &refused) || refused.status != http.StatusUnauthorized {
		return err
	}
	err = c.enter("/v3/auth/reauth", map[string]any{"appId": testApp, "externalId": c.who, "reauthToken": c.renewal, "type": "SignIn"})
	if errors.As(err, &refused) && slices.Contains([]int{401, 403, 404, 423}, refused.status) {
		err = password()
	}
	if err != nil {
		return err
	}
	return c.ask(path, body, answer)
}

// slot is an UploadSession as clients keep it.
type slot struct {
	ID, URL string
	Expires time.Time
}

// send PUTs a file without any session, and gives the status.
func (c *client) send(to slot, file string, headers http.Header) (int, error) {
	r, err := http.NewRequest("PUT", to.URL, strings.NewReader(file))
	if err != nil {
		return 0, err
	}
	r.Header = headers.Clone()
	r.Header.Set("Content-Type", "application/zip")
	r.Header.Set("Content-MD5", hash(file))
	got, err := (&http.Client{Transport: c.line}).Do(r)
	if err != nil {
		return 0, err
	}
	io.Copy(io.Discard, got.Body)
	return got.StatusCode, got.Body.Close()
}

// held reports whether the site holds the bytes of an upload.
func (c *client) held(id string) bool {
	u, err := c.site.store.Upload(c.site.t.Context(), core.UploadID(id))
	return err == nil && u.Blob != nil
}

// attempt is one run of a client over its queue; it is repeated until nothing is
// left to do.
type attempt interface {
	run() error
	done() bool
}

// androidClient keeps its upload session while it has 30 minutes left, deletes the
// file when the PUT is 2xx, and then completes, again and again.
type androidClient struct {
	client
	file string // local copy; empty: deleted
	kept *slot
	sent bool // the PUT is done, complete is not
	lost bool // a file was deleted too early
	over bool
}

func (a *androidClient) done() bool { return a.over }

func (a *androidClient) run() error {
	if !a.sent {
		if a.kept == nil || !a.kept.Expires.After(a.site.now().Add(30*time.Minute)) {
			var fresh slot
			err := a.authorized("/v3/uploads", map[string]any{
				"name": "0199f3a2-run", "contentLength": len(a.file), "contentMd5": hash(a.file), "contentType": "application/zip",
				"encrypted": false, "type": "UploadRequest", "metadata": map[string]any{"declined": false, "clientData": map[string]any{"osName": "Android"}},
			}, &fresh)
			if err != nil {
				return err
			}
			a.kept = &fresh
		}
		status, err := a.send(*a.kept, a.file, http.Header{"User-Agent": {"ktor-client"}})
		if err != nil {
			return err
		}
		if status >= 300 {
			a.kept = nil
			return &refusal{status: status}
		}
		a.lost = a.lost || !a.held(a.kept.ID)
		a.sent, a.file = true, ""
	}
	if err := a.authorized("/v3/uploads/"+a.kept.ID+"/complete", "", nil); err != nil {
		return err
	}
	a.over = true
	return nil
}

// appleClient hands the PUT to the system. 403, 409, 500 and 503 are tried again;
// at any other failure it deletes file and session for good.
type appleClient struct{ androidClient }

func (a *appleClient) run() error {
	var fresh slot
	if a.kept == nil || !a.kept.Expires.After(a.site.now()) {
		err := a.authorized("/v3/uploads", map[string]any{
			"name": "walk.zip", "contentLength": len(a.file), "contentMd5": hash(a.file), "contentType": "application/zip", "encrypted": false,
		}, &fresh)
		if err != nil {
			return err
		}
		a.kept = &fresh
	}
	if !a.sent {
		status, err := a.send(*a.kept, a.file, http.Header{"User-Agent": {a.agent}, "Cache-Control": {"no-cache"}, "Accept-Language": {"en"}})
		switch {
		case err != nil:
			return err // the system tries again
		case status < 300:
			a.lost = a.lost || !a.held(a.kept.ID)
			a.sent = true
		case status == 403, status == 409, status == 500, status == 503:
			a.kept = nil
			return &refusal{status: status}
		default:
			a.lost, a.over = true, true
			return nil
		}
	}
	if err := a.authorized("/v3/uploads/"+a.kept.ID+"/complete", "", nil); err != nil {
		return err
	}
	a.over = true
	return nil
}

// javaClient asks, sends and completes in one go, and begins again from the start
// after any error; it knows errors by their type.
type javaClient struct {
	client
	file          string
	over, unknown bool
}

func (j *javaClient) done() bool { return j.over }

// knownTypes are the errors that the Java client has classes for.
var knownTypes = []string{
	"AuthenticationFailedException", "BadRequestException", "BridgeServiceException", "ConcurrentModificationException",
	"ConsentRequiredException", "ConstraintViolationException", "EndpointNotFoundException", "EntityAlreadyExistsException",
	"EntityNotFoundException", "InvalidEntityException", "LimitExceededException", "NotAuthenticatedException", "NotImplementedException",
	"PublishedEntityException", "PublishedSurveyException", "UnauthorizedException", "UnsupportedVersionException",
}

func (j *javaClient) run() error {
	err := j.once()
	var refused *refusal
	if errors.As(err, &refused) && refused.kind != "" && !slices.Contains(knownTypes, refused.kind) {
		j.unknown = true
	}
	return err
}

func (j *javaClient) once() error {
	var to slot
	err := j.authorized("/v3/uploads", map[string]any{
		"name": "walk.zip", "contentLength": len(j.file), "contentMd5": hash(j.file), "contentType": "application/zip", "encrypted": false,
	}, &to)
	if err != nil {
		return err
	}
	status, err := j.send(to, j.file, http.Header{"User-Agent": {"okhttp/3.14"}, "Accept-Encoding": {"gzip"}})
	if err == nil && status > 399 {
		err = &refusal{status: status}
	}
	if err != nil {
		return err
	}
	if err := j.authorized("/v3/uploads/"+to.ID+"/complete?synchronous=false&redrive=false", nil, nil); err != nil {
		return err
	}
	j.over = true
	return nil
}

// records counts the records that were made.
func (s *site) records() int {
	s.process()
	return s.store.Counts()["uploads/"+string(core.StateSucceeded)]
}

func TestClientsOnABadLine(t *testing.T) {
	clients := map[string]func(c client, file string) attempt{
		"Android": func(c client, file string) attempt {
			c.agent, c.signIn = "walk/12 (Pixel 9; Android/13)", "/v3/auth/signIn"
			return &androidClient{client: c, file: file}
		},
		"iOS": func(c client, file string) attempt {
			c.agent, c.signIn = "walk/12 (iPhone 12; iPhone OS/17.1)", "/v3/auth/signIn"
			return &appleClient{androidClient{client: c, file: file}}
		},
		"Java": func(c client, file string) attempt {
			c.agent, c.signIn = "", "/v4/auth/signIn"
			return &javaClient{client: c, file: file}
		},
	}
	for name, newClient := range clients {
		t.Run(name, func(t *testing.T) {
			s := newSite(t, nil)
			s.configured()
			s.participant("p1")
			files, kept := 0, &signedIn{}
			rapid.Check(t, func(rt *rapid.T) {
				files++
				before := s.records()
				file := fmt.Sprint(files, rapid.StringN(1, 3000, -1).Draw(rt, "file")) // each is another
				faults := rapid.SliceOfN(rapid.SampledFrom([]fault{lostRequest, lostAnswer, halfBody, fine, fine}), 0, 12).Draw(rt, "faults")
				waits := rapid.SliceOfN(rapid.SampledFrom([]time.Duration{0, time.Minute, 13 * time.Hour, 23*time.Hour + 45*time.Minute, 25 * time.Hour}), 0, 6).Draw(rt, "waits")
				l := &line{faults: faults}
				a := newClient(client{signedIn: kept, site: s, line: l, who: "p1"}, file)
				for tries := 0; !a.done(); tries++ {
					if err := a.run(); err != nil && tries > len(faults)+10 {
						rt.Fatalf("it never ends: %v, after %v", err, l.asked)
					}
					if len(waits) > 0 && !a.done() {
						s.ahead.Add(int64(waits[0]))
						waits = waits[1:]
					}
				}
				if n := s.records(); n != before+1 {
					rt.Fatalf("%d records more, after %v", n-before, l.asked)
				}
				switch a := a.(type) {
				case *androidClient:
					if a.lost {
						rt.Fatal("the file was deleted too early")
					}
				case *appleClient:
					if a.lost {
						rt.Fatal("the file was deleted too early")
					}
				case *javaClient:
					if a.unknown {
						rt.Fatal("an error that the client has no class for")
					}
				}
			})
		})
	}
}

// The moments that matter, one by one.
func TestInterruptedUploads(t *testing.T) {
	for name, row := range map[string]struct {
		faults []fault // after the sign-in
		wait   time.Duration
	}{
		"PUT done, complete lost on the way":      {[]fault{fine, fine, lostRequest}, 0},
		"PUT done, the answer of complete lost":   {[]fault{fine, fine, lostAnswer}, 0},
		"the answer of the PUT lost":              {[]fault{fine, lostAnswer}, 0},
		"the connection breaks in the PUT":        {[]fault{fine, halfBody}, 0},
		"the session expires before complete":     {[]fault{fine, fine, lostRequest}, 13 * time.Hour},
		"the slot has under 30 minutes left":      {[]fault{fine, lostRequest}, 23*time.Hour + 45*time.Minute},
		"the slot has expired":                    {[]fault{fine, lostRequest}, 25 * time.Hour},
		"a week passes between PUT and complete":  {[]fault{fine, fine, lostRequest}, 8 * 24 * time.Hour},
		"the answer of the slot request was lost": {[]fault{lostAnswer}, 0},
		"the answers of PUT and reauth were lost": {[]fault{fine, lostAnswer, fine, lostAnswer}, 13 * time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t, nil)
			s.configured()
			s.participant("p1")
			l := &line{}
			a := &androidClient{client: client{signedIn: &signedIn{}, site: s, line: l, who: "p1", agent: "walk/12 (Pixel 9; Android/13)", signIn: "/v3/auth/signIn"}, file: body}
			if err := a.enter(a.signIn, map[string]any{"appId": testApp, "externalId": "p1", "password": password}); err != nil {
				t.Fatal(err)
			}
			l.faults = row.faults
			if err := a.run(); err == nil {
				t.Fatal("nothing was interrupted")
			}
			s.ahead.Store(int64(row.wait))
			for range 3 {
				if !a.done() {
					a.run()
				}
			}
			if n := s.records(); !a.done() || n != 1 || a.lost {
				t.Errorf("done %v, %d records, lost %v, after %v", a.done(), n, a.lost, l.asked)
			}
		})
	}
}
