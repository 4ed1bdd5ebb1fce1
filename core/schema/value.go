package schema

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"footbridge/core"
)

const (
	documentMax   = 1 << 20 // bytes of a document
	idMax         = 255     // bytes of what names a document: it is part of a row's key
	complaintsMax = 100     // that are worth reading about one document
)

// value is a value of any JSON kind; null and a missing one are nil. It keeps
// the decoder from giving up at the first value of another kind than expected.
type value json.RawMessage

// UnmarshalJSON keeps the value as it is.
func (v *value) UnmarshalJSON(raw []byte) error {
	*v = nil
	if string(raw) != "null" {
		*v = append(value(nil), raw...)
	}
	return nil
}

// reader takes values from a document and complains of those that are wrong.
type reader struct{ invalid *core.Invalid }

func (r reader) complain(path, format string, args ...any) {
	if len(r.invalid.Fields) < complaintsMax {
		r.invalid.Complain(path, format, args...)
	}
}

// object reads a whole document into to, a pointer to a struct of values.
func (r reader) object(text []byte, to any) bool {
	if len(text) > documentMax {
		r.complain(r.invalid.Entity, "must have at most %d bytes", documentMax)
		return false
	}
	if trimmed := strings.TrimLeft(string(text[:min(len(text), 64)]), " \t\r\n"); !strings.HasPrefix(trimmed, "{") {
		r.complain(r.invalid.Entity, "must be a JSON object")
		return false
	}
	if err := json.Unmarshal(text, to); err != nil {
		r.complain(r.invalid.Entity, "must be a JSON object: %s", err)
		return false
	}
	return true
}

// text gives a text, or a number or boolean as text; "" where it is missing.
func (r reader) text(path string, v value) string {
	text, ok := scalar(v)
	if !ok {
		r.complain(path, "must be a text")
	}
	return text
}

// number gives a whole number that a column can hold, 0 where it is missing.
func (r reader) number(path string, v value) int {
	text, ok := scalar(v)
	if ok && text == "" {
		return 0
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if !ok || err != nil {
		r.complain(path, "must be a whole number")
	}
	return int(n)
}

// flag gives a boolean, nil where it is missing.
func (r reader) flag(path string, v value) *bool {
	text, ok := scalar(v)
	switch {
	case ok && text == "":
		return nil
	case ok && text == "true":
		return new(true)
	case ok && text == "false":
		return new(false)
	}
	r.complain(path, "must be true or false")
	return nil
}

// time gives a time: ISO 8601, or milliseconds since 1970. Zero where it is
// missing.
func (r reader) time(path string, v value) time.Time {
	text, ok := scalar(v)
	if ok && text == "" {
		return time.Time{}
	}
	var ms int64
	err := json.Unmarshal(v, &ms)
	var t time.Time
	if err == nil {
		t, err = core.Instant(time.UnixMilli(ms), text)
	} else {
		t, err = core.ParseTime(text)
	}
	if !ok || err != nil {
		r.complain(path, "must be an ISO 8601 time")
	}
	return t
}

// list gives the elements of an array, none where it is missing.
func (r reader) list(path string, v value) []value {
	if v == nil {
		return nil
	}
	var all []value
	if json.Unmarshal(v, &all) != nil {
		r.complain(path, "must be a list")
	}
	return all
}

// texts gives a list of texts; one that is null is "".
func (r reader) texts(path string, v value) []string {
	var all []string
	for i, v := range r.list(path, v) {
		all = append(all, r.text(at(path, i), v))
	}
	return all
}

// scalar gives a scalar as text; false where it is an array or an object.
func scalar(v value) (string, bool) {
	if len(v) == 0 {
		return "", true
	}
	switch v[0] {
	case '[', '{':
		return "", false
	case '"':
		var text string
		err := json.Unmarshal(v, &text)
		return text, err == nil
	}
	return string(v), true
}

// at is the path of an element of a list, or of a field of it.
func at(list string, i int, fields ...string) string {
	return strings.Join(append([]string{fmt.Sprintf("%s[%d]", list, i)}, fields...), ".")
}
