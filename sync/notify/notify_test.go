package notify_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"footbridge/core"
	"footbridge/sync/notify"
)

func TestANoticeIsTold(t *testing.T) {
	s := newSite(t)
	r := newReceiver(t, s)
	sub := s.listens(r)
	s.happens()
	s.happens()
	if errs := s.steps(); errs != nil {
		t.Fatal(errs)
	}
	notices, err := s.Notices(t.Context(), 0, 10)
	must(t, err)
	for _, n := range notices {
		if r.bodies[string(n.ID)] != string(n.Body) {
			t.Errorf("%s is %q, want %s", n.ID, r.bodies[string(n.ID)], n.Body)
		}
	}
	if took, attempts := r.heard(); took != 2 || attempts != 2 || s.waiting(sub) != 0 {
		t.Errorf("took %d, came %d, %d wait", took, attempts, s.waiting(sub))
	}
	if now := s.subscription(sub.ID); !now.LastSuccess.Equal(s.clock.now()) || now.Failures != 0 {
		t.Errorf("it stands at %+v", now)
	}
}

// Whatever a receiver does, what it did not take waits, says why, and is told by the
// same id once all is well; another receiver hears of it meanwhile.
func TestWhatBecomesOfAFailure(t *testing.T) {
	status := func(code int, headers ...string) func(http.ResponseWriter, *http.Request) {
		return func(w http.ResponseWriter, _ *http.Request) {
			for i := 0; i+1 < len(headers); i += 2 {
				w.Header().Set(headers[i], headers[i+1])
			}
			w.WriteHeader(code)
			w.Write([]byte("what a receiver says is not kept"))
		}
	}
	for name, test := range map[string]struct {
		answer func(http.ResponseWriter, *http.Request)
		why    string
		least  time.Duration // it rests
		ends   bool
	}{
		"an error":        {status(500), "it answered 500", time.Second, false},
		"not found":       {status(404), "it answered 404", time.Second, false},
		"a redirect":      {status(302, "Location", "http://127.0.0.1:1/private"), "it answered 302, and redirects are not followed", time.Second, false},
		"a bad redirect":  {status(307, "Location", "::private::"), "it answered 307, and redirects are not followed", time.Second, false},
		"not modified":    {status(304), "it answered 304, and redirects are not followed", time.Second, false},
		"later":           {status(503, "Retry-After", "600"), "it answered 503: not now", 10 * time.Minute, false},
		"at some time":    {status(429, "Retry-After", "Fri, 20 Nov 2026 19:00:00 GMT"), "it answered 429: not now", time.Hour, false},
		"in ages":         {status(429, "Retry-After", "99999999999"), "it answered 429: not now", 6 * time.Hour, false},
		"gone":            {status(410), "it answered 410: it is gone", 0, true},
		"breaks off":      {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "the connection broke", time.Second, false},
		"speaks no HTTP":  {hijack("private nonsense\r\n\r\n"), "its answer is no HTTP", time.Second, false},
		"endless headers": {hijack("HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 1<<20)), "it", time.Second, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			bad, good := newReceiver(t, s), newReceiver(t, s)
			sub := s.listens(bad)
			s.listens(good)
			bad.answers(test.answer)
			s.happens()
			if errs := s.steps(); len(errs) != 1 || !strings.Contains(errs[0].Error(), test.why) {
				t.Fatal(errs)
			}
			if took, _ := good.heard(); took != 1 {
				t.Error("the other one was not told")
			}
			now := s.subscription(sub.ID)
			if !strings.HasPrefix(now.Why, test.why) || now.EndedOn.IsZero() == test.ends || now.Failures != 1 || !now.FailingOn.Equal(s.clock.now()) {
				t.Errorf("it stands at %+v", now.Reached)
			}
			if rests := now.NextTry.Sub(s.clock.now()); !test.ends && (rests < test.least || rests > 6*time.Hour) {
				t.Errorf("it rests for %v", rests)
			}
			bad.answers(nil)
			s.clock.pass(6 * time.Hour)
			if errs := s.steps(); errs != nil {
				t.Error(errs)
			}
			want := 1
			if test.ends {
				want = 0
			}
			if took, _ := bad.heard(); took != want || s.waiting(sub) != 0 {
				t.Errorf("it took %d in the end, %d wait", took, s.waiting(sub))
			}
			for _, id := range bad.came {
				if id != bad.came[0] {
					t.Errorf("the ids are %v", bad.came)
				}
			}
		})
	}
}

// hijack answers with bytes of its own.
func hijack(text string) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			panic(err)
		}
		conn.Write([]byte(text))
		conn.Close()
	}
}

// A receiver that cannot be reached is asked gently for weeks, and told everything
// once it is back.
func TestAReceiverThatIsAwayForWeeks(t *testing.T) {
	s := newSite(t)
	r := newReceiver(t, s)
	address := r.Listener.Addr().String()
	sub := s.listens(r)
	r.Close()
	tried := 0
	for range 14 * 24 * 4 {
		s.happens()
		tried += len(s.steps())
		s.clock.pass(15 * time.Minute)
	}
	if tried < 14*4 || tried > 150 {
		t.Errorf("it was tried %d times in two weeks", tried)
	}
	if now := s.subscription(sub.ID); s.waiting(sub) != s.made || now.Failures != tried || !strings.Contains(now.Why, "refused") || s.clock.now().Sub(now.FailingOn) < 13*24*time.Hour {
		t.Errorf("%d wait of %d; it stands at %+v", s.waiting(sub), s.made, now.Reached)
	}
	back := httptest.NewUnstartedServer(r)
	back.Listener.Close()
	back.Listener = listen(t, address)
	back.Start()
	defer back.Close()
	s.clock.pass(6 * time.Hour)
	for s.waiting(sub) > 0 {
		if errs := s.steps(); errs != nil {
			t.Fatal(errs)
		}
	}
	if took, _ := r.heard(); took != s.made {
		t.Errorf("it took %d of %d", took, s.made)
	}
}

// One notice that a receiver never takes is tried ever more seldom, and holds up no
// other for long.
func TestOneNoticeIsRefused(t *testing.T) {
	s := newSite(t)
	r := newReceiver(t, s)
	sub := s.listens(r)
	s.happens()
	poison, err := s.Notices(t.Context(), 0, 1)
	must(t, err)
	r.answers(func(w http.ResponseWriter, got *http.Request) {
		id := got.Header.Get("webhook-id")
		if id == string(poison[0].ID) {
			w.WriteHeader(400)
			return
		}
		r.bodies[id] = "taken"
	})
	refused := 0
	for range 24 * 60 {
		s.happens()
		refused += len(s.steps())
		s.clock.pass(time.Minute)
	}
	s.steps()
	if took, _ := r.heard(); took < s.made-3 || s.waiting(sub) > 3 {
		t.Errorf("it took %d of %d, %d wait", took, s.made, s.waiting(sub))
	}
	if refused < 10 || refused > 40 {
		t.Errorf("the poison was tried %d times in a day", refused)
	}
}

// The program may end between the answer and its note: the receiver hears of it
// again, by the same id.
func TestToldTwiceByOneID(t *testing.T) {
	s := newSite(t)
	r := newReceiver(t, s)
	sub := s.listens(r)
	s.happens()
	ctx, stop := context.WithCancel(t.Context())
	r.answers(func(http.ResponseWriter, *http.Request) { stop() })
	if _, err := s.worker.Step(ctx); err != nil {
		t.Error(err)
	}
	if now := s.subscription(sub.ID); now.Failures != 0 || s.waiting(sub) != 1 {
		t.Errorf("%d wait; it stands at %+v", s.waiting(sub), now.Reached)
	}
	must(t, s.Close())
	s.start()
	r.answers(nil)
	s.steps()
	if took, attempts := r.heard(); took != 1 || attempts != 2 || r.came[0] != r.came[1] {
		t.Errorf("it took %d; the ids were %v", took, r.came)
	}
}

// While nothing is sent, nobody is told.
func TestClosed(t *testing.T) {
	s := newSite(t)
	r := newReceiver(t, s)
	sub := s.listens(r)
	s.happens()
	s.closed = core.ReasonPaused
	s.steps()
	if _, attempts := r.heard(); attempts != 0 || s.waiting(sub) != 1 {
		t.Errorf("it was told %d times", attempts)
	}
	s.closed = ""
	s.steps()
	if took, _ := r.heard(); took != 1 {
		t.Error("it was not told when it was open again")
	}
}

// A certificate that nobody vouches for is a failure.
func TestCertificates(t *testing.T) {
	s := newSite(t)
	r := newReceiver(t, s)
	secure := httptest.NewTLSServer(r)
	defer secure.Close()
	sub := s.subscribe(secure.URL)
	r.secret = sub.Secret
	s.happens()
	if errs := s.steps(); len(errs) != 1 || !strings.Contains(errs[0].Error(), "certificate") {
		t.Error(errs)
	}
	must(t, s.Close())
	s.line = secure.Client().Transport
	s.start()
	s.clock.pass(time.Minute)
	if errs := s.steps(); errs != nil {
		t.Error(errs)
	}
	if took, _ := r.heard(); took != 1 {
		t.Error("it was not told")
	}
}

// Without TLS nothing leaves for the wide world, whatever a name stands for.
func TestPlainHTTPStaysNear(t *testing.T) {
	r, err := http.NewRequest("POST", "http://192.0.2.1/hook", nil)
	must(t, err)
	if _, err := notify.NewLine().RoundTrip(r); err == nil || !strings.Contains(err.Error(), "private networks") {
		t.Error(err)
	}
}

// one is an outbox with one delivery.
type one struct {
	delivery core.Delivery
	settled  *core.Delivery
}

func (o *one) ClaimNotice(context.Context) (core.Delivery, bool, error) {
	return o.delivery, o.settled == nil, nil
}
func (o *one) SettleNotice(_ context.Context, d core.Delivery) error { o.settled = &d; return nil }

type trip func(*http.Request) (*http.Response, error)

func (f trip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// A receiver that says nothing is left after fifteen seconds; one that breaks the
// worker ends its own lease alone.
func TestAReceiverThatHangs(t *testing.T) {
	for why, line := range map[string]trip{
		"it did not answer within 15 seconds": func(r *http.Request) (*http.Response, error) { <-r.Context().Done(); return nil, r.Context().Err() },
		"telling panicked: no":                func(*http.Request) (*http.Response, error) { panic("no") },
	} {
		synctest.Test(t, func(t *testing.T) {
			o := &one{delivery: core.Delivery{Subscription: core.Subscription{ID: "s", Endpoint: "https://a.example.org/", Secret: "whsec_AAAA"}, Notice: core.Notice{ID: "n", Body: []byte("{}")}}}
			w := notify.NewWorker(notify.Config{Outbox: o, Line: line, Now: time.Now})
			begun := time.Now()
			did, err := w.Step(t.Context())
			if !did || err == nil || !strings.Contains(err.Error(), why) || time.Since(begun) > 15*time.Second {
				t.Errorf("%v, %v after %v", did, err, time.Since(begun))
			}
			if o.settled == nil || o.settled.Delivered || o.settled.Refusals != 0 || o.settled.Subscription.Failures != 1 {
				t.Errorf("settled %+v", o.settled)
			}
		})
	}
	broken := errors.New("the disk is gone")
	w := notify.NewWorker(notify.Config{Outbox: failing{broken}, Now: time.Now})
	if did, err := w.Step(t.Context()); did || !errors.Is(err, broken) {
		t.Errorf("%v, %v", did, err)
	}
}

// failing is an outbox that cannot be read.
type failing struct{ error }

func (f failing) ClaimNotice(context.Context) (core.Delivery, bool, error) {
	return core.Delivery{}, false, f.error
}
func (f failing) SettleNotice(context.Context, core.Delivery) error { return f.error }
