package view

import (
	"strings"
	"time"

	"footbridge/core"
)

// Standing is where an upload stands, from the device to the repository. Stable, for
// programs.
type Standing string

// The standings, in the order that an upload walks through them; the last four are
// ends that are not the repository.
const (
	StandingExpected   Standing = "expected"     // a device announced it
	StandingReceived   Standing = "received"     // its bytes are safe, the device has not said that it is done
	StandingProcessing Standing = "processing"   // it is being opened and checked
	StandingWaiting    Standing = "waiting"      // its record is to be sent
	StandingSent       Standing = "sent"         // its record is wherever it should be
	StandingKept       Standing = "kept"         // consent, configuration or a person's word keeps it here
	StandingPerson     Standing = "needs_person" // its record cannot be sent without someone's help
	StandingRefused    Standing = "refused"      // it could not be opened; its bytes are kept
	StandingDuplicate  Standing = "duplicate"    // the same bytes came before
)

// Standings lists every standing, in their order.
func Standings() []Standing {
	return []Standing{
		StandingExpected, StandingReceived, StandingProcessing, StandingWaiting, StandingSent,
		StandingKept, StandingPerson, StandingRefused, StandingDuplicate,
	}
}

// StandingOf says where an upload stands whose record has these exports.
func StandingOf(u core.Upload, exports []core.Export) Standing {
	switch u.State {
	case core.StateRequested:
		return StandingExpected
	case core.StateReceived:
		return StandingReceived
	case core.StateCompleted:
		return StandingProcessing
	case core.StateFailed:
		if !u.GivenUp.IsZero() {
			return StandingKept
		}
		return StandingRefused
	case core.StateDuplicate:
		return StandingDuplicate
	}
	e, ok := decides(exports)
	switch {
	case !ok || e.State == core.ExportWithheld:
		return StandingKept
	case e.State == core.ExportParked:
		return StandingPerson
	case e.State == core.ExportWaiting:
		return StandingWaiting
	}
	return StandingSent
}

// decides is the export that a person should know of first; false where there is none.
func decides(exports []core.Export) (core.Export, bool) {
	for _, state := range []core.ExportState{core.ExportParked, core.ExportWaiting, core.ExportExported, core.ExportWithheld} {
		for _, e := range exports {
			if e.State == state {
				return e, true
			}
		}
	}
	return core.Export{}, false
}

// UploadRow is one upload in a list.
type UploadRow struct {
	ID          core.UploadID `json:"id"`
	File        string        `json:"file"`
	Participant string        `json:"participant,omitempty"` // external id
	RequestedOn time.Time     `json:"requestedOn"`
	Standing    Standing      `json:"standing"`
	Sentence    string        `json:"sentence,omitempty"` // what it waits for, or why it went no further
}

// NewUploadRow describes an upload of a participant whose record has these exports to a
// reader.
func NewUploadRow(u core.Upload, exports []core.Export, participant string, r Reader) UploadRow {
	row := UploadRow{
		ID: u.ID, File: u.Request.Name, Participant: participant,
		RequestedOn: u.RequestedOn.UTC().Truncate(time.Millisecond), Standing: StandingOf(u, exports),
	}
	e, _ := decides(exports)
	switch row.Standing {
	case StandingExpected:
		row.Sentence = r.Say("row.expected")
	case StandingReceived:
		row.Sentence = r.Say("row.received")
	case StandingRefused:
		row.Sentence = r.refusal(u)
	case StandingKept:
		row.Sentence = r.keeps(u, e)
	case StandingPerson:
		row.Sentence = sentence(r.said(r.Reason(e.Reason), e.Why))
	case StandingWaiting:
		row.Sentence = sentence(r.again(r.why(e.Reason, e.Cause), e.NextTry))
	}
	return row
}

// keeps is what keeps an upload here whose export is this one, if it has any.
func (r Reader) keeps(u core.Upload, e core.Export) string {
	switch {
	case !u.GivenUp.IsZero():
		return r.Say("row.given_up")
	case e.Record == "":
		return sentence(r.Reason(core.ReasonNoStudyConfigured))
	}
	return sentence(r.Reason(e.Reason))
}

// refusal is why an upload could not be opened when that was tried last.
func (r Reader) refusal(u core.Upload) string {
	if len(u.Messages) <= u.Past {
		return r.Say("row.silent")
	}
	return r.Message(u.Messages[u.Past])
}

// UploadQuery says which uploads a list shows, the newest first.
type UploadQuery struct {
	Standing Standing      // empty: any
	Study    core.StudyID  // empty: any
	Text     string        // in the file's name or the participant's external id, or at the beginning of the id
	Since    time.Time     // requested from then on; zero: from ever
	Until    time.Time     // and before then; zero: until now
	Before   core.UploadID // the first of them, where a page told of a next one; empty: from the newest
	Size     int           // how many at most; 0: 100
}

// Span is the uploads among which those lie that the query names, by when they were
// requested and where the page begins.
func (q UploadQuery) Span() core.Span {
	span := core.Span{Last: q.Before}
	if !q.Since.IsZero() {
		span.First = core.Between(q.Since, q.Since).First
	}
	if !q.Until.IsZero() {
		until := q.Until.Add(-time.Millisecond)
		if last := core.Between(until, until).Last; span.Last == "" || last < span.Last {
			span.Last = last
		}
	}
	return span
}

// Shows reports whether a row is among those that the query names; its study and its
// time are not looked at.
func (q UploadQuery) Shows(row UploadRow) bool {
	if q.Standing != "" && row.Standing != q.Standing {
		return false
	}
	text := strings.ToLower(strings.TrimSpace(q.Text))
	for _, field := range []string{row.File, row.Participant} {
		if strings.Contains(strings.ToLower(field), text) {
			return true
		}
	}
	return strings.HasPrefix(strings.ToLower(string(row.ID)), text) // a list does not show it, and would not say why
}

// UploadPage is a part of a list. It may be short, or empty, and there may be more
// all the same: so many uploads are looked at for one page, and no more.
type UploadPage struct {
	Rows []UploadRow   `json:"rows"`
	Next core.UploadID `json:"next,omitempty"` // where the next page begins; empty: there is none
}
