package form

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"footbridge/core"
)

// complaintsMax are as many complaints as are worth reading about one document.
const complaintsMax = 100

// Value is a value of any JSON kind; null and a missing one are nil. It keeps
// the decoder from giving up at the first value of another kind than expected.
type Value json.RawMessage

// UnmarshalJSON keeps the value as it is.
func (v *Value) UnmarshalJSON(raw []byte) error {
	*v = nil
	if string(raw) != "null" {
		*v = append(Value(nil), raw...)
	}
	return nil
}

// Scalar gives a scalar as text; false where it is an array or an object.
func (v Value) Scalar() (string, bool) {
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

// Reader takes values from a document and complains of those that are wrong.
type Reader struct{ Invalid *core.Invalid }

// Of makes a reader of a document that is an entity of this name.
func Of(entity string) Reader { return Reader{&core.Invalid{Entity: entity}} }

// Complain adds a complaint about the value at a path.
func (r Reader) Complain(path, format string, args ...any) {
	if len(r.Invalid.Fields) < complaintsMax {
		r.Invalid.Complain(path, format, args...)
	}
}

// Err is a *core.Invalid where something was complained about, else nil.
func (r Reader) Err() error { return r.Invalid.Err() }

// Text gives a text, or a number or boolean as text; "" where it is missing.
func (r Reader) Text(path string, v Value) string {
	text, ok := v.Scalar()
	if !ok {
		r.Complain(path, "must be a text")
	}
	return text
}

// Number gives a whole number of so many bits; false where it is missing, empty
// or wrong.
func (r Reader) Number(path string, v Value, bits int) (int, bool) {
	text, ok := v.Scalar()
	if ok && text == "" {
		return 0, false
	}
	n, err := strconv.ParseInt(text, 10, bits)
	if !ok || err != nil {
		r.Complain(path, "must be a whole number")
		return 0, false
	}
	return int(n), true
}

// Flag gives a boolean, nil where it is missing, empty or wrong.
func (r Reader) Flag(path string, v Value) *bool {
	switch text, ok := v.Scalar(); {
	case ok && text == "":
		return nil
	case ok && text == "true":
		return new(true)
	case ok && text == "false":
		return new(false)
	}
	r.Complain(path, "must be true or false")
	return nil
}

// Time gives a time: ISO 8601, or milliseconds since 1970. Zero where it is
// missing, empty or wrong.
func (r Reader) Time(path string, v Value) time.Time {
	text, ok := v.Scalar()
	if ok && text == "" {
		return time.Time{}
	}
	var t time.Time
	var ms int64
	err := json.Unmarshal(v, &ms)
	if err == nil {
		t, err = core.Instant(time.UnixMilli(ms), text)
	} else {
		t, err = core.ParseTime(text)
	}
	if !ok || err != nil {
		r.Complain(path, "must be an ISO 8601 time")
	}
	return t
}

// At is the path of an element of a list, or of a field of it.
func At(list string, i int, fields ...string) string {
	return strings.Join(append([]string{fmt.Sprintf("%s[%d]", list, i)}, fields...), ".")
}
