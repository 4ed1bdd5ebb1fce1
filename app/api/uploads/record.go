package uploads

import (
	"encoding/json"
	"slices"

	"footbridge/app/api/call"
	"footbridge/core"
)

// uploadValidationStatus is an UploadValidationStatus.
type uploadValidationStatus struct {
	ID          core.UploadID `json:"id"`
	MessageList []string      `json:"messageList"`
	Status      string        `json:"status"`
	Record      *healthData   `json:"record,omitempty"`
	Type        string        `json:"type"`
}

// healthData is a HealthData record.
type healthData struct {
	ID                  core.UploadID           `json:"id"`
	HealthCode          core.HealthCode         `json:"healthCode,omitempty"` // for those who see health codes
	AppID               core.AppID              `json:"appId"`
	StudyID             core.AppID              `json:"studyId"` // what apps were called once
	AppVersion          string                  `json:"appVersion,omitempty"`
	CreatedOn           call.Time               `json:"createdOn"`
	CreatedOnTimeZone   string                  `json:"createdOnTimeZone,omitempty"` // +hhmm
	Data                json.RawMessage         `json:"data"`
	DayInStudy          int                     `json:"dayInStudy,omitempty"` // from 1
	Metadata            any                     `json:"metadata"`             // info.json; of a schemaless record, that of the request as strings
	PhoneInfo           string                  `json:"phoneInfo,omitempty"`
	RawDataAttachmentID string                  `json:"rawDataAttachmentId"`
	UserMetadata        any                     `json:"userMetadata,omitempty"` // of a bundle, also where it is empty
	SchemaID            *string                 `json:"schemaId"`
	SchemaRevision      *int                    `json:"schemaRevision"`
	UploadDate          string                  `json:"uploadDate"`
	UploadID            core.UploadID           `json:"uploadId"`
	UploadedOn          call.Time               `json:"uploadedOn"`
	UserSharingScope    core.SharingScope       `json:"userSharingScope"`
	UserExternalID      string                  `json:"userExternalId,omitempty"`
	UserMemberships     map[core.StudyID]string `json:"userStudyMemberships,omitempty"`
	UserDataGroups      []string                `json:"userDataGroups,omitempty"`
	ValidationErrors    string                  `json:"validationErrors,omitempty"`
	ParticipantVersion  int                     `json:"participantVersion,omitempty"`
	ExportState         core.ExportState        `json:"exportState,omitempty"`
	ExportReason        core.ExportReason       `json:"exportReason,omitempty"`
	SynapseExportStatus string                  `json:"synapseExporterStatus"`
	Version             int                     `json:"version"`
	Type                string                  `json:"type"`
}

func newHealthData(u core.Upload, exports []core.Export) *healthData {
	f, r := u.Facts, u.Record
	h := &healthData{
		ID: u.ID, AppID: u.App, StudyID: u.App, CreatedOn: call.Time(r.CreatedOn), CreatedOnTimeZone: r.CreatedOnZone,
		Data: r.Data, DayInStudy: f.DayInStudy, RawDataAttachmentID: u.RawID(), Metadata: map[string]string{},
		SchemaID: r.SchemaID, SchemaRevision: r.SchemaRevision,
		UploadDate: f.DateFolder, UploadID: u.ID, UploadedOn: call.Time(f.UploadedOn),
		UserSharingScope: f.SharingScope, UserExternalID: f.ExternalID, UserMemberships: call.Memberships(f.Memberships), UserDataGroups: f.DataGroups,
		ParticipantVersion: f.ParticipantVersion, Version: u.Version, Type: "HealthData",
	}
	metadata := u.Request.Metadata
	if l := r.Legacy; l != nil {
		h.AppVersion, h.PhoneInfo, h.ValidationErrors, metadata = l.AppVersion, l.PhoneInfo, l.ValidationErrors, l.UserMetadata
		if l.Info != nil {
			h.Metadata, h.UserMetadata = l.Info, map[string]json.RawMessage{}
		}
	} else if r.Metadata != nil {
		h.Metadata = r.Metadata
	}
	if len(metadata) > 0 {
		h.UserMetadata = metadata
	}
	h.ExportState, h.ExportReason = standing(exports)
	h.SynapseExportStatus = exporterStatus(h.ExportState)
	return h
}

// exporterStatus is an export state in the words of old clients.
func exporterStatus(s core.ExportState) string {
	if s == core.ExportExported {
		return "succeeded"
	}
	return "not_exported"
}

// urgency orders export states: what a person should know of first is highest.
func urgency(s core.ExportState) int {
	return slices.Index([]core.ExportState{core.ExportExported, core.ExportWithheld, core.ExportWaiting, core.ExportParked}, s)
}

// standing sums up where a record stands at all its destinations: the state that
// is furthest from exported. A record that has no destination is withheld.
func standing(exports []core.Export) (core.ExportState, core.ExportReason) {
	if len(exports) == 0 {
		return core.ExportWithheld, core.ReasonNoStudyConfigured
	}
	worst := core.Export{State: core.ExportWithheld, Reason: core.ReasonNoStudyConfigured}
	found := false
	for _, e := range exports {
		if e.Reason != core.ReasonNoStudyConfigured && (!found || urgency(e.State) > urgency(worst.State)) {
			worst, found = e, true
		}
	}
	return worst.State, worst.Reason
}

// wireState is a state as clients know it.
func wireState(s core.State) string {
	switch s {
	case core.StateRequested, core.StateReceived:
		return "requested"
	case core.StateCompleted:
		return "validation_in_progress"
	case core.StateFailed:
		return "validation_failed"
	case core.StateDuplicate:
		return "duplicate"
	}
	return "succeeded"
}
