//go:build window

package main

import (
	"context"
	"sync"

	"footbridge/app/control"
	"footbridge/app/door"
	"footbridge/app/founder"
	"footbridge/ui/guide"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/app"
)

// guide leads a person to a home of their own, serves it, and shows its window in the
// end, until that is closed. Like show it is called by the thread that the program began
// with.
func (c *windowCommand) guide(ctx context.Context, s *session) error {
	ctx, stop := context.WithCancel(ctx)
	site := founder.New(founder.Config{
		Home: s.home,
		Serve: func(ctx context.Context, opened func(founder.Door), show func(context.Context, *control.Client) error) error {
			return c.serve(ctx, s, func(d door.Door) {
				announce(s.out, d)
				opened(founder.Door{Addresses: addresses(d), Fingerprint: d.Fingerprint})
			}, show)
		},
	})
	desktop := app.NewWithID(appID)
	var working sync.WaitGroup
	var first *guide.Guide
	first = guide.New(desktop, site, site, guide.Config{Home: s.home, Finished: func() {
		window, work := sight(desktop, site.Client(), true)
		window.Show()
		work(ctx, &working)
		first.Shown().Close()
	}})
	var served error
	desktop.Lifecycle().SetOnStarted(func() {
		working.Go(func() { first.Run(ctx) })
		working.Go(func() {
			defer stop() // nobody can be served any more
			served = site.Run(ctx)
		})
		working.Go(func() {
			<-ctx.Done()
			fyne.Do(desktop.Quit)
		})
	})
	first.Shown().ShowAndRun()
	stop()
	working.Wait()
	return served
}
