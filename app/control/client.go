package control

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
)

// ReaderHeader says where an answer is read; AtWindow that it is at the window, whose
// readers hear of its buttons instead of commands.
const (
	ReaderHeader = "Footbridge-Reader"
	AtWindow     = "window"
)

// Client calls the API as the operator.
type Client struct {
	http   http.Client
	header http.Header // of every request
}

// NewClient makes a client on a transport that Dial gave.
func NewClient(transport http.RoundTripper) *Client {
	return &Client{http.Client{Transport: transport}, http.Header{}}
}

// For is the client for someone who reads a language (BCP 47), at the window or
// elsewhere.
func (c *Client) For(language string, window bool) *Client {
	header := http.Header{"Accept-Language": {language}}
	if window {
		header.Set(ReaderHeader, AtWindow)
	}
	return &Client{c.http, header}
}

// Call sends in as JSON (nil: no body) and reads the answer into out (nil: it is
// not read). Errors: *Refusal for an answer of 400 or more.
func (c *Client) Call(ctx context.Context, method, path string, in, out any) error {
	body, err := c.Open(ctx, method, path, in)
	if err != nil {
		return err
	}
	defer body.Close()
	if out == nil {
		return nil
	}
	if err := json.NewDecoder(body).Decode(out); err != nil {
		return fmt.Errorf("read the answer: %w", err)
	}
	return nil
}

// Open does as Call, and gives the answer's body. The caller closes it.
func (c *Client) Open(ctx context.Context, method, path string, in any) (io.ReadCloser, error) {
	var body io.Reader
	if in != nil {
		raw, err := json.Marshal(in)
		if err != nil {
			return nil, fmt.Errorf("write the request: %w", err)
		}
		body = bytes.NewReader(raw)
	}
	r, err := http.NewRequestWithContext(ctx, method, "http://footbridge"+path, body)
	if err != nil {
		return nil, fmt.Errorf("write the request: %w", err)
	}
	r.Header = c.header.Clone()
	answer, err := c.http.Do(r)
	if err != nil {
		var outer *url.Error
		if errors.As(err, &outer) {
			err = outer.Err // the URL of a socket says nothing
		}
		return nil, fmt.Errorf("ask the appliance: %w", err)
	}
	if answer.StatusCode < 400 {
		return answer.Body, nil
	}
	defer answer.Body.Close()
	var refusal struct {
		Message string `json:"message"`
	}
	if json.NewDecoder(answer.Body).Decode(&refusal) != nil || refusal.Message == "" {
		refusal.Message = "The appliance answered " + answer.Status + "."
	}
	return nil, &Refusal{answer.StatusCode, refusal.Message}
}

// Refusal is an answer of 400 or more.
type Refusal struct {
	Status  int // of HTTP
	Message string
}

// Error is the answer's own words.
func (r *Refusal) Error() string { return r.Message }
