package notify

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"

	"footbridge/core/notice"
)

const (
	dialPatience = 10 * time.Second
	idlePatience = 90 * time.Second
)

var errFar = errors.New("without TLS only this machine and private networks are told")

// NewLine gives the transport to receivers. Without TLS it reaches this machine and
// private networks alone, whatever a name stands for, and by no proxy.
func NewLine() http.RoundTripper {
	plain := &net.Dialer{Timeout: dialPatience, ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(address)
		if err != nil || !notice.NearAddress(at.Addr()) {
			return errFar
		}
		return nil
	}}
	transport := func(dialer *net.Dialer) *http.Transport {
		return &http.Transport{
			DialContext: dialer.DialContext, TLSHandshakeTimeout: dialPatience, IdleConnTimeout: idlePatience,
			MaxIdleConnsPerHost: 1, MaxResponseHeaderBytes: 64 << 10, ForceAttemptHTTP2: true,
		}
	}
	l := line{near: transport(plain), far: transport(&net.Dialer{Timeout: dialPatience})}
	l.far.Proxy = http.ProxyFromEnvironment
	return l
}

type line struct{ near, far *http.Transport }

// RoundTrip sends one request (http.RoundTripper).
func (l line) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Scheme == "https" {
		return l.far.RoundTrip(r)
	}
	return l.near.RoundTrip(r)
}

// words says why a receiver could not be told, without its endpoint's path and
// query, and without what it said.
func words(err error) string {
	var dns *net.DNSError
	var socket *net.OpError
	var certificate *tls.CertificateVerificationError
	var own ownError
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Sprintf("it did not answer within %d seconds", int(patience.Seconds()))
	case errors.Is(err, errFar):
		return errFar.Error()
	case errors.As(err, &dns):
		return "its name is not known: " + dns.Err
	case errors.As(err, &socket):
		return "it cannot be reached: " + socket.Error()
	case errors.As(err, &certificate):
		return "its certificate cannot be trusted: " + certificate.Error()
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "the connection broke before it answered"
	case errors.As(err, &own):
		return own.Error()
	}
	return "its answer is no HTTP"
}

// ownError is why no attempt could be made.
type ownError string

func (o ownError) Error() string { return string(o) }
