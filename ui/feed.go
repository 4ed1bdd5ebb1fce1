package ui

import (
	"context"

	"footbridge/ui/devices"
	"footbridge/ui/people"
	"footbridge/ui/settings"
	"footbridge/ui/site"
	"footbridge/ui/study"
	"footbridge/ui/uploads"
	"footbridge/ui/view"
)

// Feed tells the window how things are. Safe for concurrent use. Errors: those of
// whoever answers, as a sentence for people.
type Feed interface {
	// Changes rings after something changed; one ring stands for many. Nobody closes it.
	Changes() <-chan struct{}

	// Site is the appliance at this moment.
	Site(ctx context.Context) (view.Site, error)
}

// Appliance is all that the window's pages ask for.
type Appliance interface {
	Feed
	uploads.Source
	uploads.Mender
	site.Sender
	site.Comparer
	site.Withdrawer
	site.Audit
	settings.Source
	people.Source
	people.Clerk
	devices.Source
	study.Studies
	study.Access
	study.Documents
}
