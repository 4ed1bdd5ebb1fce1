package people

import (
	"errors"
	"net/http"
	"strings"

	"footbridge/app/api/call"
	"footbridge/core"
)

// signatureRequest is a ConsentSignature.
type signatureRequest struct {
	Name          string `json:"name"`
	Birthdate     string `json:"birthdate"`
	Scope         string `json:"scope"`
	ImageData     string `json:"imageData"`
	ImageMimeType string `json:"imageMimeType"`
}

// consentGroup is nil where a path names the one consent group that there is.
// Errors: 404.
func (h *Handlers) consentGroup(r *http.Request) error {
	if r.PathValue("group") != string(h.App) {
		return call.NotFound("Subpopulation", "There is no such consent group. The default one bears the app's id.")
	}
	return nil
}

// sign takes a participant's signature.
func (h *Handlers) sign(w http.ResponseWriter, r *http.Request) error {
	caller, err := h.self(r)
	if err != nil {
		return err
	}
	if err := h.consentGroup(r); err != nil {
		return err
	}
	var asked signatureRequest
	if err := call.Read(r, &asked); err != nil {
		return err
	}
	a, err := h.Roster.Sign(r.Context(), caller.ID, core.Consent{
		Name: asked.Name, Birthdate: asked.Birthdate, Scope: scopeOf(asked.Scope),
		ImageData: asked.ImageData, ImageMimeType: asked.ImageMimeType,
	})
	if err != nil {
		return call.Taken(err, "ConsentSignature", "This participant has signed already. Withdraw that consent before signing another.")
	}
	h.writeSession(w, r, http.StatusCreated, a)
	return nil
}

// withdrawConsent ends a participant's consent.
func (h *Handlers) withdrawConsent(w http.ResponseWriter, r *http.Request) error {
	caller, err := h.self(r)
	if err != nil {
		return err
	}
	if r.PathValue("group") != "" {
		if err := h.consentGroup(r); err != nil {
			return err
		}
	}
	var asked struct {
		Reason string `json:"reason"`
	}
	if err := call.ReadOptional(r, &asked); err != nil {
		return err
	}
	a, err := h.Roster.WithdrawConsent(r.Context(), caller.ID, shortened(asked.Reason))
	if errors.Is(err, core.ErrNotFound) {
		return call.NotFound("Consent", "There is no consent to withdraw.")
	}
	if err != nil {
		return err
	}
	h.writeSession(w, r, http.StatusOK, a)
	return nil
}

// share sets how far a participant's data may travel.
func (h *Handlers) share(w http.ResponseWriter, r *http.Request) error {
	caller, err := h.Consented(r)
	if err != nil {
		return err
	}
	if err := h.hasAccount(caller); err != nil {
		return err
	}
	var asked struct {
		Scope string `json:"scope"`
	}
	if err := call.Read(r, &asked); err != nil {
		return err
	}
	a, err := h.Roster.Share(r.Context(), caller.ID, scopeOf(asked.Scope))
	if err != nil {
		return err
	}
	h.writeSession(w, r, http.StatusOK, a)
	return nil
}

func scopeOf(text string) core.SharingScope { return core.SharingScope(strings.ToLower(text)) }

const noteMax = 1000 // characters

// shortened keeps the beginning of a note.
func shortened(note string) string {
	if runes := []rune(note); len(runes) > noteMax {
		return string(runes[:noteMax])
	}
	return note
}
