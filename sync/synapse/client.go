package synapse

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// EntityID names an entity of the repository, such as syn123.
type EntityID string

// Config says how to speak to the repository. Token must be set; every other
// field works when it is zero.
type Config struct {
	// Token gives the personal access token, before each attempt. It needs the
	// scopes view, download and modify. Safe for concurrent use.
	Token func(context.Context) (string, error)

	Transport http.RoundTripper // nil: one of its own

	Retries  int           // further attempts within a call; 0: 5; below 0: none
	Wait     time.Duration // before the second attempt, then twice that, and so on; 0: 500 ms
	MaxWait  time.Duration // the longest wait within a call; 0: 30 s
	Timeout  time.Duration // of one attempt, and a second more for each 8 KiB sent; 0: 70 s
	Rate     int           // calls in a second; 0: 8; below 0: any
	Together int           // calls at a time; 0: 2

	Poll    time.Duration // before a job is asked after, then up to 40 times that; 0: 250 ms
	JobTime time.Duration // how long a call waits for a job; 0: 2 min

	// Settle is how long rows may take to appear after an append of which nothing
	// was heard; 0: 10 min.
	Settle time.Duration

	Now func() time.Time // nil: time.Now
}

// Client is a connection to one repository under one token. Safe for concurrent
// use, but for two calls that write the same entity or table.
type Client struct {
	endpoint string // without a slash at its end
	config   Config
	gate     *gate
	api      *http.Client // through the gate, with the token
	storage  *http.Client // to signed links
	idle     func()
	hitches  hitches
}

// Open gives a client of the repository at an endpoint, such as
// https://repo-prod.prod.sagebase.org. Nothing is sent yet. Errors are one
// sentence for whoever wrote the settings.
func Open(endpoint string, config Config) (*Client, error) {
	at, err := url.Parse(strings.TrimSuffix(strings.TrimRight(endpoint, "/"), "/repo/v1"))
	switch {
	case err != nil || at.Host == "" || at.RawQuery != "" || at.Fragment != "" || at.User != nil:
		return nil, errors.New("open repository: the endpoint must read https://HOST")
	case at.Scheme == "http" && !loopback(at.Hostname()):
		return nil, errors.New("open repository: the endpoint must begin with https, since the token would be readable on its way")
	case at.Scheme != "http" && at.Scheme != "https":
		return nil, errors.New("open repository: the endpoint must begin with https")
	case config.Token == nil:
		return nil, errors.New("open repository: there is no access token")
	}
	config = config.completed()
	transport := config.Transport
	if transport == nil {
		own := http.DefaultTransport.(*http.Transport).Clone()
		own.MaxIdleConnsPerHost = 4
		transport = own
	}
	c := &Client{endpoint: at.String(), config: config, gate: newGate(config)}
	limited := &timed{transport, config.Timeout}
	c.api = &http.Client{Transport: &gated{limited, c.gate, config}, CheckRedirect: stay}
	c.storage = &http.Client{Transport: limited, CheckRedirect: stay}
	c.idle = (&http.Client{Transport: transport}).CloseIdleConnections
	return c, nil
}

// Close closes idle connections. It may be called again.
func (c *Client) Close() error {
	c.idle()
	return nil
}

// stay follows no redirect: the repository sends none, and a token must not be
// carried to wherever a network sends us.
func stay(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

func loopback(host string) bool {
	at := net.ParseIP(host)
	return host == "localhost" || at != nil && at.IsLoopback()
}

func (c Config) completed() Config {
	set := func(value *time.Duration, normal time.Duration) {
		if *value == 0 {
			*value = normal
		}
	}
	set(&c.Wait, 500*time.Millisecond)
	set(&c.MaxWait, 30*time.Second)
	set(&c.Timeout, 70*time.Second)
	set(&c.Poll, 250*time.Millisecond)
	set(&c.JobTime, 2*time.Minute)
	set(&c.Settle, 10*time.Minute)
	if c.Retries == 0 {
		c.Retries = 5
	}
	if c.Rate == 0 {
		c.Rate = 8
	}
	if c.Together <= 0 {
		c.Together = 2
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return c
}

// State is whether the repository takes calls.
type State string

// The states of the repository.
const (
	ReadWrite State = "READ_WRITE"
	ReadOnly  State = "READ_ONLY" // even reading is refused
	Down      State = "DOWN"
)

// State asks the repository how it is, which needs no token; message is for people.
func (c *Client) State(ctx context.Context) (state State, message string, err error) {
	var status struct {
		Status         State  `json:"status"`
		CurrentMessage string `json:"currentMessage"`
	}
	if err := c.do(ctx, request{method: http.MethodGet, path: "/repo/v1/status", open: true}, &status); err != nil {
		return "", "", fmt.Errorf("ask how the repository is: %w", err)
	}
	return status.Status, status.CurrentMessage, nil
}
