package schedule

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"footbridge/core"
)

const (
	keyMax        = 255 // bytes of a guid: it is part of a row's key
	textMax       = 255 // characters of any other text
	complaintsMax = 100 // that are worth reading about one document
)

// field is a value of any JSON kind; null and a missing one are nil. It keeps
// the decoder from giving up at the first value of another kind than expected.
type field json.RawMessage

// UnmarshalJSON keeps the value as it is.
func (f *field) UnmarshalJSON(raw []byte) error {
	if string(raw) != "null" {
		*f = append(field(nil), raw...)
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

// text gives a text, or a number or boolean as text; "" where it is missing.
func (r reader) text(path string, f field) string {
	text, ok := plain(f)
	if !ok {
		r.complain(path, "must be a text")
	} else if utf8.RuneCountInString(text) > textMax {
		r.complain(path, "must have at most %d characters", textMax)
	}
	return text
}

// guid gives a text that has to be there and may be part of a row's key.
func (r reader) guid(path string, f field) string {
	text, ok := plain(f)
	switch {
	case !ok:
		r.complain(path, "must be a text")
	case strings.TrimSpace(text) == "":
		r.complain(path, "cannot be null or blank")
	case len(text) > keyMax:
		r.complain(path, "must have at most %d bytes", keyMax)
	}
	return text
}

// number gives a whole number as decimal text, "" where it is missing.
func (r reader) number(path string, f field) string {
	text, ok := plain(f)
	if ok && text == "" {
		return ""
	}
	n, err := strconv.Atoi(text)
	if !ok || err != nil {
		r.complain(path, "must be a whole number")
		return ""
	}
	return strconv.Itoa(n)
}

// days gives a number of days, which is not negative.
func (r reader) days(path string, f field) (n int, text string) {
	text = r.number(path, f)
	n, _ = strconv.Atoi(text)
	if n < 0 {
		r.complain(path, "cannot be negative")
	}
	return n, text
}

// flag gives a boolean, false where it is missing.
func (r reader) flag(path string, f field) bool {
	text, ok := plain(f)
	if !ok || text != "" && text != "true" && text != "false" {
		r.complain(path, "must be true or false")
	}
	return text == "true"
}

// plain gives a scalar as text; false where it is an array or an object.
func plain(f field) (string, bool) {
	if len(f) == 0 {
		return "", true
	}
	switch f[0] {
	case '[', '{':
		return "", false
	case '"':
		var text string
		err := json.Unmarshal(f, &text)
		return text, err == nil
	}
	return string(f), true
}

// at is the path of an element of a list, or of a field of it.
func at(list string, i int, fields ...string) string {
	return strings.Join(append([]string{fmt.Sprintf("%s[%d]", list, i)}, fields...), ".")
}
