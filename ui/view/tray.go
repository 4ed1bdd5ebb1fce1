package view

import (
	"slices"
	"strings"
	"unicode"
)

// TrayFront is the overview as the tray shows it.
type TrayFront struct {
	State    string // as of Front
	Sentence string
	Paused   bool
}

// trayWidth is how many letters of a sentence a menu has room for.
const trayWidth = 90

// Tray describes a site for the tray.
func (r Reader) Tray(s Site) TrayFront {
	f := NewFront(s.Overview, r)
	t := TrayFront{State: f.State, Sentence: f.Sentence, Paused: s.Overview.Paused}
	if s.Trouble != "" {
		t.State, t.Sentence = "away", s.Trouble
	}
	if letters := []rune(t.Sentence); len(letters) > trayWidth {
		t.Sentence = strings.TrimSpace(string(letters[:trayWidth])) + "…"
	}
	return t
}

// NewNeed reports whether something needs a person that did not before. Numbers and times
// in a sentence make it no other one.
func NewNeed(before, now []Need) bool {
	for _, need := range now {
		if !slices.ContainsFunc(before, func(known Need) bool { return withoutNumbers(known.Sentence) == withoutNumbers(need.Sentence) }) {
			return true
		}
	}
	return false
}

// withoutNumbers is a sentence whatever it counts, one or many.
func withoutNumbers(sentence string) string {
	words := strings.FieldsFunc(sentence, func(r rune) bool { return !unicode.IsLetter(r) })
	for i, word := range words {
		words[i] = strings.TrimSuffix(word, "s") // records, needs
	}
	return strings.Join(words, " ")
}
