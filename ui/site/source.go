package site

import (
	"context"

	"footbridge/core"
	"footbridge/ui/view"
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
	// RetryAll sends all again that needs a person.
	RetryAll(ctx context.Context) error
}

// Comparer compares the repository with what it should hold, while nobody waits; one
// comparison goes on at a time. Safe for concurrent use. Errors: as of Sender.
type Comparer interface {
	// Compared tells how the last one went, or how far it is.
	Compared(ctx context.Context) (view.Comparison, error)
	// Compare begins one that changes nothing.
	Compare(ctx context.Context) error
	// Repair begins one, and sends again what is wrong.
	Repair(ctx context.Context) error
	// Remove begins one, and removes the files that these plans name and that still
	// belong to no record.
	Remove(ctx context.Context, plans []view.Plan) error
}

// Withdrawer takes records out of the repository on a person's word. Safe for concurrent
// use. Errors: as of Sender.
type Withdrawer interface {
	// Regrets lists who shares no more, of whom records were sent, until it is decided.
	Regrets(ctx context.Context) ([]view.Regret, error)
	// Withdrawable counts a participant's records that Withdraw takes out.
	Withdrawable(ctx context.Context, code core.HealthCode) (int, error)
	// Withdraw takes a participant's records out, for good.
	Withdraw(ctx context.Context, code core.HealthCode) error
	// Keep leaves a participant's records where they are.
	Keep(ctx context.Context, code core.HealthCode) error
}

// Audit knows what people did. Safe for concurrent use. Errors: as of Sender.
type Audit interface {
	// Deeds gives a page of what people did, the newest first, at most so many: the last
	// of all, or those from where an earlier page said that the next begins.
	Deeds(ctx context.Context, before string, most int) (view.DeedPage, error)
}
