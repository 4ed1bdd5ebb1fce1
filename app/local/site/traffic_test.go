package site_test

import (
	"fmt"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"footbridge/app/appliance/appliancetest"
	"footbridge/ui/view"
)

// What came is counted on its day, and where it went in its rate; its dossier says what
// it is, how it went, and where it lies.
func TestTrafficAndDossier(t *testing.T) {
	client, a, _ := appliancetest.Running(t)
	appliancetest.Enroll(t, client)
	device := appliancetest.SignIn(t, a)
	d := device.Deliver(client, "steps")
	var traffic view.Traffic
	sent := 1
	appliancetest.Eventually(t, func() bool { // of one alone there is no rate
		time.Sleep(time.Second)
		device.Deliver(client, fmt.Sprintf("%05d", sent))
		sent++
		traffic = appliancetest.Ask[view.Traffic](t, client, http.MethodGet, "/local/v1/traffic", nil)
		return len(traffic.Sending) > 0
	})
	appliancetest.Eventually(t, func() bool { // it is told of a moment after the record stands as sent
		traffic = appliancetest.Ask[view.Traffic](t, client, http.MethodGet, "/local/v1/traffic", nil)
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
