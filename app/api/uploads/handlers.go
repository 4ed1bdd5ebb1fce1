package uploads

import (
	"context"
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

	// Exports gives where a record stands at each of its destinations.
	Exports(ctx context.Context, id core.UploadID) ([]core.Export, error)

	// Study finds a study. Errors: core.ErrNotFound.
	Study(ctx context.Context, id core.StudyID) (core.Study, error)
}

// Lists reads uploads by the time of their request, at most so many. A page takes
// as long whatever is stored beside it.
type Lists interface {
	// Uploads gives the app's, UploadsIn a study's, the newest first.
	Uploads(ctx context.Context, span core.Span, most int) ([]core.Upload, error)
	UploadsIn(ctx context.Context, study core.StudyID, span core.Span, most int) ([]core.Upload, error)

	// UploadsOf gives a participant's, the oldest first.
	UploadsOf(ctx context.Context, code core.HealthCode, span core.Span, most int) ([]core.Upload, error)
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

		{Pattern: "GET /v3/uploads/{id}", Answer: h.oneUpload},

		{Pattern: "GET /v3/participants/{user}/uploads", Answer: h.participantUploads},
		{Pattern: "GET /v5/studies/{study}/participants/{user}/uploads", Answer: h.participantUploads},
		{Pattern: "GET /v5/studies/{study}/uploads", Answer: h.studyUploads},
		{Pattern: "GET /v1/apps/self/uploads", Answer: h.ownUploads},
		{Pattern: "GET /v3/studies/self/uploads", Answer: h.ownUploads, Deprecated: true},
		{Pattern: "GET /v1/apps/{app}/uploads", Answer: h.appUploads},
		{Pattern: "GET /v3/studies/{app}/uploads", Answer: h.appUploads, Deprecated: true},
	}
}
