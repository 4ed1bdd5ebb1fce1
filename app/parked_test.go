package main_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"footbridge/sync/synapse/synapsetest"
	"footbridge/ui/view"
)

// A record that the repository never takes as it is needs a person: status says since
// when and what to do, the list names it and no other, and it is sent on their word.
func TestWhatNeedsAPerson(t *testing.T) {
	t.Parallel()
	server := synapsetest.Start(t, synapsetest.Config{Polls: -1})
	s := newSite(t)
	s.giveToken(synapsetest.Token)
	s.command(nil, "config", "set", "repository", "synapse:"+server.URL)
	s.start()
	s.command(nil, "study", "create-project", testStudy)
	token := s.enrol("p1")
	sent := func(p *parcel) {
		t.Helper()
		within(t, time.Minute, func() bool { return strings.Contains(s.command(nil, "upload", "show", p.ID), "Sent to sleep.") }, s.out.String)
	}
	good, bad := &parcel{name: "before.bin", body: []byte("before")}, &parcel{name: "walk.bin", body: []byte("steps")}
	for _, p := range []*parcel{good, bad} {
		if p == bad {
			sent(good)
			server.Inject(synapsetest.Refused(http.StatusBadRequest, "A name must not be like this.").At(http.MethodPost, "/repo/v1/entity/bundle2/create").Repeated(-1))
		}
		if _, err := s.send(token, p); err != nil {
			t.Fatal(err)
		}
	}
	within(t, time.Minute, func() bool { h, _, _ := s.standing(bad.ID); return h.ExportState == "parked" }, func() string {
		return s.command(nil, "upload", "show", bad.ID) + s.out.String()
	})
	h, d, needs := s.standing(bad.ID)
	since, err := time.Parse(time.RFC3339, h.Since)
	if err != nil {
		t.Fatalf("%+v", h)
	}
	when := " since " + (view.Reader{}).When(since)
	if h.ExportReason != "repository_invalid" || !strings.Contains(h.Sentence, when) || !strings.Contains(h.Sentence, "it says: A name must not be like this") {
		t.Errorf("the upload shows %+v", h)
	}
	if d["state"] != "needs_person" || d["since"] != h.Since || d["reason"] != h.ExportReason || d["parked"] != 1.0 || !strings.Contains(d["sentence"].(string), when) {
		t.Errorf("the destination shows %v, and the upload %+v", d, h)
	}
	if !strings.Contains(needs, when+" and waits for a decision; footbridge upload list --standing needs_person says which") {
		t.Errorf("a person is told %q", needs)
	}
	if said := s.command(nil, "sync", "reconcile"); said != "sleep: all that was sent is there; 1 record not sent yet, footbridge status says why.\n" {
		t.Errorf("reconcile says %s", said)
	}
	var rows []view.UploadRow
	if err := json.Unmarshal([]byte(s.command(nil, "upload", "list", "--standing", "needs_person", "--study", testStudy, "--json")), &rows); err != nil {
		t.Fatal(err)
	}
	if len(rows) != 1 || string(rows[0].ID) != bad.ID || rows[0].Standing != view.StandingPerson {
		t.Errorf("listed are %+v", rows)
	}
	if said := s.command(nil, "upload", "list", "--standing", "needs_person"); !strings.Contains(said, bad.ID) || strings.Contains(said, good.ID) || !strings.Contains(said, "does not take it as it is") {
		t.Errorf("the list is %s", said)
	}
	server.Calm()
	if said := s.command(nil, "upload", "retry"); said != "1 record tried again.\n" {
		t.Errorf("retry says %q", said)
	}
	sent(bad)
	eventually(t, func() bool { return strings.HasPrefix(s.command(nil, "status"), "All is well") })
	if said := s.command(nil, "upload", "list", "--standing", "needs_person", "--json"); said != "[]\n" {
		t.Errorf("in the end the list is %s", said)
	}
}
