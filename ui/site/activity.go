package site

import (
	"context"
	"reflect"

	"footbridge/core"
	"footbridge/ui/page"
	"footbridge/ui/view"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// deedsMax is how many deeds are shown.
const deedsMax = 200

// Activity answers who did what.
type Activity struct {
	f     *page.Frame
	audit Audit
	deeds []core.Deed
	day   string // as which the times were said
	lines *fyne.Container
	all   fyne.CanvasObject
}

// NewActivity makes the page.
func NewActivity(f *page.Frame, audit Audit) *Activity {
	a := &Activity{f: f, audit: audit, lines: container.NewVBox()}
	a.all = container.NewVScroll(a.lines)
	return a
}

// Name is what the page is called, and its icon (page.Page).
func (a *Activity) Name() (string, fyne.Resource) {
	return a.f.Say("activity.name"), theme.HistoryIcon()
}

// First is nothing (page.Page).
func (a *Activity) First() fyne.Focusable { return nil }

// Content is what is drawn (page.Page).
func (a *Activity) Content() fyne.CanvasObject { return a.all }

// Show draws nothing: the page shows the audit alone (page.Page).
func (a *Activity) Show(view.Site) {}

// Update asks for the deeds again (page.Page).
func (a *Activity) Update() {
	a.f.Ask("activity", func(ctx context.Context) (func(), error) {
		deeds, err := a.audit.Deeds(ctx, deedsMax)
		return func() { a.draw(deeds) }, err
	})
}

// draw shows the deeds where there are others.
func (a *Activity) draw(deeds []core.Deed) {
	r := a.f.Reader()
	day := r.Now.In(r.Zone).Format("2006-01-02")
	if a.day == day && reflect.DeepEqual(deeds, a.deeds) {
		return
	}
	a.deeds, a.day, a.lines.Objects = deeds, day, nil
	for _, d := range deeds {
		when, what := r.Deed(d)
		at := widget.NewLabel(when)
		at.TextStyle.Bold = true
		a.lines.Add(container.NewBorder(nil, nil, container.NewGridWrap(fyne.NewSize(170, at.MinSize().Height), at), nil, page.Plain(what)))
	}
	if len(deeds) == 0 {
		a.lines.Add(page.Plain(a.f.Say("activity.none")))
	}
	a.lines.Refresh()
}
