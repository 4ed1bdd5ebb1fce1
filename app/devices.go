package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"text/tabwriter"

	"footbridge/app/control"
	"footbridge/ui/view"
)

// deviceCommand looks after the devices in the field.
type deviceCommand struct {
	List   deviceList   `cmd:"" help:"List the devices, and when each was here last."`
	Show   deviceShow   `cmd:"" help:"Show a device."`
	Forget deviceForget `cmd:"" help:"Forget a device, and end its password and its sessions."`
}

// deviceList lists devices.
type deviceList struct {
	JSON bool `name:"json" help:"Print the result as JSON."`
}

// Run lists them.
func (c *deviceList) Run(ctx context.Context, s *session) error {
	return withAppliance(ctx, s, func(ctx context.Context, client *control.Client) error {
		var all []view.DeviceLine
		if err := client.Call(ctx, http.MethodGet, "/local/v1/devices", nil, &all); err != nil {
			return err
		}
		if c.JSON {
			return s.printJSON(all)
		}
		lines := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(lines, "DEVICE\tNAME\tPARTICIPANT\tSTATE\tLAST SEEN\tUPLOADS")
		for _, d := range all {
			fmt.Fprintf(lines, "%s\t%s\t%s\t%s\t%s\t%d\n", d.ID, cmp.Or(d.Name, "-"), cmp.Or(d.Participant, "-"), d.State, seenAt(d), d.Uploads)
		}
		return lines.Flush()
	})
}

// seenAt says when a device was here last.
func seenAt(d view.DeviceLine) string {
	if d.LastSeen == nil {
		return "never"
	}
	return (view.Reader{}).When(*d.LastSeen)
}

// deviceShow shows one device.
type deviceShow struct {
	ID   string `arg:"" help:"The device."`
	JSON bool   `name:"json" help:"Print the result as JSON."`
}

// Run shows it.
func (c *deviceShow) Run(ctx context.Context, s *session) error {
	return withAppliance(ctx, s, func(ctx context.Context, client *control.Client) error {
		var d view.DeviceLine
		if err := client.Call(ctx, http.MethodGet, "/local/v1/devices/"+url.PathEscape(c.ID), nil, &d); err != nil {
			return err
		}
		if c.JSON {
			return s.printJSON(d)
		}
		printDevice(s.out, d)
		return nil
	})
}

func printDevice(out io.Writer, d view.DeviceLine) {
	fmt.Fprintf(out, "Device %s, %s.\n", d.ID, cmp.Or(d.Name, "without a name"))
	fmt.Fprintf(out, "  Of participant %s (%s).\n", cmp.Or(d.Participant, "without an external id"), d.User)
	if d.State == view.DeviceEnded {
		fmt.Fprintln(out, "  It cannot sign in any more: pair it again (footbridge pair).")
	}
	if d.PairedOn != nil {
		fmt.Fprintf(out, "  Paired at %s.\n", (view.Reader{}).When(*d.PairedOn))
	}
	if d.LastSeen != nil {
		fmt.Fprintf(out, "  Last seen at %s, from %s.\n", (view.Reader{}).When(*d.LastSeen), cmp.Or(d.Address, "an address that is not known"))
	}
	if d.UserAgent != "" {
		fmt.Fprintf(out, "  Its app says of itself %q.\n", d.UserAgent)
	}
	if d.LastUpload != nil {
		fmt.Fprintf(out, "  It completed %s, the last at %s.\n", plural(d.Uploads, "upload"), (view.Reader{}).When(*d.LastUpload))
	}
	if d.Ahead != nil {
		fmt.Fprintf(out, "  Its clock was %s ahead of this site's.\n", plural(*d.Ahead, "second"))
	}
}

// deviceForget forgets a device.
type deviceForget struct {
	ID   string `arg:"" help:"The device."`
	JSON bool   `name:"json" help:"Print the result as JSON."`
}

// Run forgets it.
func (c *deviceForget) Run(ctx context.Context, s *session) error {
	return withAppliance(ctx, s, func(ctx context.Context, client *control.Client) error {
		var done struct {
			Message string `json:"message"`
		}
		if err := client.Call(ctx, http.MethodDelete, "/local/v1/devices/"+url.PathEscape(c.ID), nil, &done); err != nil {
			return err
		}
		if c.JSON {
			return s.printJSON(done)
		}
		fmt.Fprintln(s.out, done.Message)
		return nil
	})
}
