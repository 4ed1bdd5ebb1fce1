package pane_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"footbridge/app/pane"
	"footbridge/core"
	"footbridge/ui/view"
)

// A device is paired through a pane: for someone new, and for someone known.
func TestPairingThroughAPane(t *testing.T) {
	through(t, func(ctx context.Context, p *pane.Pane) {
		asked := view.PairingForm{Study: "sleep", Participant: "P-17"}
		if _, err := p.Pair(ctx, asked); !errors.Is(err, core.ErrNotFound) {
			t.Errorf("pairing for nobody: %v", err)
		}
		asked.New, asked.Scope = true, core.SponsorsAndPartners
		made, err := p.Pair(ctx, asked)
		if err != nil || made.Code == "" || made.Replaces || made.Serving || !strings.Contains(made.URL, "/pair#c=") {
			t.Fatalf("made %+v (%v)", made, err)
		}
		if _, err := p.Pair(ctx, asked); err == nil || errors.Is(err, core.ErrNotFound) {
			t.Errorf("someone new who is known: %v", err)
		}
		asked.New = false
		if _, err := p.Pair(ctx, asked); err != nil {
			t.Errorf("someone known: %v", err)
		}
		now, err := p.Pairing(ctx, made.ID)
		if err != nil || now.State != view.PairingOpen || now.Code != "" || now.Participant != "P-17" {
			t.Errorf("it stands at %+v (%v)", now, err)
		}
		ids, err := p.ParticipantIDs(ctx, "sleep")
		if err != nil || len(ids) != 1 || ids[0] != "P-17" {
			t.Errorf("the participants are %q (%v)", ids, err)
		}
		all, err := p.Devices(ctx)
		if err != nil || len(all) != 0 {
			t.Errorf("the devices are %+v (%v)", all, err)
		}
		if err := p.Forget(ctx, "none"); err == nil {
			t.Error("a device that is not there was forgotten")
		}
	})
}
