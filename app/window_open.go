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
	"footbridge/packaging"
	"footbridge/ui"
	"footbridge/ui/look"
	"footbridge/ui/page"
	"footbridge/ui/screen"
	"footbridge/ui/tongue"
	"footbridge/ui/view"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/app"
)

// appID names the program to the desktop; FyneApp.toml has it too.
const appID = "org.footbridge.appliance"

// open shows the window of the appliance that runs on the home, or of one that runs
// in this program until the window is closed.
func (c *windowCommand) open(ctx context.Context, s *session) error {
	transport, runs := control.Dial(s.home)
	if why := noDisplay(); why != "" {
		if !runs && appliance.IsMade(s.home) == nil { // else serving says what is wrong, and nothing more
			fmt.Fprintf(s.errors, "footbridge: no window can open here, because %s; it serves without one\n", why)
		}
		return c.serveCommand.Run(ctx, s)
	}
	config := c.config(s)
	if runs {
		return c.show(ctx, s, control.NewClient(transport), config)
	}
	if appliance.IsMade(s.home) != nil && appliance.Free(s.home) == nil {
		return c.guide(ctx, s)
	}
	config.Serves = true
	announced := func(d door.Door) { announce(s.out, d) }
	return c.serve(ctx, s, announced, func(ctx context.Context, client *control.Client) error { return c.show(ctx, s, client, config) })
}

// config says who looks at the window, and what its help says of this program.
func (c *windowCommand) config(s *session) ui.Config {
	config := ui.Config{Config: page.Config{Tongue: s.tongue()}, Desktop: &screen.Desktop{}, About: func() view.About { return c.about(s) }, Hidden: c.Tray}
	if start, err := atLogin(s.home); err == nil {
		config.Login = start
	}
	return config
}

// about is what the help says of this program.
func (c *windowCommand) about(s *session) view.About {
	about := view.About{Version: version, Home: s.home}
	settings, err := s.settings()
	if err != nil {
		return about // the appliance says what is wrong with them
	}
	place := c.place(settings)
	scheme := "https"
	if place.Plain {
		scheme = "http"
	}
	about.Addresses = door.Reach(scheme, place.Address)
	return about
}

// desktop is where windows are shown.
func (c *windowCommand) desktop() fyne.App {
	os.Setenv("RESOURCE_NAME", appID) // X11 calls the window so, and the desktop finds its menu entry by it
	app.SetMetadata(fyne.AppMetadata{ID: appID, Name: "Footbridge", Version: version})
	desktop := app.NewWithID(appID)
	desktop.SetIcon(fyne.NewStaticResource("icon.png", packaging.Icon))
	look.Apply(desktop)
	return desktop
}

// show runs the window until it is closed or ctx ends. It is called by the thread
// that the program began with, as desktops ask for.
func (c *windowCommand) show(ctx context.Context, s *session, client *control.Client, config ui.Config) error {
	ctx, stop := context.WithCancel(ctx)
	desktop := c.desktop()
	var working sync.WaitGroup
	ended := make(chan struct{})
	window, work := sight(ctx, desktop, s, client, config)
	desktop.Lifecycle().SetOnStarted(func() {
		work(ctx, &working)
		working.Go(func() { quit(ctx, desktop, ended) })
	})
	window.ShowAndRun()
	close(ended)
	stop()
	working.Wait()
	return nil
}

// quit ends a desktop's program once ctx ends, unless it ended by itself.
func quit(ctx context.Context, desktop fyne.App, ended <-chan struct{}) {
	select {
	case <-ctx.Done():
		fyne.Do(desktop.Quit)
	case <-ended:
	}
}

// sight gives the window of an appliance, and what works for it until a context ends.
func sight(ctx context.Context, desktop fyne.App, s *session, client *control.Client, config ui.Config) (*ui.Window, func(context.Context, *sync.WaitGroup)) {
	if tray, ok := desktop.(ui.Tray); ok && hasTray(ctx, config.Hidden) {
		config.Tray = tray
	}
	through := pane.New(client, view.Reader{Tongue: config.Tongue, Window: true})
	config.Speaks = func() (tongue.Tongue, ui.Appliance, bool) {
		spoken, known := s.spoken()
		return spoken, through.In(spoken), known
	}
	window := ui.New(desktop, through, config)
	return window, func(ctx context.Context, working *sync.WaitGroup) {
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
