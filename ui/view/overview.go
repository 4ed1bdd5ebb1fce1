package view

import (
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
	Zone         string                        // by whose clock
	Synapse      bool                          // that is what the repository is, rather than folders and files
	Folder       string                        // that is what the repository is, there or not; empty where it is none of this machine
	Refused      map[core.DestinationID]string // why nothing goes there until a person has done something, as part of a sentence
	Untaken      []string                      // participant versions that a table never takes, as sentences
	Unfit        int                           // files that the inbox refused and that still lie there
	GivenUp      int                           // uploads that could not be opened, and that a person gave up
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
	Needs        []Need            `json:"needs"` // the same, and where the window helps
	Queues       Queues            `json:"queues"`
	Disk         Disk              `json:"disk"`
	Paused       bool              `json:"paused,omitempty"` // a person holds sending up
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

// NewOverview sums up a snapshot for a reader.
func NewOverview(s Snapshot, r Reader) Overview {
	o := Overview{
		State: "ok", NeedsPerson: []string{}, Needs: []Need{}, Disk: s.Disk, Paused: !s.Paused.IsZero(), Destinations: []DestinationLine{},
		Queues: Queues{
			Requested:  s.Uploads[core.StateRequested] + s.Uploads[core.StateReceived],
			Processing: s.Uploads[core.StateCompleted], Refused: s.Uploads[core.StateFailed], Withheld: s.GivenUp,
		},
	}
	o.Disk.FreeBytes = max(o.Disk.FreeBytes, 0) // more may be promised than there is
	for _, d := range s.Destinations {
		line := r.line(d, o.Paused)
		o.Destinations = append(o.Destinations, line)
		o.Queues.Waiting += line.Waiting
		o.Queues.Parked += line.Parked
		o.Queues.Withheld += d.Exports[core.ExportWithheld]
		for _, need := range r.needs(line, d, s) {
			if !slices.Contains(o.Needs, need) {
				o.Needs = append(o.Needs, need)
			}
		}
	}
	o.Needs = append(o.Needs, r.siteNeeds(s)...)
	for _, need := range o.Needs {
		o.NeedsPerson = append(o.NeedsPerson, need.Sentence)
	}
	o.State, o.Sentence = r.summary(o, s)
	return o
}

// siteNeeds says what a person has to do for the site as a whole.
func (r Reader) siteNeeds(s Snapshot) []Need {
	var all []Need
	for _, id := range slices.Sorted(maps.Keys(s.Refused)) {
		all = append(all, Need{"closed " + string(id), r.Say("need.closed", "destination", id, "why", r.Message(s.Refused[id])), PlaceStudy})
	}
	for _, untaken := range s.Untaken {
		all = append(all, Need{"untaken " + untaken, r.Message(untaken), PlaceNone})
	}
	if s.Broken != "" {
		all = append(all, Need{"broken", r.Say("need.broken", "why", s.Broken), PlaceNone})
	}
	if s.Removals > 0 {
		all = append(all, Need{"removals", r.Count("need.removals", s.Removals, "show", "footbridge upload show"), PlaceNone})
	}
	if s.Regrets > 0 {
		all = append(all, Need{"regrets", r.Count("need.regrets", s.Regrets, "list", "footbridge upload withdraw --pending"), PlaceSending})
	}
	if s.Unfit > 0 {
		all = append(all, Need{"unfit", r.Count("need.unfit", s.Unfit, "folder", "inbox/refused", "inbox", "inbox"), PlaceNone})
	}
	if s.NoKey {
		all = append(all, Need{"key", r.Say("need.key", "make", "footbridge key create"), PlaceStudy})
	}
	if s.Disk.Paused {
		floor := r.SettingName(Setting{Key: "uploads.free_space_floor"})
		all = append(all, Need{"room", r.Say("need.room", "free", r.Bytes(max(s.Disk.FreeBytes, 0)), "floor", r.Bytes(s.Disk.FloorBytes), "setting", floor), PlaceSettings})
	}
	return all
}

func (r Reader) summary(o Overview, s Snapshot) (state, sentence string) {
	waits, paused := r.waits(o, s), ""
	if !s.Paused.IsZero() {
		paused = r.Count("summary.paused", o.Queues.Waiting, "since", r.Moment(s.Paused), "resume", r.resume())
	}
	switch {
	case len(o.NeedsPerson) > 0:
		return "needs_person", strings.TrimSpace(strings.Join(o.NeedsPerson, " ") + " " + paused)
	case paused != "":
		return "waiting", paused
	case len(waits) > 0:
		sentence := r.Say("summary.waiting", "all", strings.Join(waits, r.Say("wait.joint")))
		if s.Hours != "" {
			sentence += " " + r.Say("summary.hours", "hours", s.Hours, "zone", s.Zone, "setting", "sync.hours")
		}
		return "waiting", sentence
	case o.Queues.Processing+o.Queues.Waiting > 0:
		return "working", r.working(o.Queues)
	}
	exported := 0
	for _, line := range o.Destinations {
		exported += line.Exported
	}
	if o.Queues.Refused > 0 { // some will never be, but who reads on should know
		return "ok", r.Count("summary.refused", o.Queues.Refused, "records", r.Count("count.record", exported), "where", r.refused())
	}
	return "ok", r.Count("summary.well", exported)
}

// waits says of each destination that waits what is for it, and why.
func (r Reader) waits(o Overview, s Snapshot) []string {
	var all []string
	for i, line := range o.Destinations {
		if line.State != "waiting" {
			continue
		}
		what := r.Say("wait.tables")
		switch {
		case line.Waiting > 0:
			what = r.Count("count.record", line.Waiting)
		case line.Reason == core.ReasonProjectPending:
			what = r.Say("wait.project")
		}
		why := r.why(line.Reason, s.Destinations[i].Cause)
		if line.Since != nil && s.Now.Sub(*line.Since) >= time.Minute {
			all = append(all, r.Say("wait.long", "what", what, "destination", line.Destination, "span", r.span(s.Now.Sub(*line.Since)), "why", why))
		} else {
			all = append(all, r.Say("wait.short", "what", what, "destination", line.Destination, "why", why))
		}
	}
	return all
}

// working says what moves.
func (r Reader) working(q Queues) string {
	var parts []string
	if q.Processing > 0 {
		parts = append(parts, r.Count("summary.processing", q.Processing))
	}
	if q.Waiting > 0 {
		parts = append(parts, r.Count("summary.sending", q.Waiting))
	}
	return sentence(parts...)
}
