package schedule

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"footbridge/core"
	"footbridge/core/form"
)

// The rules here are: a document is taken whole or not at all; every instance
// guid is there once; what the instances refer to is there; the document that is
// given back is the one that came, and says its scheduleGuid and modifiedOn.

const (
	documentMax = 4 << 20  // bytes of a document
	metadataMax = 16 << 20 // bytes of all its metadata, roughly: they are written in one transaction
)

// document is what is read of a Timeline.
type document struct {
	ScheduleGUID form.Value   `json:"scheduleGuid"`
	ModifiedOn   form.Value   `json:"modifiedOn"`
	Published    form.Value   `json:"published"`
	Schedule     *[]session   `json:"schedule"`
	Sessions     []info       `json:"sessions"`
	Assessments  []assessment `json:"assessments"`
}

// session is one session at one place of the schedule.
type session struct {
	InstanceGUID  form.Value `json:"instanceGuid"`
	RefGUID       form.Value `json:"refGuid"`
	TimeWindow    form.Value `json:"timeWindowGuid"`
	StartEventID  form.Value `json:"startEventId"`
	StartDay      form.Value `json:"startDay"`
	EndDay        form.Value `json:"endDay"`
	Persistent    form.Value `json:"persistent"`
	StudyBurstID  form.Value `json:"studyBurstId"`
	StudyBurstNum form.Value `json:"studyBurstNum"`
	Assessments   []part     `json:"assessments"`
}

// part is one assessment of a session.
type part struct {
	InstanceGUID form.Value `json:"instanceGuid"`
	RefKey       form.Value `json:"refKey"`
}

// info describes a session.
type info struct {
	GUID         form.Value `json:"guid"`
	Name         form.Value `json:"name"`
	Label        form.Value `json:"label"`
	StartEventID form.Value `json:"startEventId"`
}

// assessment describes one.
type assessment struct {
	Key        form.Value `json:"key"`
	GUID       form.Value `json:"guid"`
	Identifier form.Value `json:"identifier"`
	Revision   form.Value `json:"revision"`
}

// Draft is a Timeline document that was read and found good, before it is a
// study's.
type Draft struct {
	raw          map[string]json.RawMessage
	scheduleGUID string
	modifiedOn   time.Time
	published    bool
	metadata     []core.TimelineMetadata
}

// Parse reads a Timeline document. Errors: *core.Invalid, by the path of what is
// wrong, such as schedule[0].instanceGuid.
func Parse(text []byte) (Draft, error) {
	r := reader{form.Of("Timeline")}
	if len(text) > documentMax {
		r.Complain("Timeline", "must have at most %d bytes", documentMax)
		return Draft{}, r.Invalid
	}
	var draft Draft
	var d document
	if err := json.Unmarshal(text, &draft.raw); err != nil || draft.raw == nil {
		r.Complain("Timeline", "must be a JSON object")
		return Draft{}, r.Invalid
	}
	if err := json.Unmarshal(text, &d); err != nil {
		r.Complain("Timeline", "has an unexpected structure: %s", kind(err))
		return Draft{}, r.Invalid
	}
	if d.ScheduleGUID != nil {
		draft.scheduleGUID = r.guid("scheduleGuid", d.ScheduleGUID)
	}
	draft.modifiedOn = r.Time("modifiedOn", d.ModifiedOn)
	draft.published = r.flag("published", d.Published)
	if d.Schedule == nil {
		r.Complain("schedule", "cannot be null")
		return Draft{}, r.Invalid
	}
	draft.metadata = instances(r, d)
	return draft, r.Err()
}

// kind says which value is not of the kind that the document needs.
func kind(err error) string {
	if wrong, ok := err.(*json.UnmarshalTypeError); ok {
		return fmt.Sprintf("%s cannot be of kind %s", wrong.Field, wrong.Value)
	}
	return err.Error()
}

// settle makes the document a study's timeline, in place of before (nil: none).
// A document without a guid keeps the study's, or takes fresh; one without a date
// is as old as now, and so is one that brings back the date that this site gave.
func (d Draft) settle(study core.StudyID, before *core.Timeline, fresh string, now time.Time) (core.Timeline, []core.TimelineMetadata, error) {
	t := core.Timeline{Study: study, ScheduleGUID: d.scheduleGUID, ModifiedOn: d.modifiedOn, Published: d.published}
	if t.ScheduleGUID == "" && before != nil {
		t.ScheduleGUID = before.ScheduleGUID
	}
	if t.ScheduleGUID == "" {
		t.ScheduleGUID = fresh
	}
	if echo := before != nil && before.Dated && before.ModifiedOn.Equal(t.ModifiedOn); echo || t.ModifiedOn.IsZero() {
		t.ModifiedOn, t.Dated = now.UTC().Truncate(time.Millisecond), true
	}
	t.ChangedOn = t.ModifiedOn
	if before != nil && !later(t.ChangedOn, before.ChangedOn) {
		t.ChangedOn = now.UTC().Truncate(time.Millisecond)
	}
	if before != nil && !later(t.ChangedOn, before.ChangedOn) {
		t.ChangedOn = before.ChangedOn.Add(time.Second)
	}
	whole := make(map[string]json.RawMessage, len(d.raw)+2)
	for key, value := range d.raw {
		whole[key] = value
	}
	guid, err := json.Marshal(t.ScheduleGUID)
	if err != nil {
		return t, nil, err
	}
	whole["scheduleGuid"] = guid // a text, whatever it came as
	if t.Dated {
		whole["modifiedOn"] = json.RawMessage(`"` + core.FormatTime(t.ModifiedOn) + `"`)
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(whole); err != nil {
		return t, nil, fmt.Errorf("write a timeline: %w", err)
	}
	t.Document = bytes.TrimSpace(text.Bytes())
	metadata := make([]core.TimelineMetadata, len(d.metadata))
	for i, m := range d.metadata {
		m.ScheduleGUID, m.ScheduleModifiedOn = t.ScheduleGUID, core.FormatTime(t.ModifiedOn)
		if t.Published {
			m.SchedulePublished = "true"
		}
		metadata[i] = m
	}
	return t, metadata, nil
}

// later reports whether a time is after another one even in HTTP dates, which
// have whole seconds.
func later(t, than time.Time) bool {
	return t.Truncate(time.Second).After(than.Truncate(time.Second))
}
