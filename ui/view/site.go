package view

import (
	"slices"
	"strings"
	"time"

	"footbridge/core"
)

// Site is what the window knows of the appliance at one moment.
type Site struct {
	Overview Overview
	Traffic  Traffic
	Studies  []core.StudyID
	Trouble  string    // why nothing is known now: the rest is how things were; empty where it answers
	At       time.Time // when it answered last; zero: never
}

// Front is the overview as the window shows it.
type Front struct {
	State        string // ok, working, waiting, needs_person, refused where uploads could not be opened, or away where nothing answers; the sentence says it
	Sentence     string
	Needs        []Need // what needs a person, and what else one should look at
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
	f := Front{State: o.State, Sentence: o.Sentence, Needs: slices.Clone(o.Needs)}
	q := o.Queues
	if q.Refused > 0 {
		f.Needs = append(f.Needs, Need{"unopened", r.Count("need.unopened", q.Refused, "where", r.refused()), PlaceRefused})
		if f.State == "ok" { // then nothing else is to be said
			f.State = "refused"
		}
	}
	if f.State == "needs_person" || f.State == "refused" {
		f.Sentence = r.Count("front.needs", len(f.Needs)) // as many as stand below
	}
	f.Queues = []Figure{
		{q.Requested, r.Say("front.requested"), "", StandingExpected},
		{q.Processing, r.Say("front.processing"), "", StandingProcessing},
		{q.Waiting, r.Say("front.waiting"), "", StandingWaiting},
		{q.Parked, r.Say("front.parked"), "", StandingPerson},
		{q.Refused, r.Say("front.refused"), "", StandingRefused},
		{q.Withheld, r.Say("front.withheld"), "", StandingKept},
	}
	for _, line := range o.Destinations {
		f.Destinations = append(f.Destinations, NewDestinationCard(line, r))
	}
	f.Disk = r.Say("front.free", "free", r.Bytes(max(o.Disk.FreeBytes-o.Disk.FloorBytes, 0)))
	if o.Disk.Paused {
		f.Disk = r.Say("front.full", "free", r.Bytes(o.Disk.FreeBytes), "floor", r.Bytes(o.Disk.FloorBytes))
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
	c := DestinationCard{Name: string(line.Destination), State: r.Say("card." + line.State), Sentence: line.Sentence, Paused: line.Reason == core.ReasonPaused}
	last := r.Say("card.never")
	if line.LastSuccess != nil {
		last = r.Say("card.last", "at", r.When(*line.LastSuccess))
	}
	parts := []string{r.Count("card.sent", line.Exported), last, r.Count("card.queue", line.Waiting)} // the last that was sent
	if line.Parked > 0 {
		parts = append(parts, r.Count("card.parked", line.Parked))
	}
	c.Facts = sentence(parts...)
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
	return Row{u.ID, u.File, who, r.Say("standing." + string(u.Standing)), r.When(u.RequestedOn), u.Sentence}
}

// ListEnd says what lies behind so many rows of a list: more are to be had from next on,
// and how far back a search has come, or the list is full; none is said where it is empty.
func (r Reader) ListEnd(q UploadQuery, none string, rows int, next core.UploadID, full bool) string {
	back, dated := core.MadeOn(string(next))
	switch {
	case full:
		return r.Count("list.full", rows)
	case q.Text != "" && dated:
		return r.Count("list.searched", rows, "back", r.When(back))
	case next != "":
		return r.Count("list.more", rows)
	case rows == 0:
		return none
	}
	return r.Count("list.all", rows)
}

// Facts says on one line what an upload is.
func (r Reader) Facts(d UploadDetail) string {
	parts := []string{r.Bytes(d.Bytes)}
	if d.Encrypted {
		parts = append(parts, r.Say("facts.encrypted"))
	}
	if len(d.Studies) > 0 {
		var names []string
		for _, study := range d.Studies {
			names = append(names, string(study))
		}
		parts = append(parts, r.Count("facts.study", len(names), "studies", strings.Join(names, ", ")))
	}
	return sentence(parts...)
}

// Stage says a stage of an upload's way: its state and time, and what happened.
func (r Reader) Stage(s Stage) (state, text string) {
	state = r.Say("stage." + s.State)
	if s.At != nil {
		state += ", " + r.When(*s.At)
	}
	return state, s.Sentence
}

// Messages are those of an upload that its stages do not tell: of its last processing
// first, and then what was said before, each once.
func (r Reader) Messages(d UploadDetail) []string {
	past := min(d.Past, len(d.Messages))
	all := slices.Clone(d.Messages[past:])
	if d.Standing == StandingRefused && len(all) > 0 {
		all = all[1:]
	}
	for i, message := range d.Messages[:past] {
		if !slices.Contains(d.Messages[past:], message) && !slices.Contains(d.Messages[:i], message) {
			all = append(all, r.Say("uploads.past", "message", message))
		}
	}
	return all
}

// Redriven says what came of processing an upload again.
func (r Reader) Redriven(d UploadDetail) string {
	if d.Standing == StandingRefused {
		return r.Say("uploads.redriven_refused", "way", r.Say("uploads.way"))
	}
	return r.Say("uploads.redriven_done")
}
