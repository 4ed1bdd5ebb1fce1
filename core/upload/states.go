package upload

import (
	"errors"
	"fmt"
	"time"

	"footbridge/core"
	"footbridge/core/schedule"
)

// The rules here are:
//
//	requested ── bytes durable ──▶ received ── complete ──▶ completed ── processed ──▶ succeeded | failed
//	failed ── redrive ──▶ completed      succeeded ── redrive by staff ──▶ completed
//	duplicate ── redrive ──▶ completed
//
// Every other call changes nothing. Each function is a pure transition, run by
// the store inside one transaction.

var (
	// ErrNothingReceived says that complete was called before any bytes came.
	ErrNothingReceived = fmt.Errorf("no bytes were uploaded: %w", core.ErrNotFound)

	// ErrNotAsAgreed says that a PUT's headers differ from its slot.
	ErrNotAsAgreed = errors.New("the request differs from what was agreed for this slot")

	// errUnchanged ends a transaction that has nothing to do.
	errUnchanged = errors.New("nothing to do")
)

// receive takes durable bytes. Bytes that came before are kept: they are equal,
// or the new ones would not have passed.
func receive(u *core.Upload, blob core.Blob) error {
	if u.Blob != nil {
		if u.Blob.Digest != blob.Digest {
			return core.ErrDigestMismatch
		}
		return errUnchanged
	}
	u.Blob = &blob
	if u.State == core.StateRequested {
		u.State = core.StateReceived
	}
	return nil
}

// Completion is who completes an upload, when, and whether it is a redrive.
type Completion struct {
	By        core.CompletedBy
	Staff     bool // may redrive what succeeded
	Redrive   bool
	UserAgent string // used where the slot request had none
	Client    string // client info as compact JSON, likewise
	On        time.Time
	Zone      *time.Location // of the date folder
}

// complete freezes the facts, links the upload to what its participant did, and
// makes it due for processing.
func complete(u *core.Upload, standing core.Standing, c Completion) error {
	switch u.State {
	case core.StateRequested:
		return ErrNothingReceived
	case core.StateReceived:
	case core.StateSucceeded:
		if c.Redrive && !c.Staff {
			return fmt.Errorf("redrive an upload that succeeded: %w", core.ErrForbidden)
		}
		if !c.Redrive {
			return errUnchanged
		}
	case core.StateFailed, core.StateDuplicate:
		if !c.Redrive {
			return errUnchanged
		}
	default:
		return errUnchanged
	}
	if u.Blob == nil {
		return ErrNothingReceived
	}
	if u.Facts == nil {
		freeze(u, standing, c)
		schedule.Link(*u, standing.Activities) // once: what staff delete stays deleted
	} else {
		join(u, standing)
	}
	u.State, u.CompletedBy, u.Past, u.GivenUp = core.StateCompleted, c.By, len(u.Messages), time.Time{}
	return nil
}

// Settle takes in what processing found and says where the record stands at
// each of its destinations.
func Settle(u *core.Upload, outcome core.Outcome, now time.Time) ([]core.Export, error) {
	if u.State != core.StateCompleted {
		return nil, fmt.Errorf("settle an upload that is %s: %w", u.State, core.ErrConflict)
	}
	for _, reason := range outcome.Reasons {
		u.Messages = append(u.Messages, reason.Message)
	}
	u.ProcessedOn = now
	if u.Envelope == "" {
		u.Envelope = outcome.Envelope
	}
	if outcome.Verdict == core.Rejected {
		u.State = core.StateFailed
		return nil, nil
	}
	u.State, u.Record = core.StateSucceeded, outcome.Record
	return exports(u, now), nil
}

func exports(u *core.Upload, now time.Time) []core.Export {
	planned := map[core.DestinationID]bool{}
	var all []core.Export
	add := func(e core.Export) {
		if !planned[e.Destination] {
			planned[e.Destination] = true
			all = append(all, e)
		}
	}
	for _, d := range u.Facts.Destinations {
		add(export(u, d, now))
	}
	for _, study := range u.Facts.Studies {
		add(core.Export{Record: u.ID, Destination: core.DestinationID(study), State: core.ExportWithheld, Reason: core.ReasonNoStudyConfigured, Since: now})
	}
	return all
}

// export is where a record stands at a destination that nothing was sent to.
func export(u *core.Upload, d core.DestinationID, now time.Time) core.Export {
	e := core.Export{Record: u.ID, Destination: d, State: core.ExportWaiting, Since: now}
	if !u.Facts.SharingScope.Allows() {
		e.State, e.Reason = core.ExportWithheld, core.ReasonNoSharingAtUpload
	}
	return e
}
