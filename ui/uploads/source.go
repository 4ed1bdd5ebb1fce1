package uploads

import (
	"context"

	"footbridge/core"
	"footbridge/ui/view"
)

// Source has the uploads. Safe for concurrent use. Errors: those of whoever answers, as a
// sentence for people.
type Source interface {
	// Uploads gives a page of uploads.
	Uploads(ctx context.Context, q view.UploadQuery) (view.UploadPage, error)

	// Upload gives one. Errors: that there is none.
	Upload(ctx context.Context, id core.UploadID) (view.UploadDetail, error)
}

// Mender does what helps an upload on. Safe for concurrent use; all of it is idempotent.
// Errors: as of Source.
type Mender interface {
	// Retry sends an upload's record again, once what kept it is mended.
	Retry(ctx context.Context, id core.UploadID) error

	// Redrive processes an upload again, and sends it again to the same places.
	Redrive(ctx context.Context, id core.UploadID) error

	// RedriveRefused processes all again that could not be opened, and says how many.
	RedriveRefused(ctx context.Context) (int, error)

	// GiveUp has an upload's record never sent again, and taken out of wherever it was
	// sent; or nobody asked any more about one that could not be opened. Here it stays.
	GiveUp(ctx context.Context, id core.UploadID) error
}
