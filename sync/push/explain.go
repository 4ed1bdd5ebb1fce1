package push

import (
	"time"

	"footbridge/core"
)

// The rules here are: what waits says why, since when and when it is tried next. Why
// is what holds it up now, which need not be what it met when it was tried last; it
// cannot have waited for longer than it is there.

// Explain fills in what an export waits for where that is no fault of its own:
// nothing is sent at present, its destination rests, the repository is asked again this
// moment, its participant version goes first, or its own turn to fail has not come.
func (w *Worker) Explain(e core.Export) core.Export {
	if e.State != core.ExportWaiting {
		return e
	}
	if reason, since, until := w.shut(); reason != core.ReasonNone {
		if !until.IsZero() {
			until = later(until, e.NextTry)
		}
		e.Reason, e.Cause, e.Since, e.NextTry = reason, core.ReasonNone, later(e.Since, since), until
		return e
	}
	now := w.config.Now().UTC()
	if rest := w.holdup(e.Destination); rest.reason != core.ReasonNone && !own(e.Reason) {
		if e.Reason != rest.reason || e.Cause != rest.cause {
			e.Reason, e.Cause, e.Since = rest.reason, rest.cause, later(e.Since, rest.since)
		}
		e.NextTry = later(e.NextTry, rest.until)
	}
	if !e.NextTry.After(now) {
		e = w.explainDue(e, now)
	}
	return e
}

// explainDue does so where nothing but the table or its turn can hold an export up.
func (w *Worker) explainDue(e core.Export, now time.Time) core.Export {
	since, next, awaits := w.config.Outbox.AwaitsVersions(e)
	if most := since.Add(patience); awaits && most.After(now) {
		if e.Reason == core.ReasonNone {
			e.Reason, e.Since = core.ReasonVersionPending, later(e.Since, since)
		}
		e.NextTry = later(now, next)
		if e.NextTry.After(most) {
			e.NextTry = most
		}
	} else if e.Reason != core.ReasonNone {
		e.NextTry = now
	}
	return e
}

// own reports whether a reason is the record's alone, whatever else there is.
func own(r core.ExportReason) bool {
	return r == core.ReasonBytesDamaged || r == core.ReasonNoStudyConfigured
}

// shut is why nothing is sent at present, since when, and until when if that is
// known.
func (w *Worker) shut() (reason core.ExportReason, since, until time.Time) {
	if w.config.Closed == nil {
		return core.ReasonNone, time.Time{}, time.Time{}
	}
	return w.config.Closed()
}
