package api_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"footbridge/core"

	"github.com/google/go-cmp/cmp"
)

// uploaded sends something and says what of the timeline it is, as devices do.
func (s *site) uploaded(token, body, guid, started string) core.Upload {
	s.t.Helper()
	p := &parcel{body: body, mimeType: "application/octet-stream"}
	request, metadata := p.request(), did(guid, started, "")
	request["metadata"] = metadata
	slot := s.call("POST", "/v3/uploads", token, request).want(s.t, 200)
	p.id, p.url = slot.text("id"), slot.text("url")
	s.put(p).want(s.t, 200)
	s.call("POST", "/v3/uploads/"+p.id+"/complete", token, nil).want(s.t, 200)
	s.pass(time.Hour)
	return s.row(p.id)
}

// linked shows the caller's records of an instance: their start, their uploads and
// when the first of these came.
func (s *site) linked(token, guid string) []string {
	s.t.Helper()
	page := s.call("POST", ownAdherence+"/search", token, map[string]any{"instanceGuids": []string{guid}}).want(s.t, 200)
	lines := []string{}
	for _, item := range page.field("items").([]any) {
		record := item.(map[string]any)
		lines = append(lines, fmt.Sprint(record["startedOn"], record["uploadIds"], record["uploadedOn"]))
	}
	return lines
}

// joined is the line of a record that was started at a time of day.
func joined(started string, uploads ...core.Upload) string {
	var ids []string
	for _, u := range uploads {
		ids = append(ids, string(u.ID))
	}
	return fmt.Sprintf("2026-05-12T%s:00.000Z[%s]%s", started, strings.Join(ids, " "), core.FormatTime(uploads[0].Facts.UploadedOn))
}

// Two uploads of one performance are one record, which keeps its start and the time
// of the earlier one.
func TestUploadsAreLinked(t *testing.T) {
	s := newSite(t, nil)
	s.planned(walkPlan)
	token := s.participant("p1")
	first := s.uploaded(token, "first", "a-1", "08:00")
	second := s.uploaded(token, "second", "a-1", "08:00")
	third := s.uploaded(token, "third", "a-1", "16:00") // outside a persistent window it is the same record
	if diff := cmp.Diff([]string{joined("08:00", first, second, third)}, s.linked(token, "a-1")); diff != "" {
		t.Error(diff)
	}
	if again := s.call("POST", "/v3/uploads/"+string(first.ID)+"/complete", token, nil).want(t, 200); again.text("id") != string(first.ID) {
		t.Errorf("%s", again.raw)
	}
	s.call("POST", ownAdherence, token, records(did("a-1", "08:00", "08:06"))).want(t, 200)
	if diff := cmp.Diff([]string{joined("08:00", first, second, third)}, s.linked(token, "a-1")); diff != "" {
		t.Error("after the device saved the record: ", diff)
	}
	for path, want := range map[string]string{`{"uploadId":"` + string(third.ID) + `"}`: "a-1", `{"hasMultipleUploadIds":true}`: "a-1"} {
		if got := s.call("POST", ownAdherence+"/search", token, path).found(t); len(got) != 1 || !strings.HasPrefix(got[0], want) {
			t.Errorf("%s: %v", path, got)
		}
	}
}

// In a persistent window each start is a record of its own.
func TestUploadsOfAPersistentWindow(t *testing.T) {
	s := newSite(t, nil)
	s.planned(walkPlan)
	token := s.participant("p1")
	first := s.uploaded(token, "first", "a-3", "08:00")
	second := s.uploaded(token, "second", "a-3", "16:00")
	third := s.uploaded(token, "third", "a-3", "16:00")
	if diff := cmp.Diff([]string{joined("08:00", first), joined("16:00", second, third)}, s.linked(token, "a-3")); diff != "" {
		t.Error(diff)
	}
}

// An upload that does not say when its activity was started waits for the record.
func TestALinkWaitsForItsRecord(t *testing.T) {
	s := newSite(t, nil)
	s.planned(walkPlan)
	token := s.participant("p1")
	early := s.uploaded(token, "early", "a-1", "")
	unknown := s.uploaded(token, "unknown", "elsewhere", "08:00") // its instance is of no timeline
	if got := s.linked(token, "a-1"); len(got) != 0 {
		t.Errorf("%v", got)
	}
	s.call("POST", p1Adherence+"/a-1/"+enrolled+"/postprocessing", s.staff(core.RoleWorker), `{}`).want(t, 404)
	s.call("POST", ownAdherence, token, records(did("a-1", "08:00", ""), did("elsewhere", "09:00", ""))).want(t, 200)
	if diff := cmp.Diff([]string{joined("08:00", early)}, s.linked(token, "a-1")); diff != "" {
		t.Error(diff)
	}
	if got := s.linked(token, "elsewhere"); len(got) != 1 || strings.Contains(got[0], string(unknown.ID)) {
		t.Errorf("%v", got)
	}
}

// A Kotlin client saves what it has in chunks, asks for what is current a page at a
// time, and finds each record once.
func TestAKotlinClientKeepsItsRecords(t *testing.T) {
	s := newSite(t, nil)
	plan := `{"sessions":[{"guid":"daily","startEventId":"enrollment"}],"assessments":[{"key":"k"}],"schedule":[`
	var pending []map[string]any
	for day := range 60 {
		plan += fmt.Sprintf(`{"instanceGuid":"s-%d","refGuid":"daily","startDay":%d,"assessments":[{"refKey":"k","instanceGuid":"a-%d"}]},`, day, day, day)
		started := time.Date(2026, 5, 10+day, 8, 0, 0, 0, time.UTC)
		pending = append(pending, map[string]any{"instanceGuid": fmt.Sprintf("a-%d", day), "eventTimestamp": enrolled, "startedOn": started, "declined": false, "clientTimeZone": "America/Chicago", "clientData": map[string]any{"day": day}})
	}
	s.planned(strings.TrimSuffix(plan, ",") + "]}")
	token := s.participant("p1")
	for chunk := pending; len(chunk) > 0; chunk = chunk[min(25, len(chunk)):] {
		s.call("POST", ownAdherence, token, records(chunk[:min(25, len(chunk))]...)).want(t, 200)
	}
	s.call("POST", ownAdherence, token, records(pending[:25]...)).want(t, 200) // its answer was lost
	page := s.call("POST", ownAdherence+"/search", token, `{"sortOrder":"desc","pageSize":500,"includeRepeats":true,"currentTimestampsOnly":true,"offsetBy":0}`)
	got := page.found(t)
	if page.field("total") != 120.0 || len(got) != 120 || !strings.HasPrefix(got[0], "a-59 ") || !strings.HasPrefix(got[119], "s-0 ") {
		t.Errorf("%v %v", page.field("total"), got)
	}
	want := map[string]any{
		"sortOrder": "desc", "pageSize": 500.0, "includeRepeats": true, "currentTimestampsOnly": true, "offsetBy": 0.0, "studyId": testStudy, "type": "RequestParams",
		"instanceGuids": []any{}, "assessmentIds": []any{}, "sessionGuids": []any{}, "timeWindowGuids": []any{}, "eventTimestamps": map[string]any{},
		"predicate": "and", "stringSearchPosition": "infix",
	}
	if diff := cmp.Diff(any(want), page.field("requestParams")); diff != "" {
		t.Error(diff)
	}
	seen := map[string]bool{}
	for offset := 0; offset < 130; offset += 50 {
		for _, line := range s.call("POST", ownAdherence+"/search", token, map[string]any{"sortOrder": "desc", "pageSize": 50, "offsetBy": offset}).found(t) {
			seen[line] = true
		}
	}
	if len(seen) != 120 {
		t.Errorf("%d lines in pages", len(seen))
	}
}
