package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"footbridge/core"
)

// bodyMax is the most that is read of a JSON request, in bytes.
const bodyMax = 8 << 20

// keyMax is how long a text may be that names something in the store, in bytes:
// a key that the store cannot hold would stop every later change.
const keyMax = 255

// overlong complains about such a text.
func overlong(invalid *core.Invalid, field, text string) {
	if len(text) > keyMax {
		invalid.Complain(field, "must be at most %d characters", keyMax)
	}
}

// Time is a time on the wire: ISO 8601 in UTC with milliseconds.
type Time time.Time

// timeLayout always shows three digits of the fraction.
const timeLayout = "2006-01-02T15:04:05.000Z"

// MarshalJSON writes the time.
func (t Time) MarshalJSON() ([]byte, error) {
	return []byte(`"` + time.Time(t).UTC().Format(timeLayout) + `"`), nil
}

// UnmarshalJSON reads what MarshalJSON wrote, and any RFC 3339 time.
func (t *Time) UnmarshalJSON(raw []byte) error {
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return err
	}
	at, err := time.Parse(time.RFC3339Nano, text)
	*t = Time(at)
	return err
}

func optionalTime(t time.Time) *Time {
	if t.IsZero() {
		return nil
	}
	wire := Time(t)
	return &wire
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	raw, err := encode(v)
	if err != nil {
		status, raw = http.StatusInternalServerError, []byte(`{"statusCode":500,"message":"The answer could not be written.","type":"BridgeServiceException"}`)
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(len(raw)))
	w.WriteHeader(status)
	w.Write(raw) // a client that went away needs no answer
}

// encode writes JSON as people read it: an & in a URL stays one.
func encode(v any) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(v)
	return text.Bytes(), err
}

// readJSON reads a request's body whatever its Content-Type says.
func readJSON(r *http.Request, v any) error {
	raw, err := io.ReadAll(io.LimitReader(r.Body, bodyMax+1))
	if err != nil {
		return badRequest("The request's body could not be read: the connection broke.")
	}
	if len(raw) > bodyMax {
		return badRequest("The request's body is too large.")
	}
	raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
	return parseJSON(bytes.ToValidUTF8(raw, []byte("\ufffd")), v)
}

func parseJSON(raw []byte, v any) error {
	err := json.Unmarshal(raw, v)
	if err == nil {
		return nil
	}
	var wrong *json.UnmarshalTypeError
	text := "Error parsing JSON in request body: it is not valid JSON."
	switch {
	case len(bytes.TrimSpace(raw)) == 0:
		text = "Error parsing JSON in request body: it is empty."
	case errors.As(err, &wrong) && wrong.Field != "":
		text = "Error parsing JSON in request body, fields: " + wrong.Field
	case errors.As(err, &wrong):
		text = "Error parsing JSON in request body: it must be an object."
	}
	return &apiError{http.StatusBadRequest, "InvalidEntityException", text, ""}
}

// flag reads an optional boolean query parameter.
func flag(r *http.Request, name string) (bool, error) {
	query, malformed := url.ParseQuery(r.URL.RawQuery)
	text := query.Get(name)
	if text == "" && malformed == nil {
		return false, nil
	}
	value, err := strconv.ParseBool(strings.ToLower(text))
	if malformed != nil || err != nil {
		return false, badRequest(fmt.Sprintf("Query parameter %s must be true or false.", name))
	}
	return value, nil
}

// message is a StatusMessage.
type message struct {
	Message string `json:"message"`
	Type    string `json:"type"`
}

func statusMessage(text string) message { return message{text, "StatusMessage"} }

// identifier is an IdentifierHolder.
type identifier struct {
	Identifier string `json:"identifier"`
	Type       string `json:"type"`
}
