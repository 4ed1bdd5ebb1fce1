package door_test

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"footbridge/app/door"
	"footbridge/app/keys"
)

// site is a porter with whatever it looks at.
type site struct {
	wish    atomic.Value // door.Place
	changed chan struct{}
	opened  chan door.Door
	ask     chan struct{} // a request waits here for an answer
}

// serve lets a porter work until the test ends.
func serve(t *testing.T, at door.Place) *site {
	t.Helper()
	s := &site{changed: make(chan struct{}, 1), opened: make(chan door.Door, 1), ask: make(chan struct{})}
	s.wish.Store(at)
	dir := t.TempDir()
	porter := door.NewPorter(door.PorterConfig{
		Wish: func() door.Place { return s.wish.Load().(door.Place) }, Changed: s.changed,
		Identity: func() (keys.Identity, error) { return keys.OpenIdentity(dir, time.Now()) },
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/slow" {
				<-s.ask
			}
			io.WriteString(w, "welcome")
		}),
		Opened: func(d door.Door) { s.opened <- d },
		Log:    slog.New(slog.DiscardHandler),
	})
	if err := porter.Open(); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- porter.Serve(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Errorf("the porter ended with %v", err)
		}
	})
	return s
}

func (s *site) move(at door.Place) {
	s.wish.Store(at)
	s.changed <- struct{}{}
}

// client believes the certificate with a fingerprint only.
func client(t *testing.T, fingerprint string) *http.Client {
	transport := &http.Transport{TLSClientConfig: &tls.Config{
		InsecureSkipVerify: true,
		VerifyConnection: func(state tls.ConnectionState) error {
			if sum := sha256.Sum256(state.PeerCertificates[0].Raw); hex.EncodeToString(sum[:]) != fingerprint {
				t.Errorf("the door shows %x, not %s", sum, fingerprint)
			}
			return nil
		},
	}}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, Timeout: 10 * time.Second}
}

func greeting(c *http.Client, url string) string {
	answer, err := c.Get(url)
	if err != nil {
		return err.Error()
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	return string(text)
}

// The door moves when it is wished elsewhere, and whoever came in before is
// answered.
func TestTheDoorMoves(t *testing.T) {
	s := serve(t, door.Place{Address: "127.0.0.1:0", Plain: true})
	plain := <-s.opened
	if plain.Fingerprint != "" || !strings.HasPrefix(plain.URL(), "http://127.0.0.1:") {
		t.Errorf("the door is %s %q", plain.URL(), plain.Fingerprint)
	}
	c := client(t, "")
	slow := make(chan string, 1)
	go func() { slow <- greeting(c, plain.URL()+"/slow") }()
	s.ask <- struct{}{} // it is inside, and answered; the next one stays inside
	if got := <-slow; got != "welcome" {
		t.Fatal(got)
	}
	go func() { slow <- greeting(c, plain.URL()+"/slow") }()
	time.Sleep(100 * time.Millisecond)
	s.move(door.Place{Address: "127.0.0.1:0"})
	secured := <-s.opened
	if got := greeting(client(t, secured.Fingerprint), secured.URL()); secured.Scheme != "https" || got != "welcome" {
		t.Errorf("at %s: %s", secured.URL(), got)
	}
	close(s.ask)
	if got := <-slow; got != "welcome" {
		t.Errorf("who came through the old door heard %s", got)
	}
	if got := greeting(c, plain.URL()); got == "welcome" {
		t.Error("the old door is open")
	}
}

// A place that is taken leaves the door where it is, however often it is wished
// there; and it is open all the while.
func TestTheDoorStaysWhereItCannotMove(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t, door.Place{Address: "127.0.0.1:0", Plain: true})
	here := <-s.opened
	c := client(t, "")
	for _, wish := range []door.Place{
		{Address: taken.Addr().String(), Plain: true}, {Address: "192.0.2.1:1", Plain: true}, {Address: taken.Addr().String()},
	} {
		s.move(wish)
		time.Sleep(50 * time.Millisecond)
		if got := greeting(c, here.URL()); got != "welcome" {
			t.Errorf("wished at %s, the door says %s", wish.Address, got)
		}
	}
	taken.Close()
	s.move(door.Place{Address: taken.Addr().String(), Plain: true})
	if moved := <-s.opened; moved.Listener.Addr().String() != taken.Addr().String() {
		t.Errorf("it is at %s", moved.URL())
	}
}

// A door that changes its lock stays at its port.
func TestTheDoorTakesTLSUpAtTheSamePort(t *testing.T) {
	s := serve(t, door.Place{Address: "127.0.0.1:0", Plain: true})
	plain := <-s.opened
	at := plain.Listener.Addr().String()
	s.move(door.Place{Address: at})
	secured := <-s.opened
	if got := greeting(client(t, secured.Fingerprint), "https://"+at); got != "welcome" {
		t.Error(got)
	}
	_, port, _ := net.SplitHostPort(at)
	s.move(door.Place{Address: "192.0.2.1:" + port, Plain: true}) // not of this machine
	again := <-s.opened
	if got := greeting(client(t, again.Fingerprint), "https://"+at); again.Scheme != "https" || got != "welcome" {
		t.Errorf("%s: %s", again.URL(), got)
	}
}

// A place that is taken is an error from the start.
func TestAPlaceThatIsTaken(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	_, err = door.Open(door.Place{Address: taken.Addr().String(), Plain: true}, nil)
	if err == nil || !strings.Contains(err.Error(), "choose another address with --listen") {
		t.Errorf("got %v", err)
	}
}

func TestGrouped(t *testing.T) {
	if got := door.Grouped("00ab7f"); got != "00:AB:7F" {
		t.Error(got)
	}
}
