package view

import (
	"strings"
	"time"

	"footbridge/core"
)

// ExportLine says where a record stands at one destination.
type ExportLine struct {
	Destination  core.DestinationID `json:"destination"`
	ExportState  core.ExportState   `json:"exportState"`
	ExportReason core.ExportReason  `json:"exportReason,omitempty"`
	Why          string             `json:"why,omitempty"` // what the repository said of it
	Sentence     string             `json:"sentence"`
	Step         core.ExportStep    `json:"step,omitempty"` // the last that is done
	Since        *time.Time         `json:"since,omitempty"`
	NextTry      *time.Time         `json:"nextTry,omitempty"`
}

// NewExportLines describes the exports of one record.
func NewExportLines(exports []core.Export) []ExportLine {
	lines := []ExportLine{}
	for _, e := range exports {
		lines = append(lines, ExportLine{e.Destination, e.State, e.Reason, e.Why, standing(e), e.Step, stated(e.Since), stated(e.NextTry)})
	}
	return lines
}

func standing(e core.Export) string {
	to, from := " to "+string(e.Destination), since(e.Since)
	switch {
	case e.State == core.ExportExported:
		return "Sent" + to + "."
	case e.State == core.ExportParked:
		return "Not sent" + to + from + ", and a person is needed: " + Reason(e.Reason) + said(e) + ". Once that is mended, footbridge upload retry sends it."
	case e.Reason == core.ReasonWithdrawn && e.Step != core.StepNone:
		return "Withdrawn from " + string(e.Destination) + ", but it may still be there: withdraw it again."
	case e.Reason == core.ReasonWithdrawn:
		return "Withdrawn from " + string(e.Destination) + "."
	case e.State == core.ExportWithheld:
		return "Not sent" + to + from + ": " + Reason(e.Reason) + "."
	case e.Reason == core.ReasonNone:
		return "On its way" + to + from + "."
	}
	return "Waiting to be sent" + to + from + ": " + why(e.Reason, e.Cause) + again(e.NextTry) + "." + remedy(decisive(e.Reason, e.Cause))
}

// said is what the repository said of a record, as part of a sentence.
func said(e core.Export) string {
	if e.Why == "" {
		return ""
	}
	return " (it says: " + strings.TrimRight(e.Why, ".") + ")"
}
