package main_test

import (
	"path/filepath"
	"strings"
	"testing"
)

const week = `{
	"scheduleGuid": "plan-1", "modifiedOn": "2026-11-01T08:00:00.000Z", "published": true,
	"schedule": [{"instanceGuid": "s-1", "refGuid": "morning", "timeWindowGuid": "w-1", "startEventId": "study_burst:main:02", "startDay": 2, "endDay": 3, "persistent": true,
		"studyBurstId": "main", "studyBurstNum": 2, "assessments": [{"refKey": "walk", "instanceGuid": "a-1"}]}],
	"sessions": [{"guid": "morning", "label": "Morning", "startEventId": "enrollment"}],
	"assessments": [{"key": "walk", "guid": "g-1", "identifier": "walk-and-balance", "revision": 3}]
}`

// An upload that names an instance of the timeline, of an assessment or of a whole
// session, is exported with its place in the schedule, and linked to the
// participant's record.
func TestATimelineReachesTheRepository(t *testing.T) {
	s := newSite(t)
	document := filepath.Join(t.TempDir(), "week.json")
	write(t, document, []byte(week))
	s.command(nil, "timeline", "import", "--study", testStudy, document)
	s.start()
	token := s.enrol("p1")
	session := map[string]string{
		"sessionInstanceGuid": "s-1", "sessionGuid": "morning", "sessionName": "Morning", "sessionInstanceStartDay": "2", "sessionInstanceEndDay": "3",
		"sessionStartEventId": "study_burst:main:02", "timeWindowGuid": "w-1", "timeWindowPersistent": "true", "studyBurstId": "main", "studyBurstNum": "2",
		"scheduleGuid": "plan-1", "scheduleModifiedOn": "2026-11-01T08:00:00.000Z", "schedulePublished": "true",
	}
	assessment := map[string]string{"assessmentInstanceGuid": "a-1", "assessmentGuid": "g-1", "assessmentId": "walk-and-balance", "assessmentRevision": "3"}
	for guid, parts := range map[string][]map[string]string{"s-1": {session}, "a-1": {session, assessment}, "elsewhere": {}} {
		p := &parcel{name: "walk.bin", body: []byte(guid), metadata: map[string]any{
			"instanceGuid": guid, "eventTimestamp": "2026-05-10T00:00:00.000Z", "startedOn": "2026-05-12T08:00:00.000Z", "declined": false,
		}}
		if v, err := s.send(token, p); err != nil || v.Status != "succeeded" {
			t.Fatalf("%+v, %v", v, err)
		}
		date := filepath.Base(filepath.Dir(s.exported(p.ID)[0]))
		var annotations map[string]any
		read(t, filepath.Join(s.home, "repository", testStudy, "annotations", date, p.ID+".json"), &annotations)
		want := map[string]string{"instanceGuid": guid, "eventTimestamp": "2026-05-10T00:00:00.000Z", "startedOn": "2026-05-12T08:00:00.000Z", "declined": "false"}
		for _, part := range parts {
			for key, value := range part {
				want[key] = value
			}
		}
		for key, value := range want {
			if annotations[key] != value {
				t.Errorf("%s: annotation %s is %v, want %s", guid, key, annotations[key], value)
			}
		}
		for key := range annotations {
			if _, wanted := want[key]; !wanted && (strings.HasPrefix(key, "s") && key != "sharingScope" || strings.HasPrefix(key, "assessment")) {
				t.Errorf("%s: there is an annotation %s", guid, key)
			}
		}
	}
	var page struct {
		Items []struct {
			InstanceGUID, StartedOn string
			UploadIDs               []string
		}
	}
	if err := s.call("POST", "/v5/studies/"+testStudy+"/participants/self/adherence/search", token, map[string]any{"hasNoUploadIds": false}, &page); err != nil {
		t.Fatal(err)
	}
	linked := map[string]int{}
	for _, record := range page.Items {
		linked[record.InstanceGUID] += len(record.UploadIDs)
	}
	if len(page.Items) != 2 || linked["s-1"] != 1 || linked["a-1"] != 1 {
		t.Errorf("%+v", page.Items)
	}
}
