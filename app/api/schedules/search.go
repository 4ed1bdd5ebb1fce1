package schedules

import (
	"net/http"
	"strings"
	"time"

	"footbridge/app/api/call"
	"footbridge/core"
	"footbridge/core/schedule"
)

// searchRequest is an AdherenceRecordsSearch.
type searchRequest struct {
	InstanceGUIDs         []string          `json:"instanceGuids"`
	AssessmentIDs         []string          `json:"assessmentIds"`
	SessionGUIDs          []string          `json:"sessionGuids"`
	TimeWindowGUIDs       []string          `json:"timeWindowGuids"`
	RecordType            string            `json:"adherenceRecordType"`
	IncludeRepeats        *bool             `json:"includeRepeats"`
	CurrentTimestampsOnly bool              `json:"currentTimestampsOnly"`
	EventTimestamps       map[string]moment `json:"eventTimestamps"`
	EventTimestampStart   moment            `json:"eventTimestampStart"`
	EventTimestampEnd     moment            `json:"eventTimestampEnd"`
	StartTime             moment            `json:"startTime"`
	EndTime               moment            `json:"endTime"`
	Declined              *bool             `json:"declined"`
	UploadID              core.UploadID     `json:"uploadId"`
	HasMultipleUploadIDs  bool              `json:"hasMultipleUploadIds"`
	HasNoUploadIDs        bool              `json:"hasNoUploadIds"`
	Predicate             string            `json:"predicate"`
	StringSearchPosition  string            `json:"stringSearchPosition"`
	SortOrder             string            `json:"sortOrder"`
	OffsetBy              int               `json:"offsetBy"`
	PageSize              *int              `json:"pageSize"`
}

// search reads the times. Errors: *core.Invalid.
func (q searchRequest) search() (schedule.Search, error) {
	invalid := &core.Invalid{Entity: "AdherenceRecordsSearch"}
	events := map[string]time.Time{}
	for id, m := range q.EventTimestamps {
		if at := m.time(invalid, "eventTimestamps["+id+"]"); !at.IsZero() {
			events[id] = at
		}
	}
	return schedule.Search{
		InstanceGUIDs: q.InstanceGUIDs, AssessmentIDs: q.AssessmentIDs, SessionGUIDs: q.SessionGUIDs, TimeWindowGUIDs: q.TimeWindowGUIDs,
		RecordType: q.RecordType, IncludeRepeats: q.IncludeRepeats, EventTimestamps: events, CurrentTimestampsOnly: q.CurrentTimestampsOnly,
		EventTimestampStart: q.EventTimestampStart.time(invalid, "eventTimestampStart"),
		EventTimestampEnd:   q.EventTimestampEnd.time(invalid, "eventTimestampEnd"),
		StartTime:           q.StartTime.time(invalid, "startTime"),
		EndTime:             q.EndTime.time(invalid, "endTime"),
		Declined:            q.Declined, UploadID: q.UploadID, HasMultipleUploadIDs: q.HasMultipleUploadIDs, HasNoUploadIDs: q.HasNoUploadIDs,
		Predicate: q.Predicate, StringSearchPosition: q.StringSearchPosition, SortOrder: q.SortOrder,
		OffsetBy: q.OffsetBy, PageSize: q.PageSize,
	}, invalid.Err()
}

// asked shows what a search asked for, with what it left to this site.
func asked(s schedule.Search, study core.StudyID) map[string]any {
	all := map[string]any{
		"studyId": study, "type": "RequestParams",
		"instanceGuids": list(s.InstanceGUIDs), "assessmentIds": list(s.AssessmentIDs),
		"sessionGuids": list(s.SessionGUIDs), "timeWindowGuids": list(s.TimeWindowGUIDs),
		"includeRepeats": s.IncludeRepeats == nil || *s.IncludeRepeats, "currentTimestampsOnly": s.CurrentTimestampsOnly,
		"predicate": word(s.Predicate, "and"), "stringSearchPosition": word(s.StringSearchPosition, "infix"),
		"sortOrder": word(s.SortOrder, "asc"), "offsetBy": s.OffsetBy, "pageSize": schedule.PageDefault,
	}
	events := map[string]call.Time{}
	for id, at := range s.EventTimestamps {
		events[id] = call.Time(at)
	}
	all["eventTimestamps"] = events
	for name, at := range map[string]time.Time{"eventTimestampStart": s.EventTimestampStart, "eventTimestampEnd": s.EventTimestampEnd,
		"startTime": s.StartTime, "endTime": s.EndTime} {
		if !at.IsZero() {
			all[name] = call.Time(at)
		}
	}
	if s.PageSize != nil {
		all["pageSize"] = *s.PageSize
	}
	if s.RecordType != "" {
		all["adherenceRecordType"] = strings.ToLower(s.RecordType)
	}
	if s.Declined != nil {
		all["declined"] = *s.Declined
	}
	if s.UploadID != "" {
		all["uploadId"] = s.UploadID
	}
	if s.HasMultipleUploadIDs {
		all["hasMultipleUploadIds"] = true
	}
	if s.HasNoUploadIDs {
		all["hasNoUploadIds"] = true
	}
	return all
}

func list(set []string) []string { return append([]string{}, set...) }

func word(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return strings.ToLower(text)
}

// searchOwn gives participants their own records.
func (h *Handlers) searchOwn(w http.ResponseWriter, r *http.Request) error {
	caller, err := h.member(r)
	if err != nil {
		return err
	}
	return h.search(w, r, caller.ID)
}

// searchFor gives a participant's records to readers.
func (h *Handlers) searchFor(w http.ResponseWriter, r *http.Request) error {
	a, err := h.asked(r)
	if err != nil {
		return err
	}
	return h.search(w, r, a.ID)
}

// searchAll gives the records of all participants of a study.
func (h *Handlers) searchAll(w http.ResponseWriter, r *http.Request) error {
	if _, err := h.study(r); err != nil {
		return err
	}
	return h.search(w, r, "")
}

func (h *Handlers) search(w http.ResponseWriter, r *http.Request, user core.UserID) error {
	var q searchRequest
	if err := call.ReadOptional(r, &q); err != nil {
		return err
	}
	search, err := q.search()
	if err != nil {
		return err
	}
	found, total, err := h.Diary.Search(r.Context(), studyOf(r), user, search)
	if err != nil {
		return err
	}
	page := call.Page[recordWire]{Items: []recordWire{}, Total: total, Asked: asked(search, studyOf(r)), Offset: search.OffsetBy, Type: "PagedResourceList"}
	for _, record := range found {
		page.Items = append(page.Items, newRecord(record))
	}
	call.Write(w, http.StatusOK, page)
	return nil
}
