package main

import (
	"context"
	"fmt"
	"net/http"

	"footbridge/app/appliance"
	"footbridge/app/control"
	"footbridge/ui/view"
)

// syncCommand looks after what is sent to the repository.
type syncCommand struct {
	Now    syncNow    `cmd:"" help:"Try at once what waits to be sent."`
	Pause  syncPause  `cmd:"" help:"Send nothing until sync resume, whatever restarts."`
	Resume syncResume `cmd:"" help:"Send again."`

	Reconcile syncReconcile `cmd:"" help:"Compare the repository with what it should hold, and mend it."`
}

// syncOrder is an order that is answered with the overview.
type syncOrder struct {
	JSON bool `name:"json" help:"Print the overview as JSON."`
}

func (c syncOrder) give(ctx context.Context, s *session, order string, prepare preparation) error {
	return withPrepared(ctx, s, prepare, func(ctx context.Context, client *control.Client) error {
		var overview view.Overview
		if err := client.Call(ctx, http.MethodPost, "/local/v1/sync/"+order, nil, &overview); err != nil {
			return err
		}
		if c.JSON {
			return s.printJSON(overview)
		}
		fmt.Fprintln(s.out, overview.Sentence)
		return nil
	})
}

// syncNow tries at once.
type syncNow struct{ syncOrder }

// Run gives the order.
func (c *syncNow) Run(ctx context.Context, s *session) error { return c.give(ctx, s, "now", nil) }

// syncPause pauses.
type syncPause struct{ syncOrder }

// Run gives the order. Where nothing runs it comes before the work, or what is due
// would be sent first.
func (c *syncPause) Run(ctx context.Context, s *session) error {
	return c.give(ctx, s, "pause", func(ctx context.Context, a *appliance.Appliance) error { return a.Pause(ctx) })
}

// syncResume resumes.
type syncResume struct{ syncOrder }

// Run gives the order.
func (c *syncResume) Run(ctx context.Context, s *session) error { return c.give(ctx, s, "resume", nil) }
