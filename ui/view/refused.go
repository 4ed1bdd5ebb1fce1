package view

import (
	"strings"

	"footbridge/ui/tongue"
)

// Refused is what the appliance did not take, said to a reader (error).
type Refused struct {
	Sentence string // all of it
	Wrong    []Wrong
	Cause    error // as the appliance put it; nil: it is not known
}

// Wrong is what is wrong with one field of a form.
type Wrong struct {
	Field string // as the API calls it, without what stands in brackets
	Must  string // what is said behind the field's name
}

// Error is all that is wrong (error).
func (r *Refused) Error() string { return r.Sentence }

// Unwrap is the cause.
func (r *Refused) Unwrap() error { return r.Cause }

// Refused says what the appliance did not take, and of which fields.
func (r Reader) Refused(english string, cause error) *Refused {
	refused := &Refused{Sentence: r.Message(english), Cause: cause}
	name, pairs, _ := tongue.Heard(english)
	if name != "invalid" {
		return refused
	}
	for i := 1; i < len(pairs); i += 2 {
		if pairs[i-1] != "wrong" {
			continue
		}
		for _, one := range strings.Split(pairs[i].(string), "; ") {
			field, must, _ := strings.Cut(one, " ")
			field, _, _ = strings.Cut(field, "[")
			refused.Wrong = append(refused.Wrong, Wrong{field, r.parts(strings.TrimSuffix(must, "."))})
		}
	}
	return refused
}
