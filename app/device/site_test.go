package device_test

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"footbridge/app/device"
)

const (
	password  = "correct-horse-battery"
	signature = "s1gnature-that-nobody-may-see"
	tokenWord = "t0ken-that-nobody-may-see"
)

// site is an upload site that plays tricks when told to.
type site struct {
	t testing.TB
	*httptest.Server
	life time.Duration // of a slot
	now  func() time.Time

	mu      sync.Mutex
	tricks  map[string][]trick // step → what happens to its next calls
	asked   []string           // steps, in the order of the calls
	token   string
	tokens  int
	uploads []*arrival
	checks  int // status calls until an upload has succeeded
}

type arrival struct {
	id      string
	request map[string]any
	body    []byte
	status  string
}

// trick answers instead of the site, or around it.
type trick func(w http.ResponseWriter, r *http.Request, next http.HandlerFunc)

// say answers with a status, a body, and headers in pairs.
func say(status int, body string, headers ...string) trick {
	return func(w http.ResponseWriter, r *http.Request, _ http.HandlerFunc) {
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

// lose does what was asked, and then the connection breaks.
func lose(w http.ResponseWriter, r *http.Request, next http.HandlerFunc) {
	next(httptest.NewRecorder(), r)
	panic(http.ErrAbortHandler)
}

// cut breaks the connection after half of the body.
func cut(w http.ResponseWriter, r *http.Request, _ http.HandlerFunc) {
	io.CopyN(io.Discard, r.Body, r.ContentLength/2)
	panic(http.ErrAbortHandler)
}

// pass plays no trick.
func pass(w http.ResponseWriter, r *http.Request, next http.HandlerFunc) { next(w, r) }

func newSite(t testing.TB, secure bool) *site {
	s := &site{t: t, life: 24 * time.Hour, now: time.Now, tricks: map[string][]trick{}}
	mux := http.NewServeMux()
	for pattern, step := range map[string]struct {
		name   string
		answer http.HandlerFunc
	}{
		"POST /v4/auth/signIn":           {"signIn", s.signIn},
		"POST /v3/uploads":               {"slot", s.slot},
		"PUT /put/{id}":                  {"put", s.put},
		"POST /v3/uploads/{id}/complete": {"complete", s.complete},
		"GET /v3/uploadstatuses/{id}":    {"status", s.status},
	} {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			s.mu.Lock()
			s.asked = append(s.asked, step.name)
			play := trick(pass)
			if left := s.tricks[step.name]; len(left) > 0 {
				play, s.tricks[step.name] = left[0], left[1:]
			}
			s.mu.Unlock()
			play(w, r, step.answer)
		})
	}
	s.Server = httptest.NewUnstartedServer(mux)
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	if secure {
		s.StartTLS()
	} else {
		s.Start()
	}
	t.Cleanup(s.Close)
	return s
}

func (s *site) answer(w http.ResponseWriter, v any) { json.NewEncoder(w).Encode(v) }

func (s *site) signIn(w http.ResponseWriter, r *http.Request) {
	var asked map[string]string
	json.NewDecoder(r.Body).Decode(&asked)
	if asked["password"] != password || asked["appId"] != "app" || asked["externalId"] != "P-1" {
		say(404, `{"message":"Account not found."}`)(w, r, nil)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tokens++
	s.token = fmt.Sprint(tokenWord, s.tokens)
	s.answer(w, map[string]string{"sessionToken": s.token})
}

// known answers 401 unless the caller has a session.
func (s *site) known(w http.ResponseWriter, r *http.Request) bool {
	if r.Header.Get("Bridge-Session") == s.token {
		return true
	}
	say(401, `{"message":"Not signed in."}`)(w, r, nil)
	return false
}

func (s *site) slot(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.known(w, r) {
		return
	}
	var asked map[string]any
	json.NewDecoder(r.Body).Decode(&asked)
	at := slices.IndexFunc(s.uploads, func(u *arrival) bool {
		return u.request["contentMd5"] == asked["contentMd5"] && u.status == "requested"
	})
	if at < 0 {
		at = len(s.uploads)
		s.uploads = append(s.uploads, &arrival{id: fmt.Sprintf("upload-%d", at+1), status: "requested"})
	}
	u := s.uploads[at]
	u.request = asked
	url := s.URL + "/put/" + u.id + "?signature=" + signature
	s.answer(w, map[string]string{"id": u.id, "url": url, "expires": s.now().Add(s.life).UTC().Format("2006-01-02T15:04:05.000Z")})
}

func (s *site) find(id string) *arrival {
	for _, u := range s.uploads {
		if u.id == id {
			return u
		}
	}
	return nil
}

func (s *site) put(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	u := s.find(r.PathValue("id"))
	s.mu.Unlock()
	if u == nil || r.URL.Query().Get("signature") != signature || r.Header.Get("Bridge-Session") != "" ||
		r.Header.Get("Content-MD5") != u.request["contentMd5"] || r.Header.Get("Content-Type") != u.request["contentType"] {
		say(403, `{"message":"Ask for a new slot."}`)(w, r, nil)
		return
	}
	body, err := io.ReadAll(r.Body)
	sum := md5.Sum(body)
	switch {
	case err != nil:
		say(503, "")(w, r, nil)
	case base64.StdEncoding.EncodeToString(sum[:]) != u.request["contentMd5"]:
		say(409, `{"message":"The bytes do not match."}`)(w, r, nil)
	default:
		s.mu.Lock()
		defer s.mu.Unlock()
		u.body = body
	}
}

func (s *site) complete(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.known(w, r) {
		return
	}
	u := s.find(r.PathValue("id"))
	if u == nil || u.body == nil {
		say(404, `{"message":"No bytes were uploaded."}`)(w, r, nil)
		return
	}
	if u.status == "requested" {
		u.status = "validation_in_progress"
	}
	s.answer(w, map[string]any{"id": u.id, "status": u.status, "messageList": []string{}})
}

func (s *site) status(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := s.find(r.PathValue("id"))
	if s.checks--; s.checks <= 0 {
		u.status = "succeeded"
	}
	s.answer(w, map[string]any{"id": u.id, "status": u.status, "messageList": []string{"fine"}, "record": map[string]string{"id": u.id}})
}

// calls gives the steps that were asked for, in order.
func (s *site) calls() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.asked, " ")
}

// first gives the first upload.
func (s *site) first() *arrival {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.uploads[0]
}

// completed gives the uploads that are.
func (s *site) completed() (all []*arrival) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, u := range s.uploads {
		if u.status != "requested" {
			all = append(all, u)
		}
	}
	return all
}

// clock passes only when somebody sleeps.
type clock struct {
	mu    sync.Mutex
	at    time.Time
	slept []time.Duration
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) sleep(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at, c.slept = c.at.Add(d), append(c.slept, d)
	return ctx.Err()
}

// field is a device in front of a site, and everything it ever said.
type field struct {
	t testing.TB
	*site
	clock  clock
	config device.Config
	said   []string
}

func newField(t testing.TB) *field {
	f := &field{t: t, site: newSite(t, false)}
	f.clock.at = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	f.site.now = f.clock.now
	f.config = device.Config{
		BaseURL: f.URL, AppID: "app", ExternalID: "P-1", Password: password,
		Now: f.clock.now, Sleep: f.clock.sleep, Notify: func(text string) { f.said = append(f.said, text) },
	}
	t.Cleanup(f.keepsSecrets)
	return f
}

// send sends a file with a new client, as another run of the program would.
func (f *field) send(file device.File) (device.Result, error) {
	f.mu.Lock()
	f.asked = nil
	f.mu.Unlock()
	result, err := device.New(f.config).Send(context.Background(), file)
	if err != nil {
		f.said = append(f.said, err.Error())
	}
	return result, err
}

func (f *field) keepsSecrets() {
	for _, text := range f.said {
		for _, secret := range []string{password, signature, tokenWord, "/put/"} {
			if strings.Contains(text, secret) {
				f.t.Errorf("%q tells %q", text, secret)
			}
		}
	}
}

// source writes a file to send into a folder of its own.
func source(t testing.TB, size int) (path string, content []byte) {
	content = bytes.Repeat([]byte("0123456789abcdef"), size/16+1)[:size]
	path = filepath.Join(t.TempDir(), "scan.zip")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path, content
}

// names lists a folder.
func names(t testing.TB, folder string) []string {
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]bool{}
	for _, entry := range entries {
		all[entry.Name()] = true
	}
	return slices.Sorted(maps.Keys(all))
}
