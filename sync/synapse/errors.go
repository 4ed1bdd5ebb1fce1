package synapse

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"footbridge/core"
)

// The kinds of errors. Whoever asks for ErrAway is also told of ErrThrottled and
// ErrReadOnly: all three pass by themselves. ErrRefused, ErrToken, which is
// ErrRefused too, and ErrInvalid need a person and are os.ErrPermission; ErrInvalid
// is about one item, and os.ErrInvalid. What is not there is core.ErrNotFound, or
// core.ErrOtherRepository where it is part of the project; a name that is taken is
// core.ErrExists, a change that came too late core.ErrConflict.
var (
	ErrAway      = errors.New("the repository is away")
	ErrThrottled = core.ErrThrottled
	ErrReadOnly  = core.ErrMaintenance
	ErrToken     = core.ErrNoToken
	ErrRefused   = errors.New("the repository does not allow this")
	ErrInvalid   = errors.New("the repository does not take this")
	ErrFull      = errors.New("the folder holds as many as it may") // is ErrInvalid, too
)

// Error is what the repository answered in place of what it was asked for, or
// that it did not answer.
type Error struct {
	Kind    error         // one of the package's, core.ErrNotFound, core.ErrExists or core.ErrConflict
	Status  int           // of HTTP; 0: there was no answer
	Code    string        // the repository's own, mostly empty
	Reason  string        // in its words, without what was sent
	After   time.Duration // how long it asked to be left alone; at most 15 minutes
	Unknown bool          // the call may have had its effect
	began   time.Time     // its first attempt failed; zero: it was the only one
	cause   error         // why there was no answer; its text may tell a URL
}

// Error gives one sentence.
func (e *Error) Error() string {
	if e.Reason == "" {
		return e.Kind.Error()
	}
	return e.Kind.Error() + ": " + e.Reason
}

// Said gives the reason, or the kind where there is none; it tells nothing of what was
// sent.
func (e *Error) Said() string {
	if e.Reason == "" {
		return e.Kind.Error()
	}
	return e.Reason
}

// Began is when the first attempt failed; zero where there was no other one.
func (e *Error) Began() time.Time { return e.began }

// Is reports whether the error is of a kind.
func (e *Error) Is(target error) bool {
	switch {
	case target == e.Kind:
		return true
	case target == ErrAway:
		return e.Kind == ErrThrottled || e.Kind == ErrReadOnly
	case target == ErrRefused:
		return e.Kind == ErrToken
	case target == os.ErrPermission:
		return e.Kind == ErrRefused || e.Kind == ErrToken || e.Kind == ErrInvalid || e.Kind == ErrFull
	case target == os.ErrInvalid, target == ErrInvalid:
		return e.Kind == ErrInvalid || e.Kind == ErrFull
	}
	return e.cause != nil && errors.Is(e.cause, target)
}

// foreign is why an answer is not believed.
const foreign = "something else than the repository answered"

// parse reads an answer that is no success. What is not the repository's own
// JSON is not its word, whatever its status: a network's sign-in page must never
// say that a file is not there.
func parse(status int, text []byte) *Error {
	var body struct {
		ConcreteType string  `json:"concreteType"`
		Reason       *string `json:"reason"`
		ErrorCode    string  `json:"errorCode"`
	}
	believed := json.Unmarshal(text, &body) == nil && (body.Reason != nil || strings.HasPrefix(body.ConcreteType, "org.sagebionetworks."))
	e := &Error{Status: status, Code: code(body.ErrorCode), Reason: foreign}
	if believed && body.Reason != nil {
		e.Reason = *body.Reason
	}
	e.Kind = kindOf(status, believed, e.Reason)
	e.Unknown = status >= 500 || !believed && status != http.StatusTooManyRequests
	return e
}

func kindOf(status int, believed bool, reason string) error {
	switch {
	case status == http.StatusTooManyRequests:
		return ErrThrottled
	case !believed || status >= 500 || status < 400 || status == http.StatusRequestTimeout || status == http.StatusTooEarly:
		return ErrAway
	}
	switch status {
	case http.StatusUnauthorized:
		return ErrToken
	case http.StatusForbidden, http.StatusLocked:
		return ErrRefused
	case http.StatusNotFound:
		return core.ErrNotFound
	case http.StatusConflict:
		return core.ErrExists
	case http.StatusPreconditionFailed:
		return core.ErrConflict
	case http.StatusBadRequest:
		if transient(reason) {
			return ErrAway
		}
		if strings.Contains(reason, "children exceeded") {
			return ErrFull
		}
	}
	return ErrInvalid
}

// codeRule is how the repository's codes look.
var codeRule = regexp.MustCompile(`^[A-Z_]{1,64}$`)

func code(text string) string {
	if codeRule.MatchString(text) {
		return text
	}
	return ""
}

// passingTexts are what the repository says of trouble that passes although it
// answers 400, above all of jobs.
var passingTexts = []string{"slow down", "slowdown", "try again", "timeout", "timed out", "connection reset by peer", "proxy error", "deadlock"}

// transient reports whether a reason says that the same call may succeed later.
// What it quotes is not its own text.
func transient(reason string) bool {
	reason = strings.ToLower(quoted.ReplaceAllString(reason, "$1"))
	return slices.ContainsFunc(passingTexts, func(text string) bool { return strings.Contains(reason, text) })
}

// failure gives the error of a call.
func (a *attempts) failure(ctx context.Context, err error) *Error {
	var e *Error
	var token *tokenError
	switch {
	case errors.As(err, &token):
		e = &Error{Kind: ErrToken, Reason: "none is given", cause: token.error}
	case !errors.As(err, &e):
		e = &Error{Kind: ErrAway, Reason: network(err), cause: err, Unknown: !unsent(err)}
		switch {
		case ctx.Err() != nil:
			e.Reason = "the call was given up"
		case errors.Is(err, context.DeadlineExceeded): // of an attempt; it must not be taken for the caller's
			e.Reason, e.cause = "it took too long", nil
		}
	}
	if a.state == ReadOnly || a.state == Down {
		e.Kind = ErrReadOnly
	}
	e.After, e.began = a.after, a.began
	return e
}

// network gives the text of why there was no answer, without the URL.
func network(err error) string {
	var at *url.Error
	for errors.As(err, &at) {
		err = at.Err
	}
	return err.Error()
}

// unsent reports whether a call failed before anything was sent.
func unsent(err error) bool {
	var on *net.OpError
	return errors.As(err, &on) && on.Op == "dial"
}

// passing reports whether a network's trouble may be over in seconds. Bad
// certificates last, as does a token that is not there.
func passing(err error) bool {
	var token *tokenError
	var certificate *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	var host x509.HostnameError
	return !errors.As(err, &token) && !errors.As(err, &certificate) && !errors.As(err, &authority) && !errors.As(err, &host)
}

// tokenError is why there is no token.
type tokenError struct{ error }

// Error does not repeat its cause, which is whoever keeps the token's.
func (t *tokenError) Error() string { return "there is no access token" }

// gone says of a part of the project that it is not there.
func gone(err error) error {
	if !errors.Is(err, core.ErrNotFound) {
		return err
	}
	return &lost{err}
}

// lost is core.ErrOtherRepository with what the repository said.
type lost struct{ error }

func (l *lost) Error() string { return core.ErrOtherRepository.Error() }
func (l *lost) Unwrap() []error {
	return []error{core.ErrOtherRepository, l.error}
}

const (
	reasonLimit = 300 // characters of a reason that are kept
	hideLimit   = 3   // texts shorter than this tell nothing
)

var (
	quoted = regexp.MustCompile("(^|[\\s(\\[:=,])(?:'[^']*'|\"[^\"]*\"|`[^`]*`)")
	links  = regexp.MustCompile(`(?i)\b[a-z][a-z0-9+.-]*://\S+|x-amz-\S+`)
)

// conceal takes out of a reason what was sent, what it quotes, and links.
func conceal(reason string, sent []string) string {
	reason = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(reason, ""))
	sent = slices.Clone(sent)
	slices.SortFunc(sent, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	for _, text := range sent {
		if text = strings.TrimSpace(text); len(text) >= hideLimit {
			reason = strings.ReplaceAll(reason, text, "…")
		}
	}
	reason = links.ReplaceAllString(quoted.ReplaceAllString(reason, "$1…"), "…")
	if runes := []rune(reason); len(runes) > reasonLimit {
		reason = string(runes[:reasonLimit]) + "…"
	}
	return reason
}

// harmless are the fields of requests that errors may tell: ids and types.
var harmless = map[string]bool{
	"concreteType": true, "type": true, "columnType": true, "settingsType": true, "accessType": true,
	"id": true, "entityId": true, "parentId": true, "projectId": true, "tableId": true,
	"dataFileHandleId": true, "columnIds": true, "newColumnId": true, "uploadId": true,
}

// texts gives every text in a request that its errors must not tell.
func texts(body []byte) []string {
	var value any
	if json.Unmarshal(body, &value) != nil {
		return nil
	}
	var found []string
	var walk func(field string, value any)
	walk = func(field string, value any) {
		switch value := value.(type) {
		case string:
			if !harmless[field] {
				found = append(found, value)
			}
		case []any:
			for _, one := range value {
				walk(field, one)
			}
		case map[string]any:
			for field, one := range value {
				walk(field, one)
			}
		}
	}
	walk("", value)
	return found
}
