package people

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"

	"footbridge/app/api/call"
	"footbridge/core"
	"footbridge/core/participant"
)

// self gives the caller where it has an account and a new enough app. Errors:
// those of Caller, *call.Unsupported, core.ErrForbidden.
func (h *Handlers) self(r *http.Request) (core.Account, error) {
	caller, err := h.Caller(r)
	if err == nil {
		err = h.Supported(r)
	}
	if err == nil {
		err = h.hasAccount(caller)
	}
	return caller, err
}

// hasAccount refuses the operator, who acts for nobody.
func (h *Handlers) hasAccount(caller core.Account) error {
	if caller.ID == "" {
		return fmt.Errorf("the operator of a site has no account of their own; sign in as someone: %w", core.ErrForbidden)
	}
	return nil
}

// ownPage shows participants what is known of them.
func (h *Handlers) ownPage(w http.ResponseWriter, r *http.Request) error {
	caller, err := h.self(r)
	if err != nil {
		return err
	}
	page := studyParticipant{participantFields: ownFieldsOf(caller), Type: "StudyParticipant"}
	if err := h.addConsents(r, &page, caller.ID); err != nil {
		return err
	}
	call.Write(w, http.StatusOK, page)
	return nil
}

// editSelf changes what the keys of the request name, of what is the
// participant's own to change; other keys are ignored.
func (h *Handlers) editSelf(w http.ResponseWriter, r *http.Request) error {
	caller, err := h.self(r)
	if err != nil {
		return err
	}
	given := map[string]json.RawMessage{}
	if err := call.Read(r, &given); err != nil {
		return err
	}
	a, err := h.Roster.Edit(r.Context(), caller.ID, func(form *participant.Form) error {
		return editForm(form, given)
	})
	if err != nil {
		return err
	}
	h.writeSession(w, r, http.StatusOK, a)
	return nil
}

// ownFields are what a participant may change, in the JSON of a form.
type ownFields struct {
	FirstName      string            `json:"firstName"`
	LastName       string            `json:"lastName"`
	SharingScope   string            `json:"sharingScope"`
	DataGroups     []string          `json:"dataGroups"`
	Languages      []string          `json:"languages"`
	ClientTimeZone string            `json:"clientTimeZone"`
	Attributes     map[string]string `json:"attributes"`
	ClientData     json.RawMessage   `json:"clientData"`
	NotifyByEmail  *bool             `json:"notifyByEmail"`
}

// editForm lays the keys that were given over a form. Errors: 400.
func editForm(form *participant.Form, given map[string]json.RawMessage) error {
	before, err := json.Marshal(ownFields{
		FirstName: form.FirstName, LastName: form.LastName, DataGroups: form.DataGroups, Languages: form.Languages,
		ClientTimeZone: form.ClientTimeZone, Attributes: form.Attributes, ClientData: form.ClientData,
	})
	if err != nil {
		return err
	}
	all := map[string]json.RawMessage{}
	if err := json.Unmarshal(before, &all); err != nil {
		return err
	}
	maps.Copy(all, given)
	edited, err := json.Marshal(all)
	if err != nil {
		return err
	}
	var after ownFields
	if err := call.Parse(edited, &after); err != nil {
		return err
	}
	form.FirstName, form.LastName, form.DataGroups, form.Languages = after.FirstName, after.LastName, after.DataGroups, after.Languages
	form.ClientTimeZone, form.Attributes, form.ClientData = after.ClientTimeZone, after.Attributes, clientData(after.ClientData)
	form.SharingScope, form.NotifyByEmail = scopeOf(after.SharingScope), after.NotifyByEmail
	return nil
}

// clientData is the app's own data, nothing where it is null.
func clientData(raw json.RawMessage) json.RawMessage {
	if string(raw) == "null" {
		return nil
	}
	return raw
}
