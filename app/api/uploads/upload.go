package uploads

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"footbridge/app/api/call"
	"footbridge/core"
	"footbridge/core/account"
)

// uploadWire is an Upload.
type uploadWire struct {
	AppID                 core.AppID                 `json:"appId"`
	StudyID               core.AppID                 `json:"studyId"` // what apps were called once
	ClientInfo            string                     `json:"clientInfo,omitempty"`
	CompletedBy           core.CompletedBy           `json:"completedBy,omitempty"`
	CompletedOn           *call.Time                 `json:"completedOn,omitempty"`
	ContentLength         int64                      `json:"contentLength"`
	ContentMD5            string                     `json:"contentMd5"`
	ContentType           string                     `json:"contentType"`
	DuplicateUploadID     core.UploadID              `json:"duplicateUploadId,omitempty"`
	Encrypted             bool                       `json:"encrypted"`
	Filename              string                     `json:"filename"`
	HealthCode            core.HealthCode            `json:"healthCode,omitempty"` // for those who see health codes
	Metadata              map[string]json.RawMessage `json:"metadata,omitempty"`
	ObjectID              core.UploadID              `json:"objectId"`
	RecordID              core.UploadID              `json:"recordId,omitempty"`
	RequestedOn           call.Time                  `json:"requestedOn"`
	Status                string                     `json:"status"`
	UploadDate            string                     `json:"uploadDate,omitempty"`
	UploadID              core.UploadID              `json:"uploadId"`
	UserAgent             string                     `json:"userAgent,omitempty"`
	ValidationMessageList []string                   `json:"validationMessageList"`
	Version               int                        `json:"version"`
	Zipped                bool                       `json:"zipped"`

	*summary               // of the record, in lists
	HealthData *healthData `json:"healthData,omitempty"` // the record itself, of one upload
	Type       string      `json:"type"`
}

// summary is what lists say of an upload's record.
type summary struct {
	SchemaID       *string `json:"schemaId"`
	SchemaRevision *int    `json:"schemaRevision"`
	ExporterStatus string  `json:"healthRecordExporterStatus"`
}

func newSummary(u core.Upload, exports []core.Export) *summary {
	state, _ := standing(exports)
	return &summary{u.Record.SchemaID, u.Record.SchemaRevision, exporterStatus(state)}
}

// newUpload writes an upload, with its health code where the reader sees those.
func newUpload(u core.Upload, withCode bool) uploadWire {
	wire := uploadWire{
		AppID: u.App, StudyID: u.App, ClientInfo: u.ClientInfo, CompletedBy: u.CompletedBy,
		ContentLength: u.Request.ContentLength, ContentMD5: u.Request.ContentMD5, ContentType: u.Request.ContentType,
		DuplicateUploadID: u.DuplicateOf, Encrypted: u.Request.Encrypted, Filename: u.Request.Name, Metadata: u.Request.Metadata,
		ObjectID: u.ID, RequestedOn: call.Time(u.RequestedOn), Status: wireState(u.State), UploadID: u.ID, UserAgent: u.UserAgent,
		ValidationMessageList: append([]string{}, u.Messages...), Version: u.Version, Zipped: u.Request.Zipped, Type: "Upload",
	}
	if u.Facts != nil {
		wire.CompletedOn, wire.UploadDate = call.OptionalTime(u.Facts.UploadedOn), u.Facts.DateFolder
	}
	if u.Record != nil {
		wire.RecordID = u.ID
	}
	if withCode {
		wire.HealthCode = u.HealthCode
	}
	return wire
}

// byRecord begins a path's {id} that names a record instead of an upload.
const byRecord = "recordId:"

// oneUpload shows developers their own uploads, and workers every one.
func (h *Handlers) oneUpload(w http.ResponseWriter, r *http.Request) error {
	caller, err := h.Require(r, core.RoleDeveloper, core.RoleWorker)
	if err != nil {
		return err
	}
	id, named := strings.CutPrefix(r.PathValue("id"), byRecord) // they share their ids
	u, err := h.Desk.Upload(r.Context(), core.UploadID(id))
	if named && (errors.Is(err, core.ErrNotFound) || err == nil && u.Record == nil) {
		err = call.NotFound("HealthData", "There is no record with this id. An upload has one once it was processed.")
	}
	if err == nil {
		err = account.MayActFor(caller, u, core.RoleWorker)
	}
	if err != nil {
		return err
	}
	wire := newUpload(u, account.SeesHealthCodes(caller))
	if u.Record != nil {
		exports, err := h.Store.Exports(r.Context(), u.ID)
		if err != nil {
			return err
		}
		wire.HealthData = newHealthData(u, exports)
		wire.HealthData.HealthCode = wire.HealthCode
	}
	call.Write(w, http.StatusOK, wire)
	return nil
}
