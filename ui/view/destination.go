package view

import (
	"cmp"
	"fmt"
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

func newLine(d Destination, paused bool) DestinationLine {
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
	line.Sentence = unsent(d, line)
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
	case core.ReasonRepositoryRefused, core.ReasonRepositoryMissing, core.ReasonRepositoryChanged, core.ReasonNeedsToken:
		return true
	case core.ReasonRepositoryInvalid:
		return r == core.ReasonProjectPending // a table may be taken later, and records go on
	}
	return false
}

// unsent says what is not at a destination, why, since when, and when it is tried
// next; nothing where all is.
func unsent(d Destination, line DestinationLine) string {
	var all []string
	switch {
	case line.Waiting > 0 && d.Reason == core.ReasonNone:
		all = append(all, waiting(line.Waiting, "is", "are")+" on the way"+oldest(line.Waiting, d.Oldest)+".")
	case line.Waiting > 0:
		all = append(all, waiting(line.Waiting, "waits", "wait")+oldest(line.Waiting, d.Oldest)+held(d))
	case d.Reason == core.ReasonProjectPending:
		all = append(all, "Its project waits to be made"+since(d.Oldest)+": "+Reason(cmp.Or(d.Cause, d.Reason))+again(d.NextTry)+".")
	case d.Reason != core.ReasonNone:
		all = append(all, "Its tables wait"+since(d.Oldest)+held(d))
	}
	if line.Parked > 0 {
		all = append(all, stuck(line.Parked, d))
	}
	return strings.Join(all, " ")
}

// stuck says of what needs a person since when, and what keeps the oldest.
func stuck(n int, d Destination) string {
	said := waiting(n, "needs", "need") + " a person" + oldest(n, d.Parked)
	if d.ParkedReason != core.ReasonNone {
		said += ": " + Reason(d.ParkedReason)
	}
	if n == 1 {
		return said + ". Once that is mended, footbridge upload retry sends it."
	}
	return said + ". Once that is mended, footbridge upload retry sends them."
}

func waiting(n int, one, more string) string {
	if n == 1 {
		more = one
	}
	return count(n, "record") + " " + more
}

func oldest(n int, t time.Time) string {
	if n > 1 && !t.IsZero() {
		return ", the oldest" + since(t)
	}
	return since(t)
}

// held says what holds up what waits, and until when.
func held(d Destination) string {
	return ": " + why(d.Reason, d.Cause) + again(d.NextTry) + "."
}

// anew is what helps where a repository lost what it had.
const anew = "make the project anew (footbridge study create-project) and send again what it had (footbridge sync reconcile --repair)"

// needs says what a person has to do for a destination.
func needs(line DestinationLine, d Destination, s Snapshot) []string {
	var all []string
	write := "write to"
	if line.Reason == core.ReasonProjectPending {
		write = "make the project of"
	}
	switch decisive(line.Reason, d.Cause) {
	case core.ReasonNeedsToken: // every destination's
		all = append(all, "There is no token or key that the repository takes, and nothing is sent."+remedy(core.ReasonNeedsToken))
	case core.ReasonRepositoryMissing: // every destination's
		all = append(all, "The folder of the repository is not there, and nothing is sent. Connect its disk, and what waits is sent by itself; if it is gone for good, "+anew+".")
	case core.ReasonRepositoryChanged:
		mend := "Connect the right disk or folder; if this one is meant, " + anew
		if s.Synapse {
			mend = "Take it out of the trash there, or " + anew
		}
		all = append(all, fmt.Sprintf("The repository does not hold the project of %s any more. %s.", line.Destination, mend))
	case core.ReasonRepositoryInvalid:
		if line.Reason == core.ReasonProjectPending {
			all = append(all, fmt.Sprintf("The repository does not take the project of %s as Footbridge makes it; the log says why.", line.Destination))
		}
	case core.ReasonRepositoryRefused:
		if s.Refused[line.Destination] != "" {
			break // that says more
		}
		all = append(all, fmt.Sprintf("The repository does not let Footbridge %s %s. Ask whoever looks after it for permission, and see that its token or key is still good.", write, line.Destination))
	}
	const which = "footbridge upload list --standing needs_person says which, and why."
	switch {
	case line.Parked == 1:
		all = append(all, fmt.Sprintf("1 record for %s cannot be sent%s and waits for a decision; %s", line.Destination, since(d.Parked), which))
	case line.Parked > 1:
		all = append(all, fmt.Sprintf("%d records for %s cannot be sent, the oldest%s, and wait for a decision; %s", line.Parked, line.Destination, since(d.Parked), which))
	}
	return all
}
