package view

import (
	"slices"
	"strings"
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
	front := NewFront(s.Overview, r)
	t := TrayFront{State: front.State, Sentence: front.Sentence, Paused: s.Overview.Paused}
	if s.Trouble != "" {
		t.State, t.Sentence = "away", s.Trouble
	}
	if letters := []rune(t.Sentence); len(letters) > trayWidth {
		t.Sentence = strings.TrimSpace(string(letters[:trayWidth])) + "…"
	}
	return t
}

// NewNeed reports whether something needs a person that did not before.
func NewNeed(before, now []Need) bool {
	return slices.ContainsFunc(now, func(need Need) bool {
		return !slices.ContainsFunc(before, func(known Need) bool { return known.Kind == need.Kind })
	})
}
