package schedule

import (
	"footbridge/core"
	"footbridge/core/form"
)

// rowSize is what an instance takes besides what the document says of it, in
// bytes and roughly.
const rowSize = 200

// instances gives the metadata of every instance of a document, each session's
// before those of its assessments, without what is the whole schedule's.
func instances(r reader, d document) []core.TimelineMetadata {
	sessions, assessments := described(r, d)
	known := map[string]bool{}
	size := 0
	var all []core.TimelineMetadata
	add := func(m core.TimelineMetadata, path string) {
		guid := m.InstanceGUID()
		if guid != "" && known[guid] {
			r.Complain(path, "is there twice: %q", guid)
		}
		known[guid] = true
		size += rowSize
		for key, value := range m.Strings() {
			size += len(key) + len(value) + len(`"":"",`)
		}
		all = append(all, m)
	}
	for i, s := range *d.Schedule {
		m := placed(r, i, s, sessions)
		first := len(all)
		add(m, form.At("schedule", i, "instanceGuid"))
		for j, p := range s.Assessments {
			path := form.At("schedule", i, form.At("assessments", j))
			key := r.guid(path+".refKey", p.RefKey)
			a, ok := assessments[key]
			if !ok && key != "" {
				r.Complain(path+".refKey", "is the key of none of the assessments")
			}
			a.SessionInstanceGUID, a.SessionGUID, a.SessionName = m.SessionInstanceGUID, m.SessionGUID, m.SessionName
			a.SessionInstanceStartDay, a.SessionInstanceEndDay = m.SessionInstanceStartDay, m.SessionInstanceEndDay
			a.SessionStartEventID, a.TimeWindowGUID, a.TimeWindowPersistent = m.SessionStartEventID, m.TimeWindowGUID, m.TimeWindowPersistent
			a.StudyBurstID, a.StudyBurstNum = m.StudyBurstID, m.StudyBurstNum
			if a.AssessmentInstanceGUID = r.guid(path+".instanceGuid", p.InstanceGUID); a.AssessmentInstanceGUID != "" {
				add(a, path+".instanceGuid")
				all[first].Assessments = append(all[first].Assessments, a.AssessmentInstanceGUID)
			}
		}
		if size > metadataMax {
			r.Complain("schedule", "has too many instances: what has to be kept of them is more than %d bytes", metadataMax)
			break
		}
	}
	return all
}

// placed gives the metadata of one session instance.
func placed(r reader, i int, s session, sessions map[string]core.TimelineMetadata) core.TimelineMetadata {
	path := func(name string) string { return form.At("schedule", i, name) }
	ref := r.guid(path("refGuid"), s.RefGUID)
	m, ok := sessions[ref]
	if !ok && ref != "" {
		r.Complain(path("refGuid"), "is the guid of none of the sessions")
	}
	m.SessionInstanceGUID = r.guid(path("instanceGuid"), s.InstanceGUID)
	if event := r.text(path("startEventId"), s.StartEventID); event != "" {
		m.SessionStartEventID = event
	}
	var start, end int
	start, m.SessionInstanceStartDay = r.days(path("startDay"), s.StartDay)
	end, m.SessionInstanceEndDay = r.days(path("endDay"), s.EndDay)
	if m.SessionInstanceEndDay != "" && end < start {
		r.Complain(path("endDay"), "cannot be before startDay")
	}
	m.TimeWindowGUID = r.text(path("timeWindowGuid"), s.TimeWindow)
	if r.flag(path("persistent"), s.Persistent) {
		m.TimeWindowPersistent = "true"
	}
	m.StudyBurstID = r.text(path("studyBurstId"), s.StudyBurstID)
	m.StudyBurstNum = r.number(path("studyBurstNum"), s.StudyBurstNum)
	return m
}

// described gives what the document says of each session by guid, and of each
// assessment by key. A session is called by its name, or else by its label.
func described(r reader, d document) (sessions, assessments map[string]core.TimelineMetadata) {
	sessions, assessments = map[string]core.TimelineMetadata{}, map[string]core.TimelineMetadata{}
	for i, s := range d.Sessions {
		m := core.TimelineMetadata{SessionGUID: r.guid(form.At("sessions", i, "guid"), s.GUID)}
		m.SessionName = r.text(form.At("sessions", i, "name"), s.Name)
		if label := r.text(form.At("sessions", i, "label"), s.Label); m.SessionName == "" {
			m.SessionName = label
		}
		m.SessionStartEventID = r.text(form.At("sessions", i, "startEventId"), s.StartEventID)
		if _, twice := sessions[m.SessionGUID]; twice {
			r.Complain(form.At("sessions", i, "guid"), "is there twice: %q", m.SessionGUID)
		}
		sessions[m.SessionGUID] = m
	}
	for i, a := range d.Assessments {
		key := r.guid(form.At("assessments", i, "key"), a.Key)
		if _, twice := assessments[key]; twice {
			r.Complain(form.At("assessments", i, "key"), "is there twice: %q", key)
		}
		assessments[key] = core.TimelineMetadata{
			AssessmentGUID:     r.text(form.At("assessments", i, "guid"), a.GUID),
			AssessmentID:       r.text(form.At("assessments", i, "identifier"), a.Identifier),
			AssessmentRevision: r.number(form.At("assessments", i, "revision"), a.Revision),
		}
	}
	return sessions, assessments
}
