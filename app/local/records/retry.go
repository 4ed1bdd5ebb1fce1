package records

import (
	"encoding/json"
	"net/http"

	"footbridge/app/api"
	"footbridge/core"
)

// Retried says how many records are sent again that needed a person.
type Retried struct {
	Records int `json:"records"`
	named   []core.UploadID
}

// DoneWith names the record, or says how many (call.Accountable).
func (r Retried) DoneWith() (map[string]string, bool) {
	return several("record", r.named, r.Records), r.Records > 0
}

// retry lets records that need a person be sent again: those that are named,
// or all.
func (h *Handlers) retry(r *http.Request) (any, error) {
	var asked struct {
		UploadIDs []core.UploadID `json:"uploadIds"`
		All       bool            `json:"all"`
	}
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
		return nil, api.BadRequest("The request is no JSON object with uploadIds or all.")
	}
	if len(asked.UploadIDs) == 0 && !asked.All {
		return nil, api.BadRequest("Say which uploads: by their ids, or all that need a person.")
	}
	for _, id := range asked.UploadIDs {
		if _, err := h.Store.Upload(r.Context(), id); err != nil {
			return nil, err
		}
	}
	n, err := h.Store.Retry(r.Context(), asked.UploadIDs...)
	h.Hurry()
	return Retried{n, asked.UploadIDs}, err
}
