package view

import (
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

// Words says the state of a stage.
func (s Stage) Words() string {
	return map[string]string{"done": "Done", "now": "Now", "ahead": "Not yet", "stopped": "Stopped"}[s.State]
}

// UploadDetail is one upload with all that a person should know of it.
type UploadDetail struct {
	UploadRow
	Bytes     int64          `json:"bytes"`
	Encrypted bool           `json:"encrypted"`
	Studies   []core.StudyID `json:"studies"`
	Stages    []Stage        `json:"stages"`
	Messages  []string       `json:"messages"`
	Retry     bool           `json:"retry"`   // sending it again may help
	Redrive   bool           `json:"redrive"` // its bytes are here, to be processed again
}

// NewUploadDetail describes an upload of a participant whose record has these exports.
func NewUploadDetail(u core.Upload, exports []core.Export, participant string) UploadDetail {
	d := UploadDetail{
		UploadRow: NewUploadRow(u, exports, participant), Bytes: u.Request.ContentLength, Encrypted: u.Request.Encrypted,
		Studies: []core.StudyID{}, Messages: append([]string{}, u.Messages...),
		Redrive: u.Blob != nil && u.State != core.StateDuplicate,
	}
	if u.Facts != nil {
		d.Studies = append(d.Studies, u.Facts.Studies...)
	}
	for _, e := range exports {
		d.Retry = d.Retry || e.State == core.ExportParked || e.State == core.ExportWaiting && e.Reason != core.ReasonPaused
	}
	d.Stages = append(arrival(u), outcome(u))
	if u.State == core.StateDuplicate {
		d.Stages = append(d.Stages[:1], Stage{Name: "received", State: "stopped", Sentence: "The same bytes came before, as upload " + string(u.DuplicateOf) + ": nothing is to be done."})
		return d
	}
	for _, e := range exports {
		d.Stages = append(d.Stages, sending(e))
	}
	if u.State == core.StateSucceeded && len(exports) == 0 {
		d.Stages = append(d.Stages, Stage{Name: "sent", State: "stopped", Sentence: "Not sent: " + Reason(core.ReasonNoStudyConfigured) + "."})
	}
	return d
}

// arrival tells how an upload came.
func arrival(u core.Upload) []Stage {
	asked := Stage{Name: "asked", State: "done", At: stated(u.RequestedOn), Sentence: "The device asked to send " + Bytes(u.Request.ContentLength) + "."}
	received := Stage{Name: "received", State: "done", Sentence: "The bytes are safe on this computer."}
	completed := Stage{Name: "completed", State: "done", Sentence: "The device said that it is done."}
	switch {
	case u.Blob == nil:
		received.State, received.Sentence = "now", "The bytes have not come yet."
		completed.State, completed.Sentence = "ahead", "The device says that it is done."
	case u.Facts == nil:
		completed.State, completed.Sentence = "now", "The device has not said that it is done. It asks again by itself, or its app must be opened."
	default:
		completed.At = stated(u.Facts.UploadedOn)
	}
	return []Stage{asked, received, completed}
}

// outcome tells what processing found.
func outcome(u core.Upload) Stage {
	s := Stage{Name: "processed", State: "ahead", Sentence: "The file is opened and checked."}
	switch u.State {
	case core.StateCompleted:
		s.State, s.Sentence = "now", "The file is being opened and checked."
	case core.StateFailed:
		s.State, s.Sentence = "stopped", "The file could not be opened, and is kept as it is. "+firstMessage(u.Messages)
	case core.StateSucceeded:
		s.State, s.Sentence = "done", "The file was opened and checked, and is a record."
	}
	return s
}

// sending tells where the record stands at one destination.
func sending(e core.Export) Stage {
	s := Stage{Name: "sent", State: "now", Destination: e.Destination, At: stated(e.Since), Sentence: standing(e)}
	switch e.State {
	case core.ExportExported:
		s.State = "done"
	case core.ExportParked, core.ExportWithheld:
		s.State = "stopped"
	}
	return s
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
