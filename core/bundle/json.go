package bundle

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// The rules here are: JSON is UTF-8, with or without a byte order mark; of two
// members with one key the later counts; a large text is searched, not built
// into a tree.

// trimmed takes off what may stand before and behind JSON.
func trimmed(text []byte) []byte {
	return bytes.Trim(bytes.TrimPrefix(text, []byte("\ufeff")), " \t\r\n")
}

// leading counts the bytes that stand before JSON.
func leading(text []byte) int {
	return len(text) - len(bytes.TrimLeft(bytes.TrimPrefix(text, []byte("\ufeff")), " \t\r\n"))
}

// valid gives the JSON that a text is; false where it is none.
func valid(text []byte) (json.RawMessage, bool) {
	text = trimmed(text)
	return text, utf8.Valid(text) && json.Valid(text)
}

// null reports whether a value is null, or nothing.
func null(value json.RawMessage) bool { return len(value) == 0 || string(value) == "null" }

// members calls each with the members of valid JSON in their order, if it is an
// object. Values are parts of the text, which they begin at.
func members(text json.RawMessage, each func(key string, value json.RawMessage, at int)) {
	if len(text) == 0 || text[0] != '{' {
		return
	}
	for i := skip(text, 1); text[i] != '}'; {
		stop := end(text, i)
		key := unquoted(text[i:stop])
		i = skip(text, skip(text, stop)+1) // behind the colon
		stop = end(text, i)
		each(key, text[i:stop], i)
		if i = skip(text, stop); text[i] == ',' {
			i = skip(text, i+1)
		}
	}
}

// skip gives the place of the next byte that is no space.
func skip(text []byte, i int) int {
	for text[i] == ' ' || text[i] == '\t' || text[i] == '\r' || text[i] == '\n' {
		i++
	}
	return i
}

// end gives the place behind the value that begins at i. A member of an object is
// always followed by something.
func end(text []byte, i int) int {
	depth := 0
	for {
		switch text[i] {
		case '"':
			i = quoteEnd(text, i)
		case '{', '[':
			depth++
			i++
		case '}', ']':
			depth--
			i++
		default:
			i++
			if depth == 0 {
				for strings.IndexByte(",}] \t\r\n", text[i]) < 0 {
					i++
				}
			}
		}
		if depth == 0 {
			return i
		}
	}
}

// quoteEnd gives the place behind the text that begins at i.
func quoteEnd(text []byte, i int) int {
	for i++; text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i + 1
}

// unquoted gives the text that a JSON text means.
func unquoted(raw []byte) string {
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1])
	}
	var text string
	json.Unmarshal(raw, &text) // it is valid
	return text
}

// asText gives a scalar as text; "" where it is null, a list or an object.
func asText(value json.RawMessage) string {
	switch {
	case null(value), value[0] == '{', value[0] == '[':
		return ""
	case value[0] == '"':
		return unquoted(value)
	}
	return string(value)
}

// quoted writes a text as JSON.
func quoted(text string) json.RawMessage {
	raw, _ := json.Marshal(text) // a text never fails
	return raw
}
