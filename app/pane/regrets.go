package pane

import (
	"context"
	"net/http"

	"footbridge/core"
	"footbridge/ui/view"
)

const withdraw = "/local/v1/uploads/withdraw"

// Regrets lists who shares no more, of whom records were sent (site.Withdrawer).
func (p *Pane) Regrets(ctx context.Context) ([]view.Regret, error) {
	all, err := ask[struct {
		Items []view.Regret `json:"items"`
	}](ctx, p, http.MethodGet, "/local/v1/regrets", nil)
	return all.Items, err
}

// Withdrawable counts a participant's records that would be taken out (site.Withdrawer).
func (p *Pane) Withdrawable(ctx context.Context, code core.HealthCode) (int, error) {
	found, err := ask[struct {
		Records int `json:"records"`
	}](ctx, p, http.MethodPost, withdraw, map[string]any{"participant": code, "dryRun": true})
	return found.Records, err
}

// Withdraw takes a participant's records out of the repository (site.Withdrawer).
func (p *Pane) Withdraw(ctx context.Context, code core.HealthCode) error {
	return p.call(ctx, http.MethodPost, withdraw, map[string]any{"participant": code}, nil)
}

// Keep leaves a participant's records where they are (site.Withdrawer).
func (p *Pane) Keep(ctx context.Context, code core.HealthCode) error {
	return p.call(ctx, http.MethodPost, withdraw, map[string]any{"participant": code, "keep": true}, nil)
}

// GiveUp has a record never sent again, and taken out of wherever it was sent
// (uploads.Mender).
func (p *Pane) GiveUp(ctx context.Context, id core.UploadID) error {
	return p.call(ctx, http.MethodPost, withdraw, map[string]any{"uploadIds": []core.UploadID{id}}, nil)
}
