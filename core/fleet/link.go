package fleet

import (
	"errors"
	"net/url"
	"strings"
)

// The rules here are: what is secret of a link stands behind the #, which no browser
// sends and no log has.

// othersMost is how many more addresses a link names, so that it stays small enough
// for a QR code that a bad camera reads.
const othersMost = 3

// Link is what a device needs to redeem a code, as a QR code holds it.
type Link struct {
	BaseURLs []string // where the site is, the likeliest first
	Code     string
	Pin      string // base64url SHA-256 of the public key of the site's certificate; empty without TLS
}

// String is the link as a URL: https://192.168.1.20:8443/pair#c=ABCDEFGH&p=…&o=… The
// fragment has the code (c), the pin (p), and the hosts and ports of further addresses
// (o), with commas between them.
func (l Link) String() string {
	if len(l.BaseURLs) == 0 {
		return ""
	}
	var others []string
	for _, base := range l.BaseURLs[1:] {
		_, host, _ := strings.Cut(base, "://")
		if !strings.HasPrefix(host, "[") && len(others) < othersMost { // those of IPv6 are long, and rarely all there is
			others = append(others, host)
		}
	}
	text := l.BaseURLs[0] + "/pair#c=" + l.Code
	if l.Pin != "" {
		text += "&p=" + l.Pin
	}
	if len(others) > 0 {
		text += "&o=" + strings.Join(others, ",")
	}
	return text
}

// ParseLink reads a link. Its errors repeat nothing of it, since the code is secret.
func ParseLink(text string) (Link, error) {
	at, err := url.Parse(strings.TrimSpace(text))
	if err != nil || at.Host == "" || at.Scheme != "http" && at.Scheme != "https" || at.User != nil {
		return Link{}, errors.New("read the link: it must look like https://192.168.1.20:8443/pair#c=ABCDEFGH&p=…")
	}
	fields, err := url.ParseQuery(at.EscapedFragment())
	if err != nil {
		return Link{}, errors.New("read the link: what stands behind the # is damaged")
	}
	l := Link{BaseURLs: []string{at.Scheme + "://" + at.Host}, Pin: fields.Get("p")}
	var ok bool
	if l.Code, ok = ReadCode(fields.Get("c")); !ok {
		return Link{}, errors.New("read the link: it holds no pairing code (c=ABCDEFGH behind the #)")
	}
	if at.Scheme == "https" && l.Pin == "" {
		return Link{}, errors.New("read the link: it lacks the pin (p=… behind the #), without which the site cannot be told from another")
	}
	for _, host := range strings.Split(fields.Get("o"), ",") {
		if host != "" && !strings.ContainsAny(host, "/@?# ") {
			l.BaseURLs = append(l.BaseURLs, at.Scheme+"://"+host)
		}
	}
	return l, nil
}
