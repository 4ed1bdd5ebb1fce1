package appliance_test

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"

	"footbridge/app/appliance"
	"footbridge/core"
	"footbridge/ui/view"
)

// announced has uploads announced by an account.
func announced(t *testing.T, a *appliance.Appliance, who core.UserID, names ...string) []core.UploadID {
	t.Helper()
	ids, err := a.Announced(t.Context(), who, names...)
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

// Uploads are found by what people know of them, page by page.
func TestUploadsAreListedForPeople(t *testing.T) {
	client, a, _ := running(t)
	var made struct{ Identifier core.UserID }
	participant := map[string]any{"externalIds": map[string]string{"sleep": "P-17"}, "password": "Right-as-rain-1"}
	if err := client.Call(t.Context(), http.MethodPost, "/v5/studies/sleep/participants", participant, &made); err != nil {
		t.Fatal(err)
	}
	ids := announced(t, a, made.Identifier, "walk-1.zip", "walk-2.zip", "rest-1.zip", "walk-3.zip")
	list := func(query string) (files []string, next string) {
		t.Helper()
		var page view.UploadPage
		if err := client.Call(t.Context(), http.MethodGet, "/local/v1/uploads?"+query, nil, &page); err != nil {
			t.Fatal(err)
		}
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
	var detail view.UploadDetail
	if err := client.Call(t.Context(), http.MethodGet, "/local/v1/uploads/"+string(ids[0]), nil, &detail); err != nil {
		t.Fatal(err)
	}
	if detail.File != "walk-1.zip" || detail.Standing != view.StandingExpected || len(detail.Stages) != 4 || detail.Redrive || detail.Participant != "P-17" {
		t.Errorf("it is shown as %+v", detail)
	}
}

// Of a long way back one answer looks at a part, and tells where to go on.
func TestALongWayBack(t *testing.T) {
	client, a, _ := running(t)
	names := make([]string, 2050)
	for i := range names {
		names[i] = fmt.Sprintf("walk-%d.zip", i)
	}
	names[0] = "oldest.zip"
	ids := announced(t, a, "u", names...)
	var page view.UploadPage
	for calls, before := 0, ""; len(page.Rows) == 0; calls++ {
		if calls > 1 {
			t.Fatal("it looks at less than it could")
		}
		page = view.UploadPage{}
		if err := client.Call(t.Context(), http.MethodGet, "/local/v1/uploads?text=oldest&before="+before, nil, &page); err != nil {
			t.Fatal(err)
		}
		if before = string(page.Next); calls == 0 && (len(page.Rows) > 0 || before != string(ids[49])) {
			t.Fatalf("it goes on at %s with %d rows, not at %s", before, len(page.Rows), ids[49])
		}
	}
	if page.Rows[0].ID != ids[0] || page.Next != "" {
		t.Errorf("found is %+v", page)
	}
}
