package schema

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Problem is one thing wrong with a record's data.
type Problem struct {
	Code    string // stable, for programs
	Field   string // its name
	Message string // for a person; names the field, never a value
}

// The codes of problems.
const (
	Missing       = "field_missing"
	NotOfType     = "field_invalid"
	UnknownChoice = "choice_unknown"
)

// namedMax is how many wrong answers of one field are named.
const namedMax = 20

// Validate holds data against the schema. It gives the data with canonical
// values, whatever the problems: a value that has no canonical form stays as it
// is. Problems come in the order of the fields.
func (s Schema) Validate(data map[string]json.RawMessage) (map[string]json.RawMessage, []Problem) {
	data = maps.Clone(data)
	if data == nil {
		data = map[string]json.RawMessage{}
	}
	var problems []Problem
	say := func(code string, f Field, format string, args ...any) {
		problems = append(problems, Problem{code, f.Name, fmt.Sprintf(format, args...)})
	}
	for _, f := range s.Fields {
		raw, wrong := data[f.Name], error(nil)
		if !f.Type.Attachment() {
			if raw, wrong = Canonical(f, raw); wrong != nil {
				say(NotOfType, f, "Field %s %s.", f.Name, wrong)
				continue
			}
		}
		if len(raw) == 0 || string(raw) == "null" {
			delete(data, f.Name)
			if f.Required {
				say(Missing, f, "%s %s is required and is missing.", kindOf(f), f.Name)
			}
			continue
		}
		data[f.Name] = raw
		for n, i := range f.unknown(raw) {
			if n == namedMax {
				say(UnknownChoice, f, "Field %s has more such answers.", f.Name)
				break
			}
			say(UnknownChoice, f, "Field %s has an answer that is none of its choices: the %s.", f.Name, ordinal(i+1))
		}
	}
	return data, problems
}

func kindOf(f Field) string {
	if f.Type.Attachment() {
		return "Attachment field"
	}
	return "Field"
}

// unknown gives the places of answers that are none of a field's choices.
func (f Field) unknown(raw json.RawMessage) []int {
	if f.Type != MultiChoice || f.others() {
		return nil
	}
	var answers []*string
	json.Unmarshal(raw, &answers) // it is canonical
	var places []int
	for i, answer := range answers {
		if answer == nil || !slices.Contains(f.Choices, *answer) {
			places = append(places, i)
		}
	}
	return places
}

// ordinal writes 1st, 2nd, 3rd, 4th.
func ordinal(n int) string {
	suffix := "th"
	if n/10%10 != 1 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return fmt.Sprint(n, suffix)
}

// Strictness is what becomes of an upload whose data has problems. Every problem
// is among the upload's messages in any case.
type Strictness string

// How strict a site is. Empty means Report.
const (
	Warn   Strictness = "warning" // nothing more
	Report Strictness = "report"  // the record says what is wrong with it
	Strict Strictness = "strict"  // the upload is refused
)

// ParseStrictness reads a strictness in any case; false where it is none.
func ParseStrictness(text string) (Strictness, bool) { return choose(text, Warn, Report, Strict) }

// Judge says what problems lead to: what the record's validationErrors are, and
// whether the upload is refused.
func (s Strictness) Judge(problems []Problem) (validationErrors string, refuse bool) {
	switch {
	case len(problems) == 0, s == Warn:
		return "", false
	case s == Strict:
		return "", true
	}
	all := make([]string, len(problems))
	for i, p := range problems {
		all[i] = p.Message
	}
	return strings.Join(all, "; "), false
}
