package fleet_test

import (
	"strings"
	"testing"

	"footbridge/core/fleet"

	"github.com/google/go-cmp/cmp"
)

// A link has all that it was made of, but for addresses that would make it too long;
// what is secret stands behind the #.
func TestLinks(t *testing.T) {
	pin := strings.Repeat("aB3_", 10) + "xyz"
	for want, link := range map[string]fleet.Link{
		"https://192.168.1.20:8443/pair#c=ABCDEFGH&p=" + pin: {BaseURLs: []string{"https://192.168.1.20:8443"}, Code: "ABCDEFGH", Pin: pin},
		"http://10.0.0.7:80/pair#c=ABCDEFGH":                 {BaseURLs: []string{"http://10.0.0.7:80"}, Code: "ABCDEFGH"},
		"https://10.0.0.7:8443/pair#c=ABCDEFGH&p=" + pin + "&o=10.1.0.7:8443,clinic.local:8443": {
			BaseURLs: []string{"https://10.0.0.7:8443", "https://10.1.0.7:8443", "https://clinic.local:8443"}, Code: "ABCDEFGH", Pin: pin},
		"http://[fd00::7]:8443/pair#c=ABCDEFGH": {BaseURLs: []string{"http://[fd00::7]:8443"}, Code: "ABCDEFGH"},
	} {
		if got := link.String(); got != want {
			t.Errorf("the link is %s, want %s", got, want)
		}
		got, err := fleet.ParseLink(" " + want + "\n")
		if diff := cmp.Diff(link, got); diff != "" || err != nil {
			t.Errorf("%v %s", err, diff)
		}
	}
	many := fleet.Link{Code: "ABCDEFGH", BaseURLs: []string{"http://10.0.0.1:1", "http://[fd00::7]:1", "http://10.0.0.2:1", "http://10.0.0.3:1", "http://10.0.0.4:1", "http://10.0.0.5:1"}}
	if got := many.String(); got != "http://10.0.0.1:1/pair#c=ABCDEFGH&o=10.0.0.2:1,10.0.0.3:1,10.0.0.4:1" {
		t.Errorf("of many addresses: %s", got)
	}
	if got := (fleet.Link{Code: "ABCDEFGH"}).String(); got != "" {
		t.Errorf("without an address: %s", got)
	}
}

func TestLinksThatAreNone(t *testing.T) {
	for text, want := range map[string]string{
		"": "it must look like", "ABCD-EFGH": "it must look like", "ftp://x/pair#c=ABCDEFGH": "it must look like", "https://me:secret@x/pair#c=ABCDEFGH&p=x": "it must look like",
		"https://x/pair": "no pairing code", "https://x/pair#c=ABC&p=x": "no pairing code", "https://x/pair?c=ABCDEFGH&p=x": "no pairing code",
		"https://x/pair#c=ABCDEFGH": "lacks the pin", "https://x/pair#c=%zz": "", "http://x/pair#c=ABCDEFGH;p=1": "damaged",
	} {
		if _, err := fleet.ParseLink(text); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
