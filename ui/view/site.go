package view

import (
	"maps"
	"slices"
	"strings"

	"footbridge/core"
)

// Site is what the window knows of the appliance at one moment.
type Site struct {
	Overview Overview
	Traffic  Traffic
	Studies  []core.StudyID
}

// Front is the overview as the window shows it.
type Front struct {
	State        string // ok, working, waiting or needs_person; the sentence says it
	Sentence     string
	Needs        []string // what needs a person, each with what to do
	Queues       []Figure
	Destinations []DestinationCard
	Disk         string
}

// Figure is a number and what it counts.
type Figure struct {
	Number   int
	Words    string
	Days     Days     // of the uploads that it counts, where it counts those of some days
	Standing Standing // of the uploads that it counts; empty where a list of them would not say the same
}

// NewFront describes the overview to a reader.
func NewFront(o Overview, r Reader) Front {
	f := Front{State: o.State, Sentence: r.Hears(o.Sentence)}
	if len(o.NeedsPerson) > 0 {
		f.Sentence = count(len(o.NeedsPerson), "thing") + " need a person."
		if len(o.NeedsPerson) == 1 {
			f.Sentence = "1 thing needs a person."
		}
	}
	for _, need := range o.NeedsPerson {
		f.Needs = append(f.Needs, r.Hears(need))
	}
	q := o.Queues
	f.Queues = []Figure{
		{q.Requested, "expected from devices", "", StandingExpected},
		{q.Processing, "being checked", "", StandingProcessing},
		{q.Waiting, "waiting to be sent", "", StandingWaiting},
		{q.Parked, "need a person", "", StandingPerson},
		{q.Refused, "could not be opened", "", StandingRefused},
		{q.Withheld, "stay here, as consent or settings say", "", StandingKept},
	}
	for _, line := range o.Destinations {
		f.Destinations = append(f.Destinations, NewDestinationCard(line, r))
	}
	f.Disk = Bytes(max(o.Disk.FreeBytes-o.Disk.FloorBytes, 0)) + " are free for uploads."
	if o.Disk.Paused {
		f.Disk = "Full: " + Bytes(o.Disk.FreeBytes) + " are free, and " + Bytes(o.Disk.FloorBytes) + " must stay free."
	}
	return f
}

// DestinationCard is one destination as the window shows it.
type DestinationCard struct {
	Name     string
	State    string // in words
	Facts    string // numbers and times
	Sentence string // what is not sent, why, since when, and when it is tried next; empty where all is
	Paused   bool
}

// NewDestinationCard describes a destination to a reader.
func NewDestinationCard(line DestinationLine, r Reader) DestinationCard {
	c := DestinationCard{Name: string(line.Destination), Sentence: r.Hears(line.Sentence), Paused: line.Reason == core.ReasonPaused}
	c.State = map[string]string{
		"ok": "All is sent", "sending": "Sending", "waiting": "Waiting", "paused": "Paused", "needs_person": "Needs a person",
	}[line.State]
	parts := []string{r.Count("count.record", line.Exported) + " sent", r.Count("count.record", line.Waiting) + " in the queue"}
	if line.Parked > 0 {
		parts = append(parts, waiting(line.Parked, "needs", "need")+" a person")
	}
	switch {
	case line.LastSuccess != nil:
		parts = append(parts, "the last "+r.When(*line.LastSuccess))
	default:
		parts = append(parts, "none was sent yet")
	}
	c.Facts = strings.Join(parts, ", ") + "."
	return c
}

// Row is one upload as a list in the window shows it.
type Row struct {
	ID       core.UploadID
	File     string
	Who      string
	State    string // in words
	When     string
	Sentence string
}

// Row describes an upload in a list to the reader.
func (r Reader) Row(u UploadRow) Row {
	who := u.Participant
	if who == "" {
		who = r.Say("uploads.nobody")
	}
	return Row{u.ID, u.File, who, r.Say("standing." + string(u.Standing)), r.When(u.RequestedOn), r.Hears(u.Sentence)}
}

// ListEnd says what lies behind so many rows of a list: more are to be had, or the
// list is full, which is longer than anyone reads. none is said of an empty one.
func (r Reader) ListEnd(none string, rows int, more, full bool) string {
	switch {
	case full:
		return "The newest " + count(rows, "upload") + ". Older ones are found by a search."
	case more:
		return count(rows, "upload") + " so far; older ones follow."
	case rows == 0:
		return none
	}
	return count(rows, "upload") + "."
}

// Facts says on one line what an upload is.
func (r Reader) Facts(d UploadDetail) string {
	parts := []string{Bytes(d.Bytes)}
	if d.Encrypted {
		parts = append(parts, "encrypted by the device")
	}
	if len(d.Studies) > 0 {
		var names []string
		for _, study := range d.Studies {
			names = append(names, string(study))
		}
		parts = append(parts, "of study "+strings.Join(names, ", "))
	}
	return strings.Join(parts, ", ") + "."
}

// Stage says a stage of an upload's way: its state and time, and what happened.
func (r Reader) Stage(s Stage) (state, text string) {
	state = s.Words()
	if s.At != nil {
		state += ", " + r.When(*s.At)
	}
	return state, r.Hears(s.Sentence)
}

// Messages are those of an upload that its stages do not tell.
func (r Reader) Messages(d UploadDetail) []string {
	var all []string
	for i, message := range d.Messages {
		if i > 0 || d.Standing != StandingRefused {
			all = append(all, r.Hears(message))
		}
	}
	return all
}

// Deed says what someone did: when and who, and what.
func (r Reader) Deed(d core.Deed) (when, what string) {
	who := "Someone at this computer"
	if d.Who != "" {
		who = "Account " + string(d.Who)
		if d.Address != "" {
			who += " at " + d.Address
		}
	}
	what = who + " " + Deed(d.Did)
	var with []string
	for _, name := range slices.Sorted(maps.Keys(d.With)) {
		with = append(with, name+" "+d.With[name])
	}
	if len(with) > 0 {
		what += ": " + strings.Join(with, ", ")
	}
	return r.When(d.At), what + "."
}

// Paused reports whether a person holds sending up, as far as destinations tell.
func (o Overview) Paused() bool {
	for _, line := range o.Destinations {
		if line.Reason == core.ReasonPaused {
			return true
		}
	}
	return false
}
