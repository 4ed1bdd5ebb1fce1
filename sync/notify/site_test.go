package notify_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/core/notice"
	"footbridge/store"
	"footbridge/sync/notify"
)

var _ notify.Outbox = (*store.Store)(nil)

var topic = core.Topic{Kind: core.TopicCreation, App: "walk"}

// clock is a time that the test moves.
type clock struct{ ns atomic.Int64 }

func (c *clock) now() time.Time        { return time.Unix(0, c.ns.Load()).UTC() }
func (c *clock) pass(by time.Duration) { c.ns.Add(int64(by)) }

// site is a store in which studies come to be, and a worker that tells of them.
type site struct {
	*store.Store
	t      *testing.T
	home   string
	clock  clock
	line   http.RoundTripper
	worker *notify.Worker
	closed core.ExportReason
	made   int
}

func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{t: t, home: t.TempDir()}
	s.clock.ns.Store(time.Date(2026, 11, 20, 18, 0, 0, 0, time.UTC).UnixNano())
	s.start()
	t.Cleanup(func() { s.Close() })
	_, err := s.SaveApp(t.Context(), "walk", func(*core.App) error { return nil })
	must(t, err)
	return s
}

func (s *site) start() {
	s.t.Helper()
	var err error
	s.Store, err = store.Open(s.home, store.Config{Now: s.clock.now, Created: func(study core.Study) []core.Notice { return []core.Notice{notice.Created(study)} }})
	must(s.t, err)
	s.worker = notify.NewWorker(notify.Config{Outbox: s.Store, Now: s.clock.now, Line: s.line,
		Closed: func() (core.ExportReason, time.Time, time.Time) { return s.closed, time.Time{}, time.Time{} }})
}

// happens makes a study's project for the first time.
func (s *site) happens() {
	s.t.Helper()
	s.made++
	id := core.StudyID("study-" + strconv.Itoa(s.made))
	_, err := s.CreateStudy(s.t.Context(), core.Study{ID: id, App: "walk", CreatedOn: s.clock.now(), Repository: core.RepositoryConfig{Project: "p", RawDataFolder: "r"}})
	must(s.t, err)
	_, err = s.UpdateStudy(s.t.Context(), id, func(study *core.Study) error { study.Made = true; return nil })
	must(s.t, err)
}

// subscribe lets a receiver be told. Its query is secret.
func (s *site) subscribe(url string) core.Subscription {
	s.t.Helper()
	protocol, _, _ := strings.Cut(url, ":")
	sub, err := notice.Subscribe(topic, protocol, url+"/hook?token=private", s.clock.now())
	must(s.t, err)
	sub, _, err = s.Subscribe(s.t.Context(), sub, 10)
	must(s.t, err)
	return sub
}

// steps steps until nothing is due and gives the errors, which name no endpoint.
func (s *site) steps() (errs []error) {
	s.t.Helper()
	for range 5000 {
		did, err := s.worker.Step(s.t.Context())
		if err != nil {
			errs = append(errs, err)
			if strings.Contains(err.Error(), "private") || strings.Contains(err.Error(), "hook") {
				s.t.Errorf("it names the endpoint: %v", err)
			}
		}
		if !did {
			return errs
		}
	}
	s.t.Fatal("it goes on and on")
	return nil
}

// subscription is how it stands now.
func (s *site) subscription(id core.SubscriptionID) core.Subscription {
	s.t.Helper()
	all, err := s.Subscriptions(s.t.Context())
	must(s.t, err)
	for _, sub := range all {
		if sub.ID == id {
			return sub
		}
	}
	s.t.Fatalf("there is no subscription %s", id)
	return core.Subscription{}
}

func (s *site) waiting(sub core.Subscription) int { return s.Counts()["notices/"+string(sub.ID)] }

// receiver takes what is signed for it. Safe for concurrent use.
type receiver struct {
	*httptest.Server
	t *testing.T

	mu     sync.Mutex
	secret string
	now    func() time.Time
	answer func(w http.ResponseWriter, r *http.Request) // nil: 204
	bodies map[string]string                            // by id
	came   []string                                     // ids, of every attempt
}

func newReceiver(t *testing.T, s *site) *receiver {
	t.Helper()
	r := &receiver{t: t, now: s.clock.now, bodies: map[string]string{}}
	r.Server = httptest.NewServer(r)
	t.Cleanup(r.Close)
	return r
}

// ServeHTTP checks what a receiver should check.
func (r *receiver) ServeHTTP(w http.ResponseWriter, got *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	body, err := io.ReadAll(got.Body)
	if err != nil {
		r.t.Error(err)
	}
	id, stamp := got.Header.Get("webhook-id"), got.Header.Get("webhook-timestamp")
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(r.secret, "whsec_"))
	if err != nil {
		r.t.Error(err)
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + stamp + "." + string(body)))
	if want := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)); got.Header.Get("webhook-signature") != want {
		r.t.Errorf("the signature is %q, want %q", got.Header.Get("webhook-signature"), want)
	}
	if seconds, err := strconv.ParseInt(stamp, 10, 64); err != nil || seconds != r.now().Unix() {
		r.t.Errorf("the time is %q", stamp)
	}
	if got.Method != "POST" || got.URL.RequestURI() != "/hook?token=private" || got.Header.Get("Content-Type") != "application/json" || got.Header.Get("Idempotency-Key") != "" {
		r.t.Errorf("%s %s %v", got.Method, got.URL, got.Header)
	}
	r.came = append(r.came, id)
	if r.answer != nil {
		r.answer(w, got)
		return
	}
	r.bodies[id] = string(body)
	w.WriteHeader(http.StatusNoContent)
}

// answers sets what it answers; nil: 204.
func (r *receiver) answers(with func(http.ResponseWriter, *http.Request)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answer = with
}

// heard gives how many notices it took, and how many attempts were made.
func (r *receiver) heard() (took, attempts int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.bodies), len(r.came)
}

// listens subscribes a receiver.
func (s *site) listens(r *receiver) core.Subscription {
	s.t.Helper()
	sub := s.subscribe(r.URL)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.secret = sub.Secret
	return sub
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// listen listens at an address that was free a moment ago.
func listen(t *testing.T, address string) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", address)
	must(t, err)
	return l
}
