package main

import (
	"context"
	"fmt"
	"net/http"

	"footbridge/app/control"
	"footbridge/app/local/records"
	"footbridge/core"
)

// uploadRedrive processes uploads again.
type uploadRedrive struct {
	IDs   []string `arg:"" optional:"" name:"id" help:"Their ids; else say which by the flags."`
	Study string   `help:"Those of this study."`
	aSpan
	Refused bool `help:"Only those that could not be opened."`
	All     bool `help:"Every one."`
	DryRun  bool `name:"dry-run" help:"Only say which they are."`
	JSON    bool `name:"json" help:"Print the result as JSON."`
}

// Run redrives them.
func (c *uploadRedrive) Run(ctx context.Context, s *session) error {
	asked := records.Redrive{Study: core.StudyID(c.Study), Refused: c.Refused, All: c.All, DryRun: c.DryRun}
	for _, id := range c.IDs {
		asked.UploadIDs = append(asked.UploadIDs, core.UploadID(id))
	}
	if since := c.Since.at; !since.IsZero() {
		asked.Since = &since
	}
	if until := c.Until.end(); !until.IsZero() {
		asked.Until = &until
	}
	return withAppliance(ctx, s, func(ctx context.Context, client *control.Client) error {
		var done records.Redriven
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
		fmt.Fprintln(s.out, redriven(done))
		return nil
	})
}

// redriven says what came of a redrive.
func redriven(done records.Redriven) string {
	verb := "are processed again"
	switch {
	case done.DryRun:
		verb = "would be processed again"
	case done.Uploads == 1:
		verb = "is processed again"
	}
	said := fmt.Sprintf("%s %s; %d passed over, because no file came or it came before.", plural(done.Uploads, "upload"), verb, done.PassedOver)
	switch {
	case done.Withdrawn == 1:
		said += " 1 of them was withdrawn, and is not sent."
	case done.Withdrawn > 1:
		said += fmt.Sprintf(" %d of them were withdrawn, and are not sent.", done.Withdrawn)
	}
	return said
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
