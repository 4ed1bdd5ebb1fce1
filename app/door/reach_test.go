package door_test

import (
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"footbridge/app/door"
)

// Devices reach a door where it listens; where it listens everywhere, at each address
// of this machine, and never at one that only this machine knows.
func TestReach(t *testing.T) {
	for address, want := range map[string]string{
		"127.0.0.1:8443": "https://127.0.0.1:8443", "[fd00::7]:8443": "https://[fd00::7]:8443", "clinic.local:80": "https://clinic.local:80",
		":0": "", "127.0.0.1:0": "", "nonsense": "",
	} {
		if got := strings.Join(door.Reach("https", address), " "); got != want {
			t.Errorf("a door at %s is reached at %q, not %q", address, got, want)
		}
	}
	for _, everywhere := range []string{":8443", "0.0.0.0:8443", "[::]:8443"} {
		six := false
		for _, text := range door.Reach("http", everywhere) {
			at, err := url.Parse(text)
			if err != nil || at.Port() != "8443" || at.Scheme != "http" {
				t.Fatalf("%s (%v)", text, err)
			}
			ip, err := netip.ParseAddr(at.Hostname())
			if err != nil || ip.IsLoopback() || ip.IsLinkLocalUnicast() || six && ip.Is4() {
				t.Errorf("%s among those of %s (%v)", text, everywhere, err)
			}
			six = ip.Is6()
		}
	}
}
