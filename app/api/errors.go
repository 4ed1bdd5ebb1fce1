package api

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"footbridge/core"
	"footbridge/core/upload"
)

// apiError is an error with its status, type and entity on the wire.
type apiError struct {
	status int
	kind   string
	text   string
	entity string // what was not found, or exists already; may be empty
}

func (e *apiError) Error() string { return e.text }

func badRequest(text string) error {
	return &apiError{http.StatusBadRequest, "BadRequestException", text, ""}
}

func notFound(entity, text string) error {
	return &apiError{http.StatusNotFound, "EntityNotFoundException", text, entity}
}

// taken puts into words that an entity exists already; other errors stay.
func taken(err error, entity, text string) error {
	if !errors.Is(err, core.ErrExists) {
		return err
	}
	return &apiError{http.StatusConflict, "EntityAlreadyExistsException", text, entity}
}

// errorBody is an error on the wire.
type errorBody struct {
	StatusCode  int                 `json:"statusCode"`
	Message     string              `json:"message"`
	Errors      map[string][]string `json:"errors,omitempty"`
	EntityClass string              `json:"entityClass,omitempty"`
	Type        string              `json:"type"`
}

// describe is the one place where an error becomes a status and words.
func describe(err error) errorBody {
	var known *apiError
	var invalid *core.Invalid
	var later *core.Later
	body := func(status int, kind, message string) errorBody {
		return errorBody{StatusCode: status, Message: message, Type: kind}
	}
	switch {
	case errors.As(err, &known):
		b := body(known.status, known.kind, known.text)
		b.EntityClass = known.entity
		return b
	case errors.As(err, &invalid):
		b := body(http.StatusBadRequest, "InvalidEntityException", invalid.Error())
		b.Errors = invalid.Fields
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
		return body(http.StatusNotFound, "EntityNotFoundException", sentence(without(err, core.ErrNotFound)+" was not found"))
	case errors.Is(err, core.ErrExists):
		return body(http.StatusConflict, "EntityAlreadyExistsException", sentence(without(err, core.ErrExists)+" exists already"))
	case errors.Is(err, core.ErrConflict):
		return body(http.StatusConflict, "ConcurrentModificationException", "This was changed by someone else meanwhile. Read it again and repeat the change.")
	case errors.Is(err, core.ErrNoSpace):
		return body(http.StatusServiceUnavailable, "ServiceUnavailableException", "There is no room on the disk of this site. Keep the data and try again later.")
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

// fail answers with an error.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	body := describe(err)
	if body.StatusCode == http.StatusInternalServerError && r.Context().Err() == nil { // else the caller went away
		s.config.Failed(r, err)
	}
	if seconds := retryAfter(err, body.StatusCode); seconds > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(seconds))
	}
	writeJSON(w, body.StatusCode, body)
}

// sentence makes a sentence of an error's text.
func sentence(text string) string {
	if c := text[0]; c >= 'a' && c <= 'z' {
		text = string(c-'a'+'A') + text[1:]
	}
	return text + "."
}
