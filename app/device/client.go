package device

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"runtime"
	"strings"
	"time"
)

// Config says which site a device sends to, as whom, and how patiently.
// BaseURL, AppID, a login and Password are required.
type Config struct {
	BaseURL    string // of the site: scheme, host and port
	AppID      string
	Email      string // signs in with an e-mail address,
	ExternalID string // or else with an external id
	Password   string
	UserAgent  string // app/version (device; system) sdk/version; has a default

	// HTTP makes the calls; nil means one that is made for long uploads. Its
	// timeout and its redirect policy are not used, nor with a Fingerprint or a Pin
	// its transport.
	HTTP *http.Client

	// Fingerprint is the hex SHA-256 of the site's certificate, colons allowed.
	// With it exactly that certificate is accepted; without it, whatever the
	// system trusts.
	Fingerprint string

	// Pin is the base64url SHA-256 of the public key of the site's certificate, as a
	// pairing tells it. With it exactly that key is accepted.
	Pin string

	// Patience is how long one step may go on failing, 10 minutes by default.
	// Time in which bytes flow does not count.
	Patience time.Duration
	// Search is how long to look for a site that has not answered this client yet,
	// where nobody is at its address; a minute by default, and never over Patience.
	Search time.Duration
	// Silence is how long a call may go without a byte moving, 2 minutes by
	// default.
	Silence time.Duration
	// Wait says that Send returns when the upload is processed, not already when
	// it is completed. What takes longer than Patience is not waited for.
	Wait bool

	// Progress hears of every piece of every stage. A stage that is done again
	// starts again at 0. Calls never overlap.
	Progress func(stage Stage, done, total int64)
	// Notify hears what a person should know meanwhile, one line at a time.
	Notify func(text string)

	Now   func() time.Time
	Sleep func(ctx context.Context, d time.Duration) error // ends early with ctx's error
}

// Stage is what a device does with a file.
type Stage string

// The stages, in their order. Sizes are bytes, but processing goes from 0 to 1.
const (
	Sealing    Stage = "sealing"
	Hashing    Stage = "hashing"
	Sending    Stage = "sending"
	Processing Stage = "processing"
)

const (
	defaultPatience = 10 * time.Minute
	defaultSearch   = time.Minute
	defaultSilence  = 2 * time.Minute
)

// Client is one device that is signed in as one participant. One goroutine at a
// time may use it.
type Client struct {
	config Config
	site   *url.URL
	http   *http.Client
	heard  bool   // the site has answered
	wrong  error  // with the settings; what every call returns
	token  string // of the session, "" before sign-in
	slot   string // the signed URL in use, a secret
}

// New makes a client. Settings that cannot work are reported by its first call.
func New(config Config) *Client {
	c := &Client{config: withDefaults(config)}
	c.site, c.wrong = parseSite(c.config.BaseURL)
	if c.wrong == nil {
		c.wrong = checkAccount(config)
	}
	if c.wrong == nil {
		c.http, c.wrong = trusting(c.config, c.site)
	}
	return c
}

func withDefaults(config Config) Config {
	config.BaseURL = strings.TrimRight(config.BaseURL, "/")
	if config.UserAgent == "" {
		config.UserAgent = fmt.Sprintf("Footbridge/1 (%s; %s) FootbridgeDevice/1", runtime.GOARCH, runtime.GOOS)
	}
	if config.Patience <= 0 {
		config.Patience = defaultPatience
	}
	if config.Search <= 0 {
		config.Search = defaultSearch
	}
	config.Search = min(config.Search, config.Patience)
	if config.Silence <= 0 {
		config.Silence = defaultSilence
	}
	if config.Progress == nil {
		config.Progress = func(Stage, int64, int64) {}
	}
	if config.Notify == nil {
		config.Notify = func(string) {}
	}
	if config.Now == nil {
		config.Now = time.Now
	}
	if config.Sleep == nil {
		config.Sleep = sleep
	}
	return config
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// parseSite reads a base URL. What cannot be read is not repeated: people paste
// passwords into URLs.
func parseSite(text string) (*url.URL, error) {
	site, err := url.Parse(text)
	if err != nil || site.Host == "" || site.Scheme != "http" && site.Scheme != "https" {
		return nil, errors.New("read the site's address: it must look like https://192.168.1.20:8443")
	}
	if site.User != nil || site.RawQuery != "" {
		return nil, errors.New("read the site's address: it must hold neither a password nor a query")
	}
	return site, nil
}

func checkAccount(config Config) error {
	switch {
	case config.AppID == "":
		return errors.New("sign in: the app id is missing")
	case config.Email == "" && config.ExternalID == "":
		return errors.New("sign in: an e-mail address or an external id is missing")
	case config.Password == "":
		return errors.New("sign in: the password is missing")
	}
	return nil
}
