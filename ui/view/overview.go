package view

import (
	"fmt"
	"maps"
	"slices"
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
	Paused       time.Time                     // since when a person holds sending up; zero: nobody does
	Removals     int                           // withdrawn records that may still lie in the repository
	Regrets      int                           // participants who share no more, after records of theirs were sent
	Broken       string                        // why nothing can be stored; empty where it can
	Hours        string                        // when records are sent, where now they are not
	Synapse      bool                          // that is what the repository is, rather than folders and files
	Refused      map[core.DestinationID]string // why nothing goes there until a person has done something, as part of a sentence
	Untaken      []string                      // participant versions that a table never takes, as sentences
	Unfit        int                           // files that the inbox refused and that still lie there
	NoKey        bool                          // there is no key for devices to encrypt to
}

// Disk is the room that uploads have.
type Disk struct {
	FreeBytes  int64 `json:"freeBytes"`
	FloorBytes int64 `json:"floorBytes"`
	Paused     bool  `json:"paused"` // no slots are given out
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
	Refused    int `json:"refused"` // could not be opened
}

// NewOverview sums up a snapshot.
func NewOverview(s Snapshot) Overview {
	o := Overview{
		State: "ok", NeedsPerson: []string{}, Disk: s.Disk, Destinations: []DestinationLine{},
		Queues: Queues{
			Requested:  s.Uploads[core.StateRequested] + s.Uploads[core.StateReceived],
			Processing: s.Uploads[core.StateCompleted], Refused: s.Uploads[core.StateFailed],
		},
	}
	o.Disk.FreeBytes = max(o.Disk.FreeBytes, 0) // more may be promised than there is
	for _, d := range s.Destinations {
		line := newLine(d, !s.Paused.IsZero())
		o.Destinations = append(o.Destinations, line)
		o.Queues.Waiting += line.Waiting
		o.Queues.Parked += line.Parked
		o.Queues.Withheld += d.Exports[core.ExportWithheld]
		for _, need := range needs(line, d, s) {
			if !slices.Contains(o.NeedsPerson, need) {
				o.NeedsPerson = append(o.NeedsPerson, need)
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(s.Refused)) {
		o.NeedsPerson = append(o.NeedsPerson, "What is for "+string(id)+" waits: "+s.Refused[id]+".")
	}
	o.NeedsPerson = append(o.NeedsPerson, s.Untaken...)
	if s.Broken != "" {
		o.NeedsPerson = append(o.NeedsPerson, "Nothing can be stored: "+s.Broken+". Start Footbridge again; if that does not help, call your technician.")
	}
	if s.Removals > 0 {
		o.NeedsPerson = append(o.NeedsPerson, count(s.Removals, "withdrawn record")+" may still lie in the repository, which did not remove them yet. It is tried again; see footbridge upload show.")
	}
	if s.Regrets > 0 {
		o.NeedsPerson = append(o.NeedsPerson, count(s.Regrets, "participant")+" stopped sharing after records of theirs were sent. Decide what becomes of those: footbridge upload withdraw --pending lists them.")
	}
	if s.Unfit > 0 {
		o.NeedsPerson = append(o.NeedsPerson, count(s.Unfit, "file")+" in inbox/refused: the texts beside them say why. Put them right into the inbox again, or take them away.")
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

func summary(o Overview, s Snapshot) (state, sentence string) {
	var waits []string
	for i, line := range o.Destinations {
		if line.State == "waiting" {
			what := "the tables"
			switch {
			case line.Waiting > 0:
				what = count(line.Waiting, "record")
			case line.Reason == core.ReasonProjectPending:
				what = "the project"
			}
			waits = append(waits, fmt.Sprintf("%s for %s%s: %s", what, line.Destination, age(line.Since, s.Now), why(line.Reason, s.Destinations[i].Cause)))
		}
	}
	switch {
	case len(o.NeedsPerson) > 0:
		return "needs_person", strings.Join(o.NeedsPerson, " ")
	case !s.Paused.IsZero():
		return "waiting", "Sending is paused" + since(s.Paused) + ": " + count(o.Queues.Waiting, "record") + " held back. Send again with footbridge sync resume."
	case len(waits) > 0:
		sentence := "Waiting: " + strings.Join(waits, "; ") + "."
		if s.Hours != "" {
			sentence += " The hours are " + s.Hours + " (sync.hours)."
		}
		return "waiting", sentence
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
