package ui

import (
	"context"
	"reflect"

	"footbridge/core"
	"footbridge/ui/view"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// deedsMax is how many deeds are shown.
const deedsMax = 200

// activity answers who did what.
type activity struct {
	w     *Window
	deeds []core.Deed
	day   string // as which the times were said
	lines *fyne.Container
	all   fyne.CanvasObject
}

func newActivity(w *Window) *activity {
	a := &activity{w: w, lines: container.NewVBox()}
	a.all = container.NewVScroll(a.lines)
	return a
}

func (a *activity) name() (string, fyne.Resource) { return view.LabelActivity, theme.HistoryIcon() }

func (a *activity) first() fyne.Focusable { return nil }

func (a *activity) content() fyne.CanvasObject { return a.all }

func (a *activity) show(view.Site) {} // it shows the audit alone

func (a *activity) update() {
	a.w.errands.add("activity", func(ctx context.Context) (func(), error) {
		deeds, err := a.w.feed.Deeds(ctx, deedsMax)
		return func() { a.draw(deeds) }, err
	})
}

// draw shows the deeds where there are others.
func (a *activity) draw(deeds []core.Deed) {
	r := a.w.reader()
	day := r.Now.In(r.Zone).Format("2006-01-02")
	if a.day == day && reflect.DeepEqual(deeds, a.deeds) {
		return
	}
	a.deeds, a.day, a.lines.Objects = deeds, day, nil
	for _, d := range deeds {
		when, what := r.Deed(d)
		at := widget.NewLabel(when)
		at.TextStyle.Bold = true
		a.lines.Add(container.NewBorder(nil, nil, container.NewGridWrap(fyne.NewSize(170, at.MinSize().Height), at), nil, plain(what)))
	}
	if len(deeds) == 0 {
		a.lines.Add(plain(view.LabelNothingDone))
	}
	a.lines.Refresh()
}
