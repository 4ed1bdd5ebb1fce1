package appliance_test

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"footbridge/app/appliance"
	"footbridge/app/control"
	"footbridge/app/local/mending"
	"footbridge/core"
	"footbridge/ui/view"
)

// ask asks for something.
func ask[T any](t *testing.T, client *control.Client, method, path string, in any) (out T) {
	t.Helper()
	if err := client.Call(t.Context(), method, path, in, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// exported has a file sent by a new participant, and waits until it is in the
// repository.
func exported(t *testing.T, client *control.Client, a *appliance.Appliance) view.UploadDetail {
	t.Helper()
	return delivered(t, client, a, enrolled(t, client), "steps")
}

// enrolled makes a participant.
func enrolled(t *testing.T, client *control.Client) core.UserID {
	t.Helper()
	return ask[struct{ Identifier core.UserID }](t, client, http.MethodPost, "/v5/studies/sleep/participants", map[string]any{
		"externalIds": map[string]string{"sleep": "P-17"}, "password": "Right-as-rain-1", "sharingScope": "all_qualified_researchers",
	}).Identifier
}

// delivered has a file with this text sent by someone, and waits until it is in the
// repository.
func delivered(t *testing.T, client *control.Client, a *appliance.Appliance, by core.UserID, text string) (d view.UploadDetail) {
	t.Helper()
	id, err := a.Sent(t.Context(), by, "walk.txt", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, func() bool {
		d = ask[view.UploadDetail](t, client, http.MethodGet, "/local/v1/uploads/"+string(id), nil)
		return d.Standing == view.StandingSent
	})
	return d
}

// eventually waits for something to become true.
func eventually(t *testing.T, is func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for !is() {
		select {
		case <-ctx.Done():
			t.Fatal("it never is")
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// What came is counted on its day, and where it went in its rate; its dossier says what
// it is, how it went, and where it lies.
func TestTrafficAndDossier(t *testing.T) {
	client, a, _ := running(t)
	who := enrolled(t, client)
	d := delivered(t, client, a, who, "steps")
	var traffic view.Traffic
	sent := 1
	eventually(t, func() bool { // of one alone there is no rate
		time.Sleep(time.Second)
		delivered(t, client, a, who, fmt.Sprintf("%05d", sent))
		sent++
		traffic = ask[view.Traffic](t, client, http.MethodGet, "/local/v1/traffic", nil)
		return len(traffic.Sending) > 0
	})
	eventually(t, func() bool { // it is told of a moment after the record stands as sent
		traffic = ask[view.Traffic](t, client, http.MethodGet, "/local/v1/traffic", nil)
		return !traffic.Moves()
	})
	today := traffic.Days[len(traffic.Days)-1]
	if len(traffic.Days) != 30 || traffic.Today != today.Date && traffic.Today != traffic.Days[28].Date || traffic.Copies != 2 {
		t.Errorf("the traffic is %+v", traffic)
	}
	if yesterday := traffic.Days[28]; today.Uploads+yesterday.Uploads != sent || today.Bytes+yesterday.Bytes != int64(5*sent) {
		t.Errorf("today is %+v, after %+v", today, yesterday)
	}
	if rate := traffic.Sending[0]; len(traffic.Sending) != 1 || rate.Destination != "sleep" || rate.RecordsPerMinute <= 0 || math.Abs(rate.BytesPerMinute/rate.RecordsPerMinute-5) > 1e-9 {
		t.Errorf("sent is %+v", traffic.Sending)
	}
	if d.Dossier == nil || d.Dossier.Bytes != 5 || d.Dossier.Annotations["recordId"] != string(d.ID) || len(d.Dossier.Journals) != 1 {
		t.Fatalf("the dossier is %+v", d.Dossier)
	}
	j := d.Dossier.Journals[0]
	if text, err := os.ReadFile(j.Place); err != nil || string(text) != "steps" || j.Folder != filepath.Dir(j.Place) {
		t.Errorf("at %s lies %q (%v), in %s", j.Place, text, err, j.Folder)
	}
	for i, step := range j.Steps {
		if !step.Done || (step.At != nil) != (i == 0 || i == 4) {
			t.Errorf("step %d is %+v", i, step)
		}
	}
}

// The repository is compared while nobody waits, and mended on a person's word, which
// the audit keeps.
func TestComparison(t *testing.T) {
	client, a, _ := running(t)
	d := exported(t, client, a)
	compare := func(method string, asked any) mending.Comparison {
		t.Helper()
		return ask[mending.Comparison](t, client, method, "/local/v1/sync/comparison", asked)
	}
	done := func() (c mending.Comparison) {
		t.Helper()
		eventually(t, func() bool { c = compare(http.MethodGet, nil); return c.State != "running" })
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
	page := ask[view.DeedPage](t, client, http.MethodGet, "/local/v1/deeds?pageSize=1", nil)
	if len(page.Deeds) != 1 || page.Deeds[0].Did != core.DeedRepositoryMended || page.Next == "" {
		t.Errorf("the last deed is %+v", page)
	}
	page = ask[view.DeedPage](t, client, http.MethodGet, "/local/v1/deeds?before="+page.Next, nil)
	if len(page.Deeds) == 0 || page.Deeds[0].Did == core.DeedRepositoryMended || page.Next != "" {
		t.Errorf("before it came %+v", page)
	}
}
