package records_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"footbridge/app/appliance/appliancetest"
	"footbridge/app/local/records"
	"footbridge/core"
	"footbridge/ui/view"
)

// Who withdrew whose records is told by what staff call the participant, although the
// health code alone says whose they are.
func TestWithdrawalsNameTheParticipant(t *testing.T) {
	client, a, _ := appliancetest.Running(t)
	who := appliancetest.Enroll(t, client)
	device := appliancetest.SignIn(t, a)
	device.Deliver(client, "steps")
	share := map[string]any{"sharingScope": core.NoSharing, "externalIds": map[string]string{"sleep": "P-17"}}
	appliancetest.Ask[any](t, client, http.MethodPost, "/v5/studies/sleep/participants/"+string(who), share)
	regrets := appliancetest.Ask[struct{ Items []view.Regret }](t, client, http.MethodGet, "/local/v1/regrets", nil).Items
	if len(regrets) != 1 || regrets[0].Name != "P-17" {
		t.Fatalf("to be decided are %+v", regrets)
	}
	code := regrets[0].Participant
	for _, keep := range []bool{true, false} {
		done := appliancetest.Ask[records.Withdrawn](t, client, http.MethodPost, "/local/v1/uploads/withdraw", records.Withdrawal{Participant: code, Keep: keep})
		if taken := map[bool]int{false: 1}[keep]; done.Records != taken || done.Unsent != 0 {
			t.Errorf("it is done as %+v", done)
		}
		page := appliancetest.Ask[view.DeedPage](t, client, http.MethodGet, "/local/v1/deeds?pageSize=1", nil)
		if d := page.Deeds[0]; d.Did != core.DeedRecordsWithdrawn || d.People[string(code)].Name != "P-17" {
			t.Errorf("the last deed is %+v", d)
		}
	}
	unsent, _ := device.Announce("rest.txt", "rest")
	done := appliancetest.Ask[records.Withdrawn](t, client, http.MethodPost, "/local/v1/uploads/withdraw", records.Withdrawal{UploadIDs: []core.UploadID{unsent}, DryRun: true})
	if done.Records != 0 || done.Unsent != 1 {
		t.Errorf("of what was never sent: %+v", done)
	}
	audit, err := client.Open(t.Context(), http.MethodGet, "/local/v1/audit", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer audit.Close()
	told := 0
	for lines := json.NewDecoder(audit); lines.More(); {
		var d view.DeedRow
		if err := lines.Decode(&d); err != nil {
			t.Fatal(err)
		}
		if d.Did == core.DeedRecordsWithdrawn && d.People[string(code)].Name == "P-17" {
			told++
		}
	}
	if told != 2 {
		t.Errorf("the audit names them %d times", told)
	}
}

// Whoever gives up an upload that cannot be opened is asked about it no more, and all at
// once is not tried again with it; its file stays, and by its id it is tried again.
func TestAnUploadIsGivenUp(t *testing.T) {
	client, a, _ := appliancetest.Running(t)
	appliancetest.Enroll(t, client)
	id := appliancetest.SignIn(t, a).Send("walk.cms", "nothing that is encrypted")
	stands := func(want view.Standing) {
		t.Helper()
		appliancetest.Eventually(t, func() bool {
			return appliancetest.Ask[view.UploadDetail](t, client, http.MethodGet, "/local/v1/uploads/"+string(id), nil).Standing == want
		})
	}
	counts := func(refused, withheld int) {
		t.Helper()
		if q := appliancetest.Ask[view.Overview](t, client, http.MethodGet, "/local/v1/status", nil).Queues; q.Refused != refused || q.Withheld != withheld {
			t.Errorf("the status counts %+v", q)
		}
	}
	stands(view.StandingRefused)
	counts(1, 0)
	giveUp := records.Withdrawal{UploadIDs: []core.UploadID{id}, DryRun: true}
	for _, want := range []records.Withdrawn{{GivenUp: 1, DryRun: true}, {GivenUp: 1}, {Already: 1}} {
		done := appliancetest.Ask[records.Withdrawn](t, client, http.MethodPost, "/local/v1/uploads/withdraw", giveUp)
		if done.GivenUp != want.GivenUp || done.Already != want.Already || done.DryRun != want.DryRun || done.Records+done.Unsent != 0 {
			t.Errorf("it is done as %+v", done)
		}
		giveUp.DryRun = false
	}
	stands(view.StandingKept)
	counts(0, 1)
	deed := appliancetest.Ask[view.DeedPage](t, client, http.MethodGet, "/local/v1/deeds?pageSize=1", nil).Deeds[0]
	if deed.With["upload"] != string(id) || (view.Reader{}).Did(deed.Deed) != "gave up what could not be opened" {
		t.Errorf("the last deed is %+v", deed)
	}
	for _, all := range []records.Redrive{{Refused: true}, {All: true}} {
		if done := appliancetest.Ask[records.Redriven](t, client, http.MethodPost, "/local/v1/uploads/redrive", all); done.Uploads != 0 {
			t.Errorf("all again is %+v", done)
		}
	}
	if done := appliancetest.Ask[records.Redriven](t, client, http.MethodPost, "/local/v1/uploads/redrive", records.Redrive{UploadIDs: giveUp.UploadIDs}); done.Uploads != 1 {
		t.Errorf("by its id it is %+v", done)
	}
	stands(view.StandingRefused)
	counts(1, 0)
}
