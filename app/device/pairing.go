package device

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"footbridge/core"
	"footbridge/core/fleet"
)

// The rules here are: a code is said once, to a site that holds the pinned key; only
// where nobody is at an address, or another site, is the next one tried. What the site answers is kept
// for its owner alone, before anything is sent.

// reachTime is how long a site may take to show that it is there.
const reachTime = 5 * time.Second

// Paired is what a site gave this device when it was paired.
type Paired struct {
	BaseURLs   []string `json:"baseUrls"` // the likeliest first
	Pin        string   `json:"pin,omitempty"`
	AppID      string   `json:"appId"`
	StudyID    string   `json:"studyId"`
	ExternalID string   `json:"externalId"`
	Password   string   `json:"password"`
	PublicKey  string   `json:"publicKey,omitempty"` // PEM certificate to seal for
	DeviceID   string   `json:"deviceId"`
}

// Redeem pairs this device by a link, under the name that people call it. Of the
// config it takes HTTP, UserAgent and Silence. Errors: *Refused, ErrWrongSite;
// ErrNoSite where nobody is at any address.
func Redeem(ctx context.Context, config Config, link, name string) (Paired, error) {
	to, err := fleet.ParseLink(link)
	if err != nil {
		return Paired{}, err
	}
	asked := map[string]string{"code": to.Code, "deviceName": name}
	var wrong error
	for _, base := range to.BaseURLs {
		c, at := stranger(config, base, to.Pin, to.Code)
		if at != nil {
			return Paired{}, at
		}
		var p Paired
		if err = c.ask(ctx, "pair this device", http.MethodPost, "/local/v1/pairings/redeem", asked, &p); err == nil {
			return p, p.check()
		}
		switch {
		case errors.Is(err, ErrWrongSite):
			wrong = err
		case !errors.Is(err, errNobody):
			return Paired{}, err
		}
	}
	if wrong != nil {
		return Paired{}, wrong
	}
	return Paired{}, fmt.Errorf("%w: %w", ErrNoSite, err)
}

// stranger is a client of a site that it has no account at. What is secret appears in
// no error.
func stranger(config Config, base, pin, secret string) (*Client, error) {
	config.BaseURL, config.Pin, config.Fingerprint, config.Password = base, pin, "", secret
	c := &Client{config: withDefaults(config)}
	if c.site, c.wrong = parseSite(c.config.BaseURL); c.wrong == nil {
		c.http, c.wrong = trusting(c.config, c.site)
	}
	return c, c.wrong
}

// check is nil where a device can send with it.
func (p Paired) check() error {
	if len(p.BaseURLs) == 0 || p.AppID == "" || p.ExternalID == "" || p.Password == "" {
		return errors.New("pair this device: what answers there is no upload site. Check the address")
	}
	return nil
}

// Config is how the device sends to the site: at the first address that answers, or
// where none does, at the first.
func (p Paired) Config(ctx context.Context) Config {
	config := Config{BaseURL: p.BaseURLs[0], AppID: p.AppID, ExternalID: p.ExternalID, Password: p.Password, Pin: p.Pin}
	for _, base := range p.BaseURLs {
		c, err := stranger(Config{Silence: reachTime}, base, p.Pin, p.Password)
		if err != nil || len(p.BaseURLs) == 1 {
			continue
		}
		var alive struct{ Message string }
		if c.ask(ctx, "look for the site", http.MethodGet, "/healthz", nil, &alive) == nil {
			config.BaseURL = base
			break
		}
	}
	return config
}

// Keep keeps it durably at path, mode 0600.
func (p Paired) Keep(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("keep the pairing: %w", err)
	}
	if err := writeWhole(path, p); err != nil {
		return fmt.Errorf("keep the pairing: %w", err)
	}
	return nil
}

// ReadPaired reads what Keep kept. Errors: core.ErrNotFound.
func ReadPaired(path string) (Paired, error) {
	var p Paired
	about, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		return p, fmt.Errorf("pairing: %w", core.ErrNotFound)
	}
	if err == nil && runtime.GOOS != "windows" && about.Mode().Perm()&0o077 != 0 {
		return p, fmt.Errorf("read the pairing: others can read %s, which holds a password; make it yours alone with chmod 600", path)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return p, fmt.Errorf("read the pairing: %w", err)
	}
	if json.Unmarshal(raw, &p) != nil || p.check() != nil {
		return p, fmt.Errorf("read the pairing: %s is damaged; pair this device again", path)
	}
	return p, nil
}
