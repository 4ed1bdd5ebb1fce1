package door

import (
	"crypto/tls"
	"fmt"
	"net"
	"strings"

	"footbridge/app/keys"
)

// Place is where a door is, or is to be.
type Place struct {
	Address string // host:port; port 0 picks a free one
	Plain   bool   // without TLS
}

// Door is where devices come in. Whoever opened it closes its listener, unless
// that was served.
type Door struct {
	Listener    net.Listener
	Scheme      string // http or https
	Fingerprint string // hex SHA-256 of the certificate; empty without TLS
	Pin         string // of the certificate's key (keys.Identity); likewise
}

// Open listens for devices. Where they speak TLS, identity gives what they know
// the site by.
func Open(at Place, identity func() (keys.Identity, error)) (Door, error) {
	l, err := net.Listen("tcp", at.Address)
	if err != nil {
		return Door{}, fmt.Errorf("listen on %s: %w; choose another address with --listen", at.Address, err)
	}
	if at.Plain {
		return Door{Listener: l, Scheme: "http"}, nil
	}
	site, err := identity()
	if err != nil {
		l.Close()
		return Door{}, err
	}
	secured := tls.NewListener(l, &tls.Config{
		Certificates: []tls.Certificate{site.Certificate},
		MinVersion:   tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"},
	})
	return Door{secured, "https", site.Fingerprint, site.Pin}, nil
}

// URL is how the door is reached on this machine.
func (d Door) URL() string { return d.Scheme + "://" + d.Listener.Addr().String() }

// Grouped writes a fingerprint in the form that people compare.
func Grouped(hex string) string {
	var pairs []string
	for i := 0; i+2 <= len(hex); i += 2 {
		pairs = append(pairs, strings.ToUpper(hex[i:i+2]))
	}
	return strings.Join(pairs, ":")
}
