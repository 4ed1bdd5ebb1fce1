package api_test

import (
	"fmt"
	"strings"
	"testing"

	"footbridge/core"
	"footbridge/core/participant"
)

const redriveAll = "/v3/uploads/redrive"

func redriven(ids ...string) map[string]any { return map[string]any{"uploadIds": ids} }

func (s *site) row(id string) core.Upload {
	s.t.Helper()
	u, err := s.store.Upload(s.t.Context(), core.UploadID(id))
	if err != nil {
		s.t.Fatal(err)
	}
	return u
}

// An admin has many uploads processed again: failed ones, duplicates and those
// that succeeded. What is named twice is redriven once, what is being processed
// goes on.
func TestRedriveOfMany(t *testing.T) {
	s := newSite(t, nil)
	admin, owner := s.staff(core.RoleAdmin), s.participant("p1")
	fine := s.sent(owner, body)
	s.process()
	duplicate := s.slot(owner, body)
	s.put(duplicate).want(t, 200)
	due := s.sent(owner, "another body")

	s.call("POST", redriveAll, admin, redriven(fine.id, duplicate.id, fine.id, due.id)).
		want(t, 200, `{"message":"Upload redrive completed.","type":"StatusMessage"}`)
	for id, by := range map[string]core.CompletedBy{
		fine.id: core.CompletedByRedrive, duplicate.id: core.CompletedByRedrive, due.id: core.CompletedByApp,
	} {
		if u := s.row(id); u.State != core.StateCompleted || u.CompletedBy != by {
			t.Errorf("%s is %s, completed by %s, want %s", id, u.State, u.CompletedBy, by)
		}
	}
	s.process()
	for _, p := range []*parcel{fine, duplicate, due} {
		if got := s.status(owner, p.id); got != "succeeded" {
			t.Errorf("%s is %s", p.id, got)
		}
	}
}

// What cannot be redriven holds up nothing: the answer names it.
func TestRedriveOfWhatNeverCame(t *testing.T) {
	s := newSite(t, nil)
	admin, owner := s.staff(core.RoleAdmin), s.participant("p1")
	fine := s.sent(owner, body)
	s.process()
	empty, bare := s.slot(owner, "never sent"), s.slot(owner, body) // a slot, and a duplicate's
	s.call("POST", redriveAll, admin, redriven(empty.id, fine.id, bare.id)).want(t, 200,
		"Upload redrive completed. Passed over, because no file was ever uploaded to them: "+empty.id+", "+bare.id+".")
	if s.status(owner, empty.id) != "requested" || s.status(owner, bare.id) != "duplicate" || s.status(owner, fine.id) != "validation_in_progress" {
		t.Error("not as they should be")
	}
}

func TestWhatIsWrongWithARedrive(t *testing.T) {
	s := newSite(t, nil)
	admin, owner := s.staff(core.RoleAdmin), s.participant("p1")
	p := s.sent(owner, body)
	s.process()
	var many []string
	for i := range 101 {
		many = append(many, fmt.Sprint("upload-", i))
	}
	for name, row := range map[string]struct {
		body   any
		status int
		words  []string
	}{
		"an unknown one":        {redriven(p.id, "unknown"), 404, []string{"Upload unknown was not found.", "EntityNotFoundException"}},
		"none":                  {redriven(), 400, []string{`"errors":{"uploadIds":["uploadIds must name at least one upload"]}`}},
		"no list":               {map[string]any{}, 400, []string{`"errors":{"uploadIds":[`}},
		"null":                  {`{"uploadIds":null}`, 400, []string{`"errors":{"uploadIds":[`}},
		"null in it":            {`{"uploadIds":["` + p.id + `",null]}`, 400, []string{"must not hold null or blank ids"}},
		"too many":              {redriven(many...), 400, []string{"must name at most 100 uploads", "InvalidEntityException"}},
		"one many times":        {redriven(strings.Split(strings.Repeat("x ", 100)+"x", " ")...), 404, []string{"Upload x was not found."}},
		"not a list":            {`{"uploadIds":"` + p.id + `"}`, 400, []string{"fields: uploadIds"}},
		"a list of other kinds": {`{"uploadIds":[1]}`, 400, []string{"Error parsing JSON in request body"}},
		"no JSON":               {"{", 400, []string{"not valid JSON"}},
	} {
		t.Run(name, func(t *testing.T) {
			s.call("POST", redriveAll, admin, row.body).want(t, row.status, row.words...)
			if got := s.status(owner, p.id); got != "succeeded" {
				t.Errorf("it was redriven: it is %s", got)
			}
		})
	}
}

func TestWhoRedrivesMany(t *testing.T) {
	s := newSite(t, nil)
	owner := s.participant("p1")
	p := s.sent(owner, body)
	tokens := map[string]string{"nobody": "", "owner": owner}
	for _, role := range core.Roles() {
		tokens[string(role)] = s.staff(role)
	}
	for who, want := range map[string]int{
		"nobody": 401, "owner": 403, "worker": 403, "developer": 403, "researcher": 403, "study_coordinator": 403, "admin": 200,
	} {
		s.call("POST", redriveAll, tokens[who], redriven(p.id)).want(t, want)
	}
}

// A redrive never changes what was frozen at the completion: the scope of then
// stands, although the participant has shared more since.
func TestARedriveKeepsTheScopeOfTheCompletion(t *testing.T) {
	s := newSite(t, nil)
	s.configured()
	admin, owner := s.staff(core.RoleAdmin), s.participant("p1")
	p := s.sent(owner, body)
	s.process()
	before := s.call("GET", "/v3/uploadstatuses/"+p.id, owner, nil).want(t, 200, `"userSharingScope":"sponsors_and_partners"`)
	if _, err := s.roster.Update(t.Context(), s.row(p.id).User, participant.Form{
		SharingScope: core.AllQualifiedResearchers, ExternalIDs: map[core.StudyID]string{testStudy: "p1"}}); err != nil {
		t.Fatal(err)
	}
	s.call("POST", redriveAll, admin, redriven(p.id)).want(t, 200)
	s.process()
	after := s.call("GET", "/v3/uploadstatuses/"+p.id, owner, nil).want(t, 200, `"userSharingScope":"sponsors_and_partners"`)
	for _, field := range []string{"data", "userMetadata", "uploadDate", "uploadedOn", "participantVersion"} {
		if fmt.Sprint(before.field("record", field)) != fmt.Sprint(after.field("record", field)) {
			t.Errorf("%s was %v, is %v", field, before.field("record", field), after.field("record", field))
		}
	}
}
