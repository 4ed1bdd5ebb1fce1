package schedule

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"footbridge/core/form"
)

const (
	keyMax  = 255 // bytes of a guid: it is part of a row's key
	textMax = 255 // characters of any other text
)

// reader takes what timelines and records have of a document.
type reader struct{ form.Reader }

// text gives a text, or a number or boolean as text; "" where it is missing.
func (r reader) text(path string, v form.Value) string {
	text := r.Text(path, v)
	if utf8.RuneCountInString(text) > textMax {
		r.Complain(path, "must have at most %d characters", textMax)
	}
	return text
}

// guid gives a text that has to be there and may be part of a row's key.
func (r reader) guid(path string, v form.Value) string {
	text, ok := v.Scalar()
	switch {
	case !ok:
		r.Complain(path, "must be a text")
	case strings.TrimSpace(text) == "":
		r.Complain(path, "cannot be null or blank")
	case len(text) > keyMax:
		r.Complain(path, "must have at most %d bytes", keyMax)
	}
	return text
}

// number gives a whole number as decimal text, "" where it is missing.
func (r reader) number(path string, v form.Value) string {
	n, given := r.Number(path, v, 64)
	if !given {
		return ""
	}
	return strconv.Itoa(n)
}

// days gives a number of days, which is not negative.
func (r reader) days(path string, v form.Value) (n int, text string) {
	text = r.number(path, v)
	n, _ = strconv.Atoi(text)
	if n < 0 {
		r.Complain(path, "cannot be negative")
	}
	return n, text
}

// flag gives a boolean, false where it is missing.
func (r reader) flag(path string, v form.Value) bool {
	flag := r.Flag(path, v)
	return flag != nil && *flag
}
