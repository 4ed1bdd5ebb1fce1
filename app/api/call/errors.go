package call

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"footbridge/core"
	"footbridge/core/upload"
)

// Error is an error with its status, type and entity on the wire.
type Error struct {
	Status int
	Kind   string
	Text   string
	Entity string // what was not found, or exists already; may be empty
}

// Error is the text.
func (e *Error) Error() string { return e.Text }

// BadRequest is the error of a request that cannot be understood; text says
// what is wrong with it.
func BadRequest(text string) error {
	return &Error{Status: http.StatusBadRequest, Kind: "BadRequestException", Text: text}
}

// NotFound is the error of an entity that is not there.
func NotFound(entity, text string) error {
	return &Error{http.StatusNotFound, "EntityNotFoundException", text, entity}
}

// Taken puts into words that an entity exists already; other errors stay.
func Taken(err error, entity, text string) error {
	if !errors.Is(err, core.ErrExists) {
		return err
	}
	return &Error{http.StatusConflict, "EntityAlreadyExistsException", text, entity}
}

// ErrorBody is an error on the wire.
type ErrorBody struct {
	StatusCode  int                 `json:"statusCode"`
	Message     string              `json:"message"`
	Errors      map[string][]string `json:"errors,omitempty"`
	EntityClass string              `json:"entityClass,omitempty"`
	ClientInfo  *ClientInfo         `json:"clientInfo,omitempty"`
	Type        string              `json:"type"`
}

// Describe is the one place where an error becomes a status and words.
func Describe(err error) ErrorBody {
	var known *Error
	var invalid *core.Invalid
	var later *core.Later
	var old *Unsupported
	body := func(status int, kind, message string) ErrorBody {
		return ErrorBody{StatusCode: status, Message: message, Type: kind}
	}
	switch {
	case errors.As(err, &known):
		b := body(known.Status, known.Kind, known.Text)
		b.EntityClass = known.Entity
		return b
	case errors.As(err, &invalid):
		b := body(http.StatusBadRequest, "InvalidEntityException", invalid.Error())
		b.Errors = invalid.Fields
		return b
	case errors.As(err, &old):
		b := body(http.StatusGone, "UnsupportedVersionException", "This app version is not supported any more. Please update the app.")
		b.ClientInfo = &old.Client
		return b
	case errors.As(err, &later):
		return body(http.StatusTooManyRequests, "LimitExceededException", later.Error())
	case errors.Is(err, core.ErrNotAuthenticated):
		return body(http.StatusUnauthorized, "NotAuthenticatedException", "Not signed in. Sign in and send the session token as Bridge-Session.")
	case errors.Is(err, core.ErrForbidden):
		return body(http.StatusForbidden, "UnauthorizedException", "Not allowed: "+without(err, core.ErrForbidden)+".")
	case errors.Is(err, core.ErrNotConsented):
		return body(http.StatusPreconditionFailed, "ConsentRequiredException", "Consent is required before using this app.")
	case errors.Is(err, core.ErrDisabled):
		return body(http.StatusLocked, "AccountDisabledException", "This account is disabled. Ask the staff of the study.")
	case errors.Is(err, upload.ErrNothingReceived):
		return body(http.StatusNotFound, "EntityNotFoundException", "Nothing was uploaded to this slot yet. PUT the file to its URL, then complete it.")
	case errors.Is(err, core.ErrNotFound):
		b := body(http.StatusNotFound, "EntityNotFoundException", sentence(without(err, core.ErrNotFound)+" was not found"))
		b.EntityClass, _, _ = strings.Cut(strings.TrimSuffix(b.Message, "."), " ")
		return b
	case errors.Is(err, core.ErrExists):
		return body(http.StatusConflict, "EntityAlreadyExistsException", sentence(without(err, core.ErrExists)+" exists already"))
	case errors.Is(err, core.ErrConflict):
		return body(http.StatusConflict, "ConcurrentModificationException", "This was changed by someone else meanwhile. Read it again and repeat the change.")
	case errors.Is(err, core.ErrNoSpace):
		return body(http.StatusServiceUnavailable, "ServiceUnavailableException", "There is no room on the disk of this site. Keep the data and try again later.")
	case errors.Is(err, core.ErrNoKey):
		return body(http.StatusServiceUnavailable, "ServiceUnavailableException", "The file was encrypted to a key that this site no longer holds. Import that key, then ask again.")
	case errors.Is(err, core.ErrClosed):
		return body(http.StatusServiceUnavailable, "ServiceUnavailableException", "This site is shutting down. Try again in a minute.")
	case errors.Is(err, context.DeadlineExceeded):
		return body(http.StatusServiceUnavailable, "ServiceUnavailableException", "This site is too busy at the moment. Try again in a minute.")
	}
	return body(http.StatusInternalServerError, "BridgeServiceException", "Something went wrong on this site; its log says what. Try again, and tell the staff if it stays so.")
}

// without is an error's text without the sentinel at its end.
func without(err, sentinel error) string {
	return strings.TrimSuffix(err.Error(), ": "+sentinel.Error())
}

// Fail answers with an error, and gives the status that it became.
func Fail(w http.ResponseWriter, err error) (status int) {
	body := Describe(err)
	if seconds := retryAfter(err, body.StatusCode); seconds > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(seconds))
	}
	Write(w, body.StatusCode, body)
	return body.StatusCode
}

// retryAfter is how many seconds a caller should wait, 0 where it need not.
func retryAfter(err error, status int) int {
	var later *core.Later
	switch {
	case errors.As(err, &later):
		return int(later.After.Seconds()) + 1
	case status == http.StatusServiceUnavailable:
		return 30
	}
	return 0
}

// sentence makes a sentence of an error's text.
func sentence(text string) string {
	if c := text[0]; c >= 'a' && c <= 'z' {
		text = string(c-'a'+'A') + text[1:]
	}
	return text + "."
}
