package api_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/core/participant"
)

const (
	sitePin = "q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA"
	agent   = "Walker/7 (Pixel 9; Android/16)"
)

// pairing asks for a code for a participant.
func (s *site) pairing(admin, externalID string) answer {
	s.t.Helper()
	return s.call("POST", "/local/v1/pairings", admin, map[string]any{"study": testStudy, "externalId": externalID}).want(s.t, 201)
}

// redeem says a code.
func (s *site) redeem(code string) answer {
	s.t.Helper()
	return s.call("POST", "/local/v1/pairings/redeem", "", map[string]any{"code": code, "deviceName": "Ward 3, phone 2"}, "User-Agent", agent)
}

// notes lets what was seen of devices be written.
func (s *site) notes() {
	s.t.Helper()
	if err := s.devices.Write(context.Background(), true); err != nil {
		s.t.Fatal(err)
	}
}

// A device is paired, sends, is listed, and is forgotten.
func TestADeviceFromItsPairingToItsEnd(t *testing.T) {
	s := newSite(t, nil)
	admin := s.staff(core.RoleAdmin)
	before := s.participant("p1")
	made := s.pairing(admin, "p1").want(t, 201, `"state":"open"`, `"replaces":true`, `"serving":true`)
	code := made.text("code")
	if want := "https://192.168.1.20:8443/pair#c=" + strings.ReplaceAll(code, "-", "") + "&p=" + sitePin + "&o=10.0.0.7:8443"; made.text("url") != want {
		t.Errorf("the link is %s, want %s", made.text("url"), want)
	}
	at := "/local/v1/pairings/" + made.text("id")
	if open := s.call("GET", at, admin, nil).want(t, 200, `"state":"open"`); strings.Contains(open.raw, code) {
		t.Error("the code is told again")
	}
	got := s.redeem(strings.ToLower(code)).want(t, 200, `"appId":"test-app","studyId":"sleep","externalId":"p1"`, `"pin":"`+sitePin+`"`, `"publicKey":"-----BEGIN`, `"baseUrls":["https://192.168.1.20:8443","https://10.0.0.7:8443"]`)
	s.redeem(code).want(t, 404, "used already")
	s.call("GET", at, admin, nil).want(t, 200, `"state":"redeemed"`, `"name":"Ward 3, phone 2"`)
	s.call("GET", "/v3/participants/self", before, nil).want(t, 401)
	s.call("POST", "/v4/auth/signIn", "", in(map[string]any{"externalId": "p1"})).want(t, 404)

	token := s.call("POST", "/v4/auth/signIn", "", in(map[string]any{"externalId": "p1", "password": got.text("password")}), "User-Agent", agent).want(t, 200).text("sessionToken")
	p := &parcel{body: "a walk", mimeType: "text/plain"}
	slot := s.call("POST", "/v3/uploads", token, p.request(), "User-Agent", agent).want(t, 200)
	p.id, p.url = slot.text("id"), slot.text("url")
	s.put(p).want(t, 200)
	for range 2 { // completing it again is no second upload
		s.call("POST", "/v3/uploads/"+p.id+"/complete", token, nil, "User-Agent", agent).want(t, 200)
	}
	s.notes()
	device := "/local/v1/devices/" + got.text("deviceId")
	s.call("GET", device, admin, nil).want(t, 200, `"state":"active"`, `"externalId":"p1"`, `"kind":"Walker, Pixel 9, Android"`, `"userAgent":"`+agent+`"`, `"address":"127.0.0.1"`, `"uploads":1`)
	s.call("GET", "/local/v1/devices", admin, nil).want(t, 200, `"id":"`+got.text("deviceId")+`"`)

	s.call("DELETE", device, admin, nil).want(t, 200)
	s.call("DELETE", device, admin, nil).want(t, 404)
	s.call("GET", device, admin, nil).want(t, 404)
	s.call("GET", at, admin, nil).want(t, 200, `"state":"redeemed"`)
	s.call("POST", "/v3/uploads", token, p.request()).want(t, 401)
	s.call("GET", "/local/v1/pairings/none", admin, nil).want(t, 404)

	var did []string
	err := s.store.Deeds(t.Context(), time.Time{}, time.Time{}, func(d core.Deed) error {
		if slices.Contains([]core.DeedKind{core.DeedPairingMade, core.DeedDevicePaired, core.DeedDeviceForgotten}, d.Did) {
			did = append(did, string(d.Did))
		}
		if text := fmt.Sprint(d); strings.Contains(text, code) || strings.Contains(text, got.text("password")) {
			t.Errorf("the audit has a secret: %s", text)
		}
		return nil
	})
	if want := "pairing_made device_paired device_forgotten"; err != nil || strings.Join(did, " ") != want {
		t.Errorf("the audit has %v (%v)", did, err)
	}
}

// Who makes no code, and why.
func TestPairingsThatAreNotMade(t *testing.T) {
	s := newSite(t, nil)
	admin, owner, researcher := s.staff(core.RoleAdmin), s.participant("p1"), s.staff(core.RoleResearcher)
	s.account("", participant.Form{Email: "jo@example.org"})
	s.call("POST", "/v5/studies", admin, map[string]any{"identifier": "gait"}).want(t, 201)
	right := map[string]any{"study": testStudy, "externalId": "p1"}
	for name, row := range map[string]struct {
		token string
		body  any
		want  int
		words string
	}{
		"nobody":                 {"", right, 401, ""},
		"a participant":          {owner, right, 403, ""},
		"a researcher":           {researcher, right, 403, ""},
		"nothing":                {admin, "", 400, "empty"},
		"no study":               {admin, map[string]any{"externalId": "p1"}, 400, "study is required"},
		"no participant":         {admin, map[string]any{"study": testStudy}, 400, "externalId is required"},
		"another participant":    {admin, map[string]any{"study": testStudy, "externalId": "p2"}, 404, "No participant of this study"},
		"another study":          {admin, map[string]any{"study": "gait", "externalId": "p1"}, 404, "No participant of this study"},
		"a study that is none":   {admin, map[string]any{"study": "none", "externalId": "p1"}, 404, "No participant of this study"},
		"for too long":           {admin, map[string]any{"study": testStudy, "externalId": "p1", "minutes": 1441}, 400, "minutes must be from 1 to 1440"},
		"for less than no time":  {admin, map[string]any{"study": testStudy, "externalId": "p1", "minutes": -1}, 400, "minutes must be"},
		"an id that is too long": {admin, map[string]any{"study": testStudy, "externalId": strings.Repeat("x", 40_000)}, 400, "at most 255"},
	} {
		t.Run(name, func(t *testing.T) {
			s.call("POST", "/local/v1/pairings", row.token, row.body).want(t, row.want, row.words)
		})
	}
	for _, route := range []string{"GET /local/v1/devices", "GET /local/v1/devices/x", "DELETE /local/v1/devices/x", "GET /local/v1/pairings/x"} {
		method, path, _ := strings.Cut(route, " ")
		s.call(method, path, "", nil).want(t, 401)
		s.call(method, path, researcher, nil).want(t, 403)
	}
}

// Codes that are wrong, expired, of a disabled account, or one too many.
func TestCodesThatAreNotRedeemed(t *testing.T) {
	s := newSite(t, nil)
	admin := s.staff(core.RoleAdmin)
	s.participant("p1")
	id := s.account(testStudy, participant.Form{ExternalIDs: map[core.StudyID]string{testStudy: "off"}})
	off := s.pairing(admin, "off").text("code")
	s.call("POST", "/v3/participants/"+string(id), admin, map[string]any{"status": "disabled"}).want(t, 200)
	s.redeem(off).want(t, 423)
	code := s.pairing(admin, "p1").text("code")
	s.redeem("").want(t, 404, "This code is not right")
	s.call("POST", "/local/v1/pairings/redeem", "", "[]").want(t, 400)
	s.pass(16 * time.Minute)
	s.redeem(code).want(t, 404, "has expired")
	code = s.pairing(admin, "p1").text("code")
	s.pass(time.Minute)
	for range 10 {
		s.redeem("ABCD-EFGH").want(t, 404)
	}
	if held := s.redeem(code).want(t, 429, "too many wrong codes", `"type":"LimitExceededException"`); held.header.Get("Retry-After") == "" {
		t.Error("it does not say when to come back")
	}
	s.pass(time.Minute)
	s.redeem(code).want(t, 200)
}

// Ten devices that say one code at the same moment: one is paired.
func TestOneCodeAtTheSameMoment(t *testing.T) {
	s := newSite(t, nil)
	admin := s.staff(core.RoleAdmin)
	s.participant("p1")
	code := s.pairing(admin, "p1").text("code")
	var won, lost atomic.Int64
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() {
			switch got := s.redeem(code); {
			case got.status == 200:
				won.Add(1)
			case got.status == 404 && strings.Contains(got.raw, "used already"):
				lost.Add(1)
			default:
				t.Errorf("%d %s", got.status, got.raw)
			}
		})
	}
	all.Wait()
	if won.Load() != 1 || lost.Load() != 9 {
		t.Errorf("%d won and %d lost", won.Load(), lost.Load())
	}
}

// Whoever opens a link in a browser reads what to do, in their language; the page
// holds no script and loads nothing.
func TestThePairingPage(t *testing.T) {
	s := newSite(t, nil)
	for wish, want := range map[string]string{"": "en", "fr-CM": "fr", "sw": "sw", "de": "en"} {
		page := s.call("GET", "/pair", "", nil, "Accept-Language", wish).want(t, 200, `<html lang="`+want+`">`, s.host())
		if policy := page.header.Get("Content-Security-Policy"); policy != "default-src 'none'" || strings.Contains(page.raw, "<script") || strings.Contains(page.raw, "pair.") {
			t.Errorf("the page is %s with policy %s", page.raw, policy)
		}
	}
}

// What a device says of itself is plain text, and what it is is told from its
// User-Agent.
func TestDevicesThatWereNotPaired(t *testing.T) {
	s := newSite(t, nil)
	admin, token := s.staff(core.RoleAdmin), s.participant("p1")
	clock := time.Now().Add(2 * time.Hour).UTC().Format("Mon, 02 Jan 2006 15:04:05 GMT")
	s.call("GET", "/v3/participants/self", token, nil, "User-Agent", agent, "Date", clock).want(t, 200)
	s.call("GET", "/v3/participants/self", token, nil, "User-Agent", "Walker/8 (Pixel 9; Android/17)").want(t, 200)
	s.call("GET", "/v3/participants/self", token, nil, "User-Agent", "Strider/1 (iPhone 15; iOS/18)").want(t, 200)
	s.notes()
	list := s.call("GET", "/local/v1/devices", admin, nil).want(t, 200, `"kind":"Walker, Pixel 9, Android"`, `"userAgent":"Walker/8 (Pixel 9; Android/17)"`, `"kind":"Strider, iPhone 15, iPhone OS"`, `"clockAheadSeconds":7`)
	if n := strings.Count(list.raw, `"kind":"Walker`); n != 1 || strings.Contains(list.raw, "admin") {
		t.Errorf("%d walkers in %s", n, list.raw)
	}
}
