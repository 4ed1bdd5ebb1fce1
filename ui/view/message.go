package view

import (
	"slices"
	"strings"

	"footbridge/ui/tongue"
)

// The rules here are: what the catalogue knows is said in the reader's language, down to
// its parts; whatever else was said is told to be in English, where the reader's language
// is another.

// Message says what was said in English, such as what is kept of an upload, to a reader.
func (r Reader) Message(english string) string {
	if said, ok := r.heard(english); ok || english == "" {
		return said
	}
	if parts := r.parts(english); parts != english || r.Code() == "en" {
		return parts
	}
	return r.Say("said.english", "text", english)
}

// heard says a message that the catalogue knows.
func (r Reader) heard(english string) (string, bool) {
	name, pairs, ok := tongue.Heard(english)
	if !ok {
		return "", false
	}
	return r.Say("message."+name, append(r.filled(pairs), "redrive", r.redrive())...), true
}

// filled says what fills the places of a text that may hold parts of a sentence.
func (r Reader) filled(pairs []any) []any {
	for i := 1; i < len(pairs); i += 2 {
		if slices.Contains([]any{"why", "key", "who", "schema", "what", "wrong"}, pairs[i-1]) {
			pairs[i] = r.parts(pairs[i].(string))
		}
	}
	return pairs
}

// parts says parts of a sentence, with semicolons between.
func (r Reader) parts(english string) string {
	if said, ok := r.part(english); ok {
		return said
	}
	all := strings.Split(english, "; ")
	for i, part := range all {
		if said, ok := r.part(part); ok {
			all[i] = said
		}
	}
	return strings.Join(all, "; ")
}

// part says one part, which holds no others beside it.
func (r Reader) part(english string) (string, bool) {
	if said, ok := r.heard(english); ok && !strings.Contains(english, "; ") {
		return said, true
	}
	name, pairs, ok := tongue.Part(english)
	if !ok || slices.ContainsFunc(pairs, func(filled any) bool { return strings.Contains(filled.(string), "; ") }) {
		return "", false
	}
	return r.Say("phrase."+name, r.filled(pairs)...), true
}
