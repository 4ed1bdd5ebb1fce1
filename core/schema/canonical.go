package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"
	"time"
)

// The rules here are: a value is what its field's type says or becomes it where
// that is plain, and a canonical value stays what it is. What is wrong is said
// without the value.

// Canonical gives a value in the one form that its field's type has. Attachments
// and inline JSON are as they are, and null, or nothing, is null for every type.
// The error says what the value is not.
//
// raw is valid JSON. A field without a type takes no value.
func Canonical(f Field, raw json.RawMessage) (json.RawMessage, error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return raw, nil
	}
	switch f.Type {
	case Boolean:
		return boolean(raw)
	case CalendarDate:
		return dated(raw)
	case Duration:
		return textual(raw, "is no ISO 8601 duration", duration)
	case Float:
		return float(raw)
	case Int:
		return whole(raw)
	case MultiChoice:
		return choices(raw)
	case SingleChoice:
		return choice(raw)
	case String:
		return quote(asText(raw)), nil
	case Time:
		return textual(raw, "is no time of day", timeOfDay)
	case Timestamp:
		return timestamp(raw)
	case "":
		return nil, errors.New("has no type")
	}
	return raw, nil
}

func boolean(raw json.RawMessage) (json.RawMessage, error) {
	switch {
	case string(raw) == "true", string(raw) == "false":
		return raw, nil
	case integral(raw):
		if d, ok := parseDecimal(string(raw)); ok && d.zero() {
			return json.RawMessage("false"), nil
		}
		return json.RawMessage("true"), nil
	case raw[0] == '"':
		for _, known := range []string{"true", "false"} {
			if strings.EqualFold(unquote(raw), known) {
				return json.RawMessage(known), nil
			}
		}
	}
	return nil, errors.New("is neither true nor false")
}

func dated(raw json.RawMessage) (json.RawMessage, error) {
	return textual(raw, "is no date", func(text string) (string, bool) {
		t, ok := Date(text)
		return t.Format(time.DateOnly), ok
	})
}

func float(raw json.RawMessage) (json.RawMessage, error) {
	text := string(raw)
	if raw[0] == '"' {
		d, ok := parseDecimal(unquote(raw))
		if !ok {
			return nil, errors.New("is no number")
		}
		text = d.String()
	} else if !number(raw) {
		return nil, errors.New("is no number")
	}
	if f, err := strconv.ParseFloat(text, 64); err != nil || math.IsInf(f, 0) {
		return nil, errors.New("is too large a number")
	}
	return json.RawMessage(text), nil
}

func whole(raw json.RawMessage) (json.RawMessage, error) {
	text := string(raw)
	if raw[0] == '"' {
		text = unquote(raw)
	} else if !number(raw) {
		return nil, errors.New("is no number")
	}
	d, ok := parseDecimal(text)
	if !ok {
		return nil, errors.New("is no number")
	}
	n, ok := d.whole()
	if !ok {
		return nil, errors.New("is too large a number")
	}
	return json.RawMessage(n), nil
}

// choices makes texts of a list's elements, in the form that choices have.
func choices(raw json.RawMessage) (json.RawMessage, error) {
	var all []json.RawMessage
	if raw[0] != '[' || json.Unmarshal(raw, &all) != nil {
		return nil, errors.New("is no list of choices")
	}
	out := json.RawMessage("[")
	for i, one := range all {
		if i > 0 {
			out = append(out, ',')
		}
		if string(one) == "null" {
			out = append(out, "null"...)
			continue
		}
		out = append(out, quote(Sanitize(asText(one)))...)
	}
	return append(out, ']'), nil
}

// choice makes a text of a value, or of the one element of a list: that is how
// apps used to send it.
func choice(raw json.RawMessage) (json.RawMessage, error) {
	if raw[0] == '[' {
		var all []json.RawMessage
		if json.Unmarshal(raw, &all) != nil || len(all) != 1 {
			return nil, errors.New("is a list of more choices than one, or of none")
		}
		raw = bytes.TrimSpace(all[0])
		if string(raw) == "null" {
			return raw, nil
		}
	}
	return quote(asText(raw)), nil
}

// textual makes one text of another.
func textual(raw json.RawMessage, wrong string, canonical func(string) (string, bool)) (json.RawMessage, error) {
	if raw[0] == '"' {
		if text, ok := canonical(unquote(raw)); ok {
			return quote(text), nil
		}
	}
	return nil, errors.New(wrong)
}

// asText is a text itself, or the compact JSON of any other value.
func asText(raw json.RawMessage) string {
	raw = bytes.TrimSpace(raw)
	if raw[0] == '"' {
		return unquote(raw)
	}
	var compact bytes.Buffer
	if json.Compact(&compact, raw) != nil {
		return string(raw)
	}
	return compact.String()
}

// unquote gives the text that a JSON text means.
func unquote(raw json.RawMessage) string {
	var text string
	json.Unmarshal(raw, &text) // it is valid: "" where it is not
	return text
}

// quote writes a text as JSON.
func quote(text string) json.RawMessage {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.Encode(text) // a text never fails
	return bytes.TrimSpace(b.Bytes())
}

// number reports whether a value is a number.
func number(raw json.RawMessage) bool { return raw[0] == '-' || '0' <= raw[0] && raw[0] <= '9' }

// integral reports whether a value is a number without fraction and exponent.
func integral(raw json.RawMessage) bool { return number(raw) && !bytes.ContainsAny(raw, ".eE") }
