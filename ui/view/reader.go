package view

import (
	"regexp"
	"strings"
	"time"

	"footbridge/ui/tongue"
)

// Reader is who sits before the window: their language, their clock, and the moment at which they
// read. What is said for the command line, a Reader hears in terms of the window.
type Reader struct {
	tongue.Tongue
	Now  time.Time
	Zone *time.Location
}

// buttons are the commands that sentences name, and what does the same in the window.
// The longer of two that begin alike comes first.
var buttons = strings.NewReplacer(
	"; footbridge sync resume sends again", "; “Resume” (page “Sending”) sends again",
	"Send again with footbridge sync resume.", "“Resume” (page “Sending”) sends again.",
	"; footbridge upload retry sends again", "; “Retry” sends again once that is mended",
	"Once that is mended, footbridge upload retry sends it.", "Once that is mended, “Retry” sends it.",
	"make the project anew (footbridge study create-project) and send again what it had (footbridge sync reconcile --repair)",
	"let whoever set Footbridge up make the project anew and send again what it had",
	"It is tried again; see footbridge upload show.", "It is tried again.",
	"Decide what becomes of those: footbridge upload withdraw --pending lists them.", "Decide what becomes of those, with whoever set Footbridge up.",
	"Connect its disk, or make it: footbridge study create-project STUDY does.", "Connect its disk, or make the folder.",
	"Import that key, then redrive the upload. The file is kept.", "Let whoever set Footbridge up import that key; then “Process again” opens it.",
	"Make one with footbridge key create, or import the one that is missing.", "Let whoever set Footbridge up make one, or import the one that is missing.",
)

// moments are times as Moment writes them.
var moments = regexp.MustCompile(`\d\d:\d\d:\d\d UTC on \d{4}-\d\d-\d\d`)

// InTheWindow gives a sentence with buttons instead of commands.
func InTheWindow(sentence string) string { return buttons.Replace(sentence) }

// Hears gives a sentence as the reader should read it: with buttons instead of
// commands, and by their clock.
func (r Reader) Hears(sentence string) string {
	return moments.ReplaceAllStringFunc(InTheWindow(sentence), func(text string) string {
		t, err := time.Parse("15:04:05 UTC on 2006-01-02", text)
		if err != nil {
			return text
		}
		return r.When(t)
	})
}

// When writes a time by the reader's clock, as short as it may be.
func (r Reader) When(t time.Time) string {
	at, now := t.In(r.Zone), r.Now.In(r.Zone)
	switch {
	case at.Format(time.DateOnly) == now.Format(time.DateOnly):
		return at.Format("15:04:05")
	case at.Format(time.DateOnly) == now.AddDate(0, 0, -1).Format(time.DateOnly):
		return "yesterday " + at.Format("15:04")
	case at.Year() == now.Year():
		return at.Format("2 January 15:04")
	}
	return at.Format("2 January 2006")
}
