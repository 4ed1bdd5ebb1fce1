package mending_test

import (
	"net/http"
	"os"
	"testing"

	"footbridge/app/appliance/appliancetest"
	"footbridge/app/local/mending"
	"footbridge/core"
	"footbridge/ui/view"
)

// The repository is compared while nobody waits, and mended on a person's word, which
// the audit keeps.
func TestComparison(t *testing.T) {
	client, a, _ := appliancetest.Running(t)
	appliancetest.Enroll(t, client)
	d := appliancetest.SignIn(t, a).Deliver(client, "steps")
	compare := func(method string, asked any) mending.Comparison {
		t.Helper()
		return appliancetest.Ask[mending.Comparison](t, client, method, "/local/v1/sync/comparison", asked)
	}
	done := func() (c mending.Comparison) {
		t.Helper()
		appliancetest.Eventually(t, func() bool { c = compare(http.MethodGet, nil); return c.State != "running" })
		if c.State != "done" || c.Ended == nil || len(c.Result.Destinations) != 1 {
			t.Fatalf("it is %+v", c)
		}
		return c
	}
	if c := compare(http.MethodGet, nil); c.State != "none" {
		t.Errorf("before it, there is %+v", c)
	}
	if err := os.Remove(d.Dossier.Journals[0].Place); err != nil {
		t.Fatal(err)
	}
	if c := compare(http.MethodPost, nil); c.State != "running" || c.Since == nil || c.Mends {
		t.Errorf("it begins as %+v", c)
	}
	found := done()
	if missing := found.Result.Destinations[0].Missing; len(missing) != 1 || missing[0] != d.ID {
		t.Errorf("missing is %v", missing)
	}
	if known := found.Known[string(d.ID)]; known != (view.Known{File: d.File, Participant: "P-17"}) {
		t.Errorf("it is known by %+v", known)
	}
	if c := compare(http.MethodPost, map[string]bool{"repair": true}); !c.Mends {
		t.Errorf("mending begins as %+v", c)
	}
	if c := done(); len(c.Result.Destinations[0].Missing) > 0 || c.Result.Repaired < 1 {
		t.Errorf("it ends as %+v", c.Result)
	}
	page := appliancetest.Ask[view.DeedPage](t, client, http.MethodGet, "/local/v1/deeds?pageSize=1", nil)
	if len(page.Deeds) != 1 || page.Deeds[0].Did != core.DeedRepositoryMended || page.Next == "" {
		t.Errorf("the last deed is %+v", page)
	}
	page = appliancetest.Ask[view.DeedPage](t, client, http.MethodGet, "/local/v1/deeds?before="+page.Next, nil)
	if len(page.Deeds) == 0 || page.Deeds[0].Did == core.DeedRepositoryMended || page.Next != "" {
		t.Errorf("before it came %+v", page)
	}
}
