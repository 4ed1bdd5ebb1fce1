package schedule

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"footbridge/core"
	"footbridge/core/form"
)

const (
	setMax  = 500 // entries of a set in a search
	mapMax  = 50  // entries of eventTimestamps
	pageMax = 500
)

// PageDefault is how many records a search gives that does not say.
const PageDefault = 250

// Search says which adherence records to give. Its zero value asks for all. A
// filter that is left out lets everything pass; the others are joined by
// Predicate, except that UploadID always has to match.
type Search struct {
	InstanceGUIDs   []string // each a guid, or guid@startedOn
	AssessmentIDs   []string // by timeline metadata, as are the next two
	SessionGUIDs    []string
	TimeWindowGUIDs []string
	RecordType      string // "assessment", "session", or both

	// IncludeRepeats (nil: true) gives every record of the same instance and
	// event. Otherwise, of those that match, only the first in sort order.
	IncludeRepeats *bool

	// EventTimestamps gives records whose session starts with one of these events,
	// with or without "custom:" before it, at exactly this time.
	EventTimestamps map[string]time.Time
	// CurrentTimestampsOnly does so for the current time of every event. This site
	// keeps no events: the current time is the newest among the participant's
	// records that start with the event (or have the instance, where no timeline
	// says with which event it starts), unless EventTimestamps names another.
	CurrentTimestampsOnly bool

	EventTimestampStart, EventTimestampEnd time.Time // eventTimestamp is not before, and is before; both or none
	StartTime, EndTime                     time.Time // startedOn is not before, and not after; both or none

	Declined             *bool // nil: either
	UploadID             core.UploadID
	HasMultipleUploadIDs bool
	HasNoUploadIDs       bool

	Predicate            string // "and" (also ""), "or"
	StringSearchPosition string // "infix", "prefix", "postfix", "exact"; without effect, as no filter is a part of a text
	SortOrder            string // by startedOn: "asc" (also ""), "desc"
	OffsetBy             int
	PageSize             *int // 1 to 500; nil: 250
}

// check reads what is written in words. Errors: *core.Invalid.
func (s Search) check() (query, error) {
	r := reader{form.Of("AdherenceRecordsSearch")}
	for name, set := range map[string][]string{"instanceGuids": s.InstanceGUIDs, "assessmentIds": s.AssessmentIDs,
		"sessionGuids": s.SessionGUIDs, "timeWindowGuids": s.TimeWindowGUIDs} {
		if len(set) > setMax {
			r.Complain(name, "exceeds maximum size of %d entries", setMax)
		}
	}
	if len(s.EventTimestamps) > mapMax {
		r.Complain("eventTimestamps", "exceeds maximum size of %d entries", mapMax)
	}
	r.span("startTime", "endTime", s.StartTime, s.EndTime)
	r.span("eventTimestampStart", "eventTimestampEnd", s.EventTimestampStart, s.EventTimestampEnd)
	if !s.EventTimestampStart.IsZero() && s.EventTimestampStart.Equal(s.EventTimestampEnd) {
		r.Complain("eventTimestampEnd", "must be after eventTimestampStart")
	}
	if s.HasMultipleUploadIDs && s.HasNoUploadIDs {
		r.Complain("AdherenceRecordsSearch", "cannot specify both hasMultipleUploadIds and hasNoUploadIds")
	}
	if s.OffsetBy < 0 {
		r.Complain("offsetBy", "cannot be negative")
	}
	q := query{Search: s, size: PageDefault}
	if s.PageSize != nil {
		if q.size = *s.PageSize; q.size < 1 || q.size > pageMax {
			r.Complain("pageSize", "must be 1-%d records", pageMax)
		}
	}
	q.RecordType = r.word("adherenceRecordType", s.RecordType, "assessment", "session")
	q.Predicate = r.word("predicate", s.Predicate, "and", "or")
	q.SortOrder = r.word("sortOrder", s.SortOrder, "asc", "desc")
	r.word("stringSearchPosition", s.StringSearchPosition, "infix", "prefix", "postfix", "exact")
	q.instances = r.instances(s.InstanceGUIDs)
	return q, r.Err()
}

// span checks two times that come together.
func (r reader) span(from, to string, start, end time.Time) {
	switch {
	case start.IsZero() && !end.IsZero():
		r.Complain(from, "must be provided if %s is provided", to)
	case !start.IsZero() && end.IsZero():
		r.Complain(to, "must be provided if %s is provided", from)
	case end.Before(start):
		r.Complain(to, "is before %s", from)
	}
}

// word gives one of some words in lower case; "" stays.
func (r reader) word(path, word string, words ...string) string {
	word = strings.ToLower(word)
	if word != "" && !slices.Contains(words, word) {
		r.Complain(path, "must be one of %s", strings.Join(words, ", "))
	}
	return word
}

// instance is an instance guid, and a start where only that performance is meant.
type instance struct {
	guid      string
	startedOn time.Time
}

func (r reader) instances(entries []string) []instance {
	var all []instance
	for i, entry := range entries {
		all = append(all, instance{guid: entry})
		if guid, text, ok := strings.Cut(entry, "@"); ok {
			started, err := core.ParseTime(text)
			if err != nil {
				r.Complain(fmt.Sprintf("instanceGuids[%d]", i), "must be a guid, or a guid, @ and an ISO 8601 time")
			}
			all[i] = instance{guid, started}
		}
	}
	return all
}
