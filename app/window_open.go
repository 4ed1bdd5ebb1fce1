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

	"footbridge/app/control"
	"footbridge/app/door"
	"footbridge/app/pane"
	"footbridge/packaging"
	"footbridge/ui"
	"footbridge/ui/look"
	"footbridge/ui/page"
	"footbridge/ui/view"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/app"
)

// appID names the program to the desktop; FyneApp.toml and packaging have it too.
const appID = "org.footbridge.appliance"

// open shows the window of the appliance that runs on the home, or of one that runs
// in this program until the window is closed.
func (c *windowCommand) open(ctx context.Context, s *session) error {
	if why := noDisplay(); why != "" {
		fmt.Fprintf(s.errors, "footbridge: no window can open here, because %s; it serves without one\n", why)
		return c.serveCommand.Run(ctx, s)
	}
	config := ui.Config{Config: page.Config{Tongue: s.tongue()}, About: func() view.About { return c.about(s) }, Hidden: c.Tray}
	if transport, ok := control.Dial(s.home); ok {
		return show(ctx, control.NewClient(transport), config)
	}
	config.Serves = true
	return c.serve(ctx, s, func(ctx context.Context, client *control.Client) error { return show(ctx, client, config) })
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

// show runs the window until it is closed or ctx ends. It is called by the thread
// that the program began with, as desktops ask for.
func show(ctx context.Context, client *control.Client, config ui.Config) error {
	ctx, stop := context.WithCancel(ctx)
	os.Setenv("RESOURCE_NAME", appID) // X11 calls the window so, and the desktop finds its menu entry by it
	desktop, sight := app.NewWithID(appID), pane.New(client, view.Reader{Tongue: config.Tongue, Window: true})
	desktop.SetIcon(fyne.NewStaticResource("icon.png", packaging.Icon))
	look.Apply(desktop)
	if tray, ok := desktop.(ui.Tray); ok && hasTray(ctx, config.Hidden) {
		config.Tray = tray
	}
	window := ui.New(desktop, sight, config)
	var working sync.WaitGroup
	desktop.Lifecycle().SetOnStarted(func() {
		working.Go(func() { sight.Listen(ctx) })
		working.Go(func() { window.Run(ctx) })
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
