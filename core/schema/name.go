package schema

import (
	"regexp"
	"strings"
)

// nameMax is how long a name may be: a column is called by that of a field and
// that of a choice, and has at most 256 characters.
const nameMax = 127

// named is what names are made of: letters and digits, with single separators
// between them.
var named = regexp.MustCompile(`^[A-Za-z0-9]+([-._ ][A-Za-z0-9]+)*$`)

// nameRule says it to whoever chose another name.
const nameRule = "must be letters and digits of ASCII with single spaces, dashes, underscores or periods between them, " +
	"at most 127 characters"

// validChoice reports whether a text may be a choice of a field.
func validChoice(text string) bool { return len(text) <= nameMax && named.MatchString(text) }

// reserved names are columns that the repository makes by itself, and what the
// bundle itself is called among a record's attachments.
func reserved(name string) bool {
	switch strings.ToLower(name) {
	case "row_id", "row_etag", "row_version", "raw.zip":
		return true
	}
	return false
}

// validName reports whether a text may name a field, or a question.
func validName(text string) bool { return validChoice(text) && !reserved(text) }

// Sanitize makes of the name of a file, of a key or of an answer what fields and
// choices can be called: a space, dash or period in front and a space or period
// at the end become an underscore, of several periods one remains, and every
// other character than a letter or digit of ASCII, a space, dash, underscore or
// period becomes an underscore. A sanitized name stays as it is.
func Sanitize(name string) string {
	runes := []rune(name)
	if len(runes) == 0 {
		return name
	}
	if strings.ContainsRune(" \t\n\v\f\r-.", runes[0]) {
		runes[0] = '_'
	}
	if last := len(runes) - 1; strings.ContainsRune(" \t\n\v\f\r.", runes[last]) {
		runes[last] = '_'
	}
	var b strings.Builder
	before := rune(0)
	for _, r := range runes {
		switch {
		case r == '.' && before == '.':
			continue
		case plain(r):
			b.WriteRune(r)
		default:
			b.WriteByte('_')
		}
		before = r
	}
	return b.String()
}

// plain reports whether a character stays in a sanitized name.
func plain(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("_-. ", r)
}
