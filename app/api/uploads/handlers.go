package uploads

import (
	"context"
	"io"
	"net/http"
	"time"

	"footbridge/app/api/call"
	"footbridge/core"
	"footbridge/core/upload"
)

// Store is what is read of uploads and their owners. Safe for concurrent use.
type Store interface {
	call.Accounts
	Lists

	// IsIn reports whether an upload is a study's.
	IsIn(ctx context.Context, id core.UploadID, study core.StudyID) bool

	// Exports gives where a record stands at each of its destinations.
	Exports(ctx context.Context, id core.UploadID) ([]core.Export, error)

	// App and Study give the places in the repository. Errors: core.ErrNotFound.
	App(ctx context.Context, id core.AppID) (core.App, error)
	Study(ctx context.Context, id core.StudyID) (core.Study, error)
}

// Lists reads uploads by the time of their request, at most so many. A page takes
// as long whatever is stored beside it.
type Lists interface {
	// Uploads gives the app's, UploadsIn a study's, the newest first.
	Uploads(ctx context.Context, span core.Span, most int) ([]core.Upload, error)
	UploadsIn(ctx context.Context, study core.StudyID, span core.Span, most int) ([]core.Upload, error)

	// UploadsOf gives a participant's, those of a study where one is named, the
	// oldest first.
	UploadsOf(ctx context.Context, code core.HealthCode, study core.StudyID, span core.Span, most int) ([]core.Upload, error)
}

// Schedules knows what uploads have to do with participants' schedules. Safe for
// concurrent use.
type Schedules interface {
	// Metadata gives the timeline metadata of an instance, in a study (empty: in
	// any of the app's); nil where no timeline has it.
	Metadata(ctx context.Context, study core.StudyID, instanceGUID string) (map[string]string, error)

	// OfInstance and OfUpload give a participant's adherence records in a study,
	// those of an instance and those that an upload is linked to, as the wire shows
	// them.
	OfInstance(ctx context.Context, study core.StudyID, user core.UserID, instanceGUID string) ([]any, error)
	OfUpload(ctx context.Context, study core.StudyID, user core.UserID, id core.UploadID) ([]any, error)
}

// Bell wakes those who wait for a change.
type Bell interface {
	// Revision counts the rings so far.
	Revision() uint64

	// Wait returns the revision once it is over after, or ctx's error.
	Wait(ctx context.Context, after uint64) (uint64, error)
}

// Handlers answers the routes about uploads. Safe for concurrent use.
type Handlers struct {
	call.Door
	Desk   *upload.Desk
	Store  Store
	Bell   Bell
	Places *Places // where PUTs are received
	Secret []byte  // signs upload URLs

	// Plain opens an upload's bytes as they were before a device sealed them. The
	// caller closes them. Errors: core.ErrNoKey.
	Plain func(ctx context.Context, u core.Upload) (io.ReadCloser, error)

	// Stored gives bucket and key of what is at a path of a destination's project.
	Stored func(d core.DestinationID, parts core.RepositoryConfig, at string) (bucket, key string)

	Schedules Schedules // nil: nothing is known of schedules

	Await    time.Duration // how long a synchronous complete waits
	Patience time.Duration // how long a PUT may be without a byte from the device

	Now    func() time.Time
	Failed func(r *http.Request, err error) // told of every PUT that met an unexpected error
}

// Routes lists every route but the PUT.
func (h *Handlers) Routes() []call.Route {
	return []call.Route{
		{Pattern: "POST /v3/uploads", Answer: h.beginUpload},
		{Pattern: "POST /api/v1/upload", Answer: h.beginUpload, Deprecated: true},
		{Pattern: "POST /v3/uploads/{id}/complete", Answer: h.completeUpload},
		{Pattern: "POST /api/v1/upload/{id}/complete", Answer: h.completeUpload, Deprecated: true},
		{Pattern: "GET /v3/uploadstatuses/{id}", Answer: h.uploadStatus},
		{Pattern: "GET /api/v1/upload/{id}/status", Answer: h.uploadStatus, Deprecated: true},

		{Pattern: "GET /v3/healthdata/{id}/attachments/{attachment}", Answer: h.attachment, Deed: core.DeedAttachmentRead},

		{Pattern: "GET /v3/uploads/{id}", Answer: h.oneUpload},
		{Pattern: "POST /v3/uploads/redrive", Answer: h.redriveUploads, Deed: core.DeedUploadsRedriven},
		{Pattern: "GET /v3/uploads/{id}/exporter3", Answer: h.view},
		{Pattern: "GET /v5/studies/{study}/uploads/{id}/exporter3", Answer: h.view},
		{Pattern: "GET /v1/apps/{app}/uploads/{id}/exporter3", Answer: h.workerView},
		{Pattern: "GET /v1/apps/{app}/studies/{study}/uploads/{id}/exporter3", Answer: h.workerView},

		{Pattern: "GET /v3/participants/{user}/uploads", Answer: h.participantUploads},
		{Pattern: "GET /v5/studies/{study}/participants/{user}/uploads", Answer: h.participantUploads},
		{Pattern: "GET /v5/studies/{study}/uploads", Answer: h.studyUploads},
		{Pattern: "GET /v1/apps/self/uploads", Answer: h.ownUploads},
		{Pattern: "GET /v3/studies/self/uploads", Answer: h.ownUploads, Deprecated: true},
		{Pattern: "GET /v1/apps/{app}/uploads", Answer: h.appUploads},
		{Pattern: "GET /v3/studies/{app}/uploads", Answer: h.appUploads, Deprecated: true},
	}
}
