package device

import (
	"bytes"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// ErrWrongSite says that whoever answered is not the site that was meant. No
// password and no data went there.
var ErrWrongSite = errors.New("the site shows another certificate")

// trusting makes the HTTP client: with a fingerprint or a pin it talks to the
// holder of that certificate only.
func trusting(config Config, site *url.URL) (*http.Client, error) {
	client := http.Client{Transport: lan()}
	if config.HTTP != nil {
		client = *config.HTTP
	}
	client.Timeout = 0 // a large file takes as long as it takes; Silence ends what is stuck
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	if config.Fingerprint == "" && config.Pin == "" {
		return &client, nil
	}
	if site.Scheme != "https" {
		return nil, errors.New("trust the site: a fingerprint needs an address that starts with https")
	}
	verify, err := verifier(config)
	if err != nil {
		return nil, err
	}
	transport := lan() // one of the caller's might dial past the check
	transport.TLSClientConfig = &tls.Config{MinVersion: tls.VersionTLS12}
	transport.TLSClientConfig.InsecureSkipVerify = true // names and dates say nothing where the very certificate is known
	transport.TLSClientConfig.VerifyConnection = func(state tls.ConnectionState) error {
		if len(state.PeerCertificates) == 0 {
			return fmt.Errorf("%w: it shows none", ErrWrongSite)
		}
		return verify(state.PeerCertificates[0])
	}
	client.Transport = transport
	return &client, nil
}

// verifier gives what tells the site's certificate from others.
func verifier(config Config) (func(*x509.Certificate) error, error) {
	if config.Pin != "" {
		pin, err := base64.RawURLEncoding.DecodeString(config.Pin)
		if err != nil || len(pin) != sha256.Size {
			return nil, errors.New("trust the site: a pin is 43 letters, digits, - and _")
		}
		return func(shown *x509.Certificate) error {
			if is := sha256.Sum256(shown.RawSubjectPublicKeyInfo); !bytes.Equal(is[:], pin) {
				return fmt.Errorf("%w than the one that this device was paired with. Ask the staff of the study, and pair it again", ErrWrongSite)
			}
			return nil
		}, nil
	}
	want, err := parseFingerprint(config.Fingerprint)
	if err != nil {
		return nil, err
	}
	return func(shown *x509.Certificate) error {
		if is := sha256.Sum256(shown.Raw); is != want {
			return fmt.Errorf("%w: its fingerprint is %x. Compare that with what the site itself shows before you trust it", ErrWrongSite, is)
		}
		return nil
	}, nil
}

// lan is a transport for large bodies: a dialer of its own keeps it at HTTP/1.1,
// which sends them faster, and a site that refuses a file says so before the
// file is sent.
func lan() *http.Transport {
	dialer := &net.Dialer{Timeout: 15 * time.Second, KeepAlive: 15 * time.Second}
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           dialer.DialContext,
		TLSHandshakeTimeout:   15 * time.Second,
		ExpectContinueTimeout: 5 * time.Second,
		IdleConnTimeout:       time.Minute,
		MaxIdleConns:          4,
		WriteBufferSize:       64 << 10,
	}
}

func parseFingerprint(text string) (sum [sha256.Size]byte, err error) {
	plain := strings.NewReplacer(":", "", " ", "").Replace(strings.TrimSpace(text))
	raw, err := hex.DecodeString(plain)
	if err != nil || len(raw) != len(sum) {
		return sum, errors.New("trust the site: a fingerprint is 64 hexadecimal digits, the SHA-256 of the certificate")
	}
	return [sha256.Size]byte(raw), nil
}
