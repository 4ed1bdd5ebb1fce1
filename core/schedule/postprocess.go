package schedule

import (
	"fmt"
	"slices"

	"footbridge/core"
)

// PostProcess lays what was made of a record's uploads over what it says of that
// already; nothing else of it changes. Errors: *core.Invalid, core.ErrNotFound.
func PostProcess(a *core.Activities, change core.AdherenceRecord) error {
	invalid := &core.Invalid{Entity: "AdherencePostProcessingAttributes"}
	there := performances(a, change)
	switch len(there) {
	case 0:
		return fmt.Errorf("adherence record: %w", core.ErrNotFound)
	case 1:
	default:
		invalid.Complain("startedOn", "must say which record is meant: the activity was done %d times", len(there))
		return invalid
	}
	record := &a.Records[there[0]]
	after := *record
	after.PostProcessingAttributes, after.PostProcessingCompletedOn, after.PostProcessingStatus =
		change.PostProcessingAttributes, change.PostProcessingCompletedOn, change.PostProcessingStatus
	after = merge(*record, after)
	if len(after.PostProcessingAttributes) > dataMax {
		invalid.Complain("postProcessingAttributes", "must have at most %d bytes with those that are there", dataMax)
		return invalid
	}
	*record = after
	return nil
}

// performances gives the places of the records of an instance and an event. Where
// there may be several, the start tells them apart if it is given.
func performances(a *core.Activities, named core.AdherenceRecord) []int {
	var there []int
	for i, record := range a.Records {
		if of(record, named.InstanceGUID, named.EventTimestamp) && !record.Waits() {
			there = append(there, i)
		}
	}
	if named.StartedOn.IsZero() || len(there) < 2 && !a.Metadata[named.InstanceGUID].Persistent() {
		return there
	}
	return slices.DeleteFunc(there, func(i int) bool { return !a.Records[i].StartedOn.Equal(named.StartedOn) })
}
