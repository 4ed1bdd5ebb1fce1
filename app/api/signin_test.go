package api_test

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/core/participant"
)

// in is a sign-in with all that it needs and what is said besides.
func in(who map[string]any) map[string]any {
	all := map[string]any{"appId": testApp, "password": password}
	maps.Copy(all, who)
	maps.DeleteFunc(all, func(_ string, v any) bool { return v == nil })
	return all
}

func TestSessions(t *testing.T) {
	s := newSite(t, nil)
	s.account(testStudy, participant.Form{
		Email: "Ann@Example.org", FirstName: "Ann", LastName: "Ott", Phone: &core.Phone{Number: "+12065550100", RegionCode: "US"},
		SharingScope: core.SponsorsAndPartners, ExternalIDs: map[core.StudyID]string{testStudy: "p1"},
		DataGroups: []string{"test_user"}, Languages: []string{"sw", "en"}, ClientTimeZone: "Africa/Nairobi",
		Attributes: map[string]string{"ward": "3"}, Note: "left-handed",
	})
	s.account(testStudy, participant.Form{ExternalIDs: map[core.StudyID]string{testStudy: "silent"}})
	s.account("", participant.Form{Email: "lee@example.org", Roles: []core.Role{core.RoleResearcher, core.RoleWorker}})
	for name, row := range map[string]struct {
		path   string
		body   map[string]any
		want   int
		golden string
	}{
		"by external id":     {"/v4/auth/signIn", in(map[string]any{"externalId": "p1"}), 200, "session"},
		"the KMM route":      {"/v3/auth/signIn", in(map[string]any{"externalId": "p1"}), 200, "session"},
		"an old route":       {"/api/v1/auth/signIn", in(map[string]any{"externalId": "p1"}), 200, "session"},
		"by e-mail":          {"/v4/auth/signIn", in(map[string]any{"email": "ann@EXAMPLE.org"}), 200, "session"},
		"by username":        {"/v4/auth/signIn", in(map[string]any{"username": "ann@example.org"}), 200, "session"},
		"by phone":           {"/v4/auth/signIn", in(map[string]any{"phone": map[string]any{"number": "+12065550100", "regionCode": "US", "type": "Phone"}}), 200, "session"},
		"study for appId":    {"/v4/auth/signIn", in(map[string]any{"externalId": "p1", "appId": nil, "study": testApp}), 200, "session"},
		"e-mail before id":   {"/v4/auth/signIn", in(map[string]any{"email": "ann@example.org", "externalId": "silent"}), 200, "session"},
		"without consent":    {"/v4/auth/signIn", in(map[string]any{"externalId": "silent"}), 412, "session-not-consented"},
		"staff need none":    {"/v4/auth/signIn", in(map[string]any{"email": "lee@example.org"}), 200, "session-staff"},
		"fields of tomorrow": {"/v4/auth/signIn", in(map[string]any{"externalId": "p1", "type": "SignIn", "reauth": []int{1}}), 200, "session"},
	} {
		t.Run(name, func(t *testing.T) {
			s.call("POST", row.path, "", row.body).want(t, row.want).golden(t, row.golden)
		})
	}
}

func TestRefusedSignIns(t *testing.T) {
	s := newSite(t, nil)
	s.participant("p1")
	s.account(testStudy, participant.Form{Status: core.StatusDisabled, ExternalIDs: map[core.StudyID]string{testStudy: "off"}})
	wrong := "There is no account with this name and password."
	for name, row := range map[string]struct {
		body  any
		want  int
		words []string
	}{
		"a wrong password":    {in(map[string]any{"externalId": "p1", "password": "wrong"}), 404, []string{wrong, `"entityClass":"Account"`, `"type":"EntityNotFoundException"`}},
		"an unknown account":  {in(map[string]any{"externalId": "who"}), 404, []string{wrong}},
		"another app":         {in(map[string]any{"externalId": "p1", "appId": "other"}), 404, []string{wrong}},
		"disabled":            {in(map[string]any{"externalId": "off"}), 423, []string{"AccountDisabledException"}},
		"disabled and wrong":  {in(map[string]any{"externalId": "off", "password": "wrong"}), 404, []string{wrong}},
		"no app":              {in(map[string]any{"externalId": "p1", "appId": nil}), 400, []string{`"appId":["appId is required"]`, "InvalidEntityException"}},
		"no password":         {in(map[string]any{"externalId": "p1", "password": nil}), 400, []string{`"password":["password is required"]`}},
		"no name":             {in(nil), 400, []string{`"SignIn":["SignIn requires an email, phone or externalId"]`}},
		"nothing":             {"{}", 400, []string{"SignIn is invalid: SignIn requires", "appId is required", "password is required"}},
		"no object":           {"[]", 400, []string{"it must be an object"}},
		"a phone that's none": {in(map[string]any{"phone": "123"}), 400, []string{"fields: phone"}},
	} {
		t.Run(name, func(t *testing.T) {
			s.call("POST", "/v4/auth/signIn", "", row.body).want(t, row.want, row.words...)
		})
	}
	known := s.call("POST", "/v4/auth/signIn", "", in(map[string]any{"externalId": "p1", "password": "wrong"}))
	unknown := s.call("POST", "/v4/auth/signIn", "", in(map[string]any{"externalId": "who"}))
	if known.raw != unknown.raw {
		t.Errorf("%s tells more than %s", known.raw, unknown.raw)
	}
}

// Ten failures hold up one account at one address for a minute, and nobody else.
func TestGuessing(t *testing.T) {
	s := newSite(t, nil)
	s.participant("p1")
	s.participant("p2")
	from := func(address, id, password string) *httptest.ResponseRecorder {
		r := httptest.NewRequest("POST", "/v4/auth/signIn", strings.NewReader(`{"appId":"`+testApp+`","externalId":"`+id+`","password":"`+password+`"}`))
		r.RemoteAddr = address + ":4711"
		w := httptest.NewRecorder()
		s.server.Handler().ServeHTTP(w, r)
		return w
	}
	for range 10 {
		if got := from("192.0.2.1", "p1", "guess"); got.Code != 404 {
			t.Fatalf("%d %s", got.Code, got.Body)
		}
	}
	got := from("192.0.2.1", "p1", password)
	wait, err := strconv.Atoi(got.Header().Get("Retry-After"))
	if got.Code != 429 || err != nil || wait < 1 || wait > 60 || !strings.Contains(got.Body.String(), `"type":"LimitExceededException"`) {
		t.Errorf("%d %v %s", got.Code, got.Header(), got.Body)
	}
	for _, row := range [][3]string{{"192.0.2.2", "p1", password}, {"192.0.2.1", "p2", password}, {"2001:db8::1", "p1", password}} {
		if strings.Contains(row[0], ":") {
			row[0] = "[" + row[0] + "]"
		}
		if got := from(row[0], row[1], row[2]); got.Code != 200 {
			t.Errorf("%v: %d %s", row, got.Code, got.Body)
		}
	}
	s.ahead.Store(int64(time.Minute + time.Second))
	if got := from("192.0.2.1", "p1", password); got.Code != 200 {
		t.Errorf("a minute later: %d %s", got.Code, got.Body)
	}
}

func TestSignOut(t *testing.T) {
	s := newSite(t, nil)
	token := s.participant("p1")
	other := s.signIn(map[string]any{"externalId": "p1"}) // a second device
	s.call("POST", "/v3/auth/signOut", "", nil).want(t, 200)
	s.call("POST", "/v4/auth/signOut", "", nil).want(t, 400, `"type":"BadRequestException"`, "Not signed in")
	s.call("POST", "/v4/auth/signOut", "dead", nil).want(t, 200)
	if got := s.call("POST", "/v4/auth/signOut", token, nil).want(t, 200, `"type":"StatusMessage"`); got.header.Get("Clear-Site-Data") == "" {
		t.Error("no Clear-Site-Data")
	}
	s.call("POST", "/v3/uploads", token, with(nil)).want(t, 401)
	s.call("POST", "/v3/uploads", other, with(nil)).want(t, 200)
	s.call("POST", "/v3/auth/signOut", other, nil).want(t, 200)
	s.call("POST", "/v3/uploads", other, with(nil)).want(t, 401)
}

// A session ends when its account is disabled.
func TestAnAccountThatIsDisabledMeanwhile(t *testing.T) {
	s := newSite(t, nil)
	token, admin := s.participant("p1"), s.staff(core.RoleAdmin)
	s.call("POST", "/v3/participants/externalid:p1", admin, map[string]any{"status": "DISABLED"}).want(t, 200)
	s.call("POST", "/v3/uploads", token, with(nil)).want(t, http.StatusLocked, "Ask the staff")
}
