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
		return "the name has characters that the repository does not take"
	case key == "_accessRequirementIds":
		return "the name is reserved by the repository"
	case len(key) > NameLimit:
		return fmt.Sprintf("the name is longer than %d characters", NameLimit)
	}
	return ""
}

// Annotate gives annotations as the repository takes them: strings, but
// participantVersion is a LONG. A value is cut to 500 UTF-16 units, never within a
// character. Of more than 100 keys those in first stay, in its order, then the
// others in key order. The reasons tell what was cut or left out, by key and never by
// value: one for each way in which that happened, with all its keys in order. Pure.
func Annotate(values map[string]string, first ...string) (Annotations, []core.Reason) {
	annotations := make(Annotations, len(values))
	var lost losses
	for _, key := range ranked(values, first) {
		value := Value{Type: "STRING", Value: []string{cut(values[key], ValueLimit)}}
		if key == versionKey {
			value.Type = "LONG"
		}
		_, number := strconv.ParseInt(values[key], 10, 64)
		switch why := checkKey(key); {
		case why != "":
			lost.leave(key, why)
		case len(annotations) == KeyLimit:
			lost.leave(key, fmt.Sprintf("it takes %d for each file", KeyLimit))
		case key == versionKey && number != nil:
			lost.leave(key, "it is no number")
		default:
			if value.Value[0] != values[key] {
				lost.cut = append(lost.cut, key)
			}
			annotations[key] = value
		}
	}
	return annotations, lost.reasons()
}

// losses are the keys of annotations that the repository has not as they are.
type losses struct {
	cut  []string
	left map[string][]string // by why
}

// leave notes that an annotation is left out.
func (l *losses) leave(key, why string) {
	if l.left == nil {
		l.left = map[string][]string{}
	}
	l.left[why] = append(l.left[why], key)
}

// reasons tells of all of them.
func (l *losses) reasons() []core.Reason {
	var all []core.Reason
	if len(l.cut) > 0 {
		one, more := "is cut to %d characters in the repository; the record has all of it.", "are cut to %d characters in the repository; the record has all of them."
		all = append(all, core.Reason{Code: "annotation_cut", Message: named(l.cut, fmt.Sprintf(one, ValueLimit), fmt.Sprintf(more, ValueLimit))})
	}
	for _, why := range slices.Sorted(maps.Keys(l.left)) {
		rest := " not in the repository: " + why + "."
		all = append(all, core.Reason{Code: "annotation_left_out", Message: named(l.left[why], "is"+rest, "are"+rest)})
	}
	return all
}

// named says something of annotations by their keys, in order.
func named(keys []string, one, more string) string {
	slices.Sort(keys)
	if len(keys) == 1 {
		return fmt.Sprintf("Annotation %.40q %s", keys[0], one)
	}
	text := "Annotations"
	for i, key := range keys {
		switch i {
		case 0:
			text += " "
		case len(keys) - 1:
			text += " and "
		default:
			text += ", "
		}
		text += fmt.Sprintf("%.40q", key)
	}
	return text + " " + more
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
