package view

import (
	"cmp"
	"strings"
	"time"

	"footbridge/core"
)

// Destination is one project in the repository as a snapshot knows it.
type Destination struct {
	ID           core.DestinationID
	Exports      map[core.ExportState]int
	Oldest       time.Time // since when the oldest waits; zero where none does
	Reason       core.ExportReason
	Cause        core.ExportReason // why the project is not made, where that is the reason
	Since        time.Time         // of Reason, where no record waits
	NextTry      time.Time
	Parked       time.Time         // since when the one that has needed a person longest does; zero where none does
	ParkedReason core.ExportReason // of that one
	LastSuccess  time.Time
}

// DestinationLine is one destination in an overview.
type DestinationLine struct {
	Destination core.DestinationID `json:"destination"`
	State       string             `json:"state"` // ok, sending, waiting, paused or needs_person
	Reason      core.ExportReason  `json:"reason,omitempty"`
	Sentence    string             `json:"sentence,omitempty"` // of what is not sent
	Since       *time.Time         `json:"since,omitempty"`
	NextTry     *time.Time         `json:"nextTry,omitempty"`
	Waiting     int                `json:"waiting"`
	Parked      int                `json:"parked"`
	Exported    int                `json:"exported"`
	LastSuccess *time.Time         `json:"lastSuccess,omitempty"`
}

func (r Reader) line(d Destination, paused bool) DestinationLine {
	if d.Oldest.IsZero() { // its tables wait, or the project
		d.Oldest = d.Since
	}
	line := DestinationLine{
		Destination: d.ID, State: "ok", Reason: d.Reason, Waiting: d.Exports[core.ExportWaiting],
		Parked: d.Exports[core.ExportParked], Exported: d.Exports[core.ExportExported],
		Since: stated(d.Oldest), NextTry: stated(d.NextTry), LastSuccess: stated(d.LastSuccess),
	}
	switch {
	case line.Parked > 0 || needsPerson(d.Reason, d.Cause):
		line.State = "needs_person"
	case paused:
		line.State, line.Reason = "paused", core.ReasonPaused
	case d.Reason == core.ReasonVersionPending:
		line.State = "sending"
	case d.Reason != core.ReasonNone:
		line.State = "waiting"
	case line.Waiting > 0:
		line.State = "sending"
	}
	if line.Parked > 0 && line.Waiting == 0 && d.Reason == core.ReasonNone { // nothing else is not sent
		line.Reason, line.Since = d.ParkedReason, stated(d.Parked)
	}
	line.Sentence = r.unsent(d, line)
	return line
}

func stated(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC().Truncate(time.Millisecond)
	return &t
}

// needsPerson reports whether waiting alone does not help.
func needsPerson(r, cause core.ExportReason) bool {
	switch decisive(r, cause) {
	case core.ReasonRepositoryRefused, core.ReasonRepositoryMissing, core.ReasonRepositoryFile, core.ReasonRepositoryLocked, core.ReasonRepositoryChanged, core.ReasonNeedsToken:
		return true
	case core.ReasonRepositoryInvalid:
		return r == core.ReasonProjectPending // a table may be taken later, and records go on
	}
	return false
}

// unsent says what is not at a destination, why, since when, and when it is tried
// next; nothing where all is.
func (r Reader) unsent(d Destination, line DestinationLine) string {
	var all []string
	held := r.again(r.why(d.Reason, d.Cause), d.NextTry)
	switch {
	case line.Waiting > 0 && d.Reason == core.ReasonNone:
		all = append(all, r.countFrom("destination.moving", line.Waiting, d.Oldest))
	case line.Waiting > 0:
		all = append(all, r.countFrom("destination.waits", line.Waiting, d.Oldest, "why", held))
	case d.Reason == core.ReasonProjectPending:
		held = r.again(r.Reason(cmp.Or(d.Cause, d.Reason)), d.NextTry)
		all = append(all, r.sayFrom("destination.project", d.Oldest, "why", held))
	case d.Reason != core.ReasonNone:
		all = append(all, r.sayFrom("destination.tables", d.Oldest, "why", held))
	}
	if line.Parked > 0 {
		all = append(all, r.stuck(line.Parked, d))
	}
	return strings.Join(all, " ")
}

// stuck says of what needs a person since when, and what keeps the oldest.
func (r Reader) stuck(n int, d Destination) string {
	if d.ParkedReason == core.ReasonNone {
		return r.Count("destination.parked", n, "retry", r.retry())
	}
	return r.mended(r.Count("destination.parked_since", n, "since", r.Moment(d.Parked), "why", r.Reason(d.ParkedReason), "retry", r.retry()), d.ParkedReason)
}

// anew is what helps where a repository lost what it had.
func (r Reader) anew() string {
	return r.Say("need.anew", "make", "footbridge study create-project", "mend", "footbridge sync reconcile --repair")
}

// needs says what a person has to do for a destination.
func (r Reader) needs(line DestinationLine, d Destination, s Snapshot) []Need {
	var all []Need
	project := line.Reason == core.ReasonProjectPending
	switch decisive(line.Reason, d.Cause) {
	case core.ReasonNeedsToken: // every destination's
		all = append(all, Need{"token", r.remedied(r.Say("need.token"), core.ReasonNeedsToken), PlaceSettings})
	case core.ReasonRepositoryMissing: // every destination's
		all = append(all, Need{"missing", r.sayAt("need.missing", s.Folder, "anew", r.anew()), PlaceNone})
	case core.ReasonRepositoryFile: // likewise
		all = append(all, Need{"file", r.sayAt("need.file", s.Folder), PlaceSettings})
	case core.ReasonRepositoryLocked:
		all = append(all, Need{"locked " + string(line.Destination), r.Say("need.locked", "destination", line.Destination), PlaceNone})
	case core.ReasonRepositoryChanged:
		if s.Synapse {
			all = append(all, Need{"trashed " + string(line.Destination), r.Say("need.trashed", "destination", line.Destination, "anew", r.anew()), PlaceNone})
		} else {
			all = append(all, Need{"changed " + string(line.Destination), r.Say("need.changed", "destination", line.Destination, "anew", r.anew()), PlaceNone})
		}
	case core.ReasonRepositoryInvalid:
		if project {
			all = append(all, Need{"unmakable " + string(line.Destination), r.Say("need.unmakable", "destination", line.Destination), PlaceStudy})
		}
	case core.ReasonRepositoryRefused:
		switch {
		case s.Refused[line.Destination] != "": // that says more
		case project:
			all = append(all, Need{"refused_project " + string(line.Destination), r.Say("need.refused_project", "destination", line.Destination), PlaceStudy})
		default:
			all = append(all, Need{"refused " + string(line.Destination), r.Say("need.refused", "destination", line.Destination), PlaceStudy})
		}
	}
	if line.Parked > 0 {
		all = append(all, Need{"parked " + string(line.Destination), r.countFrom("need.parked", line.Parked, d.Parked, "destination", line.Destination, "which", r.which()), PlaceSending})
	}
	return all
}
