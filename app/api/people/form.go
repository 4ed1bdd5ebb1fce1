package people

import (
	"encoding/json"
	"footbridge/app/api/call"
	"footbridge/core"
	"footbridge/core/participant"
	"strings"
)

// participantRequest is what a caller may say of an account.
type participantRequest struct {
	Email          string                  `json:"email"`
	Phone          *core.Phone             `json:"phone"`
	FirstName      string                  `json:"firstName"`
	LastName       string                  `json:"lastName"`
	Password       string                  `json:"password"`
	ExternalID     string                  `json:"externalId"`
	ExternalIDs    map[core.StudyID]string `json:"externalIds"`
	SharingScope   string                  `json:"sharingScope"`
	DataGroups     []string                `json:"dataGroups"`
	Languages      []string                `json:"languages"`
	ClientTimeZone string                  `json:"clientTimeZone"`
	Attributes     map[string]string       `json:"attributes"`
	Note           string                  `json:"note"`
	ClientData     json.RawMessage         `json:"clientData"`
	NotifyByEmail  *bool                   `json:"notifyByEmail"`
	SynapseUserID  string                  `json:"synapseUserId"`
	Roles          []string                `json:"roles"`
	Status         string                  `json:"status"`
}

// form reads the enums in any case. Errors: *core.Invalid.
func (q participantRequest) form(study core.StudyID) (participant.Form, error) {
	invalid := &core.Invalid{Entity: "StudyParticipant"}
	f := participant.Form{
		Email: q.Email, Phone: q.Phone, FirstName: q.FirstName, LastName: q.LastName, Password: q.Password,
		ExternalIDs: q.ExternalIDs, DataGroups: q.DataGroups, Languages: q.Languages,
		ClientTimeZone: q.ClientTimeZone, Attributes: q.Attributes, Note: q.Note,
		ClientData: clientData(q.ClientData), NotifyByEmail: q.NotifyByEmail, SynapseUserID: q.SynapseUserID,
		SharingScope: scopeOf(q.SharingScope),
		Status:       core.AccountStatus(strings.ToLower(q.Status)),
	}
	if q.ExternalID != "" && len(f.ExternalIDs) == 0 && study != "" {
		f.ExternalIDs = map[core.StudyID]string{study: q.ExternalID}
	} else if q.ExternalID != "" && len(f.ExternalIDs) == 0 {
		invalid.Complain("externalId", "must be given with its study, as externalIds")
	}
	for study, id := range f.ExternalIDs {
		call.Overlong(invalid, "externalIds["+string(study)+"]", id)
	}
	if q.Phone != nil {
		call.Overlong(invalid, "phone", q.Phone.RegionCode+q.Phone.Number)
	}
	if q.Roles != nil {
		f.Roles = []core.Role{}
	}
	for _, role := range q.Roles {
		f.Roles = append(f.Roles, core.Role(strings.ToLower(role)))
	}
	return f, invalid.Err()
}
