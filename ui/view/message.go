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
	all := strings.Split(english, "; ")
	for i, part := range all {
		if said, ok := r.heard(part); ok {
			all[i] = said
		} else if name, pairs, ok := tongue.Part(part); ok {
			all[i] = r.Say("phrase."+name, r.filled(pairs)...)
		}
	}
	return strings.Join(all, "; ")
}
