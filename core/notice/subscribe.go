package notice

import (
	"crypto/rand"
	"encoding/base64"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"footbridge/core"
)

// SecretPrefix begins every secret, as Standard Webhooks has it.
const SecretPrefix = "whsec_"

const (
	endpointMax = 1024 // bytes
	secretSize  = 32   // bytes
)

// Subscribe makes a subscription of a topic with a secret of its own. Errors:
// *core.Invalid.
func Subscribe(topic core.Topic, protocol, endpoint string, now time.Time) (core.Subscription, error) {
	invalid := &core.Invalid{Entity: "ExporterSubscriptionRequest"}
	protocol = strings.ToLower(protocol)
	switch protocol {
	case "":
		invalid.Complain("protocol", "is required")
	case "http", "https":
	default:
		invalid.Complain("protocol", "must be https, or http for a receiver on this machine or a private network; others are not spoken here")
	}
	at, why := parse(endpoint)
	switch {
	case why != "":
		invalid.Complain("endpoint", "%s", why)
	case protocol != at.Scheme && len(invalid.Fields) == 0:
		invalid.Complain("endpoint", "must begin with %s://, as the protocol says", protocol)
	case at.Scheme == "http" && !Near(at.Hostname()):
		invalid.Complain("endpoint", "must be https: http is only for a receiver on this machine or a private network")
	}
	if err := invalid.Err(); err != nil {
		return core.Subscription{}, err
	}
	secret := make([]byte, secretSize)
	rand.Read(secret) // never fails
	return core.Subscription{
		ID: core.SubscriptionID(core.NewID(now)), Topic: topic, Endpoint: at.String(),
		Secret: SecretPrefix + base64.StdEncoding.EncodeToString(secret), MadeOn: now,
	}, nil
}

// parse reads an endpoint, or says what is wrong with it.
func parse(endpoint string) (at *url.URL, why string) {
	if endpoint == "" {
		return nil, "is required"
	}
	if len(endpoint) > endpointMax {
		return nil, "must be at most " + strconv.Itoa(endpointMax) + " characters"
	}
	at, err := url.Parse(endpoint)
	if err != nil || at.Scheme == "" || at.Hostname() == "" {
		return nil, "must be an absolute URL, such as https://analysis.example.org/footbridge"
	}
	if port := at.Port(); port != "" {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return nil, "must have a port from 1 to 65535, or none"
		}
	}
	at.Scheme, at.Host = strings.ToLower(at.Scheme), strings.ToLower(at.Host)
	switch {
	case at.Scheme != "http" && at.Scheme != "https":
		return nil, "must begin with https:// or http://"
	case at.User != nil:
		return nil, "must hold no user name or password; what is told is signed instead"
	case at.Fragment != "":
		return nil, "must hold no fragment"
	}
	return at, ""
}

// Near reports whether a host, as its name or address says, is this machine or on
// a private network.
func Near(host string) bool {
	if at, err := netip.ParseAddr(host); err == nil {
		return NearAddress(at)
	}
	host = strings.TrimSuffix(host, ".")
	if !strings.Contains(host, ".") { // the names of a local network, localhost among them
		return true
	}
	for _, zone := range []string{".localhost", ".local", ".lan", ".internal", ".home.arpa"} {
		if strings.HasSuffix(host, zone) {
			return true
		}
	}
	return false
}

// NearAddress reports whether an address is this machine's or a private one.
func NearAddress(at netip.Addr) bool {
	at = at.Unmap()
	return at.IsLoopback() || at.IsPrivate() || at.IsLinkLocalUnicast()
}
