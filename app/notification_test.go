package main_test

import (
	"bufio"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"footbridge/core/crash"
)

// receiver is a program elsewhere that is told what happens. Safe for concurrent
// use.
type receiver struct {
	*httptest.Server
	mu     sync.Mutex
	secret string
	status int                 // it answers; 0: 200
	heard  map[string][]string // id → the bodies that came well signed
}

func newReceiver(t *testing.T) *receiver {
	r := &receiver{heard: map[string][]string{}}
	r.Server = httptest.NewServer(r)
	t.Cleanup(r.Close)
	return r
}

// ServeHTTP takes what is signed.
func (r *receiver) ServeHTTP(w http.ResponseWriter, got *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	body, _ := io.ReadAll(got.Body)
	key, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(r.secret, "whsec_"))
	mac := hmac.New(sha256.New, key)
	id := got.Header.Get("webhook-id")
	io.WriteString(mac, id+"."+got.Header.Get("webhook-timestamp")+"."+string(body))
	if r.status != 0 || got.Header.Get("webhook-signature") != "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)) {
		w.WriteHeader(max(r.status, 400))
		return
	}
	r.heard[id] = append(r.heard[id], string(body))
}

// answers sets the status of its answers.
func (r *receiver) answers(status int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.status = status
}

// of gives how often it heard of a record, by how many ids, and the last body.
func (r *receiver) of(record string) (times, ids int, last string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, bodies := range r.heard {
		if strings.Contains(bodies[0], record) {
			times, ids, last = times+len(bodies), ids+1, bodies[0]
		}
	}
	return times, ids, last
}

// subscribe subscribes a receiver by the command line.
func (s *site) subscribe(r *receiver, args ...string) (id string) {
	s.t.Helper()
	var made struct{ SubscriptionArn, Secret string }
	said := s.command(nil, append([]string{"notification", "subscribe", r.URL + "/hook?key=private", "--json"}, args...)...)
	if err := json.Unmarshal([]byte(said), &made); err != nil {
		s.t.Fatal(err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.secret = made.Secret
	return made.SubscriptionArn
}

// listed is a subscription as the list shows it.
type listed struct {
	ID, State, Sentence, Endpoint string
	Waiting                       int
}

// subscription is what the list says of a subscription.
func (s *site) subscription(id string) (line listed) {
	s.t.Helper()
	var all []listed
	if err := json.Unmarshal([]byte(s.command(nil, "notification", "list", "--json")), &all); err != nil {
		s.t.Fatal(err)
	}
	for _, found := range all {
		if found.ID == id {
			line = found
		}
	}
	return line
}

// A receiver hears of each record once it is in the repository; what it misses waits,
// also while the program is killed, and comes when both are back.
func TestAReceiverIsTold(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.start()
	token := s.enrol("p1")
	r := newReceiver(t)
	id := s.subscribe(r, "--study", testStudy)
	send := func(body string) *parcel {
		t.Helper()
		p := &parcel{name: "walk.bin", body: []byte(body)}
		if _, err := s.send(token, p); err != nil {
			t.Fatal(err)
		}
		s.exported(p.ID)
		return p
	}
	told := func(p *parcel) {
		t.Helper()
		eventually(t, func() bool { times, _, _ := r.of(p.ID); return times > 0 })
		if times, ids, body := r.of(p.ID); times != 1 || ids != 1 || !strings.Contains(body, `"type":"ExportToStudyNotification"`) || !strings.Contains(body, `"s3Bucket":"repository","s3Key":"sleep/raw-data/`) {
			t.Errorf("told %d times by %d ids: %s", times, ids, body)
		}
	}
	told(send("one"))
	r.answers(500)
	missed := send("two")
	eventually(t, func() bool { return strings.Contains(s.subscription(id).Sentence, "it answered 500. 1 notice waits") })
	s.kill()
	r.answers(0)
	s.start()
	told(missed)
	eventually(t, func() bool { return s.subscription(id).State == "ok" })
	if line := s.subscription(id); line.Waiting != 0 || strings.Contains(line.Endpoint, "private") {
		t.Errorf("it is listed as %+v", line)
	}
	s.command(nil, "upload", "redrive", missed.ID)
	eventually(t, func() bool { times, ids, _ := r.of(missed.ID); return times == 2 && ids == 1 })
	s.command(nil, "notification", "delete", id)
	last := send("three")
	if times, _, _ := r.of(last.ID); times != 0 {
		t.Error("it is told after it was deleted")
	}
	if strings.Contains(s.out.String(), "private") || strings.Contains(s.out.String(), "whsec") {
		t.Errorf("the log has\n%s", s.out)
	}
}

// The program ends between the answer and its note: the receiver hears of it again by
// the same id.
func TestANoticeOutlastsACrash(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.start()
	token := s.enrol("p1")
	r := newReceiver(t)
	id := s.subscribe(r)
	s.kill()
	s.start("FOOTBRIDGE_CRASH_AT=notify.told")
	p := &parcel{name: "walk.bin", body: []byte("steps")}
	if _, err := s.send(token, p); err != nil {
		t.Log(err) // it may end before it answers
	}
	if code := s.gone(); code != crash.Status {
		t.Fatalf("the program ended with %d, not at the point\n%s", code, s.out)
	}
	s.start()
	eventually(t, func() bool { times, _, _ := r.of(p.ID); return times == 2 })
	eventually(t, func() bool { return s.subscription(id).State == "ok" })
	if times, ids, body := r.of(p.ID); times != 2 || ids != 1 || !strings.Contains(body, `"type":"ExportToAppNotification"`) {
		t.Errorf("told %d times by %d ids: %s", times, ids, body)
	}
}

// What happens is printed as it happens, until the appliance ends.
func TestNotificationsAreWatched(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.start()
	name, err := program()
	if err != nil {
		t.Fatal(err)
	}
	watch := exec.Command(name, "--home", s.home, "notification", "watch", "--after", "unknown")
	said := &transcript{}
	watch.Stderr = said
	out, err := watch.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := watch.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	p := &parcel{name: "walk.bin", body: []byte("steps")}
	for i, want := range []string{`"type":"ExporterCreateStudyNotification"`, `"type":"ExportToStudyNotification"`, `"type":"ExportToAppNotification"`} {
		line, err := lines.ReadString('\n')
		var event struct {
			ID   string
			Data struct{ AppID string }
		}
		if err != nil || !strings.Contains(line, want) || json.Unmarshal([]byte(line), &event) != nil || len(event.ID) != 32 || event.Data.AppID != testApp {
			t.Fatalf("it printed %q (%v)", line, err)
		}
		if i == 0 {
			if _, err := s.send(s.enrol("p1"), p); err != nil {
				t.Fatal(err)
			}
		} else if !strings.Contains(line, p.ID) {
			t.Errorf("it printed %q", line)
		}
	}
	s.kill()
	if err := watch.Wait(); err == nil || !strings.Contains(said.String(), "the appliance ended") || strings.Count(said.String(), "\n") != 1 {
		t.Errorf("it ended with %v: %s", err, said)
	}
}
