package pane_test

import (
	"context"
	"errors"
	"testing"

	"footbridge/app/control"
	"footbridge/app/pane"
	"footbridge/core"
	"footbridge/ui/view"
)

// Participants are created, found, changed, enrolled and withdrawn through the API that
// everybody has, and what changed is in their versions.
func TestParticipantsThroughAPane(t *testing.T) {
	through(t, func(ctx context.Context, p *pane.Pane) {
		form := view.ParticipantForm{ExternalID: "P-17", Email: "ada@example.org", SharingScope: core.SponsorsAndPartners, Languages: []string{"sw"}, TimeZone: "Africa/Nairobi"}
		id, password, err := p.CreateParticipant(ctx, "sleep", form)
		if err != nil || password == "" {
			t.Fatalf("%q, %v", password, err)
		}
		var refusal *control.Refusal
		if _, _, err := p.CreateParticipant(ctx, "sleep", form); !errors.As(err, &refusal) || refusal.Status != 409 {
			t.Errorf("another one of that id: %v", err)
		}
		page, err := p.Participants(ctx, view.ParticipantQuery{Study: "sleep", Presence: view.PresenceInTime, Days: 3, Text: " p-1 ", Size: 10})
		if err != nil || len(page.Rows) != 1 || page.Rows[0].ExternalID != "P-17" || page.Rows[0].ID != id || page.Late != 0 {
			t.Fatalf("%+v, %v", page, err)
		}
		look := func() view.Participant {
			t.Helper()
			person, err := p.Participant(ctx, "sleep", id, 7)
			if err != nil {
				t.Fatal(err)
			}
			return person
		}
		changed := look().Form("sleep")
		changed.ExternalID, changed.DataGroups, changed.Note = "P-18", []string{"pilot"}, "moved"
		err = errors.Join(p.ChangeParticipant(ctx, "sleep", id, changed), p.RecordConsent(ctx, "sleep", id, core.AllQualifiedResearchers))
		if err != nil {
			t.Fatal(err)
		}
		person := look()
		if len(person.Versions) != 3 || person.Row.ExternalID != "P-18" || person.Note != "moved" || person.Email != "ada@example.org" || person.SharingScope != core.AllQualifiedResearchers || person.TimeZone != "Africa/Nairobi" {
			t.Errorf("it is %+v", person)
		}
		last := person.Versions[2]
		if last.Version != 3 || last.SharingScope != core.AllQualifiedResearchers || last.Memberships["sleep"] != "P-18" || len(last.DataGroups) != 1 {
			t.Errorf("the last version is %+v", last)
		}
		if err := p.EnrolParticipant(ctx, "nowhere", id, ""); !errors.As(err, &refusal) || refusal.Status != 404 {
			t.Errorf("enrolled where there is no study: %v", err)
		}
		if err := p.EnrolParticipant(ctx, "sleep", id, "P-19"); err != nil {
			t.Error(err)
		}
		if err := p.WithdrawParticipant(ctx, "sleep", id, "moved away", true); err != nil {
			t.Fatal(err)
		}
		changed.ExternalID = "P-20"
		if err := p.ChangeParticipant(ctx, "sleep", id, changed); err != nil {
			t.Fatal(err)
		}
		person = look()
		if e := person.Enrollments["sleep"]; e.WithdrawnOn == nil || e.Note != "moved away" || e.ExternalID != "P-19" || person.SharingScope != core.NoSharing || person.Row.Presence != view.PresenceWithdrawn {
			t.Errorf("after withdrawing it is %+v", person)
		}
		if err := p.WithdrawParticipant(ctx, "sleep", id, "", false); !errors.As(err, &refusal) || refusal.Status != 404 {
			t.Errorf("withdrawn twice: %v", err)
		}
		changed.Disabled = true
		if err := p.ChangeParticipant(ctx, "sleep", id, changed); err != nil || look().Status != core.StatusDisabled {
			t.Errorf("who may not sign in: %v", err)
		}
	})
}
