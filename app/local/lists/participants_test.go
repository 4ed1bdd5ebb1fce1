package lists_test

import (
	"fmt"
	"net/url"
	"testing"

	"footbridge/core"
	"footbridge/core/participant"
	"footbridge/ui/view"
)

// A study's participants are found by how they do and by what people know of them, page
// by page, whoever was silent longest first.
func TestParticipantsAreListedForPeople(t *testing.T) {
	s := open(t)
	ids := map[string]core.UserID{}
	for days, name := range map[int]string{30: "P-1", 20: "P-2", 8: "Q-3", 0: "P-4", 9: "P-5", 10: "P-6"} {
		form := participant.Form{ExternalIDs: map[core.StudyID]string{"sleep": name}, Email: name + "@example.org", SharingScope: core.SponsorsAndPartners}
		if name == "P-5" {
			form.SharingScope = core.NoSharing
		}
		who, err := s.roster(days).Create(t.Context(), "sleep", form)
		if err != nil {
			t.Fatal(err)
		}
		ids[name] = who.ID
	}
	if _, err := s.roster(0).Withdraw(t.Context(), "sleep", ids["P-6"], "", ""); err != nil {
		t.Fatal(err)
	}
	list := func(query string) (names []string, page view.ParticipantPage) {
		t.Helper()
		page = show[view.ParticipantPage](s, "/local/v1/studies/sleep/participants?"+query)
		for _, row := range page.Rows {
			names = append(names, row.ExternalID)
		}
		return names, page
	}
	for query, want := range map[string]string{
		"":                           "[P-1 P-2 Q-3 P-4 P-5 P-6] 3",
		"days=10":                    "[P-1 P-2 Q-3 P-4 P-5 P-6] 2",
		"presence=late":              "[P-1 P-2 Q-3] 3",
		"presence=late&days=25":      "[P-1] 1",
		"presence=in_time":           "[P-4] 3",
		"presence=in_time&days=15":   "[Q-3 P-4] 2",
		"presence=excused":           "[P-5] 3",
		"presence=withdrawn":         "[P-6] 3",
		"text=q-3":                   "[Q-3] 3",
		"text=P-4%40EXAMPLE":         "[P-4] 3",
		"text=" + string(ids["P-2"]): "[P-2] 3",
		"presence=late&text=p-":      "[P-1 P-2] 3",
		"presence=excused&text=p-1":  "[] 3",
	} {
		if names, page := list(query); fmt.Sprint(names, page.Late) != want || page.Next != "" {
			t.Errorf("%s: %v, %d are late, and then %q", query, names, page.Late, page.Next)
		}
	}
	for _, presence := range []string{"", "&presence=late"} {
		first, page := list("pageSize=2" + presence)
		second, end := list("pageSize=4&from=" + url.QueryEscape(page.Next) + presence)
		if whole, _ := list(presence); fmt.Sprint(append(first, second...)) != fmt.Sprint(whole) || len(first) != 2 || end.Next != "" {
			t.Errorf("the pages are %v and %v, and then %q", first, second, end.Next)
		}
	}
	row := show[view.ParticipantRow](s, "/local/v1/studies/sleep/participants/"+string(ids["Q-3"])+"?days=9")
	if row.ExternalID != "Q-3" || row.Presence != view.PresenceInTime || row.LastUploadOn != nil || row.Email != "Q-3@example.org" {
		t.Errorf("shown is %+v", row)
	}
}
