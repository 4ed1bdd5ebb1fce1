package schedules

import (
	"encoding/json"
	"fmt"

	"footbridge/app/api/call"
	"footbridge/core"
)

// recordWire is an AdherenceRecord.
type recordWire struct {
	UserID         core.UserID     `json:"userId"`
	InstanceGUID   string          `json:"instanceGuid"`
	StartedOn      *call.Time      `json:"startedOn,omitempty"`
	FinishedOn     *call.Time      `json:"finishedOn,omitempty"`
	EventTimestamp call.Time       `json:"eventTimestamp"`
	ClientTimeZone string          `json:"clientTimeZone,omitempty"`
	UploadedOn     *call.Time      `json:"uploadedOn,omitempty"`
	UploadIDs      []core.UploadID `json:"uploadIds"`
	Declined       bool            `json:"declined"`
	ClientData     json.RawMessage `json:"clientData,omitempty"`
	AssessmentGUID string          `json:"assessmentGuid,omitempty"`
	SessionGUID    string          `json:"sessionGuid,omitempty"`

	PostProcessingAttributes  json.RawMessage `json:"postProcessingAttributes,omitempty"`
	PostProcessingCompletedOn *call.Time      `json:"postProcessingCompletedOn,omitempty"`
	PostProcessingStatus      string          `json:"postProcessingStatus,omitempty"`

	Type string `json:"type"`
}

func newRecord(r core.AdherenceRecord) recordWire {
	return recordWire{
		UserID: r.User, InstanceGUID: r.InstanceGUID, StartedOn: call.OptionalTime(r.StartedOn), FinishedOn: call.OptionalTime(r.FinishedOn),
		EventTimestamp: call.Time(r.EventTimestamp), ClientTimeZone: r.ClientTimeZone, UploadedOn: call.OptionalTime(r.UploadedOn),
		UploadIDs: append([]core.UploadID{}, r.UploadIDs...), Declined: r.Declined, ClientData: r.ClientData,
		AssessmentGUID: r.AssessmentGUID, SessionGUID: r.SessionGUID,
		PostProcessingAttributes: r.PostProcessingAttributes, PostProcessingCompletedOn: call.OptionalTime(r.PostProcessingCompletedOn),
		PostProcessingStatus: r.PostProcessingStatus, Type: "AdherenceRecord",
	}
}

// processingRequest is what a caller may say of the processing of a record's
// uploads.
type processingRequest struct {
	Attributes  json.RawMessage `json:"postProcessingAttributes"`
	CompletedOn moment          `json:"postProcessingCompletedOn"`
	Status      string          `json:"postProcessingStatus"`
	StartedOn   moment          `json:"startedOn"`
}

// recordRequest is what a device may say of one record.
type recordRequest struct {
	processingRequest
	InstanceGUID   string          `json:"instanceGuid"`
	EventTimestamp moment          `json:"eventTimestamp"`
	FinishedOn     moment          `json:"finishedOn"`
	ClientTimeZone string          `json:"clientTimeZone"`
	UploadedOn     moment          `json:"uploadedOn"`
	UploadIDs      []core.UploadID `json:"uploadIds"`
	Declined       bool            `json:"declined"`
	ClientData     json.RawMessage `json:"clientData"`
}

// record gives what is said of the processing, and when the activity was started.
func (q processingRequest) record(invalid *core.Invalid, prefix string) core.AdherenceRecord {
	return core.AdherenceRecord{
		StartedOn:                 q.StartedOn.time(invalid, prefix+"startedOn"),
		PostProcessingAttributes:  q.Attributes,
		PostProcessingCompletedOn: q.CompletedOn.time(invalid, prefix+"postProcessingCompletedOn"),
		PostProcessingStatus:      q.Status,
	}
}

// recordsOf reads the times of the records. Errors: *core.Invalid, by paths such as
// records[0].startedOn.
func recordsOf(asked []recordRequest) ([]core.AdherenceRecord, error) {
	invalid := &core.Invalid{Entity: "AdherenceRecordList"}
	all := make([]core.AdherenceRecord, len(asked))
	for i, q := range asked {
		prefix := fmt.Sprintf("records[%d].", i)
		record := q.processingRequest.record(invalid, prefix)
		record.EventTimestamp = q.EventTimestamp.time(invalid, prefix+"eventTimestamp")
		record.FinishedOn = q.FinishedOn.time(invalid, prefix+"finishedOn")
		record.UploadedOn = q.UploadedOn.time(invalid, prefix+"uploadedOn")
		record.InstanceGUID, record.ClientTimeZone, record.Declined = q.InstanceGUID, q.ClientTimeZone, q.Declined
		record.UploadIDs, record.ClientData = q.UploadIDs, q.ClientData
		all[i] = record
	}
	return all, invalid.Err()
}
