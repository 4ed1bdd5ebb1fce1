package device

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"unicode"

	"footbridge/core"
)

var (
	// ErrGaveUp says that patience ended. A later Send of the same file goes on.
	ErrGaveUp = errors.New("gave up")

	// ErrNoSite says that nobody was at the site's address, from the first call on.
	ErrNoSite = errors.New("there is no site at this address")

	// ErrChanged says that a file was written to while it was being sent.
	ErrChanged = errors.New("the file changed while it was being sent")
)

// Refused is an answer of the site that says no.
type Refused struct {
	Doing   string // verb and object
	Status  int
	Type    string // such as InvalidEntityException
	Message string
	Fields  map[string][]string // field path → complaints
}

// Error gives the site's words, and the fields it complains about.
func (r *Refused) Error() string {
	text := fmt.Sprintf("%s: the site answers %d: %s", r.Doing, r.Status, r.Message)
	fields := make([]string, 0, len(r.Fields))
	for field := range r.Fields {
		fields = append(fields, field)
	}
	slices.Sort(fields)
	for _, field := range fields {
		for _, complaint := range r.Fields[field] {
			if !strings.Contains(r.Message, complaint) {
				text += "; " + field + ": " + complaint
			}
		}
	}
	return text
}

// Unwrap gives what core calls it, or nil.
func (r *Refused) Unwrap() error {
	switch r.Status {
	case http.StatusUnauthorized:
		return core.ErrNotAuthenticated
	case http.StatusForbidden:
		return core.ErrForbidden
	case http.StatusNotFound:
		return core.ErrNotFound
	case http.StatusPreconditionFailed:
		return core.ErrNotConsented
	case http.StatusLocked:
		return core.ErrDisabled
	}
	return nil
}

// refusal makes an error of an answer.
func (c *Client) refusal(doing string, answer *http.Response, raw []byte) *Refused {
	var body struct {
		Message string              `json:"message"`
		Type    string              `json:"type"`
		Errors  map[string][]string `json:"errors"`
	}
	refused := &Refused{Doing: doing, Status: answer.StatusCode, Message: http.StatusText(answer.StatusCode)}
	if json.Unmarshal(raw, &body) != nil {
		if strings.HasPrefix(answer.Header.Get("Content-Type"), "text/plain") && len(raw) > 0 {
			refused.Message = c.clean(string(raw))
		}
		return refused
	}
	if body.Message != "" {
		refused.Message = c.clean(body.Message)
	}
	refused.Type = c.clean(body.Type)
	for field, complaints := range body.Errors {
		if refused.Fields == nil {
			refused.Fields = map[string][]string{}
		}
		for _, complaint := range complaints {
			refused.Fields[c.clean(field)] = append(refused.Fields[c.clean(field)], c.clean(complaint))
		}
	}
	if answer.StatusCode == http.StatusPreconditionFailed { // the body is a session
		refused.Message = "signed in, but this participant has not consented. Record the consent at the site, then send again"
	}
	return refused
}

// unanswered makes an error of a call that got no answer: *core.Later, unless
// ctx ended or to repeat the call cannot help. The URL that net/http puts into
// its errors is dropped, for it may be signed.
func (c *Client) unanswered(ctx context.Context, doing string, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("%s: %w", doing, ctx.Err())
	}
	var outer *url.Error
	for errors.As(err, &outer) {
		err = outer.Err
	}
	var untrusted *tls.CertificateVerificationError
	switch {
	case errors.Is(err, ErrWrongSite):
		return fmt.Errorf("%s: %w", doing, err)
	case errors.As(err, &untrusted):
		return fmt.Errorf("%s: %w. If the site made its certificate itself, give the fingerprint that it shows", doing, err)
	case errors.Is(err, http.ErrSchemeMismatch):
		return fmt.Errorf("%s: the site does not speak TLS; its address starts with http", doing)
	}
	text := c.clean(err.Error())
	var dialled *net.OpError
	var unknown *net.DNSError
	nobody := errors.As(err, &dialled) && dialled.Op == "dial"
	switch {
	case nobody && errors.Is(err, syscall.ECONNREFUSED):
		text = "nothing listens at " + c.site.Host
	case nobody && errors.As(err, &unknown) && unknown.IsNotFound:
		text = "the name " + c.site.Hostname() + " leads nowhere"
	case errors.Is(err, context.DeadlineExceeded):
		text = "nothing moved for " + human(c.config.Silence)
	}
	if nobody {
		err = fmt.Errorf("%w: %w", errNobody, err)
	}
	return &core.Later{Err: fmt.Errorf("%s: no answer from the site: %w", doing, worded{text, err})}
}

// errNobody says that a call did not even get through to a site.
var errNobody = errors.New("nobody is at this address")

// worded is an error in other words.
type worded struct {
	text string
	err  error
}

func (w worded) Error() string { return w.text }
func (w worded) Unwrap() error { return w.err }

const longestText = 500 // bytes of foreign text

// query is a word that may be a signed URL, this device's or another's.
var query = regexp.MustCompile(`\S*\?\S*=\S*`)

// clean makes foreign text fit for a person: without this device's secrets,
// without control characters, and not too long.
func (c *Client) clean(text string) string {
	text = query.ReplaceAllString(text, "…")
	for _, secret := range c.secrets() {
		text = strings.ReplaceAll(text, secret, "…")
	}
	text = strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text))
	if len(text) > longestText {
		text = strings.ToValidUTF8(text[:longestText], "") + "…"
	}
	return text
}

// secrets are the texts that nobody may see, the longest first.
func (c *Client) secrets() []string {
	all := []string{c.slot, c.token, c.config.Password}
	if slot, err := url.Parse(c.slot); err == nil && slot.RawQuery != "" {
		all = append(all, slot.RawQuery)
		for _, values := range slot.Query() {
			all = append(all, values...)
		}
	}
	all = slices.DeleteFunc(all, func(s string) bool { return len(s) < 4 }) // to blank these tells more
	slices.SortFunc(all, func(a, b string) int { return len(b) - len(a) })
	return all
}
