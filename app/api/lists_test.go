package api_test

import (
	"fmt"
	"net/url"
	"slices"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/core/participant"

	"github.com/google/go-cmp/cmp"
)

// pass sets the clock forward.
func (s *site) pass(by time.Duration) { s.ahead.Add(int64(by)) }

// wire is a time as a query says it.
func wire(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// code is the health code of the account that a login names.
func (s *site) code(externalID string) core.HealthCode {
	s.t.Helper()
	a, err := s.store.AccountByLogin(s.t.Context(), core.ExternalLogin(externalID))
	if err != nil {
		s.t.Fatal(err)
	}
	return a.HealthCode
}

// sent is an upload whose file is here and that is completed.
func (s *site) sent(token, body string) *parcel {
	s.t.Helper()
	p := s.slot(token, body)
	s.put(p).want(s.t, 200)
	s.call("POST", "/v3/uploads/"+p.id+"/complete", token, nil).want(s.t, 200)
	return p
}

// listed gives the upload ids of a page.
func (a answer) listed() (ids []string) {
	items, _ := a.field("items").([]any)
	for _, item := range items {
		id, _ := item.(map[string]any)["uploadId"].(string)
		ids = append(ids, id)
	}
	return ids
}

const (
	listsOfP1  = "/v3/participants/externalid:p1/uploads"
	studysOfP1 = "/v5/studies/" + testStudy + "/participants/externalid:p1/uploads"
	studyList  = "/v5/studies/" + testStudy + "/uploads"
	selfList   = "/v1/apps/self/uploads"
	appList    = "/v1/apps/" + testApp + "/uploads"
)

// Every list holds its uploads once, in its order, whatever the size of a page.
func TestListsAreReadPageByPage(t *testing.T) {
	s := newSite(t, nil)
	admin := s.staff(core.RoleAdmin)
	p1, p2 := s.participant("p1"), s.participant("p2")
	s.account("", participant.Form{Email: "out@example.org", SharingScope: core.SponsorsAndPartners})
	outsider := s.signIn(map[string]any{"email": "out@example.org"})
	var ofP1, ofStudy, ofApp []string
	for i := range 7 {
		s.pass(time.Second)
		id := s.slot(p1, fmt.Sprint("walk", i)).id
		ofP1, ofStudy, ofApp = append(ofP1, id), append(ofStudy, id), append(ofApp, id)
		s.pass(time.Second)
		id = s.slot(p2, fmt.Sprint("walk", i)).id
		ofStudy, ofApp = append(ofStudy, id), append(ofApp, id)
		s.pass(time.Second)
		ofApp = append(ofApp, s.slot(outsider, fmt.Sprint("walk", i)).id)
	}
	slices.Reverse(ofStudy)
	slices.Reverse(ofApp)
	everyone := []core.HealthCode{s.code("p1"), s.code("p2")}
	for _, list := range []struct {
		path string
		want []string
	}{
		{listsOfP1, ofP1}, {studysOfP1, ofP1}, {studyList, ofStudy},
		{selfList, ofApp}, {"/v3/studies/self/uploads", ofApp}, {appList, ofApp}, {"/v3/studies/" + testApp + "/uploads", ofApp},
	} {
		for _, size := range []int{1, 2, 5, 7, 21, 100} {
			var got []string
			offset, pages := "", 0
			for more := true; more; pages++ {
				query := url.Values{"pageSize": {fmt.Sprint(size)}}
				if offset != "" {
					query.Set("offsetKey", offset)
				}
				page := s.call("GET", list.path+"?"+query.Encode(), admin, nil)
				got = append(got, page.listed()...)
				next := page.text("nextPageOffsetKey")
				if more, _ = page.field("hasNext").(bool); more != (next != "") || len(page.listed()) > size {
					t.Fatalf("%s: %s", list.path, page.raw)
				}
				if page.text("offsetKey") != offset || page.text("requestParams", "offsetKey") != offset {
					t.Errorf("%s: the page does not say where it begins: %s", list.path, page.raw)
				}
				offset = next
			}
			if diff := cmp.Diff(list.want, got); diff != "" {
				t.Errorf("%s, %d at a time: %s", list.path, size, diff)
			}
			if want := (len(list.want) + size - 1) / size; pages != want {
				t.Errorf("%s: %d pages of %d, want %d", list.path, pages, size, want)
			}
		}
	}
	s.call("GET", studyList, admin, nil).wantCodes(t, 200, everyone)
}

// Without times a list covers the last day, with one of them the day that begins
// or ends there. Both ends are included.
func TestTheWindowOfAList(t *testing.T) {
	s := newSite(t, nil)
	p1 := s.participant("p1")
	begun := map[string]*parcel{}
	at := map[string]time.Time{}
	for _, name := range []string{"first", "second", "third"} { // ten hours from one to the next
		begun[name] = s.slot(p1, name)
		u, err := s.store.Upload(t.Context(), core.UploadID(begun[name].id))
		if err != nil {
			t.Fatal(err)
		}
		at[name] = u.RequestedOn
		s.pass(10 * time.Hour)
		p1 = s.signIn(map[string]any{"externalId": "p1"})
	}
	researcher := s.staff(core.RoleResearcher)
	abroad := at["second"].In(time.FixedZone("", 9*3600)).Format("2006-01-02T15:04:05.000-07:00")
	for name, row := range map[string]struct {
		query string
		want  []string
		from  time.Duration // between startTime and endTime
	}{
		"no times":              {"", []string{"second", "third"}, 24 * time.Hour},
		"empty is none":         {"startTime=&endTime=&offsetKey=", []string{"second", "third"}, 24 * time.Hour},
		"from the first on":     {"startTime=" + wire(at["first"]), []string{"first", "second", "third"}, 24 * time.Hour},
		"from behind the first": {"startTime=" + wire(at["first"].Add(time.Millisecond)), []string{"second", "third"}, 24 * time.Hour},
		"to the second":         {"endTime=" + wire(at["second"]), []string{"first", "second"}, 24 * time.Hour},
		"to before the second":  {"endTime=" + wire(at["second"].Add(-time.Millisecond)), []string{"first"}, 24 * time.Hour},
		"one moment":            {"startTime=" + wire(at["second"]) + "&endTime=" + wire(at["second"]), []string{"second"}, 0},
		"from the first to the third": {"startTime=" + wire(at["first"]) + "&endTime=" + wire(at["third"]),
			[]string{"first", "second", "third"}, -1},
		"a plus that was not escaped": {"startTime=" + abroad + "&endTime=" + abroad, []string{"second"}, 0},
		"a whole century":             {"startTime=1950-01-01&endTime=2099-12-31T23:59Z", []string{"first", "second", "third"}, -1},
		"before everything":           {"endTime=1970-01-01T00:00:00Z", nil, 24 * time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			got := s.call("GET", listsOfP1+"?"+row.query, researcher, nil).want(t, 200, `"type":"ForwardCursorPagedResourceList"`, `"items":[`)
			var want []string
			for _, w := range row.want {
				want = append(want, begun[w].id)
			}
			if diff := cmp.Diff(want, got.listed()); diff != "" {
				t.Error(diff)
			}
			from, _ := time.Parse(time.RFC3339, got.text("startTime"))
			to, _ := time.Parse(time.RFC3339, got.text("endTime"))
			if row.from >= 0 && to.Sub(from) != row.from {
				t.Errorf("from %v to %v", from, to)
			}
			if got.text("requestParams", "startTime") != got.text("startTime") || got.text("requestParams", "endTime") != got.text("endTime") {
				t.Errorf("%s", got.raw)
			}
		})
	}
}

// A page that begins where the window has meanwhile moved on from is empty: nothing
// is shown twice.
func TestAPageBehindTheWindow(t *testing.T) {
	s := newSite(t, nil)
	p1 := s.participant("p1")
	s.staff(core.RoleAdmin)
	old := s.slot(p1, "old").id
	s.pass(10 * time.Hour)
	s.slot(s.signIn(map[string]any{"externalId": "p1"}), "new")
	s.pass(15 * time.Hour)
	admin := s.signIn(map[string]any{"email": "admin@example.org"})
	if got := s.call("GET", selfList+"?offsetKey="+old, admin, nil).want(t, 200, `"items":[]`); got.field("hasNext") != false {
		t.Errorf("%s", got.raw)
	}
}

func TestWhatIsWrongWithAListsQuery(t *testing.T) {
	s := newSite(t, nil)
	s.participant("p1")
	admin := s.staff(core.RoleAdmin)
	for query, words := range map[string]string{
		"pageSize=0":                   "pageSize must be a whole number from 1 to 100",
		"pageSize=101":                 "pageSize must be a whole number from 1 to 100",
		"pageSize=-5":                  "pageSize must be a whole number from 1 to 100",
		"pageSize=ten":                 "pageSize must be a whole number from 1 to 100",
		"startTime=monday":             "startTime must be a time such as 2026-11-20T08:00:00.000Z",
		"endTime=1.11.2026":            "endTime must be a time such as",
		"endTime=2026-02-30T00:00:00Z": "endTime must be a time such as",
		"startTime=2026-11-21&endTime=2026-11-20": "Start time cannot be after end time: 2026-11-21T00:00:00.000Z - 2026-11-20T00:00:00.000Z",
		"offsetKey=7":             "Invalid offsetKey: 7",
		"offsetKey=1700000000000": "Invalid offsetKey: 1700000000000",
		"offsetKey=../x":          "Invalid offsetKey: ../x",
		"offsetKey=019A0000-0000-7000-8000-000000000000": "Invalid offsetKey: 019A0000",
		"startTime=%zz":      "query of the address is malformed",
		"pageSize=5&other=%": "query of the address is malformed",
	} {
		for _, list := range []string{listsOfP1, studysOfP1, studyList, selfList, appList} {
			s.call("GET", list+"?"+query, admin, nil).want(t, 400, words, `"type":"BadRequestException"`)
		}
	}
}

// Who may read which list, and who sees in it whose health code is whose.
func TestWhoReadsLists(t *testing.T) {
	s := newSite(t, nil)
	owner := s.participant("p1")
	s.sent(owner, body)
	s.process()
	if _, err := s.store.CreateStudy(t.Context(), core.Study{ID: "gait", App: testApp}); err != nil {
		t.Fatal(err)
	}
	s.account("gait", participant.Form{Email: "elsewhere@example.org", Roles: []core.Role{core.RoleStudyCoordinator}})
	s.account(testStudy, participant.Form{Email: "here@example.org", Roles: []core.Role{core.RoleStudyCoordinator}})
	tokens := map[string]string{
		"nobody": "", "owner": owner, "another": s.participant("p2"),
		"coordinator elsewhere": s.signIn(map[string]any{"email": "elsewhere@example.org"}),
		"coordinator here":      s.signIn(map[string]any{"email": "here@example.org"}),
	}
	for _, role := range core.Roles() {
		tokens[string(role)] = s.staff(role)
	}
	routes := []string{listsOfP1, studysOfP1, studyList, selfList, appList}
	for who, want := range map[string][]int{
		"nobody":                {401, 401, 401, 401, 401},
		"owner":                 {403, 403, 403, 403, 403},
		"another":               {403, 403, 403, 403, 403},
		"admin":                 {200, 200, 200, 200, 200},
		"worker":                {200, 200, 200, 403, 200},
		"researcher":            {200, 200, 200, 403, 403},
		"developer":             {200, 200, 200, 403, 403},
		"study_coordinator":     {403, 200, 200, 403, 403}, // of every study
		"coordinator here":      {403, 200, 200, 403, 403},
		"coordinator elsewhere": {403, 403, 403, 403, 403},
	} {
		for i, route := range routes {
			var codes []core.HealthCode
			if want[i] == 200 && (who == "admin" || who == "worker") {
				codes = []core.HealthCode{s.code("p1")}
			}
			got := s.call("GET", route, tokens[who], nil).wantCodes(t, want[i], codes)
			if want[i] == 200 && len(got.listed()) != 1 {
				t.Errorf("%s reads %s: %s", who, route, got.raw)
			}
		}
	}
	admin := tokens["admin"]
	for path, words := range map[string]string{
		"/v3/participants/nobody/uploads":                           "There is no such account.",
		"/v5/studies/gait/participants/externalid:p1/uploads":       "There is no such account.", // it was never in that study
		"/v5/studies/none/uploads":                                  "Study none was not found.",
		"/v5/studies/none/participants/externalid:p1/uploads":       "There is no such account.",
		"/v1/apps/other/uploads":                                    "There is no such app",
		"/v3/studies/other/uploads":                                 "There is no such app",
		"/v5/studies/" + testStudy + "/participants/nobody/uploads": "There is no such account.",
	} {
		s.call("GET", path, admin, nil).want(t, 404, words, "EntityNotFoundException")
	}
	s.call("GET", "/v5/studies/gait/uploads", tokens["coordinator elsewhere"], nil).want(t, 200, `"items":[]`)
}

// What a list says of an upload at every stage of its way.
func TestTheItemsOfAList(t *testing.T) {
	s := newSite(t, nil)
	admin := s.staff(core.RoleAdmin)
	s.call("POST", "/v5/studies/"+testStudy+"/exporter3", admin, nil).want(t, 201)
	p1 := s.participant("p1")
	device := []string{"User-Agent", "walk/7 (Pixel 9; Android/16) sdk/3"}
	begin := func(change map[string]any) *parcel {
		s.pass(time.Second)
		request := with(change)
		slot := s.call("POST", "/v3/uploads", p1, request, device...).want(t, 200)
		return &parcel{body: body, mimeType: "application/zip", id: slot.text("id"), url: slot.text("url")}
	}
	finish := func(p *parcel) {
		s.put(p).want(t, 200)
		s.call("POST", "/v3/uploads/"+p.id+"/complete", p1, nil, device...).want(t, 200)
		s.process()
	}
	done := begin(map[string]any{"metadata": map[string]any{"declined": false, "n": 2}})
	finish(done)
	repeated := begin(nil)
	s.put(repeated).want(t, 200)
	failed := begin(map[string]any{"contentMd5": hash("no message"), "contentLength": len("no message"), "encrypted": true})
	failed.body = "no message"
	finish(failed)
	begin(map[string]any{"contentMd5": hash("later")})

	s.call("GET", selfList+"?pageSize=3", admin, nil).wantCodes(t, 200, []core.HealthCode{s.code("p1")}).golden(t, "list-newest-first")
	s.staff(core.RoleStudyCoordinator)
	coordinator := s.signIn(map[string]any{"email": "study_coordinator@example.org"})
	s.call("GET", studysOfP1+"?pageSize=1", coordinator, nil).want(t, 200).golden(t, "list-oldest-first")
}
