package view

import (
	"fmt"
	"strings"
	"time"

	"footbridge/core"
)

// Snapshot is the appliance at one moment.
type Snapshot struct {
	Now          time.Time
	Uploads      map[core.State]int
	Destinations []Destination
	Disk         Disk
	Paused       time.Time // since when a person holds sending up; zero: nobody does
	Removals     int       // withdrawn records that may still lie in the repository
	Regrets      int       // participants who share no more, after records of theirs were sent
	Broken       string    // why nothing can be stored; empty where it can
	Refused      []string  // why projects are not made until a person has done something, as sentences
	NoKey        bool      // there is no key for devices to encrypt to
}

// Disk is the room that uploads have.
type Disk struct {
	FreeBytes  int64 `json:"freeBytes"`
	FloorBytes int64 `json:"floorBytes"`
	Paused     bool  `json:"paused"` // no slots are given out
}

// Destination is one project in the repository as a snapshot knows it.
type Destination struct {
	ID          core.DestinationID
	Exports     map[core.ExportState]int
	Oldest      time.Time // since when the oldest waits; zero where none does
	Reason      core.ExportReason
	NextTry     time.Time
	LastSuccess time.Time
}

// Overview is what a person should know first.
type Overview struct {
	State        string            `json:"state"` // ok, working, waiting or needs_person
	Sentence     string            `json:"sentence"`
	NeedsPerson  []string          `json:"needsPerson"`
	Queues       Queues            `json:"queues"`
	Disk         Disk              `json:"disk"`
	Destinations []DestinationLine `json:"destinations"`
}

// Queues counts what is on its way.
type Queues struct {
	Requested  int `json:"requested"`
	Processing int `json:"processing"`
	Waiting    int `json:"waiting"`
	Withheld   int `json:"withheld"`
	Parked     int `json:"parked"`
}

// DestinationLine is one destination in an overview.
type DestinationLine struct {
	Destination core.DestinationID `json:"destination"`
	State       string             `json:"state"` // ok, sending, waiting, paused or needs_person
	Reason      core.ExportReason  `json:"reason,omitempty"`
	Since       *time.Time         `json:"since,omitempty"`
	NextTry     *time.Time         `json:"nextTry,omitempty"`
	Waiting     int                `json:"waiting"`
	Parked      int                `json:"parked"`
	Exported    int                `json:"exported"`
	LastSuccess *time.Time         `json:"lastSuccess,omitempty"`
}

// NewOverview sums up a snapshot.
func NewOverview(s Snapshot) Overview {
	o := Overview{
		State: "ok", NeedsPerson: []string{}, Disk: s.Disk, Destinations: []DestinationLine{},
		Queues: Queues{
			Requested:  s.Uploads[core.StateRequested] + s.Uploads[core.StateReceived],
			Processing: s.Uploads[core.StateCompleted],
		},
	}
	o.Disk.FreeBytes = max(o.Disk.FreeBytes, 0) // more may be promised than there is
	for _, d := range s.Destinations {
		line := newLine(d, !s.Paused.IsZero())
		o.Destinations = append(o.Destinations, line)
		o.Queues.Waiting += line.Waiting
		o.Queues.Parked += line.Parked
		o.Queues.Withheld += d.Exports[core.ExportWithheld]
		if line.State == "needs_person" {
			o.NeedsPerson = append(o.NeedsPerson, needOf(line))
		}
	}
	o.NeedsPerson = append(o.NeedsPerson, s.Refused...)
	if s.Broken != "" {
		o.NeedsPerson = append(o.NeedsPerson, "Nothing can be stored: "+s.Broken+". Start Footbridge again; if that does not help, call your technician.")
	}
	if s.Removals > 0 {
		o.NeedsPerson = append(o.NeedsPerson, count(s.Removals, "withdrawn record")+" may still lie in the repository, which did not remove them yet. It is tried again; see footbridge upload show.")
	}
	if s.Regrets > 0 {
		o.NeedsPerson = append(o.NeedsPerson, count(s.Regrets, "participant")+" stopped sharing after records of theirs were sent. Decide what becomes of those: footbridge upload withdraw --pending lists them.")
	}
	if s.NoKey {
		o.NeedsPerson = append(o.NeedsPerson, "There is no key for devices to encrypt to, and nothing that was encrypted can be opened. Make one with footbridge key create, or import the one that is missing.")
	}
	if s.Disk.Paused {
		o.NeedsPerson = append(o.NeedsPerson, "The disk is full: "+Bytes(o.Disk.FreeBytes)+" are free and "+Bytes(s.Disk.FloorBytes)+" must stay free. Devices keep their data until there is room.")
	}
	o.State, o.Sentence = summary(o, s)
	return o
}

func newLine(d Destination, paused bool) DestinationLine {
	line := DestinationLine{
		Destination: d.ID, State: "ok", Waiting: d.Exports[core.ExportWaiting],
		Parked: d.Exports[core.ExportParked], Exported: d.Exports[core.ExportExported],
		Since: stated(d.Oldest), LastSuccess: stated(d.LastSuccess),
	}
	switch {
	case line.Parked > 0 || needsPerson(d.Reason):
		line.State, line.Reason, line.NextTry = "needs_person", d.Reason, stated(d.NextTry)
	case paused:
		line.State, line.Reason = "paused", core.ReasonPaused
	case d.Reason != core.ReasonNone:
		line.State, line.Reason, line.NextTry = "waiting", d.Reason, stated(d.NextTry)
	case line.Waiting > 0:
		line.State = "sending"
	}
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
func needsPerson(r core.ExportReason) bool {
	return r == core.ReasonRepositoryRefused || r == core.ReasonRepositoryChanged
}

func needOf(line DestinationLine) string {
	if line.Reason == core.ReasonRepositoryChanged {
		return fmt.Sprintf("The repository does not hold the project of %s any more. Connect the right disk or folder; if this one is meant, make the project anew (footbridge study create-project) and send again what it had (footbridge sync reconcile --repair).", line.Destination)
	}
	if line.Reason == core.ReasonRepositoryRefused {
		return fmt.Sprintf("The repository does not let Footbridge write to %s. Ask whoever looks after it for permission, and see that its token or key is still good.", line.Destination)
	}
	if line.Parked == 1 {
		return fmt.Sprintf("1 record for %s cannot be sent and waits for a decision.", line.Destination)
	}
	return fmt.Sprintf("%d records for %s cannot be sent and wait for a decision.", line.Parked, line.Destination)
}

func summary(o Overview, s Snapshot) (state, sentence string) {
	var waits []string
	for _, line := range o.Destinations {
		if line.State == "waiting" {
			what := "the tables"
			if line.Waiting > 0 {
				what = count(line.Waiting, "record")
			}
			waits = append(waits, fmt.Sprintf("%s for %s%s: %s", what, line.Destination, age(line.Since, s.Now), Reason(line.Reason)))
		}
	}
	switch {
	case len(o.NeedsPerson) > 0:
		return "needs_person", strings.Join(o.NeedsPerson, " ")
	case !s.Paused.IsZero():
		return "waiting", "Sending is paused: " + count(o.Queues.Waiting, "record") + " held back. Send again with footbridge sync resume."
	case len(waits) > 0:
		return "waiting", "Waiting: " + strings.Join(waits, "; ") + "."
	case o.Queues.Processing+o.Queues.Waiting > 0:
		return "working", working(o.Queues)
	}
	exported := 0
	for _, line := range o.Destinations {
		exported += line.Exported
	}
	return "ok", fmt.Sprintf("All is well: nothing waits, %s in the repository.", count(exported, "record"))
}

// working says what moves.
func working(q Queues) string {
	var parts []string
	if q.Processing > 0 {
		parts = append(parts, count(q.Processing, "upload")+" being processed")
	}
	if q.Waiting > 0 {
		parts = append(parts, count(q.Waiting, "record")+" being sent")
	}
	return strings.Join(parts, ", ") + "."
}

// age says how long the oldest has waited, where that is over a minute.
func age(since *time.Time, now time.Time) string {
	if since == nil || now.Sub(*since) < time.Minute {
		return ""
	}
	return ", the oldest for " + span(now.Sub(*since))
}

// span says how long something lasted.
func span(lasted time.Duration) string {
	switch {
	case lasted < time.Hour:
		return count(int(lasted.Minutes()), "minute")
	case lasted < 48*time.Hour:
		return count(int(lasted.Hours()), "hour")
	}
	return count(int(lasted.Hours()/24), "day")
}

// Reason says in words why a record is not in the repository.
func Reason(r core.ExportReason) string {
	switch r {
	case core.ReasonNoSharingAtUpload:
		return "the participant shared with nobody when they uploaded it, so it is never sent"
	case core.ReasonNoSharingNow:
		return "the participant shares with nobody at present"
	case core.ReasonWithdrawn:
		return "it was withdrawn"
	case core.ReasonNoStudyConfigured:
		return "no study of the participant is configured for export"
	case core.ReasonPaused:
		return "sending is paused; footbridge sync resume sends again"
	case core.ReasonOutsideHours:
		return "the settings say that records are sent at another time of day"
	case core.ReasonProjectPending:
		return "the project is not made yet; it is as soon as the repository answers"
	case core.ReasonRepositoryAway:
		return "the repository cannot be reached"
	case core.ReasonRepositoryRefused:
		return "the repository does not let Footbridge write there"
	case core.ReasonRepositoryChanged:
		return "the repository is another one: it does not hold the project"
	case core.ReasonRepositoryInvalid:
		return "the repository does not take this record as it is; the log says why"
	case core.ReasonBytesDamaged:
		return "the stored bytes are damaged"
	case core.ReasonNeedsKey:
		return "the key that opens it is gone from this site"
	case core.ReasonValidationFailed:
		return "the file could not be opened; the messages of the upload say why"
	}
	return "it will be sent"
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Bytes writes a size for people.
func Bytes(n int64) string {
	units := []string{"byte", "KiB", "MiB", "GiB", "TiB"}
	size, unit := float64(n), 0
	for size >= 1023.95 && unit < len(units)-1 { // what would be written as 1024.0 is 1.0 of the next
		size, unit = size/1024, unit+1
	}
	if unit == 0 {
		return count(int(n), "byte")
	}
	return fmt.Sprintf("%.1f %s", size, units[unit])
}
