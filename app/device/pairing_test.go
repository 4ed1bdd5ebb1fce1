package device_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"footbridge/app/device"
	"footbridge/core"

	"github.com/google/go-cmp/cmp"
)

const code = "KXRD7M4W"

// pairer is a site that redeems the code, or refuses it.
type pairer struct {
	*httptest.Server
	asked  atomic.Int64
	refuse int
	said   string
}

func newPairer(t *testing.T) *pairer {
	t.Helper()
	p := &pairer{}
	p.Server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/healthz" {
			io.WriteString(w, `{"message":"alive"}`)
			return
		}
		p.asked.Add(1)
		raw, _ := io.ReadAll(r.Body)
		p.said = string(raw)
		if p.refuse != 0 {
			w.WriteHeader(p.refuse)
			io.WriteString(w, `{"message":"This code `+code+` was used already."}`)
			return
		}
		json.NewEncoder(w).Encode(device.Paired{BaseURLs: []string{"https://127.0.0.1:1", p.URL}, Pin: p.pin(), AppID: "walk", StudyID: "sleep", ExternalID: "p1", Password: "Hk3wP-vX7dq"})
	}))
	t.Cleanup(p.Close)
	return p
}

func (p *pairer) pin() string {
	sum := sha256.Sum256(p.Certificate().RawSubjectPublicKeyInfo)
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// link leads to an address where nobody is first, and then to the site.
func (p *pairer) link(pin string) string {
	return "https://127.0.0.1:1/pair#c=" + code + "&p=" + pin + "&o=" + strings.TrimPrefix(p.URL, "https://")
}

// A device is paired at the first address where the site is, keeps what it is given
// for itself, and sends there.
func TestADeviceIsPaired(t *testing.T) {
	site := newPairer(t)
	p, err := device.Redeem(t.Context(), device.Config{}, site.link(site.pin()), "ward 3")
	if err != nil || p.Password != "Hk3wP-vX7dq" || !strings.Contains(site.said, `"code":"`+code+`"`) || !strings.Contains(site.said, `"deviceName":"ward 3"`) {
		t.Fatalf("%+v (%v), having said %s", p, err, site.said)
	}
	file := filepath.Join(t.TempDir(), "new", "paired.json")
	if _, err := device.ReadPaired(file); !errors.Is(err, core.ErrNotFound) {
		t.Errorf("before: %v", err)
	}
	for range 2 { // the second takes the place of the first
		if err := p.Keep(file); err != nil {
			t.Fatal(err)
		}
	}
	about, err := os.Stat(file)
	if err != nil || about.Mode().Perm() != 0o600 {
		t.Errorf("its mode is %v (%v)", about.Mode(), err)
	}
	kept, err := device.ReadPaired(file)
	if diff := cmp.Diff(p, kept); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
	if config := kept.Config(t.Context()); config.BaseURL != site.URL || config.Pin != site.pin() || config.Password != p.Password || config.ExternalID != "p1" {
		t.Errorf("it sends with %+v", config)
	}
	site.Close()
	if config := kept.Config(t.Context()); config.BaseURL != "https://127.0.0.1:1" {
		t.Errorf("where nobody answers it sends to %s", config.BaseURL)
	}
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := device.ReadPaired(file); err == nil || !strings.Contains(err.Error(), "chmod 600") {
		t.Errorf("open to others: %v", err)
	}
	if err := os.WriteFile(file, []byte("{"), 0o600); err != nil || os.Chmod(file, 0o600) != nil {
		t.Fatal(err)
	}
	if _, err := device.ReadPaired(file); err == nil || !strings.Contains(err.Error(), "pair this device again") {
		t.Errorf("damaged: %v", err)
	}
}

// The code is said to nobody but the site that the link means, and only once.
func TestTheCodeIsSaidToTheRightSite(t *testing.T) {
	site := newPairer(t)
	wrong := base64.RawURLEncoding.EncodeToString(make([]byte, sha256.Size))
	if _, err := device.Redeem(t.Context(), device.Config{}, site.link(wrong), ""); !errors.Is(err, device.ErrWrongSite) || site.asked.Load() != 0 {
		t.Errorf("another key: %v; it was asked %d times", err, site.asked.Load())
	}
	site.refuse = http.StatusNotFound
	var refused *device.Refused
	if _, err := device.Redeem(t.Context(), device.Config{}, site.link(site.pin()), ""); !errors.As(err, &refused) || strings.Contains(err.Error(), code) || site.asked.Load() != 1 {
		t.Errorf("refused: %v; it was asked %d times", err, site.asked.Load())
	}
	site.refuse = http.StatusServiceUnavailable
	if _, err := device.Redeem(t.Context(), device.Config{}, site.link(site.pin()), ""); err == nil || site.asked.Load() != 2 {
		t.Errorf("busy: %v; it was asked %d times", err, site.asked.Load())
	}
	site.Close()
	if _, err := device.Redeem(t.Context(), device.Config{}, site.link(site.pin()), ""); !errors.Is(err, device.ErrNoSite) || strings.Contains(err.Error(), code) {
		t.Errorf("nobody: %v", err)
	}
	for _, link := range []string{"nonsense", site.link("short"), "https://127.0.0.1:1/pair#c=" + code} {
		if _, err := device.Redeem(t.Context(), device.Config{}, link, ""); err == nil || strings.Contains(err.Error(), code) {
			t.Errorf("%s: %v", link, err)
		}
	}
}
