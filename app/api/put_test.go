package api_test

import (
	"bufio"
	"context"
	"crypto/md5"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"footbridge/app/api"
	"footbridge/core"
	"footbridge/core/upload"
)

// wire is a PUT as bytes, the way a device sends it.
func (s *site) wire(p *parcel) string {
	u, err := url.Parse(p.url)
	if err != nil {
		s.t.Fatal(err)
	}
	return fmt.Sprintf("PUT %s HTTP/1.1\r\nHost: %s\r\nContent-Length: %d\r\nContent-Type: %s\r\nContent-MD5: %s\r\n\r\n%s",
		u.RequestURI(), u.Host, len(p.body), p.mimeType, hash(p.body), p.body)
}

// dial opens a connection to the site.
func (s *site) dial() (net.Conn, *bufio.Reader) {
	s.t.Helper()
	conn, err := net.Dial("tcp", s.host())
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(20 * time.Second))
	return conn, bufio.NewReader(conn)
}

// hear reads one answer.
func (s *site) hear(from *bufio.Reader, method string) answer {
	s.t.Helper()
	got, err := http.ReadResponse(from, &http.Request{Method: method})
	if err != nil {
		s.t.Fatal(err)
	}
	raw, err := io.ReadAll(got.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer{got.StatusCode, got.Header, string(raw)}
}

// say sends bytes over a connection of their own and reads one answer.
func (s *site) say(text string) answer {
	s.t.Helper()
	conn, from := s.dial()
	if _, err := io.WriteString(conn, text); err != nil {
		s.t.Fatal(err)
	}
	method, _, _ := strings.Cut(text, " ")
	return s.hear(from, method)
}

func etag(body string) string {
	sum := md5.Sum([]byte(body))
	return `"` + hex.EncodeToString(sum[:]) + `"`
}

const body = "forty-two bytes of somebody's walking data"

// Each row changes one thing of a PUT that would be taken. What is refused
// leaves the slot as it was: the PUT as agreed is taken afterwards.
func TestWhatAPUTIsAnswered(t *testing.T) {
	s := newSite(t, nil)
	token := s.participant("p1")
	other := s.slot(token, "another file")
	otherURL, _ := url.Parse(other.url)
	length, mime, sum := "Content-Length: 42\r\n", "Content-Type: application/octet-stream\r\n", "Content-MD5: "+hash(body)+"\r\n"
	for _, row := range []struct {
		name     string
		old, new string
		want     int
	}{
		{"as agreed", "", "", 200},
		{"MD5 with a space behind it", hash(body), hash(body) + "  ", 200},
		{"MD5 on a folded line", sum, "Content-MD5: " + hash(body) + "\r\n \r\n", 200},
		{"header names in lower case", "Content-MD5", "content-md5", 200},
		{"HTTP/1.0", "HTTP/1.1", "HTTP/1.0", 200},
		{"a session besides", length, length + "Bridge-Session: whatever\r\n", 200},
		{"a doubled slash", "/put/", "//put/", 200},

		{"no signature", "signature=", "sig=", 403},
		{"an empty signature", "signature=", "signature=&x=", 403},
		{"a tampered signature", "signature=", "signature=A", 403},
		{"a later expiry", "expires=", "expires=9", 403},
		{"an expiry that is none", "expires=", "expires=x", 403},
		{"another slot's path", "/put/", "/put/" + other.id + "/", 403},
		{"a path without a slot", "/put/", "/put/?", 403},
		{"a path that goes up", "/put/", "/put/../put/x", 403},
		{"an escaped slash", "/put/", "/put%2F", 200},
		{"a malformed query", "?", "?%zz&", 200},

		{"no Content-Length, no body", length, "", 403},
		{"chunked", length, "Transfer-Encoding: chunked\r\n", 403},
		{"a shorter length", length, "Content-Length: 41\r\n", 403},
		{"a longer length", length, "Content-Length: 43\r\n", 403},
		{"zero length", length, "Content-Length: 0\r\n", 403},
		{"no Content-Type", mime, "", 403},
		{"another Content-Type", mime, "Content-Type: application/zip\r\n", 403},
		{"no Content-MD5", sum, "", 403},
		{"another Content-MD5", hash(body), hash("other"), 403},
		{"a Content-MD5 in hex", hash(body), strings.Trim(etag(body), `"`), 403},

		{"one byte differs", "walking", "talking", 409},

		{"GET", "PUT", "GET", 403},
		{"POST", "PUT", "POST", 403},
		{"PATCH", "PUT", "PATCH", 403},
		{"DELETE", "PUT", "DELETE", 403},
		{"a made-up method", "PUT", "GRAB", 403},
		{"HEAD", "PUT", "HEAD", 403},
	} {
		t.Run(row.name, func(t *testing.T) {
			p := s.slot(s.participant("for "+row.name), body)
			text := strings.Replace(s.wire(p), row.old, row.new, 1)
			if row.name == "chunked" {
				text = strings.Replace(text, body, "2a\r\n"+body+"\r\n0\r\n\r\n", 1)
			}
			got := s.say(text)
			if got.status != row.want {
				t.Fatalf("answered %d %s, want %d", got.status, got.raw, row.want)
			}
			if row.want == 200 {
				if got.header.Get("ETag") != etag(body) || got.raw != "" {
					t.Errorf("ETag %s and body %q", got.header.Get("ETag"), got.raw)
				}
				return
			}
			if row.name != "HEAD" {
				got.want(t, row.want)
			}
			s.put(p).want(t, 200)
		})
	}
	// A signature of one slot opens no other.
	p := s.slot(token, body)
	s.say(strings.Replace(s.wire(p), strings.SplitAfter(p.url, "?")[1], otherURL.RawQuery, 1)).want(t, 403, "Ask for a new slot")
}

// What the slot asked for may have a newline behind its MD5, as old clients send
// it, and spaces around its type, which no header can carry.
func TestSlotsOfUntidyClients(t *testing.T) {
	s := newSite(t, nil)
	token := s.participant("p1")
	p := &parcel{body: body, mimeType: "application/zip"}
	request := p.request()
	request["contentMd5"], request["contentType"] = hash(body)+"\n", " application/zip "
	p.url = s.call("POST", "/v3/uploads", token, request).want(t, 200).text("url")
	s.put(p).want(t, 200)
}

// A URL works until it expires, and not a second longer.
func TestAURLExpires(t *testing.T) {
	s := newSite(t, nil)
	p := s.slot(s.participant("p1"), body)
	s.ahead.Store(int64(24*time.Hour - 5*time.Second))
	s.call("PUT", p.url, "", "x").want(t, 403, "must be those of the slot request")
	s.ahead.Store(int64(24*time.Hour + time.Second))
	s.put(p).want(t, 403, "has expired", `"type":"UnauthorizedException"`)
}

// A signature of this site over a slot that it does not know any more.
func TestAnUnknownSlot(t *testing.T) {
	one := newSite(t, nil)
	secret := one.store.Secret()
	two := newSite(t, func(_ *site, c *api.Config) { c.Secret = secret })
	p := one.slot(one.participant("p1"), body)
	p.url = strings.Replace(p.url, one.base, two.base, 1)
	two.put(p).want(t, 403, "not known here any more")
}

// The same bytes may come as often as a device likes, also after complete.
func TestRepeatedPUTs(t *testing.T) {
	s := newSite(t, nil)
	token := s.participant("p1")
	p := s.slot(token, body)
	complete := "/v3/uploads/" + p.id + "/complete"
	for _, step := range []func(){
		func() {},
		func() { s.call("POST", complete, token, nil).want(t, 200) },
		func() { s.process() },
	} {
		step()
		for range 2 {
			if got := s.put(p).want(t, 200); got.header.Get("ETag") != etag(body) {
				t.Errorf("ETag %s", got.header.Get("ETag"))
			}
		}
		// Other bytes under the agreed headers, and under their own.
		s.say(strings.Replace(s.wire(p), "walking", "talking", 1)).want(t, 409)
		s.call("PUT", p.url, "", "other", "Content-Type", p.mimeType, "Content-MD5", hash("other")).want(t, 403)
	}
	if got := s.status(token, p.id); got != "succeeded" {
		t.Errorf("it is %s", got)
	}
}

// A connection that breaks leaves the slot as it was.
func TestABrokenConnection(t *testing.T) {
	s := newSite(t, nil)
	token := s.participant("p1")
	p := s.slot(token, body)
	conn, _ := s.dial()
	io.WriteString(conn, strings.TrimSuffix(s.wire(p), "data"))
	conn.(*net.TCPConn).CloseWrite()
	conn.Close()
	time.Sleep(50 * time.Millisecond)
	s.call("POST", "/v3/uploads/"+p.id+"/complete", token, nil).want(t, 404, "Nothing was uploaded")
	if got := s.status(token, p.id); got != "requested" {
		t.Errorf("it is %s", got)
	}
	s.put(p).want(t, 200)
}

// A device that keeps its side open but ends early hears 503.
func TestAShortBody(t *testing.T) {
	s := newSite(t, nil)
	p := s.slot(s.participant("p1"), body)
	conn, from := s.dial()
	io.WriteString(conn, strings.TrimSuffix(s.wire(p), "data"))
	conn.(*net.TCPConn).CloseWrite()
	if got := s.hear(from, "PUT").want(t, 503, "did not arrive whole"); got.header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	s.put(p).want(t, 200)
}

// A device that falls silent is let go after a while, without a word in the log.
func TestASilentDevice(t *testing.T) {
	s := newSite(t, func(_ *site, c *api.Config) { c.Patience = 50 * time.Millisecond })
	p := s.slot(s.participant("p1"), body)
	s.say(strings.TrimSuffix(s.wire(p), "data")).want(t, 503, "did not arrive whole")
	s.put(p).want(t, 200)
}

// Bytes behind the stated length are no part of the file.
func TestALongBody(t *testing.T) {
	s := newSite(t, nil)
	p := s.slot(s.participant("p1"), body)
	s.say(s.wire(p)+" and more").want(t, 200)
}

func TestAFullDisk(t *testing.T) {
	s := newSite(t, nil)
	token := s.participant("p1")
	small, large := s.slot(token, body), s.slot(token, strings.Repeat(body, 10_000))
	s.full.Store(true)
	if got := s.call("POST", "/v3/uploads", token, (&parcel{body: "new", mimeType: "a/b"}).request()).want(t, 503, "ServiceUnavailableException", "no room"); got.header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	for _, p := range []*parcel{small, large} {
		if got := s.put(p).want(t, 503, "no room on the disk", `"type":"ServiceUnavailableException"`); got.header.Get("Retry-After") != "30" {
			t.Errorf("Retry-After %q", got.header.Get("Retry-After"))
		}
	}
}

func TestAClosedStore(t *testing.T) {
	s := newSite(t, nil)
	s.expects = true
	token := s.participant("p1")
	p, large := s.slot(token, body), s.slot(token, strings.Repeat(body, 10_000))
	s.store.Close()
	s.put(p).want(t, 503)
	s.put(large).want(t, 503)
}

// faulty takes bodies in as a test says.
type faulty struct{ land func(io.Reader) error }

func (f faulty) Land(_ context.Context, r io.Reader, _ int64) (upload.Landing, error) {
	return nil, f.land(r)
}

// Whatever goes wrong inside is 503, and in the log.
func TestTroubleInside(t *testing.T) {
	for name, land := range map[string]func(io.Reader) error{
		"an error":              func(io.Reader) error { return errors.New("I/O error") },
		"a panic":               func(io.Reader) error { panic("I/O panic") },
		"no room":               func(io.Reader) error { return core.ErrNoSpace },
		"an error of a foreign": func(io.Reader) error { return core.ErrForbidden },
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t, func(s *site, c *api.Config) { c.Desk = s.desk(faulty{land}) })
			s.expects = true
			if got := s.put(s.slot(s.participant("p1"), body)).want(t, 503, "ServiceUnavailableException"); got.header.Get("Retry-After") == "" {
				t.Error("no Retry-After")
			}
			if told := s.told(); (len(told) == 1) != (name != "no room") {
				t.Errorf("the log was told of %v", told)
			}
		})
	}
}

// More PUTs than a site receives at once are told to come back soon.
func TestMorePUTsThanASiteReceives(t *testing.T) {
	s := newSite(t, func(_ *site, c *api.Config) { c.Uploads = 3 })
	token := s.participant("p1")
	var finish []func()
	for i := range 3 {
		finish = append(finish, s.hold(s.slot(token, fmt.Sprint(i, body))))
	}
	p := s.slot(token, body)
	if got := s.put(p).want(t, 503, "receiving as much as it can"); got.header.Get("Retry-After") != "2" {
		t.Errorf("Retry-After %q", got.header.Get("Retry-After"))
	}
	if n := s.server.Receiving(); n != 3 {
		t.Errorf("%d are being received", n)
	}
	for _, f := range finish {
		f()
	}
	s.put(p).want(t, 200)
}

// One slot takes sixteen PUTs at once, so that no device takes every place.
func TestMorePUTsThanASlotTakes(t *testing.T) {
	s := newSite(t, nil)
	token := s.participant("p1")
	p := s.slot(token, body)
	var finish []func()
	for range 16 {
		finish = append(finish, s.hold(p))
	}
	s.put(p).want(t, 503, "receiving as much as it can")
	s.put(s.slot(token, "another "+body)).want(t, 200)
	for _, f := range finish {
		f()
	}
	s.put(p).want(t, 200)
}

// hold begins a PUT that is being received until the function it gives is called.
func (s *site) hold(p *parcel) (finish func()) {
	s.t.Helper()
	conn, from := s.dial()
	text := strings.Replace(s.wire(p), "\r\n\r\n", "\r\nExpect: 100-continue\r\n\r\n", 1)
	head, rest, _ := strings.Cut(text, "\r\n\r\n")
	io.WriteString(conn, head+"\r\n\r\n")
	if line, err := from.ReadString('\n'); err != nil || !strings.Contains(line, "100 Continue") {
		s.t.Fatalf("%q, %v", line, err)
	}
	return func() {
		from.ReadString('\n')
		io.WriteString(conn, rest)
		s.hear(from, "PUT").want(s.t, 200)
	}
}

// A PUT that is refused does not make the device send its body.
func TestRefusedBeforeTheBodyIsSent(t *testing.T) {
	s := newSite(t, nil)
	p := s.slot(s.participant("p1"), body)
	for _, row := range []struct {
		old, new string
		want     int
	}{
		{"signature=", "signature=A", 403},
		{hash(body), hash("other"), 403},
		{"Content-Length: 42", "Content-Length: 5000000000", 403},
	} {
		head, _, _ := strings.Cut(s.wire(p), "\r\n\r\n")
		got := s.say(strings.Replace(head, row.old, row.new, 1) + "\r\nExpect: 100-continue\r\n\r\n")
		got.want(t, row.want) // it would be 100 had the site asked for the body
	}
}

// A refusal whose body was not read does not spoil the connection: the next
// request on it is answered, or it is closed.
func TestKeepAliveAfterARefusal(t *testing.T) {
	s := newSite(t, nil)
	p := s.slot(s.participant("p1"), body)
	conn, from := s.dial()
	io.WriteString(conn, strings.Replace(s.wire(p), "signature=", "signature=A", 1)+s.wire(p))
	s.hear(from, "PUT").want(t, 403)
	s.hear(from, "PUT").want(t, 200)

	large := strings.Repeat(body, 20_000)
	p = s.slot(s.participant("p2"), large)
	conn, from = s.dial()
	go io.WriteString(conn, strings.Replace(s.wire(p), "signature=", "signature=A", 1)+s.wire(p))
	s.hear(from, "PUT").want(t, 403)
	if got, err := http.ReadResponse(from, nil); err == nil && got.StatusCode != 200 {
		t.Errorf("the next PUT on the connection is answered %d", got.StatusCode)
	}
	s.put(p).want(t, 200)
}

// Browsers ask first.
func TestThePreflight(t *testing.T) {
	s := newSite(t, nil)
	p := s.slot(s.participant("p1"), body)
	got := s.call("OPTIONS", p.url, "", nil, "Origin", "https://example.org",
		"Access-Control-Request-Method", "PUT", "Access-Control-Request-Headers", "accept, content-type").want(t, 200)
	for name, want := range map[string]string{
		"Access-Control-Allow-Origin": "*", "Access-Control-Allow-Methods": "PUT",
		"Access-Control-Allow-Headers": "accept, content-type",
	} {
		if got.header.Get(name) != want {
			t.Errorf("%s: %q, want %q", name, got.header.Get(name), want)
		}
	}
	put := s.call("PUT", p.url, "", body, "Origin", "https://example.org", "Content-Type", p.mimeType, "Content-MD5", hash(body)).want(t, 200)
	if put.header.Get("Access-Control-Allow-Origin") != "*" || put.header.Get("Access-Control-Expose-Headers") != "ETag" {
		t.Errorf("%v", put.header)
	}
}

func TestTenDevicesOnOneSlot(t *testing.T) {
	s := newSite(t, nil)
	token := s.participant("p1")
	for _, content := range []string{body, strings.Repeat(body, 10_000)} {
		p := s.slot(token, content)
		var devices sync.WaitGroup
		for _, do := range []func(){
			func() {
				if again := s.slot(token, content); again.id != p.id {
					t.Errorf("slot %s, want %s", again.id, p.id)
				}
			},
			func() { s.put(p).want(t, 200) },
			func() { s.call("POST", "/v3/uploads/"+p.id+"/complete", token, nil).want(t, 200) },
		} {
			for range 10 {
				devices.Go(do)
			}
			devices.Wait()
		}
		s.process()
		if got := s.status(token, p.id); got != "succeeded" {
			t.Errorf("it is %s", got)
		}
	}
}

// Over TLS the URL is https, and HTTP/2 is answered as HTTP/1.1 is.
func TestHTTP2(t *testing.T) {
	s := newSite(t, nil)
	p := &parcel{body: body, mimeType: "a/b"}
	token := s.participant("p1")
	secure := httptest.NewUnstartedServer(s.server.Handler())
	secure.EnableHTTP2 = true
	secure.StartTLS()
	defer secure.Close()
	s.base = secure.URL
	before := http.DefaultClient.Transport
	http.DefaultClient.Transport = &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, ForceAttemptHTTP2: true}
	defer func() { http.DefaultClient.Transport = before }()
	p.url = s.call("POST", "/v3/uploads", token, p.request()).want(t, 200).text("url")
	if !strings.HasPrefix(p.url, secure.URL+"/put/") {
		t.Errorf("URL %s", p.url)
	}
	if got := s.put(p).want(t, 200); got.header.Get("Strict-Transport-Security") == "" {
		t.Error("no Strict-Transport-Security")
	}
	s.call("PUT", p.url, "", "other", "Content-Type", "a/b").want(t, 403)
}
