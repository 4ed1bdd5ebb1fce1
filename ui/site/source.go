package site

import (
	"context"

	"footbridge/core"
)

// Sender sends what waits. Safe for concurrent use; every command is idempotent. Errors:
// those of whoever answers, as a sentence for people.
type Sender interface {
	// Now tries at once what waits to be sent.
	Now(ctx context.Context) error

	// Pause sends nothing until Resume, whatever restarts.
	Pause(ctx context.Context) error

	// Resume sends again.
	Resume(ctx context.Context) error
}

// Audit knows what people did. Safe for concurrent use. Errors: as of Sender.
type Audit interface {
	// Deeds gives what people did, the newest first, at most so many.
	Deeds(ctx context.Context, most int) ([]core.Deed, error)
}
