package lists_test

import (
	"fmt"
	"net/url"
	"testing"

	"footbridge/core"
	"footbridge/core/participant"
	"footbridge/ui/view"
)

// Uploads are found by what people know of them, page by page.
func TestUploadsAreListedForPeople(t *testing.T) {
	s := open(t)
	who, err := s.roster(0).Create(t.Context(), "sleep", participant.Form{ExternalIDs: map[core.StudyID]string{"sleep": "P-17"}})
	if err != nil {
		t.Fatal(err)
	}
	ids := s.announced(who.ID, "walk-1.zip", "walk-2.zip", "rest-1.zip", "walk-3.zip")
	list := func(query string) (files []string, next string) {
		t.Helper()
		page := show[view.UploadPage](s, "/local/v1/uploads?"+query)
		for _, row := range page.Rows {
			files = append(files, row.File)
		}
		return files, string(page.Next)
	}
	for query, want := range map[string]string{
		"":                                   "[walk-3.zip rest-1.zip walk-2.zip walk-1.zip]",
		"text=WALK":                          "[walk-3.zip walk-2.zip walk-1.zip]",
		"text=" + string(ids[2]):             "[rest-1.zip]",
		"standing=expected":                  "[walk-3.zip rest-1.zip walk-2.zip walk-1.zip]",
		"standing=needs_person":              "[]",
		"study=sleep&text=p-17":              "[walk-3.zip rest-1.zip walk-2.zip walk-1.zip]",
		"text=p-18":                          "[]",
		"text=walk&before=" + string(ids[1]): "[walk-2.zip walk-1.zip]",
	} {
		if files, next := list(query); fmt.Sprint(files) != want || next != "" {
			t.Errorf("%s: %v, and then %q", query, files, next)
		}
	}
	first, next := list("text=walk&pageSize=2")
	second, end := list("text=walk&pageSize=2&before=" + url.QueryEscape(next))
	if fmt.Sprint(first, second) != "[walk-3.zip walk-2.zip] [walk-1.zip]" || end != "" {
		t.Errorf("the pages are %v and %v, and then %q", first, second, end)
	}
	detail := show[view.UploadDetail](s, "/local/v1/uploads/"+string(ids[0]))
	if detail.File != "walk-1.zip" || detail.Standing != view.StandingExpected || len(detail.Stages) != 4 || detail.Redrive || detail.Participant != "P-17" {
		t.Errorf("it is shown as %+v", detail)
	}
}

// Of a long way back one answer looks at a part, and tells where to go on.
func TestALongWayBack(t *testing.T) {
	s := open(t)
	names := make([]string, 2050)
	for i := range names {
		names[i] = fmt.Sprintf("walk-%d.zip", i)
	}
	names[0] = "oldest.zip"
	ids := s.announced("u", names...)
	var page view.UploadPage
	for calls, before := 0, ""; len(page.Rows) == 0; calls++ {
		if calls > 1 {
			t.Fatal("it looks at less than it could")
		}
		page = show[view.UploadPage](s, "/local/v1/uploads?text=oldest&before="+before)
		if before = string(page.Next); calls == 0 && (len(page.Rows) > 0 || before != string(ids[49])) {
			t.Fatalf("it goes on at %s with %d rows, not at %s", before, len(page.Rows), ids[49])
		}
	}
	if page.Rows[0].ID != ids[0] || page.Next != "" {
		t.Errorf("found is %+v", page)
	}
}
