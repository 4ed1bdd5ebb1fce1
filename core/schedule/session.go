package schedule

import (
	"slices"
	"time"

	"footbridge/core"
)

// The rules here are those of doc.go: a session's record follows its assessments,
// in what no device said of the session itself.

// progress is how far the assessments of one session instance are.
type progress struct {
	started, finished time.Time // zero: not yet
	declined          bool
}

// progressOf looks at the records of a session's assessments for one event. In a
// persistent window an assessment is finished when it was finished once.
func progressOf(a *core.Activities, assessments []string, event time.Time) progress {
	var p progress
	var last time.Time
	finished, declined := 0, 0
	for _, guid := range assessments {
		done, turned := false, false
		for _, record := range a.Records {
			if !of(record, guid, event) || record.Waits() {
				continue
			}
			p.started = earliest(p.started, record.StartedOn)
			if record.FinishedOn.After(last) {
				last = record.FinishedOn
			}
			done = done || !record.FinishedOn.IsZero()
			turned = turned || record.Declined
		}
		switch {
		case done:
			finished++
		case turned:
			declined++
		}
	}
	if len(assessments) == 0 {
		return p
	}
	if finished == len(assessments) {
		p.finished = last
	}
	p.declined = declined == len(assessments)
	return p
}

// derive brings the record of a session up to what its assessments say, where a
// record of the session or of one of them has changed.
func derive(a *core.Activities, guid string, event time.Time) {
	meta := a.Metadata[a.Metadata[guid].SessionInstanceGUID]
	if len(meta.Assessments) == 0 {
		return
	}
	p := progressOf(a, meta.Assessments, event)
	record := core.AdherenceRecord{Study: a.Study, User: a.User, InstanceGUID: meta.SessionInstanceGUID,
		EventTimestamp: event, Derived: true}
	if i := sessionRecord(a, meta.SessionInstanceGUID, event); i >= 0 {
		record = a.Records[i]
		record.Derived = record.Derived || record.Waits()
		a.Records = slices.Delete(a.Records, i, i+1)
	}
	if record.Derived {
		record.StartedOn, record.FinishedOn, record.Declined = p.started, p.finished, p.declined
	} else {
		if record.StartedOn.IsZero() {
			record.StartedOn = p.started
		}
		if record.FinishedOn.IsZero() && !p.finished.Before(record.StartedOn) {
			record.FinishedOn = p.finished
		}
		record.Declined = record.Declined || p.declined
	}
	if record.InstanceTimestamp.IsZero() {
		record.InstanceTimestamp = instanceTimestamp(a, record)
	}
	a.Records = append(a.Records, record)
}

// speak makes what a device says of a session be said of the right record. Where
// it says nothing of its times, they follow the assessments. What it says of a
// performance that is not known yet is said of the record that followed the
// assessments so far, if there is one.
func speak(a *core.Activities, record *core.AdherenceRecord) {
	record.Derived = record.Waits() && record.FinishedOn.IsZero()
	i := sessionRecord(a, record.InstanceGUID, record.EventTimestamp)
	if i >= 0 && (record.Derived || a.Records[i].Derived && find(a, *record) < 0) {
		record.InstanceTimestamp = a.Records[i].InstanceTimestamp
	}
}

// sessionRecord gives the place of the session's record for an event: the one
// that follows the assessments, or else the first by its key, which never
// changes, or else what waits; -1 where there is none.
func sessionRecord(a *core.Activities, guid string, event time.Time) int {
	rank := func(r core.AdherenceRecord) int {
		switch {
		case r.Derived:
			return 0
		case !r.Waits():
			return 1
		}
		return 2
	}
	best := -1
	for i, record := range a.Records {
		if !of(record, guid, event) {
			continue
		}
		if best < 0 || rank(record) < rank(a.Records[best]) ||
			rank(record) == rank(a.Records[best]) && record.InstanceTimestamp.Before(a.Records[best].InstanceTimestamp) {
			best = i
		}
	}
	return best
}
