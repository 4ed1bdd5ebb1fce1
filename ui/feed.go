package ui

import (
	"context"

	"footbridge/core"
	"footbridge/ui/view"
)

// Feed tells the window how things are. Safe for concurrent use. Errors: those of
// whoever answers, as a sentence for people.
type Feed interface {
	// Changes rings after something changed; one ring stands for many. Nobody closes it.
	Changes() <-chan struct{}

	// Site is the appliance at this moment.
	Site(ctx context.Context) (view.Site, error)

	// Uploads gives a page of uploads.
	Uploads(ctx context.Context, q view.UploadQuery) (view.UploadPage, error)

	// Upload gives one. Errors: that there is none.
	Upload(ctx context.Context, id core.UploadID) (view.UploadDetail, error)

	// Deeds gives what people did, the newest first, at most so many.
	Deeds(ctx context.Context, most int) ([]core.Deed, error)
}

// Commands does what a person asks for in the window. Every one is idempotent and
// safe for concurrent use. Errors: as of Feed.
type Commands interface {
	// Retry sends an upload's record again, once what kept it is mended.
	Retry(ctx context.Context, id core.UploadID) error

	// Redrive processes an upload again, and sends it again to the same places.
	Redrive(ctx context.Context, id core.UploadID) error

	// Now tries at once what waits to be sent.
	Now(ctx context.Context) error

	// Pause sends nothing until Resume, whatever restarts.
	Pause(ctx context.Context) error

	// Resume sends again.
	Resume(ctx context.Context) error
}
