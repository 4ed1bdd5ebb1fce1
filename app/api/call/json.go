package call

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

// What a JSON request may be.
const (
	bodyMax  = 8 << 20 // bytes
	depthMax = 200     // arrays and objects in each other: what is kept has to be read again
)

// KeyMax is how long a text may be that names something in the store, in bytes:
// a key that the store cannot hold would stop every later change.
const KeyMax = 255

// Overlong complains about such a text.
func Overlong(invalid *core.Invalid, field, text string) {
	if len(text) > KeyMax {
		invalid.Complain(field, "must be at most %d characters", KeyMax)
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

// OptionalTime is a time on the wire, nil where it is zero.
func OptionalTime(t time.Time) *Time {
	if t.IsZero() {
		return nil
	}
	wire := Time(t)
	return &wire
}

// Write answers with JSON.
func Write(w http.ResponseWriter, status int, v any) {
	if witness, ok := w.(*Witness); ok {
		witness.hear(v)
	}
	raw, err := Encode(v)
	if err != nil {
		status, raw = http.StatusInternalServerError, []byte(`{"statusCode":500,"message":"The answer could not be written.","type":"BridgeServiceException"}`)
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(len(raw)))
	w.WriteHeader(status)
	w.Write(raw) // a client that went away needs no answer
}

// Encode writes JSON as people read it: an & in a URL stays one.
func Encode(v any) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(v)
	return text.Bytes(), err
}

// Read reads a request's body as JSON whatever its Content-Type says. Errors: 400.
func Read(r *http.Request, v any) error {
	raw, err := body(r)
	if err != nil {
		return err
	}
	return Parse(raw, v)
}

// ReadOptional is Read, but no body is none that is wrong.
func ReadOptional(r *http.Request, v any) error {
	raw, err := body(r)
	if err != nil || len(bytes.TrimSpace(raw)) == 0 {
		return err
	}
	return Parse(raw, v)
}

func body(r *http.Request) ([]byte, error) {
	raw, err := io.ReadAll(io.LimitReader(r.Body, bodyMax+1))
	if err != nil {
		return nil, BadRequest("The request's body could not be read: the connection broke.")
	}
	if len(raw) > bodyMax {
		return nil, BadRequest("The request's body is too large.")
	}
	if core.Depth(raw) > depthMax {
		return nil, &Error{Status: http.StatusBadRequest, Kind: "InvalidEntityException",
			Text: fmt.Sprintf("Error parsing JSON in request body: it has more than %d arrays and objects in each other.", depthMax)}
	}
	raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
	return bytes.ToValidUTF8(raw, []byte("\ufffd")), nil
}

// Parse reads JSON. Errors: 400.
func Parse(raw []byte, v any) error {
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
	return &Error{Status: http.StatusBadRequest, Kind: "InvalidEntityException", Text: text}
}

// Flag reads an optional boolean query parameter. Errors: 400.
func Flag(r *http.Request, name string) (bool, error) {
	query, malformed := url.ParseQuery(r.URL.RawQuery)
	text := query.Get(name)
	if text == "" && malformed == nil {
		return false, nil
	}
	value, err := strconv.ParseBool(strings.ToLower(text))
	if malformed != nil || err != nil {
		return false, BadRequest(fmt.Sprintf("Query parameter %s must be true or false.", name))
	}
	return value, nil
}

// Message is a StatusMessage.
type Message struct {
	Message string `json:"message"`
	Type    string `json:"type"`
}

// StatusMessage says that something was done.
func StatusMessage(text string) Message { return Message{text, "StatusMessage"} }
