package uploads

import (
	"cmp"
	"errors"
	"net/http"
	"path"
	"time"

	"footbridge/app/api/call"
	"footbridge/core"
	"footbridge/core/account"
	"footbridge/core/process"
	"footbridge/sync/export"
)

// recordEx3 is a HealthDataRecordEx3.
type recordEx3 struct {
	ID                   core.UploadID                   `json:"id"`
	AppID                core.AppID                      `json:"appId"`
	StudyID              core.StudyID                    `json:"studyId,omitempty"` // where the owner was in one study
	HealthCode           core.HealthCode                 `json:"healthCode"`
	ParticipantVersion   int                             `json:"participantVersion,omitempty"`
	CreatedOn            call.Time                       `json:"createdOn"` // of the completion
	ClientInfo           string                          `json:"clientInfo,omitempty"`
	Exported             bool                            `json:"exported"` // to every destination
	ExportedOn           *call.Time                      `json:"exportedOn,omitempty"`
	ExportedRecord       *exportedRecord                 `json:"exportedRecord,omitempty"` // in the app-wide project
	ExportedStudyRecords map[core.StudyID]exportedRecord `json:"exportedStudyRecords,omitempty"`
	ExportState          core.ExportState                `json:"exportState"`
	ExportReason         core.ExportReason               `json:"exportReason,omitempty"`
	Metadata             map[string]string               `json:"metadata,omitempty"`
	SharingScope         core.SharingScope               `json:"sharingScope"`
	UserAgent            string                          `json:"userAgent,omitempty"`
	Version              int                             `json:"version"`
	Type                 string                          `json:"type"`
}

// exportedRecord is an ExportedRecordInfo: where a record lies.
type exportedRecord struct {
	ParentProjectID string `json:"parentProjectId"`
	RawFolderID     string `json:"rawFolderId"`
	FileEntityID    string `json:"fileEntityId"`
	Bucket          string `json:"s3Bucket"` // the repository's name where it has no buckets
	Key             string `json:"s3Key"`
	Type            string `json:"type"`
}

// recordOf gives the record of an upload, nil where there is none. There is one
// from the completion on where no schema is needed, else once it was processed.
func (h *Handlers) recordOf(r *http.Request, caller core.Account, u core.Upload) (*recordEx3, error) {
	f := u.Facts
	if f == nil || !f.Schemaless && u.Record == nil {
		return nil, nil
	}
	exports, err := h.Store.Exports(r.Context(), u.ID)
	if err != nil {
		return nil, err
	}
	record := &recordEx3{
		ID: u.ID, AppID: u.App, HealthCode: u.HealthCode, ParticipantVersion: f.ParticipantVersion, CreatedOn: call.Time(f.UploadedOn),
		ClientInfo: f.ClientInfo, Metadata: process.Strings(u.Request.Metadata), SharingScope: f.SharingScope, UserAgent: f.UserAgent,
		Version: u.Version, Type: "HealthDataRecordEx3",
	}
	if len(f.Studies) == 1 {
		record.StudyID = f.Studies[0]
	}
	record.ExportState, record.ExportReason = prospect(u, exports)
	record.Exported = record.ExportState == core.ExportExported
	sees := func(study core.StudyID) bool {
		return caller.HealthCode == u.HealthCode || account.Reaches(caller, study)
	}
	return record, h.addExported(r, record, *f, exports, sees)
}

// prospect is standing, also of a record of which no export is journalled yet.
func prospect(u core.Upload, exports []core.Export) (core.ExportState, core.ExportReason) {
	switch {
	case len(exports) > 0:
		return standing(exports)
	case u.State == core.StateFailed:
		return core.ExportParked, core.ReasonValidationFailed
	case len(u.Facts.Destinations) > 0 && !u.Facts.SharingScope.Allows():
		return core.ExportWithheld, core.ReasonNoSharingAtUpload
	case len(u.Facts.Destinations) > 0:
		return core.ExportWaiting, core.ReasonNone
	}
	return standing(nil)
}

// addExported says where a record lies, at each destination that holds it and of
// whose study the caller sees something.
func (h *Handlers) addExported(r *http.Request, record *recordEx3, f core.Facts, exports []core.Export, sees func(core.StudyID) bool) error {
	var last time.Time
	for _, e := range exports {
		if e.State != core.ExportExported {
			continue
		}
		if e.ExportedOn.After(last) {
			last = e.ExportedOn
		}
		project, study, err := h.projectOf(r, record.AppID, e.Destination)
		if err != nil {
			return err
		}
		at := export.RawPath(f)
		file := cmp.Or(e.File, path.Join(string(e.Destination), at))
		bucket, key := h.Stored(e.Destination, project, at)
		info := exportedRecord{project.Project, project.RawDataFolder, file, bucket, key, "ExportedRecordInfo"}
		if study == "" {
			record.ExportedRecord = &info
			continue
		}
		if !sees(study) {
			continue
		}
		if record.ExportedStudyRecords == nil {
			record.ExportedStudyRecords = map[core.StudyID]exportedRecord{}
		}
		record.ExportedStudyRecords[study] = info
	}
	if record.Exported {
		record.ExportedOn = call.OptionalTime(last)
	}
	return nil
}

// projectOf gives a destination's project, and its study unless it is the app's.
func (h *Handlers) projectOf(r *http.Request, app core.AppID, d core.DestinationID) (core.RepositoryConfig, core.StudyID, error) {
	if string(d) == string(app) {
		a, err := h.Store.App(r.Context(), app)
		return a.Repository, "", err
	}
	study, err := h.Store.Study(r.Context(), core.StudyID(d))
	if errors.Is(err, core.ErrNotFound) { // it was removed; the record still lies there
		err = nil
	}
	return study.Repository, core.StudyID(d), err
}
