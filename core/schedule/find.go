package schedule

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"footbridge/core"
)

// query is a search whose words were found good.
type query struct {
	Search
	instances []instance
	size      int // of a page
}

// place finds the metadata of an instance; the zero value where no timeline of
// the study ever had it.
type place = func(instanceGUID string) core.TimelineMetadata

// find gives a page of the records that match, and how many match in all.
func (q query) find(records []core.AdherenceRecord, of place) ([]core.AdherenceRecord, int) {
	var current map[moment]time.Time
	if q.CurrentTimestampsOnly {
		current = newest(records, of)
	}
	var found []core.AdherenceRecord
	for _, record := range records {
		if !record.Waits() && q.matches(record, of(record.InstanceGUID), current) {
			found = append(found, record)
		}
	}
	slices.SortFunc(found, q.order)
	if q.IncludeRepeats != nil && !*q.IncludeRepeats {
		found = firsts(found)
	}
	total := len(found)
	from := min(q.OffsetBy, total)
	return found[from:min(from+q.size, total)], total
}

// order sorts by start; records without one are the earliest.
func (q query) order(a, b core.AdherenceRecord) int {
	by := a.StartedOn.Compare(b.StartedOn)
	if q.SortOrder == "desc" {
		by = -by
	}
	return cmp.Or(by, cmp.Compare(a.User, b.User), cmp.Compare(a.InstanceGUID, b.InstanceGUID),
		a.EventTimestamp.Compare(b.EventTimestamp), a.InstanceTimestamp.Compare(b.InstanceTimestamp))
}

// firsts leaves the first record of each participant, instance and event.
func firsts(found []core.AdherenceRecord) []core.AdherenceRecord {
	type once struct {
		user  core.UserID
		guid  string
		event int64
	}
	seen := map[once]bool{}
	return slices.DeleteFunc(found, func(r core.AdherenceRecord) bool {
		key := once{r.User, r.InstanceGUID, r.EventTimestamp.UnixMilli()}
		again := seen[key]
		seen[key] = true
		return again
	})
}

// moment is an event of one participant.
type moment struct {
	user  core.UserID
	event string
}

func momentOf(record core.AdherenceRecord, meta core.TimelineMetadata) moment {
	if meta.SessionStartEventID == "" {
		return moment{record.User, "instance:" + record.InstanceGUID}
	}
	return moment{record.User, "event:" + meta.SessionStartEventID}
}

// newest gives the newest timestamp of every event among the records.
func newest(records []core.AdherenceRecord, of place) map[moment]time.Time {
	current := map[moment]time.Time{}
	for _, record := range records {
		key := momentOf(record, of(record.InstanceGUID))
		if !record.Waits() && record.EventTimestamp.After(current[key]) {
			current[key] = record.EventTimestamp
		}
	}
	return current
}

// matches reports whether a record passes the filters.
func (q query) matches(record core.AdherenceRecord, meta core.TimelineMetadata, current map[moment]time.Time) bool {
	if q.UploadID != "" && !slices.Contains(record.UploadIDs, q.UploadID) {
		return false
	}
	passed, failed := 0, 0
	filter := func(set bool, passes func() bool) {
		switch {
		case !set:
		case passes():
			passed++
		default:
			failed++
		}
	}
	among := func(set []string, value string) {
		filter(len(set) > 0, func() bool { return value != "" && slices.Contains(set, value) })
	}
	among(q.AssessmentIDs, meta.AssessmentID)
	among(q.SessionGUIDs, meta.SessionGUID)
	among(q.TimeWindowGUIDs, meta.TimeWindowGUID)
	filter(len(q.instances) > 0, func() bool {
		return slices.ContainsFunc(q.instances, func(i instance) bool {
			return i.guid == record.InstanceGUID && (i.startedOn.IsZero() || i.startedOn.Equal(record.StartedOn))
		})
	})
	filter(q.RecordType != "", func() bool {
		return meta.InstanceGUID() != "" && meta.IsAssessment() == (q.RecordType == "assessment")
	})
	filter(len(q.EventTimestamps) > 0 || q.CurrentTimestampsOnly, func() bool { return q.event(record, meta, current) })
	filter(!q.EventTimestampStart.IsZero(), func() bool {
		return !record.EventTimestamp.Before(q.EventTimestampStart) && record.EventTimestamp.Before(q.EventTimestampEnd)
	})
	filter(!q.StartTime.IsZero(), func() bool {
		return !record.StartedOn.Before(q.StartTime) && !record.StartedOn.After(q.EndTime)
	})
	filter(q.Declined != nil, func() bool { return record.Declined == *q.Declined })
	filter(q.HasMultipleUploadIDs, func() bool { return len(record.UploadIDs) > 1 })
	filter(q.HasNoUploadIDs, func() bool { return len(record.UploadIDs) == 0 })
	if q.Predicate == "or" {
		return passed > 0 || failed == 0
	}
	return failed == 0
}

// event reports whether a record is of an event at the time that is asked for.
func (q query) event(record core.AdherenceRecord, meta core.TimelineMetadata, current map[moment]time.Time) bool {
	named := false
	for id, at := range q.EventTimestamps {
		if id == meta.SessionStartEventID || "custom:"+strings.TrimPrefix(id, "custom:") == meta.SessionStartEventID {
			named = true
			if record.EventTimestamp.Equal(at.Truncate(time.Millisecond)) {
				return true
			}
		}
	}
	return q.CurrentTimestampsOnly && !named && record.EventTimestamp.Equal(current[momentOf(record, meta)])
}
