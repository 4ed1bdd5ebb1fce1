package site

import (
	"slices"

	"footbridge/ui/page"
	"footbridge/ui/uploads"
	"footbridge/ui/view"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// needs is what needs a person, each with a button that leads to what helps.
type needs struct {
	f       *page.Frame
	uploads *uploads.Page
	places  map[view.Place]page.Page
	known   []view.Need
	all     *fyne.Container
}

func newNeeds(f *page.Frame, all *uploads.Page, places map[view.Place]page.Page) *needs {
	n := &needs{f: f, uploads: all, places: places, all: container.NewVBox()}
	n.all.Hide()
	return n
}

// show draws them where they changed.
func (n *needs) show(known []view.Need) {
	if slices.Equal(known, n.known) {
		return
	}
	n.known, n.all.Objects, n.all.Hidden = known, nil, len(known) == 0
	for _, need := range known {
		n.all.Add(container.NewBorder(nil, nil, widget.NewIcon(theme.WarningIcon()), container.NewVBox(n.lead(need)), page.Plain(need.Sentence)))
	}
	n.all.Refresh()
}

// lead leads to where something is put right; nothing is seen where that is elsewhere.
func (n *needs) lead(need view.Need) fyne.CanvasObject {
	label := n.f.Say("overview.show")
	at, known := n.places[need.Place]
	switch {
	case need.Place == view.PlaceRefused:
		return page.NewButton(n.f, label, nil, func() { n.uploads.ShowOnly(view.StandingRefused) })
	case known:
		return page.NewButton(n.f, label, nil, func() { n.f.Open(at) })
	}
	return container.NewHBox()
}
