package synapse

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"footbridge/core"
)

// The rules here are: what the repository would refuse is known before it is
// sent, and what is cut is told. Lengths are counted as the repository counts
// them, in UTF-16 units.

// The repository's limits.
const (
	NameLimit  = 256 // characters of an entity's name, and of an annotation's key here
	KeyLimit   = 100 // annotations of an entity
	ValueLimit = 500 // UTF-16 units of a key's values
)

// versionKey is the one annotation that is a number.
const versionKey = "participantVersion"

// Value is the annotation of one key on the wire.
type Value struct {
	Type  string   `json:"type"`  // STRING or LONG
	Value []string `json:"value"` // one
}

// Annotations are those of an entity. Annotate makes them.
type Annotations map[string]Value

// CheckName says why an entity cannot have a name: 1 to 256 characters of
// [A-Za-z0-9,_. \-+()'], no space at either end. Errors: ErrInvalid.
func CheckName(name string) error {
	if name != Name(name) || name == "" {
		return &Error{Kind: ErrInvalid, Reason: "a name has 1 to 256 letters, digits and characters of ,_. -+()' without a space at either end"}
	}
	return nil
}

var illegal = regexp.MustCompile(`[^a-zA-Z0-9,_. \-+()']`)

// Name gives a name as the repository takes it: other characters become _, spaces
// at the ends go, and so does what is over 256 characters. The empty name stays.
func Name(name string) string {
	name = strings.TrimSpace(illegal.ReplaceAllString(name, "_"))
	return strings.TrimSpace(name[:min(len(name), NameLimit)])
}

var keyRule = regexp.MustCompile(`^[a-zA-Z0-9,_.]+$`)

// checkKey says why an annotation cannot have a key; empty: it can.
func checkKey(key string) string {
	switch {
	case !keyRule.MatchString(key):
		return "its name has characters that the repository does not take"
	case key == "_accessRequirementIds":
		return "its name is reserved by the repository"
	case len(key) > NameLimit:
		return fmt.Sprintf("its name is longer than %d characters", NameLimit)
	}
	return ""
}

// Annotate gives annotations as the repository takes them: strings, but
// participantVersion is a LONG. A value is cut to 500 UTF-16 units, never within a
// character. Of more than 100 keys those in first stay, in its order, then the
// others in key order. The reasons, in key order, tell what was cut or left out,
// by key and never by value. Pure.
func Annotate(values map[string]string, first ...string) (Annotations, []core.Reason) {
	annotations := make(Annotations, len(values))
	var reasons []core.Reason
	tell := func(code, format string, args ...any) {
		reasons = append(reasons, core.Reason{Code: code, Message: fmt.Sprintf(format, args...)})
	}
	for _, key := range ranked(values, first) {
		value := Value{Type: "STRING", Value: []string{cut(values[key], ValueLimit)}}
		if key == versionKey {
			value.Type = "LONG"
		}
		_, number := strconv.ParseInt(values[key], 10, 64)
		switch why := checkKey(key); {
		case why != "":
			tell("annotation_left_out", "Annotation %.40q is not in the repository: %s.", key, why)
		case len(annotations) == KeyLimit:
			tell("annotation_left_out", "Annotation %.40q is not in the repository, which takes %d for each file.", key, KeyLimit)
		case key == versionKey && number != nil:
			tell("annotation_left_out", "Annotation %q is not in the repository: it is no number.", key)
		default:
			if value.Value[0] != values[key] {
				tell("annotation_cut", "Annotation %.40q is cut to %d characters in the repository; the record has all of it.", key, ValueLimit)
			}
			annotations[key] = value
		}
	}
	slices.SortStableFunc(reasons, func(a, b core.Reason) int { return cmp.Compare(a.Message, b.Message) })
	return annotations, reasons
}

// ranked gives the keys of values: those in first, in its order, then the others.
func ranked(values map[string]string, first []string) []string {
	rank := make(map[string]int, len(first))
	for i, key := range first {
		if _, ok := rank[key]; !ok {
			rank[key] = i - len(first)
		}
	}
	return slices.SortedFunc(maps.Keys(values), func(a, b string) int {
		return cmp.Or(cmp.Compare(rank[a], rank[b]), cmp.Compare(a, b))
	})
}

// check says why an entity cannot have annotations. Errors: ErrInvalid.
func (a Annotations) check() error {
	if len(a) == 0 {
		return &Error{Kind: ErrInvalid, Reason: "a file must have annotations"}
	}
	if len(a) > KeyLimit {
		return &Error{Kind: ErrInvalid, Reason: "there are more than 100 annotations"}
	}
	for key, value := range a {
		why := checkKey(key)
		if why == "" && len(value.Value) != 1 {
			why = "it has not one value"
		}
		if why == "" && units(value.Value[0]) > ValueLimit {
			why = "it is longer than 500 characters"
		}
		if why != "" {
			return &Error{Kind: ErrInvalid, Reason: fmt.Sprintf("annotation %.40q: %s", key, why)}
		}
	}
	return nil
}

// within reports whether other has everything that a has.
func (a Annotations) within(other Annotations) bool {
	for key, value := range a {
		if held, ok := other[key]; !ok || held.Type != value.Type || !slices.Equal(held.Value, value.Value) {
			return false
		}
	}
	return true
}

// units is how long a text is for the repository.
func units(text string) int {
	n := 0
	for _, r := range text {
		n += max(utf16.RuneLen(r), 1)
	}
	return n
}

// cut gives the beginning of a text that has at most so many units.
func cut(text string, limit int) string {
	n := 0
	for at, r := range text {
		if n += max(utf16.RuneLen(r), 1); n > limit {
			return text[:at]
		}
	}
	return text
}
