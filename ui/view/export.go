package view

import (
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

// NewExportLines describes the exports of one record to a reader.
func NewExportLines(exports []core.Export, r Reader) []ExportLine {
	lines := []ExportLine{}
	for _, e := range exports {
		lines = append(lines, ExportLine{e.Destination, e.State, e.Reason, e.Why, r.standing(e), e.Step, stated(e.Since), stated(e.NextTry)})
	}
	return lines
}

// standing says where a record stands at a destination.
func (r Reader) standing(e core.Export) string {
	switch {
	case e.State == core.ExportExported:
		return r.Say("export.sent", "destination", e.Destination)
	case e.State == core.ExportParked:
		return r.mended(r.sayFrom("export.parked", e.Since, "destination", e.Destination, "why", r.said(r.Reason(e.Reason), e.Why), "retry", r.retry()), e.Reason)
	case e.Reason == core.ReasonWithdrawn && e.Step != core.StepNone:
		return r.Say("export.withdrawing", "destination", e.Destination)
	case e.Reason == core.ReasonWithdrawn:
		return r.Say("export.withdrawn", "destination", e.Destination)
	case e.State == core.ExportWithheld:
		return r.sayFrom("export.withheld", e.Since, "destination", e.Destination, "why", r.Reason(e.Reason))
	case e.Reason == core.ReasonNone:
		return r.sayFrom("export.moving", e.Since, "destination", e.Destination)
	}
	why := r.again(r.why(e.Reason, e.Cause), e.NextTry)
	return r.remedied(r.sayFrom("export.waiting", e.Since, "destination", e.Destination, "why", why), decisive(e.Reason, e.Cause))
}
