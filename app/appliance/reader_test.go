package appliance_test

import (
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"

	"footbridge/app/appliance/appliancetest"
	"footbridge/app/config"
	"footbridge/app/control"
)

// Who asks hears a language that they ask for, else that of the settings; states and
// fields stay. The window hears of its buttons.
func TestAnswersAreInTheReadersLanguage(t *testing.T) {
	home := appliancetest.Make(t)
	if err := config.Change(home, "language", "sw"); err != nil {
		t.Fatal(err)
	}
	a, token := appliancetest.Open(t, home), ""
	ask := func(method, path, body, language, reader string) string {
		t.Helper()
		r := httptest.NewRequest(method, path, strings.NewReader(body))
		r.Header.Set("Bridge-Session", token)
		if language != "" {
			r.Header.Set("Accept-Language", language)
		}
		if reader != "" {
			r.Header.Set(control.ReaderHeader, reader)
		}
		w := httptest.NewRecorder()
		a.Handler().ServeHTTP(w, r)
		if w.Code != 200 {
			t.Errorf("%s %s: %d %s", method, path, w.Code, w.Body)
		}
		return w.Body.String()
	}
	var session struct{ SessionToken string }
	signedIn := ask("POST", "/v4/auth/signIn", `{"appId":"test-app","email":"admin@example.org","password":"Right-as-rain-1"}`, "", "")
	if err := json.Unmarshal([]byte(signedIn), &session); err != nil {
		t.Fatal(err)
	}
	token = session.SessionToken
	for language, want := range map[string]string{
		"":                          "Kila kitu kiko sawa",
		"de":                        "Kila kitu kiko sawa",
		"fr":                        "Tout va bien",
		"de, pt-BR;q=0.8, en;q=0.1": "Está tudo bem",
		"en-GB":                     "All is well",
		"es-419":                    "Todo está bien",
	} {
		if got := ask("GET", "/local/v1/status", "", language, ""); !strings.Contains(got, want) || !strings.Contains(got, `"state":"ok"`) {
			t.Errorf("who asks for %q hears %s", language, got)
		}
	}
	id := string(announced(t, a, "u", "walk.zip")[0])
	for _, path := range []string{"/local/v1/uploads", "/local/v1/uploads/" + id} {
		if got := ask("GET", path, "", "fr", ""); !strings.Contains(got, "L’appareil n’a pas encore envoyé le fichier.") || !strings.Contains(got, `"standing":"expected"`) {
			t.Errorf("%s: %s", path, got)
		}
	}
	for reader, want := range map[string]string{"": "footbridge sync resume", control.AtWindow: "« Reprendre » (page « Envoi »)"} {
		if got := ask("POST", "/local/v1/sync/pause", "", "fr", reader); !strings.Contains(got, want) {
			t.Errorf("who reads at %q hears %s", reader, got)
		}
	}
}
