package guide

import (
	"context"

	"footbridge/core"
	"footbridge/ui/view"
	"footbridge/ui/view/plan"

	"fyne.io/fyne/v2"
)

// Founder makes sites. Safe for concurrent use. Errors: as a sentence for people.
type Founder interface {
	// Try tries out where records are to go, and leaves nothing there.
	Try(ctx context.Context, d plan.Draft) (plan.Trial, error)

	// Found makes the home, wholly or not at all, and serves it from then on. May be
	// repeated: a home that it made stays as it is, and is served.
	Found(ctx context.Context, d plan.Draft) (plan.Founded, error)
}

// Device sends as a device does. Safe for concurrent use. Errors: as of Founder.
type Device interface {
	// Send sends an upload of a test participant's, a new one each time.
	Send(ctx context.Context) (core.UploadID, error)

	// Upload tells how far it is.
	Upload(ctx context.Context, id core.UploadID) (view.UploadDetail, error)
}

// Pairing pairs devices with the site, once it serves. Its methods belong to the thread
// that draws.
type Pairing interface {
	// Content is drawn once, and changed by what Update asks for.
	Content() fyne.CanvasObject

	// Update asks what came of a code that is shown.
	Update()

	// Coded reports whether a code is on the screen.
	Coded() bool
}
