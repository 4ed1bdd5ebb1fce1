package main

import (
	"context"
	"fmt"
	"io"
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
		return printOverview(s.out, o, s.reader())
	})
}

func printOverview(out io.Writer, o view.Overview, r view.Reader) error {
	fmt.Fprintln(out, o.Sentence)
	fmt.Fprintln(out, "\n"+r.Say("status.uploads", "requested", o.Queues.Requested, "processing", o.Queues.Processing))
	fmt.Fprintln(out, r.Say("status.disk", "free", r.Bytes(max(o.Disk.FreeBytes-o.Disk.FloorBytes, 0)))+"\n")
	lines := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(lines, "%s\t%s\t%s\t%s\t%s\t%s\n", r.Say("status.destination"), r.Say("status.state"), r.Say("status.exported"),
		r.Say("status.waiting"), r.Say("status.parked"), r.Say("status.last"))
	for _, d := range o.Destinations {
		last := r.Say("status.never")
		if d.LastSuccess != nil {
			last = r.When(*d.LastSuccess)
		}
		fmt.Fprintf(lines, "%s\t%s\t%d\t%d\t%d\t%s\n", d.Destination, r.Say("state."+d.State), d.Exported, d.Waiting, d.Parked, last)
	}
	if err := lines.Flush(); err != nil {
		return err
	}
	for _, d := range o.Destinations {
		if d.Sentence != "" {
			fmt.Fprintf(out, "\n%s: %s\n", d.Destination, d.Sentence)
		}
	}
	return nil
}
