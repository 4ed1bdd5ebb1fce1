package main

import (
	"context"
	"fmt"
	"net/http"
	"text/tabwriter"

	"footbridge/app/control"
	"footbridge/ui/view"
)

// statusCommand shows how the appliance is doing.
type statusCommand struct {
	JSON bool `name:"json" help:"Print the result as JSON."`
}

// Run prints the overview.
func (c *statusCommand) Run(ctx context.Context, s *session) error {
	return withAppliance(ctx, s, func(ctx context.Context, client *control.Client) error {
		var o view.Overview
		if err := client.Call(ctx, http.MethodGet, "/local/v1/status", nil, &o); err != nil {
			return err
		}
		if c.JSON {
			return s.printJSON(o)
		}
		fmt.Fprintln(s.out, o.Sentence)
		fmt.Fprintf(s.out, "\nUploads: %d expected, %d processing.\n", o.Queues.Requested, o.Queues.Processing)
		fmt.Fprintf(s.out, "Disk: %s free for uploads.\n\n", s.reader().Bytes(max(o.Disk.FreeBytes-o.Disk.FloorBytes, 0)))
		lines := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(lines, "DESTINATION\tSTATE\tEXPORTED\tWAITING\tPARKED\tLAST SUCCESS")
		for _, d := range o.Destinations {
			last := "never"
			if d.LastSuccess != nil {
				last = s.reader().When(*d.LastSuccess)
			}
			fmt.Fprintf(lines, "%s\t%s\t%d\t%d\t%d\t%s\n", d.Destination, d.State, d.Exported, d.Waiting, d.Parked, last)
		}
		if err := lines.Flush(); err != nil {
			return err
		}
		for _, d := range o.Destinations {
			if d.Sentence != "" {
				fmt.Fprintf(s.out, "\n%s: %s\n", d.Destination, d.Sentence)
			}
		}
		return nil
	})
}
