//go:build window

package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"footbridge/app/appliance"
	"footbridge/app/control"
	"footbridge/app/door"
	"footbridge/app/pane"
	"footbridge/ui"
	"footbridge/ui/tongue"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/app"
)

// appID names the program to the desktop; FyneApp.toml has it too.
const appID = "org.footbridge.appliance"

// open shows the window of the appliance that runs on the home, or of one that runs
// in this program until the window is closed.
func (c *windowCommand) open(ctx context.Context, s *session) error {
	if why := noDisplay(); why != "" {
		fmt.Fprintf(s.errors, "footbridge: no window can open here, because %s; it serves without one\n", why)
		return c.serveCommand.Run(ctx, s)
	}
	if transport, ok := control.Dial(s.home); ok {
		return show(ctx, control.NewClient(transport), false)
	}
	if appliance.IsMade(s.home) != nil && appliance.Free(s.home) == nil {
		return c.guide(ctx, s)
	}
	announced := func(d door.Door) { announce(s.out, d) }
	return c.serve(ctx, s, announced, func(ctx context.Context, client *control.Client) error { return show(ctx, client, true) })
}

// show runs the window until it is closed or ctx ends. It is called by the thread
// that the program began with, as desktops ask for.
func show(ctx context.Context, client *control.Client, serves bool) error {
	ctx, stop := context.WithCancel(ctx)
	desktop := app.NewWithID(appID)
	var working sync.WaitGroup
	window, work := sight(desktop, client, serves)
	desktop.Lifecycle().SetOnStarted(func() {
		work(ctx, &working)
		working.Go(func() {
			<-ctx.Done()
			fyne.Do(desktop.Quit)
		})
	})
	window.ShowAndRun()
	stop()
	working.Wait()
	return nil
}

// sight gives the window of an appliance, and what works for it until a context ends.
func sight(desktop fyne.App, client *control.Client, serves bool) (fyne.Window, func(context.Context, *sync.WaitGroup)) {
	through := pane.New(client, tongue.Tongue{})
	window := ui.New(desktop, through, ui.Config{Serves: serves})
	return window.Shown(), func(ctx context.Context, working *sync.WaitGroup) {
		working.Go(func() { through.Listen(ctx) })
		working.Go(func() { window.Run(ctx) })
	}
}

// noDisplay says why no window can open; empty where one can.
func noDisplay() string {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		return ""
	}
	display := os.Getenv("DISPLAY")
	if display == "" {
		return "there is no display (DISPLAY is not set)"
	}
	conn, err := dialDisplay(display)
	if err != nil {
		return fmt.Sprintf("the display %q does not answer", display)
	}
	conn.Close()
	return ""
}

// dialDisplay reaches an X server by its name, [host]:number[.screen].
func dialDisplay(name string) (net.Conn, error) {
	at := strings.LastIndex(name, ":")
	if at < 0 {
		return nil, errors.New("the name has no number")
	}
	host, number := name[:at], name[at+1:]
	number, _, _ = strings.Cut(number, ".")
	if host == "" || host == "unix" {
		return net.Dial("unix", "/tmp/.X11-unix/X"+number)
	}
	n, err := strconv.Atoi(number)
	if err != nil {
		return nil, fmt.Errorf("read the number of the display: %w", err)
	}
	return net.Dial("tcp", net.JoinHostPort(host, strconv.Itoa(6000+n))) // where X listens
}
