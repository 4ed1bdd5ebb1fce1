package api_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode/utf8"

	"footbridge/core"
)

// clientInfo asks for a slot with a User-Agent and gives what the upload knows
// of the client.
func (s *site) clientInfo(t testing.TB, token, agent string) string {
	t.Helper()
	raw, _ := json.Marshal(with(nil))
	r := httptest.NewRequest("POST", "/v3/uploads", strings.NewReader(string(raw)))
	r.Header = http.Header{"Bridge-Session": {token}, "User-Agent": {agent}}
	w := httptest.NewRecorder()
	s.server.Handler().ServeHTTP(w, r)
	u, err := s.store.Upload(t.Context(), core.UploadID(answer{raw: w.Body.String()}.text("id")))
	if err != nil {
		t.Fatalf("%s: %v", w.Body, err)
	}
	if u.UserAgent != agent {
		t.Errorf("the raw text became %q", u.UserAgent)
	}
	return u.ClientInfo
}

func TestWhatAUserAgentTells(t *testing.T) {
	s := unserved(t, nil)
	server := httptest.NewServer(s.server.Handler())
	defer server.Close()
	s.base = server.URL
	token := s.participant("p1")
	const nothing = ""
	for agent, want := range map[string]string{
		"": nothing,
		"Gait/26 (Unknown iPhone; iPhone OS/9.1) BridgeSDK/4":    `"appName":"Gait","appVersion":26,"deviceName":"Unknown iPhone","osName":"iPhone OS","osVersion":"9.1","sdkName":"BridgeSDK","sdkVersion":4,`,
		"mobile-toolbox/12 (Pixel 9; Android/16)":                `"appName":"mobile-toolbox","appVersion":12,"deviceName":"Pixel 9","osName":"Android","osVersion":"16",`,
		"Cardio Study/1 (iPod touch; iOS/10.2) BridgeJavaSDK/10": `"appName":"Cardio Study","appVersion":1,"deviceName":"iPod touch","osName":"iPhone OS","osVersion":"10.2","sdkName":"BridgeJavaSDK","sdkVersion":10,`,
		"Gait/14":                   `"appName":"Gait","appVersion":14,`,
		"Gait":                      `"appName":"Gait",`,
		"Gait Lab":                  `"appName":"Gait Lab",`,
		"Gait/":                     `"appName":"Gait",`,
		"/14":                       `"appVersion":14,`,
		"14":                        `"appVersion":14,`,
		"10 10":                     `"appVersion":10,"sdkVersion":10,`,
		"Gait/14 BridgeSDK/10":      `"appName":"Gait","appVersion":14,"sdkName":"BridgeSDK","sdkVersion":10,`,
		"Gait Lab/14 Bridge SDK/10": `"appName":"Gait Lab","appVersion":14,"sdkName":"Bridge SDK","sdkVersion":10,`,
		"Gait/14 BridgeSDK":         `"appName":"Gait","appVersion":14,"sdkName":"BridgeSDK",`,
		"Gait/1.0 (tablet; Linux/4.0.0) Kit/5.0.0": `"appName":"Gait","deviceName":"tablet","osName":"Linux","osVersion":"4.0.0","sdkName":"Kit",`,
		"Gait/-5":                           `"appName":"Gait",`,
		"Gait/1234567890":                   `"appName":"Gait",`,
		"/3 (; iOS 10) SDK":                 `"appVersion":3,"osName":"iPhone OS","osVersion":"10","sdkName":"SDK",`,
		"Gait/3 (; iPhone OS 10.2)":         `"appName":"Gait","appVersion":3,"osName":"iPhone OS","osVersion":"10.2",`,
		"Gait/3 (phone; Android)":           `"appName":"Gait","appVersion":3,"deviceName":"phone","osName":"Android",`,
		"Gait/3 (phone; Both/1)":            `"appName":"Gait","appVersion":3,"deviceName":"phone","osName":"Universal","osVersion":"1",`,
		"Gait/3 (phone;)":                   `"appName":"Gait","appVersion":3,"deviceName":"phone",`,
		"Gait/3 (phone)":                    `"appName":"Gait","appVersion":3,"deviceName":"phone",`,
		"Gait/3 ()":                         `"appName":"Gait","appVersion":3,`,
		"(phone; iOS/9)":                    `"deviceName":"phone","osName":"iPhone OS","osVersion":"9",`,
		"(phone; iOS/9) Kit/2":              `"deviceName":"phone","osName":"iPhone OS","osVersion":"9","sdkName":"Kit","sdkVersion":2,`,
		"  Gait/3  (phone; iOS/9)  Kit/2  ": `"appName":"Gait","appVersion":3,"deviceName":"phone","osName":"iPhone OS","osVersion":"9","sdkName":"Kit","sdkVersion":2,`,
		"Gait/3,Gait/3":                     `"appName":"Gait","appVersion":3,`,
		"Gait/3, Gait/3":                    `"appName":"Gait","appVersion":3,`,
		"Gait/3 (iPhone10,3; iOS/16) Kit/2,Gait/3 (iPhone10,3; iOS/16) Kit/2": `"appName":"Gait","appVersion":3,"deviceName":"iPhone10,3","osName":"iPhone OS","osVersion":"16","sdkName":"Kit","sdkVersion":2,`,
		"Gait/3 (iPhone10,3; iOS/16)":                                         `"appName":"Gait","appVersion":3,"deviceName":"iPhone10,3","osName":"iPhone OS","osVersion":"16",`,
		"<Gait & Co>/3":                                                       `"appName":"<Gait & Co>","appVersion":3,`,
		"Schritt über/3":                                                      `"appName":"Schritt über","appVersion":3,`,
		"okhttp/4.12.0":                                                       `"appName":"okhttp",`,

		"Gait; Lab/3":                        nothing,
		"Gait/3; (phone; iOS/9)":             nothing,
		"Gait/3/4":                           nothing,
		"Gait/3 (phone; iOS/9/1)":            nothing,
		"Gait/3 (phone; iOS/9) Kit/2 More/3": nothing,
		"Gait/3 (phone; iOS/9) (again)":      nothing,
		"Gait/3 (phone; iOS/9":               nothing,
		"Gait/3 phone; iOS/9)":               nothing,
		"Gait/3 (a (b; iOS/9)":               nothing,
		"Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0":                                        nothing,
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605": nothing,
		"Dalvik/2.1.0 (Linux; U; Android 15; Pixel 9)":                                                                  nothing,
		"Gait/3 " + strings.Repeat("x", 249):                                                                            nothing,
	} {
		if got := s.clientInfo(t, token, agent); got != "{"+want+`"type":"ClientInfo"}` {
			t.Errorf("%q\ngot  %s\nwant {%s\"type\":\"ClientInfo\"}", agent, got, want)
		}
	}
}

// Whatever a User-Agent says, client info is an object with a type and no text
// that was not in it.
func FuzzUserAgent(f *testing.F) {
	for _, seed := range []string{
		"Gait/26 (iPhone; iPhone OS/9.1) BridgeSDK/4", "/3 (; iOS 10) SDK", "10 10", "a,a", "(((", ";;;///", "a/1,,a/1", "\xff/1",
	} {
		f.Add(seed)
	}
	s := unserved(f, nil)
	server := httptest.NewServer(s.server.Handler())
	s.base = server.URL
	token := s.participant("p1")
	server.Close()
	f.Fuzz(func(t *testing.T, agent string) {
		if !utf8.ValidString(agent) {
			return // JSON cannot repeat it
		}
		text := s.clientInfo(t, token, agent)
		var info map[string]any
		if err := json.Unmarshal([]byte(text), &info); err != nil || info["type"] != "ClientInfo" {
			t.Fatalf("%s, %v", text, err)
		}
		for key, v := range info {
			if said, ok := v.(string); ok && key != "type" && said != "iPhone OS" && said != "Universal" && !strings.Contains(agent, said) {
				t.Errorf("%s %q is not in %q", key, said, agent)
			}
		}
	})
}
