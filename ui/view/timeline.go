package view

import (
	"slices"
	"time"

	"footbridge/core"
)

// Stage is one stage of an upload's way.
type Stage struct {
	Name        string             `json:"name"`  // asked, received, completed, processed or sent
	State       string             `json:"state"` // done, now, ahead, stopped
	Destination core.DestinationID `json:"destination,omitempty"`
	At          *time.Time         `json:"at,omitempty"`
	Sentence    string             `json:"sentence"`
}

// UploadDetail is one upload with all that a person should know of it.
type UploadDetail struct {
	UploadRow
	Bytes     int64          `json:"bytes"`
	Encrypted bool           `json:"encrypted"`
	Studies   []core.StudyID `json:"studies"`
	Stages    []Stage        `json:"stages"`
	Messages  []string       `json:"messages"`
	Past      int            `json:"past,omitempty"` // how many of them, from the first, are of processing before the last
	Retry     bool           `json:"retry"`          // sending it again may help
	Redrive   bool           `json:"redrive"`        // its bytes are here, to be processed again

	Dossier *Dossier `json:"dossier,omitempty"` // what is known of its record; nil where it has none
}

// NewUploadDetail describes an upload of a participant whose record has these exports to
// a reader.
func NewUploadDetail(u core.Upload, exports []core.Export, participant string, r Reader) UploadDetail {
	d := UploadDetail{
		UploadRow: NewUploadRow(u, exports, participant, r), Bytes: u.Request.ContentLength, Encrypted: u.Request.Encrypted,
		Studies: []core.StudyID{}, Messages: []string{},
		Past: u.Past, Redrive: u.Blob != nil && u.State != core.StateDuplicate,
	}
	for _, message := range u.Messages {
		d.Messages = append(d.Messages, r.Message(message))
	}
	if u.Facts != nil {
		d.Studies = append(d.Studies, u.Facts.Studies...)
	}
	for _, e := range exports {
		d.Retry = d.Retry || e.State == core.ExportParked || e.State == core.ExportWaiting && e.Reason != core.ReasonPaused
	}
	d.Stages = append(r.arrival(u), r.outcome(u))
	if u.State == core.StateDuplicate {
		d.Stages = append(d.Stages[:1], Stage{Name: "received", State: "stopped", Sentence: r.Say("stage.received.duplicate", "upload", u.DuplicateOf)})
		return d
	}
	for _, e := range exports {
		d.Stages = append(d.Stages, r.sending(e))
	}
	if u.State == core.StateSucceeded && len(exports) == 0 {
		d.Stages = append(d.Stages, Stage{Name: "sent", State: "stopped", Sentence: r.Say("stage.sent.nowhere", "why", r.Reason(core.ReasonNoStudyConfigured))})
	}
	return d
}

// arrival tells how an upload came.
func (r Reader) arrival(u core.Upload) []Stage {
	asked := Stage{Name: "asked", State: "done", At: stated(u.RequestedOn), Sentence: r.Say("stage.asked.done", "size", r.Bytes(u.Request.ContentLength))}
	received := Stage{Name: "received", State: "done", Sentence: r.Say("stage.received.done")}
	completed := Stage{Name: "completed", State: "done", Sentence: r.Say("stage.completed.done")}
	switch {
	case u.Blob == nil:
		received.State, received.Sentence = "now", r.Say("stage.received.now")
		completed.State, completed.Sentence = "ahead", r.Say("stage.completed.ahead")
	case u.Facts == nil:
		completed.State, completed.Sentence = "now", r.Say("stage.completed.now")
	default:
		completed.At = stated(u.Facts.UploadedOn)
	}
	return []Stage{asked, received, completed}
}

// outcome tells what processing found.
func (r Reader) outcome(u core.Upload) Stage {
	s := Stage{Name: "processed", State: "ahead", Sentence: r.Say("stage.processed.ahead")}
	switch u.State {
	case core.StateCompleted:
		s.State, s.Sentence = "now", r.Say("stage.processed.now")
	case core.StateFailed:
		s.State, s.At, s.Sentence = "stopped", stated(u.ProcessedOn), r.Say("stage.processed.stopped", "message", r.refusal(u))
		if !u.GivenUp.IsZero() {
			s.Sentence += " " + r.Say("stage.processed.given_up", "since", r.When(u.GivenUp))
		}
	case core.StateSucceeded:
		s.State, s.At, s.Sentence = "done", stated(u.ProcessedOn), r.Say("stage.processed.done")
	}
	return s
}

// sending tells where the record stands at one destination.
func (r Reader) sending(e core.Export) Stage {
	s := Stage{Name: "sent", State: "now", Destination: e.Destination, At: stated(e.Since), Sentence: r.standing(e)}
	switch e.State {
	case core.ExportExported:
		s.State = "done"
	case core.ExportParked, core.ExportWithheld:
		s.State = "stopped"
	}
	return s
}

// Unsent reports whether there is no record of the upload that could be at a destination.
func (d UploadDetail) Unsent() bool {
	return !slices.ContainsFunc(d.Stages, func(s Stage) bool { return s.Name == "sent" })
}

// Over reports whether nothing more happens to the upload by itself.
func (d UploadDetail) Over() bool {
	for _, s := range d.Stages {
		if s.State == "now" || s.State == "ahead" {
			return false
		}
	}
	return len(d.Stages) > 0
}
