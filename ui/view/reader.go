package view

import (
	"time"

	"footbridge/ui/tongue"
)

// Reader is who reads: in which language, and whether at the window, where sentences name
// buttons and the reader's clock. Others hear of commands, and of times in UTC. The zero
// Reader reads English there.
type Reader struct {
	tongue.Tongue
	Window bool
	Now    time.Time      // the moment at which they read
	Zone   *time.Location // of the reader at the window
}

// Say gives the text of a name; at the window that of name.window, where there is one.
func (r Reader) Say(name string, pairs ...any) string { return r.Tongue.Say(r.named(name), pairs...) }

// Count gives the text of a name for so many of something, as Say does.
func (r Reader) Count(name string, n int, pairs ...any) string {
	return r.Tongue.Count(r.named(name), n, pairs...)
}

func (r Reader) named(name string) string {
	if r.Window && tongue.Has(name+".window") {
		return name + ".window"
	}
	return name
}

// sayFrom says name_since of what began at a time, and name where that is not known.
func (r Reader) sayFrom(name string, since time.Time, pairs ...any) string {
	if since.IsZero() {
		return r.Say(name, pairs...)
	}
	return r.Say(name+"_since", append(pairs, "since", r.Moment(since))...)
}

// sayAt says name_at of what is wrong with a folder, and name where it is not known which.
func (r Reader) sayAt(name, folder string, pairs ...any) string {
	if folder == "" {
		return r.Say(name, pairs...)
	}
	return r.Say(name+"_at", append(pairs, "folder", folder)...)
}

// countFrom counts as sayFrom says.
func (r Reader) countFrom(name string, n int, since time.Time, pairs ...any) string {
	if since.IsZero() {
		return r.Count(name, n, pairs...)
	}
	return r.Count(name+"_since", n, append(pairs, "since", r.Moment(since))...)
}

// resume is what sends again after a pause.
func (r Reader) resume() string {
	return r.hand("footbridge sync resume", "sending.resume", "sending.name")
}

// retry is what sends a record again that needed a person.
func (r Reader) retry() string {
	return r.hand("footbridge upload retry", "uploads.retry", "uploads.name")
}

// which is what lists the uploads that need a person.
func (r Reader) which() string {
	if !r.Window {
		return "footbridge upload list --standing needs_person"
	}
	return r.Say("hand.page", "page", r.Say("sending.name"))
}

// refused is what lists the uploads that could not be opened.
func (r Reader) refused() string {
	if !r.Window {
		return "footbridge upload list --standing refused"
	}
	return r.Say("hand.page", "page", r.Say("uploads.name"))
}

// redrive is what processes an upload again.
func (r Reader) redrive() string {
	return r.hand("footbridge upload redrive", "uploads.redrive", "uploads.name")
}

// hand is a command, or the button on a page of the window that does the same.
func (r Reader) hand(command, button, page string) string {
	if !r.Window {
		return command
	}
	return r.Say("hand.button", "button", r.Say(button), "page", r.Say(page))
}
