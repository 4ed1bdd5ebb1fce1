//go:build window

package main

import (
	"context"
	"sync"

	"footbridge/app/control"
	"footbridge/app/door"
	"footbridge/app/founder"
	"footbridge/app/pane"
	"footbridge/core"
	"footbridge/ui"
	"footbridge/ui/devices"
	"footbridge/ui/guide"
	"footbridge/ui/page"
	"footbridge/ui/view"

	"fyne.io/fyne/v2"
)

// guide leads a person to a home of their own, serves it, and shows its window in the
// end, until that is closed. Like show it is called by the thread that the program began
// with.
func (c *windowCommand) guide(ctx context.Context, s *session) error {
	ctx, stop := context.WithCancel(ctx)
	site := founder.New(founder.Config{
		Home: s.home, Reader: view.Reader{Tongue: s.tongue(), Window: true},
		Serve: func(ctx context.Context, opened func(founder.Door), show func(context.Context, *control.Client) error) error {
			return c.serve(ctx, s, func(d door.Door) {
				announce(s.out, d)
				opened(founder.Door{Addresses: addresses(d), Fingerprint: d.Fingerprint})
			}, show)
		},
	})
	desktop, config := c.desktop(), c.config(s)
	config.Hidden, config.Serves = false, true
	var working sync.WaitGroup
	finished := false
	ended := make(chan struct{})
	var first *guide.Guide
	first = guide.New(desktop, site, site, guide.Config{
		Config: config.Config, About: config.About, Home: s.home,
		Pairing: func(f *page.Frame, study core.StudyID) guide.Pairing {
			return devices.NewPanel(f, pane.New(site.Client(), view.Reader{Tongue: config.Tongue, Window: true}), study)
		},
		Finished: func() {
			window, work := sight(ctx, desktop, s, site.Client(), config)
			window.Shown().Show()
			work(ctx, &working)
			finished = true
			first.Shown().Close()
		},
	})
	if tray, ok := desktop.(ui.Tray); ok && hasTray(ctx, false) {
		open := func() {
			first.Shown().Show()
			first.Shown().RequestFocus()
		}
		ui.Reserve(tray, config.Tongue, open, func() {
			open()
			first.AskToClose()
		})
	}
	first.Shown().SetOnClosed(func() {
		if !finished { // a tray would have the program go on, and nobody could end it
			fyne.Do(desktop.Quit)
		}
	})
	var served error
	desktop.Lifecycle().SetOnStarted(func() {
		working.Go(func() { first.Run(ctx) })
		working.Go(func() {
			defer stop() // nobody can be served any more
			served = site.Run(ctx)
		})
		working.Go(func() { quit(ctx, desktop, ended) })
	})
	first.Shown().ShowAndRun()
	close(ended)
	stop()
	working.Wait()
	return served
}
