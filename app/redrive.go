package main

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"footbridge/app/appliance"
	"footbridge/app/control"
	"footbridge/core"
)

// uploadRedrive processes uploads again.
type uploadRedrive struct {
	IDs    []string  `arg:"" optional:"" name:"id" help:"Their ids; else say which by the flags."`
	Study  string    `help:"Those of this study."`
	Since  time.Time `help:"Those that were requested from then on, such as 2026-11-20T00:00:00Z." placeholder:"TIME"`
	Until  time.Time `help:"Those that were requested up to then." placeholder:"TIME"`
	All    bool      `help:"Every one."`
	DryRun bool      `name:"dry-run" help:"Only say which they are."`
	JSON   bool      `name:"json" help:"Print the result as JSON."`
}

// Run redrives them.
func (c *uploadRedrive) Run(ctx context.Context, s *session) error {
	asked := appliance.Redrive{Study: core.StudyID(c.Study), All: c.All, DryRun: c.DryRun}
	for _, id := range c.IDs {
		asked.UploadIDs = append(asked.UploadIDs, core.UploadID(id))
	}
	for at, to := range map[*time.Time]**time.Time{&c.Since: &asked.Since, &c.Until: &asked.Until} {
		if !at.IsZero() {
			*to = at
		}
	}
	return withAppliance(ctx, s, func(ctx context.Context, client *control.Client) error {
		var done appliance.Redriven
		if err := client.Call(ctx, http.MethodPost, "/local/v1/uploads/redrive", asked, &done); err != nil {
			return err
		}
		if c.JSON {
			return s.printJSON(done)
		}
		for _, id := range done.UploadIDs {
			fmt.Fprintln(s.out, id)
		}
		if more := done.Uploads - len(done.UploadIDs); more > 0 {
			fmt.Fprintf(s.out, "and %d more\n", more)
		}
		verb := "are processed again"
		if done.DryRun {
			verb = "would be processed again"
		}
		fmt.Fprintf(s.out, "%s %s; %d passed over, because no file came or it came before.\n", plural(done.Uploads, "upload"), verb, done.PassedOver)
		return nil
	})
}

// uploadRetry sends records again that need a person.
type uploadRetry struct {
	IDs  []string `arg:"" optional:"" name:"id" help:"Their ids; else all that need a person."`
	All  bool     `help:"All that need a person, which is what is meant without ids."`
	JSON bool     `name:"json" help:"Print the result as JSON."`
}

// Run sends them again.
func (c *uploadRetry) Run(ctx context.Context, s *session) error {
	return withAppliance(ctx, s, func(ctx context.Context, client *control.Client) error {
		var done map[string]int
		if err := client.Call(ctx, http.MethodPost, "/local/v1/uploads/retry", map[string]any{"uploadIds": c.IDs, "all": c.All || len(c.IDs) == 0}, &done); err != nil {
			return err
		}
		if c.JSON {
			return s.printJSON(done)
		}
		fmt.Fprintf(s.out, "%s tried again.\n", plural(done["records"], "record"))
		return nil
	})
}
