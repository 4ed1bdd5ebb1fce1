package schedule

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"footbridge/core"
	"footbridge/core/form"
)

const (
	recordsMax = 1000     // of one list
	dataMax    = 64 << 10 // bytes of clientData, and of postProcessingAttributes
	uploadsMax = 500      // upload ids that a device may name in one record
)

// ErrNoRecords says that a list of records to save is empty.
var ErrNoRecords = errors.New("no adherence records were submitted: send at least one")

// checked gives the records as they are kept: times in UTC with milliseconds,
// their own study and user. Errors: *core.Invalid by paths such as
// records[0].eventTimestamp, ErrNoRecords.
func checked(study core.StudyID, user core.UserID, submitted []core.AdherenceRecord) ([]core.AdherenceRecord, error) {
	if len(submitted) == 0 {
		return nil, ErrNoRecords
	}
	r := reader{form.Of("AdherenceRecordList")}
	if len(submitted) > recordsMax {
		r.Complain("records", "must be at most %d", recordsMax)
		return nil, r.Invalid
	}
	records := make([]core.AdherenceRecord, len(submitted))
	for i, record := range submitted {
		record.Study, record.User, record.Derived = study, user, false
		r.record(func(name string) string { return form.At("records", i, name) }, &record)
		records[i] = record
	}
	return records, r.Err()
}

// record checks one record and brings it into the form in which it is kept.
func (r reader) record(path func(string) string, record *core.AdherenceRecord) {
	if strings.TrimSpace(record.InstanceGUID) == "" {
		r.Complain(path("instanceGuid"), "cannot be null or blank")
	} else if len(record.InstanceGUID) > keyMax {
		r.Complain(path("instanceGuid"), "must have at most %d bytes", keyMax)
	}
	if record.EventTimestamp.IsZero() {
		r.Complain(path("eventTimestamp"), "cannot be null")
	}
	r.instant(path("eventTimestamp"), &record.EventTimestamp)
	r.instant(path("startedOn"), &record.StartedOn)
	r.instant(path("finishedOn"), &record.FinishedOn)
	r.instant(path("uploadedOn"), &record.UploadedOn)
	if !record.FinishedOn.IsZero() && record.StartedOn.After(record.FinishedOn) {
		r.Complain(path("startedOn"), "cannot be later than finishedOn")
	}
	if zone := record.ClientTimeZone; zone != "" {
		if _, err := time.LoadLocation(zone); err != nil || zone == "Local" {
			r.Complain(path("clientTimeZone"), "is not a recognized IANA time zone name")
		}
	}
	if len(record.UploadIDs) > uploadsMax {
		r.Complain(path("uploadIds"), "must be at most %d", uploadsMax)
	}
	for _, id := range record.UploadIDs {
		if id == "" || len(id) > keyMax {
			r.Complain(path("uploadIds"), "must be upload ids")
		}
	}
	r.data(path("clientData"), &record.ClientData)
	r.postProcessing(path, record)
}

// postProcessing checks what a record says of the processing of its uploads, and
// brings it into the form in which it is kept.
func (r reader) postProcessing(path func(string) string, record *core.AdherenceRecord) {
	r.instant(path("postProcessingCompletedOn"), &record.PostProcessingCompletedOn)
	r.data(path("postProcessingAttributes"), &record.PostProcessingAttributes)
	if raw := record.PostProcessingAttributes; raw != nil && raw[0] != '{' {
		r.Complain(path("postProcessingAttributes"), "must be an object")
	}
	r.text(path("postProcessingStatus"), quoted(record.PostProcessingStatus))
}

// instant brings a time into the form in which it is kept.
func (r reader) instant(path string, t *time.Time) {
	if t.IsZero() {
		return
	}
	instant, err := core.Instant(*t, "it")
	if err != nil {
		r.Complain(path, "must be a time of the years 1000 to 9999")
	}
	*t = instant
}

// data compacts a JSON value; null is none.
func (r reader) data(path string, raw *json.RawMessage) {
	if len(*raw) == 0 {
		*raw = nil
		return
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, *raw); err != nil {
		r.Complain(path, "must be JSON")
	} else if compact.Len() > dataMax {
		r.Complain(path, "must have at most %d bytes", dataMax)
	}
	if *raw = compact.Bytes(); compact.Len() == 0 || compact.String() == "null" {
		*raw = nil
	}
}

func quoted(text string) form.Value {
	raw, _ := json.Marshal(text) // a text never fails
	return raw
}
