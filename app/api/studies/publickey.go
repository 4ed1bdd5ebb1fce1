package studies

import (
	"net/http"

	"footbridge/app/api/call"
	"footbridge/core"
)

func (h *Handlers) publicKey(w http.ResponseWriter, r *http.Request) error {
	if _, err := h.Require(r, core.RoleDeveloper); err != nil {
		return err
	}
	pem, err := h.PublicKey()
	if err != nil {
		return err
	}
	call.Write(w, http.StatusOK, struct {
		PublicKey string `json:"publicKey"`
		Type      string `json:"type"`
	}{pem, "CmsPublicKey"})
	return nil
}
