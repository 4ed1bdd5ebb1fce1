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
	// Exports gives where a record stands at each of its destinations.
	Exports(ctx context.Context, id core.UploadID) ([]core.Export, error)
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
	}
}
