package schedule

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"footbridge/core"
)

// The rules here are: a record that is neither started nor declined is not
// there, and what was linked to it waits; what is saved again replaces what was
// there, but the earliest uploadedOn, every upload id and every post-processing
// attribute stay; a key never changes. Each function is pure but for the
// activities that it is given.

// Save takes the records of a device into a participant's activities.
func Save(a *core.Activities, records []core.AdherenceRecord) {
	for _, record := range records {
		record.InstanceTimestamp = instanceTimestamp(a, record)
		if len(a.Metadata[record.InstanceGUID].Assessments) > 0 {
			speak(a, &record)
		}
		put(a, record)
	}
	for _, record := range records {
		derive(a, record.InstanceGUID, record.EventTimestamp)
	}
	tidy(a)
}

// Remove takes one record out of a participant's activities; it need not be there.
func Remove(a *core.Activities, record core.AdherenceRecord) {
	record.InstanceTimestamp = instanceTimestamp(a, record)
	if i := find(a, record); i >= 0 && !a.Records[i].Waits() {
		a.Records = slices.Delete(a.Records, i, i+1)
	}
	if a.Metadata[record.InstanceGUID].IsAssessment() { // a session's record would be back at once
		derive(a, record.InstanceGUID, record.EventTimestamp)
	}
	tidy(a)
}

// instanceTimestamp tells the records of one instance and event apart.
func instanceTimestamp(a *core.Activities, record core.AdherenceRecord) time.Time {
	if a.Metadata[record.InstanceGUID].Persistent() && !record.StartedOn.IsZero() {
		return record.StartedOn
	}
	return record.EventTimestamp
}

// of reports whether a record is of an instance and an event.
func of(record core.AdherenceRecord, guid string, event time.Time) bool {
	return record.InstanceGUID == guid && record.EventTimestamp.Equal(event)
}

// find gives the place of the record with the same key, or else of one that was
// started at the same instant, because the window was not always persistent or
// always not; -1 where there is none.
func find(a *core.Activities, record core.AdherenceRecord) int {
	started := -1
	for i, other := range a.Records {
		if !of(other, record.InstanceGUID, record.EventTimestamp) {
			continue
		}
		if other.InstanceTimestamp.Equal(record.InstanceTimestamp) {
			return i
		}
		if !record.StartedOn.IsZero() && other.StartedOn.Equal(record.StartedOn) {
			started = i
		}
	}
	return started
}

// put takes a record in. What waits for it joins it, and for one whose session
// has yet to tell whether it is there.
func put(a *core.Activities, record core.AdherenceRecord) {
	if i := find(a, record); i >= 0 {
		record = merge(a.Records[i], record)
		a.Records = slices.Delete(a.Records, i, i+1)
	}
	if !record.Waits() || record.Derived {
		a.Records = slices.DeleteFunc(a.Records, func(other core.AdherenceRecord) bool {
			joins := other.Waits() && of(other, record.InstanceGUID, record.EventTimestamp)
			if joins {
				record = merge(other, record)
			}
			return joins
		})
	}
	a.Records = append(a.Records, record)
}

// tidy strips records that are neither started nor declined to their links, and
// leaves out those without any.
func tidy(a *core.Activities) {
	all := a.Records
	a.Records = nil
	for _, record := range all {
		if !record.Waits() {
			a.Records = append(a.Records, record)
		}
	}
	for _, record := range all {
		if !record.Waits() || len(record.UploadIDs) == 0 {
			continue
		}
		link := core.AdherenceRecord{Study: record.Study, User: record.User, InstanceGUID: record.InstanceGUID,
			EventTimestamp: record.EventTimestamp, InstanceTimestamp: record.EventTimestamp,
			UploadedOn: record.UploadedOn, UploadIDs: record.UploadIDs}
		if i := find(a, link); i >= 0 {
			a.Records[i] = merge(link, a.Records[i])
		} else {
			a.Records = append(a.Records, link)
		}
	}
}

// merge gives a record as it is after it is saved over an earlier one.
func merge(earlier, record core.AdherenceRecord) core.AdherenceRecord {
	if !earlier.Waits() {
		record.InstanceTimestamp = earlier.InstanceTimestamp
	}
	record.UploadedOn = earliest(earlier.UploadedOn, record.UploadedOn)
	ids := slices.Clone(earlier.UploadIDs)
	for _, id := range record.UploadIDs {
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	record.UploadIDs = ids
	record.PostProcessingAttributes = overlay(earlier.PostProcessingAttributes, record.PostProcessingAttributes)
	if record.PostProcessingCompletedOn.IsZero() {
		record.PostProcessingCompletedOn = earlier.PostProcessingCompletedOn
	}
	if record.PostProcessingStatus == "" {
		record.PostProcessingStatus = earlier.PostProcessingStatus
	}
	return record
}

// earliest gives the earlier of two times, of which either may be absent.
func earliest(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// overlay gives one JSON object with the keys of both; those of over win.
func overlay(under, over json.RawMessage) json.RawMessage {
	var both, newer map[string]json.RawMessage
	if json.Unmarshal(under, &both) != nil {
		return over
	}
	if json.Unmarshal(over, &newer) != nil {
		return under
	}
	maps.Copy(both, newer)
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(both) != nil {
		return over
	}
	return bytes.TrimSpace(text.Bytes())
}
