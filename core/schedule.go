package core

import (
	"encoding/json"
	"time"
)

// Timeline is what the participants of one study are to do and when.
type Timeline struct {
	Study        StudyID         `json:"study"`
	ScheduleGUID string          `json:"scheduleGuid"`
	ModifiedOn   time.Time       `json:"modifiedOn"`
	Dated        bool            `json:"dated,omitempty"` // ModifiedOn is the time of the PUT: the document had none
	Published    bool            `json:"published,omitempty"`
	ChangedOn    time.Time       `json:"changedOn"` // ModifiedOn, or the time of the PUT where that is not after what stood before
	Document     json.RawMessage `json:"-"`         // as submitted, with scheduleGuid and modifiedOn
}

// TimelineMetadata says where one instance of a session, or of an assessment in
// a session, stands in its study's schedule. An empty text is absent.
type TimelineMetadata struct {
	AssessmentInstanceGUID  string `json:"assessmentInstanceGuid,omitempty"` // empty for a session instance
	AssessmentGUID          string `json:"assessmentGuid,omitempty"`
	AssessmentID            string `json:"assessmentId,omitempty"`
	AssessmentRevision      string `json:"assessmentRevision,omitempty"` // decimal
	SessionInstanceGUID     string `json:"sessionInstanceGuid,omitempty"`
	SessionGUID             string `json:"sessionGuid,omitempty"`
	SessionInstanceStartDay string `json:"sessionInstanceStartDay,omitempty"` // decimal
	SessionInstanceEndDay   string `json:"sessionInstanceEndDay,omitempty"`   // decimal
	SessionStartEventID     string `json:"sessionStartEventId,omitempty"`
	TimeWindowGUID          string `json:"timeWindowGuid,omitempty"`
	TimeWindowPersistent    string `json:"timeWindowPersistent,omitempty"` // "true" or absent
	ScheduleGUID            string `json:"scheduleGuid,omitempty"`
	ScheduleModifiedOn      string `json:"scheduleModifiedOn,omitempty"` // ISO 8601, UTC, milliseconds
	SchedulePublished       string `json:"schedulePublished,omitempty"`  // "true" or absent
	StudyBurstID            string `json:"studyBurstId,omitempty"`
	StudyBurstNum           string `json:"studyBurstNum,omitempty"` // decimal
	SessionName             string `json:"sessionName,omitempty"`

	Assessments []string `json:"assessments,omitempty"` // of a session instance: the instance guids of its assessments
}

// InstanceGUID is the guid by which devices name the instance.
func (m TimelineMetadata) InstanceGUID() string {
	if m.IsAssessment() {
		return m.AssessmentInstanceGUID
	}
	return m.SessionInstanceGUID
}

// IsAssessment tells an assessment's instance from a session's.
func (m TimelineMetadata) IsAssessment() bool { return m.AssessmentInstanceGUID != "" }

// Persistent reports whether the activity may be done any number of times
// within its time window.
func (m TimelineMetadata) Persistent() bool { return m.TimeWindowPersistent == "true" }

// Strings gives what is there of the seventeen keys: what the wire and the
// annotations of exported files show.
func (m TimelineMetadata) Strings() map[string]string {
	all := map[string]string{
		"assessmentInstanceGuid":  m.AssessmentInstanceGUID,
		"assessmentGuid":          m.AssessmentGUID,
		"assessmentId":            m.AssessmentID,
		"assessmentRevision":      m.AssessmentRevision,
		"sessionInstanceGuid":     m.SessionInstanceGUID,
		"sessionGuid":             m.SessionGUID,
		"sessionInstanceStartDay": m.SessionInstanceStartDay,
		"sessionInstanceEndDay":   m.SessionInstanceEndDay,
		"sessionStartEventId":     m.SessionStartEventID,
		"timeWindowGuid":          m.TimeWindowGUID,
		"timeWindowPersistent":    m.TimeWindowPersistent,
		"scheduleGuid":            m.ScheduleGUID,
		"scheduleModifiedOn":      m.ScheduleModifiedOn,
		"schedulePublished":       m.SchedulePublished,
		"studyBurstId":            m.StudyBurstID,
		"studyBurstNum":           m.StudyBurstNum,
		"sessionName":             m.SessionName,
	}
	for key, value := range all {
		if value == "" {
			delete(all, key)
		}
	}
	return all
}

// AdherenceRecord says that a participant started, finished or declined one
// instance of their study's schedule, and which uploads came of it. Times have
// milliseconds; a zero time is absent.
type AdherenceRecord struct {
	Study             StudyID         `json:"study"`
	User              UserID          `json:"user"`
	InstanceGUID      string          `json:"instanceGuid"` // of a session or an assessment
	EventTimestamp    time.Time       `json:"eventTimestamp"`
	InstanceTimestamp time.Time       `json:"instanceTimestamp"` // StartedOn in a persistent window, else EventTimestamp; never changes
	StartedOn         time.Time       `json:"startedOn,omitzero"`
	FinishedOn        time.Time       `json:"finishedOn,omitzero"`
	Declined          bool            `json:"declined,omitempty"`
	ClientTimeZone    string          `json:"clientTimeZone,omitempty"` // tz database name
	ClientData        json.RawMessage `json:"clientData,omitempty"`
	UploadedOn        time.Time       `json:"uploadedOn,omitzero"` // of the earliest upload
	UploadIDs         []UploadID      `json:"uploadIds,omitempty"`
	Derived           bool            `json:"derived,omitempty"` // of a session: started, finished and declined follow its assessments

	PostProcessingAttributes  json.RawMessage `json:"postProcessingAttributes,omitempty"` // an object
	PostProcessingCompletedOn time.Time       `json:"postProcessingCompletedOn,omitzero"`
	PostProcessingStatus      string          `json:"postProcessingStatus,omitempty"`

	AssessmentGUID string `json:"-"` // filled in for readers: of an assessment's record
	SessionGUID    string `json:"-"` // likewise, of a session's record
}

// Waits reports whether the record is not there yet: uploads came for it, and
// are kept for it under its key. Nobody is shown such a record.
func (r AdherenceRecord) Waits() bool { return r.StartedOn.IsZero() && !r.Declined }

// Activities are some of what one participant did of one study's schedule, read
// in one transaction with what is decided by it: for the instances that were
// asked for and the whole of their sessions, the metadata (of the instances and
// the sessions) and every record, those that wait included.
type Activities struct {
	Study    StudyID
	User     UserID
	Metadata map[string]TimelineMetadata // by instance guid; missing where the study's timeline never had it
	Records  []AdherenceRecord           // a decision leaves here what is to be kept
}

// InstanceGUID is the instance of a schedule of which an upload says that it
// came; empty where it says nothing.
func (u Upload) InstanceGUID() string { return u.text("instanceGuid") }

// Activity gives what an upload says of its activity: the instance, the
// timestamp of the event that scheduled it, and when it was started (zero where
// it says nothing of that). It is false where instance or timestamp are missing, or
// one of the three is malformed.
func (u Upload) Activity() (instanceGUID string, event, started time.Time, ok bool) {
	event, err := ParseTime(u.text("eventTimestamp"))
	if u.InstanceGUID() == "" || err != nil {
		return "", event, started, false
	}
	if raw, given := u.Request.Metadata["startedOn"]; given && string(raw) != "null" && string(raw) != `""` {
		if started, err = ParseTime(u.text("startedOn")); err != nil {
			return "", event, started, false
		}
	}
	return u.InstanceGUID(), event, started, true
}

// text gives a value of the submitted metadata that is a text.
func (u Upload) text(key string) string {
	var text string
	if raw, ok := u.Request.Metadata[key]; !ok || json.Unmarshal(raw, &text) != nil {
		return ""
	}
	return text
}
