package schedule

import (
	"time"

	"footbridge/core"
)

// Link links an upload that was completed to the record of its activity, in each
// study whose schedule has the instance that the upload names. Linking again
// changes nothing. An upload that names none, or malformed times, is let be.
func Link(u core.Upload, activities map[core.StudyID]*core.Activities) {
	if len(activities) == 0 {
		return
	}
	guid, event, started, ok := u.Activity()
	if !ok {
		return
	}
	for _, a := range activities {
		record := core.AdherenceRecord{Study: a.Study, User: a.User, InstanceGUID: guid, EventTimestamp: event, StartedOn: started,
			UploadedOn: u.Facts.UploadedOn.UTC().Truncate(time.Millisecond), UploadIDs: []core.UploadID{u.ID}}
		link(a, record)
	}
}

// link joins what is known of an upload to the record that is there, or takes it
// in as a record of its own or as one that waits.
func link(a *core.Activities, record core.AdherenceRecord) {
	record.InstanceTimestamp = instanceTimestamp(a, record)
	i := linked(a, record)
	if i < 0 {
		i = find(a, record)
	}
	if i >= 0 && !a.Records[i].Waits() {
		there := a.Records[i]
		there.UploadedOn, there.UploadIDs = record.UploadedOn, record.UploadIDs
		a.Records[i] = merge(a.Records[i], there)
		return
	}
	put(a, record)
	derive(a, record.InstanceGUID, record.EventTimestamp)
	tidy(a)
}

// linked gives the place of the record that an upload belongs to: the same
// instance and event, and in a persistent window the same start; where the upload
// does not say when it was started, the latest start. It is -1 where the record is
// not there yet.
func linked(a *core.Activities, record core.AdherenceRecord) int {
	persistent := a.Metadata[record.InstanceGUID].Persistent()
	at := -1
	for i, there := range a.Records {
		if there.Waits() || !of(there, record.InstanceGUID, record.EventTimestamp) {
			continue
		}
		switch {
		case !persistent || there.StartedOn.Equal(record.StartedOn):
			return i
		case record.StartedOn.IsZero() && (at < 0 || there.StartedOn.After(a.Records[at].StartedOn)):
			at = i
		}
	}
	return at
}
