package pane

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"

	"footbridge/app/control"
	"footbridge/core"
	"footbridge/ui/view"
)

// Devices gives the devices, those that were here last first.
func (p *Pane) Devices(ctx context.Context) ([]view.DeviceLine, error) {
	return ask[[]view.DeviceLine](ctx, p, http.MethodGet, "/local/v1/devices", nil)
}

// Forget lets go of a device.
func (p *Pane) Forget(ctx context.Context, id core.DeviceID) error {
	return p.call(ctx, http.MethodDelete, "/local/v1/devices/"+url.PathEscape(string(id)), nil, nil)
}

// Pair makes a code, and before that the participant where they are new. Errors:
// core.ErrNotFound where there is no such participant.
func (p *Pane) Pair(ctx context.Context, asked view.PairingForm) (view.Pairing, error) {
	var made view.Pairing
	if asked.New {
		form := map[string]any{"externalIds": map[core.StudyID]string{asked.Study: asked.Participant}, "sharingScope": asked.Scope}
		if err := p.call(ctx, http.MethodPost, studyPath(asked.Study)+"/participants", form, nil); err != nil {
			return made, err
		}
	}
	err := p.call(ctx, http.MethodPost, "/local/v1/pairings", map[string]any{"study": asked.Study, "externalId": asked.Participant}, &made)
	var refusal *control.Refusal
	if errors.As(err, &refusal) && refusal.Status == http.StatusNotFound {
		err = fmt.Errorf("%w: %w", core.ErrNotFound, err)
	}
	return made, err
}

// Pairing says what came of a code.
func (p *Pane) Pairing(ctx context.Context, id core.PairingID) (view.Pairing, error) {
	return ask[view.Pairing](ctx, p, http.MethodGet, "/local/v1/pairings/"+url.PathEscape(string(id)), nil)
}

// offeredMost is how many participants are offered; others are typed.
const offeredMost = 200

// ParticipantIDs gives external ids of a study's participants, the newest first.
func (p *Pane) ParticipantIDs(ctx context.Context, study core.StudyID) ([]string, error) {
	type list struct {
		Items []struct {
			ExternalID string `json:"externalId"`
		} `json:"items"`
		Total int `json:"total"`
	}
	path := studyPath(study) + "/participants?pageSize=%d&offsetBy=%d"
	var all list
	err := p.call(ctx, http.MethodGet, fmt.Sprintf(path, offeredMost, 0), nil, &all)
	if err == nil && all.Total > offeredMost { // the newest are last
		total := all.Total
		all = list{}
		err = p.call(ctx, http.MethodGet, fmt.Sprintf(path, offeredMost, total-offeredMost), nil, &all)
	}
	var ids []string
	for _, item := range all.Items {
		if item.ExternalID != "" {
			ids = append(ids, item.ExternalID)
		}
	}
	slices.Reverse(ids)
	return ids, err
}
