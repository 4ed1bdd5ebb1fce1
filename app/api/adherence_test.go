package api_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	"footbridge/core"

	"github.com/google/go-cmp/cmp"
)

const (
	ownAdherence = members + "/self/adherence"
	p1Adherence  = members + "/externalid:p1/adherence"
	enrolled     = "2026-05-10T00:00:00.000Z" // the event of most tests
)

// did is an adherence record that a device submits.
func did(guid, started, finished string) map[string]any {
	record := map[string]any{"instanceGuid": guid, "eventTimestamp": enrolled}
	for name, at := range map[string]string{"startedOn": started, "finishedOn": finished} {
		if at != "" {
			record[name] = "2026-05-12T" + at + ":00.000Z"
		}
	}
	return record
}

func records(all ...map[string]any) map[string]any { return map[string]any{"records": all} }

// found shows the records of a page, one line each: what they are of, when it was
// started and finished.
func (a answer) found(t *testing.T) []string {
	t.Helper()
	a.want(t, 200, `"type":"PagedResourceList"`)
	var page struct {
		Items []struct {
			InstanceGUID, StartedOn, FinishedOn string
			Declined                            bool
		}
	}
	if err := json.Unmarshal([]byte(a.raw), &page); err != nil {
		t.Fatal(err)
	}
	lines := []string{}
	clock := func(at string) string {
		if len(at) < 16 {
			return "-"
		}
		return at[11:16]
	}
	for _, r := range page.Items {
		line := r.InstanceGUID + " " + clock(r.StartedOn) + " " + clock(r.FinishedOn)
		if r.Declined {
			line += " declined"
		}
		lines = append(lines, line)
	}
	return lines
}

func TestAdherence(t *testing.T) {
	s := newSite(t, nil)
	s.planned(walkPlan)
	token := s.participant("p1")
	walk := did("a-1", "08:00", "08:06")
	maps.Copy(walk, map[string]any{
		"startedOn": "2026-05-12T10:00:00+02:00", "eventTimestamp": 1778371200000, "finishedOn": "2026-05-12T08:06Z", "clientTimeZone": "Africa/Nairobi",
		"clientData": map[string]any{"osName": "Android", "steps": []int{1, 2}}, "declined": nil, "uploadIds": []string{"u-1"}, "uploadedOn": "2026-05-12T08:07:00.123456Z",
		"postProcessingAttributes": map[string]any{"rows": 7}, "postProcessingCompletedOn": "2026-05-12T09:00:00Z", "postProcessingStatus": "Pending",
		"userId": "another", "studyId": "another", "healthCode": "x", "type": "AdherenceRecord", "assessmentGuid": "x", "later": 1,
	})
	declined := did("a-2", "", "")
	declined["declined"], declined["startedOn"], declined["clientData"] = true, nil, nil
	saved := s.call("POST", ownAdherence, token, records(walk, declined, did("elsewhere", "09:00", ""))).want(t, 200)
	if want := `{"message":"Adherence records saved.","type":"StatusMessage"}` + "\n"; saved.raw != want {
		t.Errorf("%s", saved.raw)
	}
	page := s.call("POST", ownAdherence+"/search", token, map[string]any{}).want(t, 200)
	page.golden(t, "adherence")
	researcher := s.staff(core.RoleResearcher)
	for path, who := range map[string]string{ownAdherence + "/search": token, p1Adherence + "/search": researcher, "/v5/studies/" + testStudy + "/adherence/search": researcher} {
		for _, body := range []string{"", "null", `{"later":1,"pageSize":null,"sortOrder":null,"instanceGuids":null,"eventTimestamps":{"e":null}}`} {
			if got := s.call("POST", path, who, body).want(t, 200); got.raw != page.raw {
				t.Errorf("%s: %s", path, got.raw)
			}
		}
	}
	at := page.field("items").([]any)[1].(map[string]any)
	if at["startedOn"] != "2026-05-12T08:00:00.000Z" || at["uploadedOn"] != "2026-05-12T08:07:00.123Z" || at["eventTimestamp"] != enrolled {
		t.Errorf("%v", at)
	}
}

func TestWhatIsWrongWithAdherence(t *testing.T) {
	s := newSite(t, nil)
	token := s.participant("p1")
	for body, want := range map[string]map[string]any{
		`{"records":[{},null]}`: {
			"records[0].instanceGuid": []any{"records[0].instanceGuid cannot be null or blank"}, "records[0].eventTimestamp": []any{"records[0].eventTimestamp cannot be null"},
			"records[1].instanceGuid": []any{"records[1].instanceGuid cannot be null or blank"}, "records[1].eventTimestamp": []any{"records[1].eventTimestamp cannot be null"},
		},
		`{"records":[{"instanceGuid":"a","eventTimestamp":"2026-05-10T00:00Z"},{"instanceGuid":"a","eventTimestamp":"at noon","startedOn":{},"finishedOn":true,"uploadedOn":1.5,"postProcessingCompletedOn":1e99}]}`: {
			"records[1].eventTimestamp": []any{"records[1].eventTimestamp must be an ISO 8601 time"}, "records[1].startedOn": []any{"records[1].startedOn must be an ISO 8601 time"},
			"records[1].finishedOn": []any{"records[1].finishedOn must be an ISO 8601 time"}, "records[1].uploadedOn": []any{"records[1].uploadedOn must be an ISO 8601 time"},
			"records[1].postProcessingCompletedOn": []any{"records[1].postProcessingCompletedOn must be an ISO 8601 time"},
		},
		`{"records":[{"instanceGuid":"a","eventTimestamp":0,"startedOn":"2026-05-12T09:00Z","finishedOn":"2026-05-12T08:00Z","clientTimeZone":"Mars","clientData":"` + strings.Repeat("x", 64<<10) + `"}]}`: {
			"records[0].startedOn": []any{"records[0].startedOn cannot be later than finishedOn"}, "records[0].clientTimeZone": []any{"records[0].clientTimeZone is not a recognized IANA time zone name"},
			"records[0].clientData": []any{"records[0].clientData must have at most 65536 bytes"},
		},
		`{"records":[` + strings.Repeat("{},", 1000) + `{}]}`: {"records": []any{"records must be at most 1000"}},
	} {
		got := s.call("POST", ownAdherence, token, body).want(t, 400, "InvalidEntityException", "AdherenceRecordList is invalid")
		if diff := cmp.Diff(any(want), got.field("errors")); diff != "" {
			t.Error(diff)
		}
	}
	for body, words := range map[string]string{
		`{}`: "No adherence records submitted for update.", `{"records":[]}`: "No adherence records submitted for update.", `{"records":null}`: "No adherence records submitted for update.",
		`{"records":{}}`: "fields: records", `{"records":[{"instanceGuid":7}]}`: "fields: records.instanceGuid", `{"records":[{"declined":"yes"}]}`: "fields: records.declined",
		``: "it is empty", `[]`: "must be an object",
	} {
		s.call("POST", ownAdherence, token, body).want(t, 400, words)
	}
	many := s.call("POST", ownAdherence, token, `{"records":[`+strings.Repeat(`{"startedOn":true},`, 5000)+`{}]}`).want(t, 400)
	if errors, _ := many.field("errors").(map[string]any); len(errors) != 100 {
		t.Errorf("%d complaints", len(errors))
	}
}

// Staff and workers save and find what participants of their study did.
func TestAdherenceByOthers(t *testing.T) {
	s := newSite(t, nil)
	s.planned(walkPlan)
	worker, coordinator := s.staff(core.RoleWorker), s.staff(core.RoleStudyCoordinator)
	token, other := s.participant("p1"), s.participant("p2")
	s.call("POST", p1Adherence, worker, records(did("a-1", "08:00", ""))).want(t, 200)
	s.call("POST", ownAdherence, other, records(did("a-1", "09:00", ""))).want(t, 200)
	every := "/v5/studies/" + testStudy + "/adherence/search"
	if diff := cmp.Diff([]string{"a-1 08:00 -", "s-1 08:00 -", "a-1 09:00 -", "s-1 09:00 -"}, s.call("POST", every, coordinator, "{}").found(t)); diff != "" {
		t.Error(diff)
	}
	for who, path := range map[string]string{token: ownAdherence, coordinator: p1Adherence} {
		if diff := cmp.Diff([]string{"a-1 08:00 -", "s-1 08:00 -"}, s.call("POST", path+"/search", who, "{}").found(t)); diff != "" {
			t.Error(diff)
		}
	}
	id := string(s.accountOf("p2").ID)
	for _, path := range []string{p1Adherence, members + "/" + id + "/adherence"} {
		s.call("POST", path, token, records(did("a-1", "10:00", ""))).want(t, 403)
		s.call("POST", path+"/search", token, "{}").want(t, 403)
	}
	for _, path := range []string{members + "/nobody/adherence", "/v5/studies/gait/participants/" + id + "/adherence", "/v5/studies/" + testStudy + "%2F" + id + "/adherence"} {
		s.call("POST", path+"/search", worker, "{}").want(t, 404)
	}
	s.call("POST", "/v5/studies/gait/participants/self/adherence", token, records(did("a-1", "10:00", ""))).want(t, 403, "not enrolled in this study")
	s.call("POST", ownAdherence, coordinator, records(did("a-1", "10:00", ""))).want(t, 403)

	// Who left the study adds nothing more; what they did stays known.
	if _, err := s.roster.Withdraw(t.Context(), testStudy, s.accountOf("p2").ID, "", ""); err != nil {
		t.Fatal(err)
	}
	s.call("POST", ownAdherence, other, records(did("a-2", "10:00", ""))).want(t, 403)
	s.call("POST", ownAdherence+"/search", other, "{}").want(t, 403)
	s.call("POST", members+"/"+id+"/adherence/search", worker, "{}").want(t, 200, `"total":2`)
}

func TestAdherenceSearches(t *testing.T) {
	s := newSite(t, nil)
	s.planned(walkPlan)
	token := s.participant("p1")
	later := did("a-1", "20:00", "")
	later["eventTimestamp"] = "2026-05-11T00:00:00.000Z"
	linked := did("a-2", "09:00", "09:10")
	linked["uploadIds"] = []string{"u-1", "u-2"}
	declined := did("elsewhere", "", "")
	declined["declined"] = true
	s.call("POST", ownAdherence, token, records(did("a-1", "08:00", "08:06"), linked, later, did("a-3", "18:00", ""), did("a-3", "19:00", ""), declined)).want(t, 200)
	all := []string{"elsewhere - - declined", "a-1 08:00 08:06", "s-1 08:00 09:10", "a-2 09:00 09:10", "a-3 18:00 -", "s-2 18:00 -", "a-3 19:00 -", "a-1 20:00 -", "s-1 20:00 -"}
	for search, want := range map[string][]string{
		`{"instanceGuids":["a-3@2026-05-12T19:00:00.000Z","a-2"]}`:              {all[3], all[6]},
		`{"assessmentIds":["finger-tapping"],"sortOrder":"DESC"}`:               {all[6], all[4], all[3]},
		`{"sessionGuids":["morning"],"adherenceRecordType":"Session"}`:          {all[2], all[8]},
		`{"timeWindowGuids":["w-2"],"includeRepeats":false}`:                    {all[4], all[5]},
		`{"eventTimestamps":{"enrollment":"2026-05-11"}}`:                       {all[7], all[8]},
		`{"currentTimestampsOnly":true,"sessionGuids":["morning"]}`:             {all[7], all[8]},
		`{"eventTimestampStart":"2026-05-11","eventTimestampEnd":"2026-05-12"}`: {all[7], all[8]},
		`{"startTime":"2026-05-12T09:00Z","endTime":"2026-05-12T18:00Z"}`:       {all[3], all[4], all[5]},
		`{"declined":true}`:             {all[0]},
		`{"uploadId":"u-2"}`:            {all[3]},
		`{"hasMultipleUploadIds":true}`: {all[3]},
		`{"hasNoUploadIds":true,"predicate":"AND","pageSize":2,"offsetBy":3}`:            {all[4], all[5]},
		`{"declined":true,"uploadId":null,"hasMultipleUploadIds":true,"predicate":"or"}`: {all[0], all[3]},
	} {
		if diff := cmp.Diff(want, s.call("POST", ownAdherence+"/search", token, search).found(t)); diff != "" {
			t.Errorf("%s: %s", search, diff)
		}
	}
	s.call("POST", ownAdherence+"/search", token, `{"instanceGuids":["a-3@2026-05-12T19:00Z"],"assessmentIds":["x"],"sessionGuids":["y"],"timeWindowGuids":["z"],
		"adherenceRecordType":"ASSESSMENT","includeRepeats":false,"currentTimestampsOnly":true,"eventTimestamps":{"visit":"2026-05-11"},
		"eventTimestampStart":"2026-05-11","eventTimestampEnd":1778544000000,"startTime":"2026-05-11","endTime":"2026-05-12T00:00+02:00","declined":false,"uploadId":"u-1",
		"hasMultipleUploadIds":true,"predicate":"Or","stringSearchPosition":"PREFIX","sortOrder":"Desc","offsetBy":7,"pageSize":9}`).want(t, 200).golden(t, "adherence-search")
}

func TestWhatIsWrongWithASearch(t *testing.T) {
	s := newSite(t, nil)
	token := s.participant("p1")
	many := strings.Repeat(`"x",`, 500) + `"x"`
	events := `"e":"2026"`
	for i := range 50 {
		events += fmt.Sprintf(`,"%d":"2026-05-10"`, i)
	}
	for body, words := range map[string][]string{
		`{"pageSize":0}`:                       {`"pageSize":["pageSize must be 1-500 records"]`},
		`{"pageSize":501,"offsetBy":-1}`:       {`"pageSize":["pageSize must be 1-500 records"]`, `"offsetBy":["offsetBy cannot be negative"]`},
		`{"startTime":"2026-05-10"}`:           {`"endTime":["endTime must be provided if startTime is provided"]`},
		`{"eventTimestampEnd":"2026-05-10"}`:   {`"eventTimestampStart":[`},
		`{"sortOrder":"up","predicate":"xor"}`: {`"sortOrder":["sortOrder must be one of asc, desc"]`, `"predicate":[`},
		`{"instanceGuids":[` + many + `]}`:     {`"instanceGuids":["instanceGuids exceeds maximum size of 500 entries"]`},
		`{"eventTimestamps":{"e":"noon"}}`:     {`"eventTimestamps[e]":["eventTimestamps[e] must be an ISO 8601 time"]`},
		`{"eventTimestamps":{` + strings.Replace(events, "2026\"", "2026-05-10\"", 1) + `}}`: {`"eventTimestamps":["eventTimestamps exceeds maximum size of 50 entries"]`},
		`{"startTime":true,"endTime":[],"eventTimestampStart":{},"eventTimestampEnd":"x"}`:   {`"startTime":[`, `"endTime":[`, `"eventTimestampStart":[`, `"eventTimestampEnd":[`},
		`{"hasMultipleUploadIds":true,"hasNoUploadIds":true}`:                                {`"AdherenceRecordsSearch":[`},
		`{"pageSize":"x"}`: {"fields: pageSize"}, `{"pageSize":1.5}`: {"fields: pageSize"}, `{"offsetBy":1e400}`: {"fields: offsetBy"}, `{"instanceGuids":"x"}`: {"fields: instanceGuids"},
		`{"instanceGuids":[1]}`: {"fields: instanceGuids"}, `{"eventTimestamps":[]}`: {"fields: eventTimestamps"}, `{"includeRepeats":"yes"}`: {"fields: includeRepeats"},
		`{"declined":1}`: {"fields: declined"}, `{"uploadId":{}}`: {"fields: uploadId"}, `{"sortOrder":1}`: {"fields: sortOrder"}, `[]`: {"must be an object"}, `{`: {"not valid JSON"},
	} {
		s.call("POST", ownAdherence+"/search", token, body).want(t, 400, append(words, "InvalidEntityException")...)
	}
}

func TestAdherenceIsDeleted(t *testing.T) {
	s := newSite(t, nil)
	s.planned(walkPlan)
	coordinator, token := s.staff(core.RoleStudyCoordinator), s.participant("p1")
	s.call("POST", ownAdherence, token, records(did("a-3", "18:00", ""), did("a-3", "19:00", ""), did("elsewhere", "20:00", ""))).want(t, 200)
	one := p1Adherence + "/a-3/" + url.PathEscape("2026-05-10T02:00:00+02:00") + "/2026-05-12T18:00:00.000Z"
	s.call("DELETE", strings.Replace(one, "externalid:p1", "self", 1), token, nil).want(t, 403)
	for range 2 {
		s.call("DELETE", one, coordinator, nil).want(t, 200, "Adherence record deleted.", `"type":"StatusMessage"`)
	}
	if diff := cmp.Diff([]string{"s-2 19:00 -", "a-3 19:00 -", "elsewhere 20:00 -"}, sorted(s.call("POST", ownAdherence+"/search", token, "{}").found(t))); diff != "" {
		t.Error(diff)
	}
	for _, times := range []string{"yesterday/2026-05-12T18:00:00.000Z", "2026-05-10/null"} {
		s.call("DELETE", p1Adherence+"/a-3/"+times, coordinator, nil).want(t, 400, "must be an ISO 8601 time", "BadRequestException")
	}
	s.call("DELETE", members+"/nobody/adherence/a-3/2026-05-10/2026-05-12", coordinator, nil).want(t, 404)

	// A device takes a record back by saving it neither started nor declined.
	s.call("POST", ownAdherence, token, records(did("elsewhere", "", ""))).want(t, 200)
	s.call("POST", ownAdherence+"/search", token, `{"instanceGuids":["elsewhere"]}`).want(t, 200, `"total":0`)
}

func sorted(lines []string) []string {
	slices.SortFunc(lines, func(a, b string) int {
		return strings.Compare(a[strings.Index(a, " "):]+b, b[strings.Index(b, " "):]+a)
	})
	return lines
}

func TestAdherenceIsPostProcessed(t *testing.T) {
	s := newSite(t, nil)
	s.planned(walkPlan)
	worker, token := s.staff(core.RoleWorker), s.participant("p1")
	s.call("POST", ownAdherence, token, records(did("a-1", "08:00", ""), did("a-3", "18:00", ""), did("a-3", "19:00", ""))).want(t, 200)
	at := func(guid string) string { return p1Adherence + "/" + guid + "/" + enrolled + "/postprocessing" }
	s.call("POST", at("a-1"), worker, `{"postProcessingAttributes":{"rows":7,"score":null},"postProcessingStatus":"Pending"}`).want(t, 200, "Adherence record updated.", `"type":"StatusMessage"`)
	s.call("POST", at("a-1"), worker, `{"postProcessingAttributes":{"score":3},"postProcessingCompletedOn":"2026-05-12T10:00:00+02:00"}`).want(t, 200)
	s.call("POST", at("a-3"), worker, `{"startedOn":"2026-05-12T19:00:00Z","postProcessingStatus":"Scored"}`).want(t, 200)
	s.call("POST", ownAdherence+"/search", token, `{"instanceGuids":["a-1"]}`).want(t, 200, `"startedOn":"2026-05-12T08:00:00.000Z"`,
		`"postProcessingAttributes":{"rows":7,"score":3},"postProcessingCompletedOn":"2026-05-12T08:00:00.000Z","postProcessingStatus":"Pending"`)
	for body, words := range map[string]string{
		`{"postProcessingAttributes":[]}`:                             `"postProcessingAttributes":["postProcessingAttributes must be an object"]`,
		`{"postProcessingStatus":"` + strings.Repeat("x", 256) + `"}`: `"postProcessingStatus":["postProcessingStatus must have at most 255 characters"]`,
		`{"postProcessingCompletedOn":"soon","startedOn":false}`:      `"startedOn":["startedOn must be an ISO 8601 time"]`,
		`{"postProcessingStatus":7}`:                                  "fields: postProcessingStatus",
	} {
		s.call("POST", at("a-1"), worker, body).want(t, 400, words, "InvalidEntityException")
	}
	s.call("POST", at("a-3"), worker, `{}`).want(t, 400, `"startedOn":["startedOn must say which record is meant`)
	s.call("POST", at("a-2"), worker, `{}`).want(t, 404, `"entityClass":"AdherenceRecord"`)
	s.call("POST", p1Adherence+"/a-1/noon/postprocessing", worker, `{}`).want(t, 400, "BadRequestException")
	s.call("POST", strings.Replace(at("a-1"), "externalid:p1", "nobody", 1), worker, `{}`).want(t, 404, `"entityClass":"Account"`)
	s.call("POST", at("a-1"), token, `{}`).want(t, 403)
}
