package site

import (
	"context"
	"strings"

	"footbridge/ui/page"
	"footbridge/ui/view"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// The rules here are: the audit is read page by page, as far as someone looks; what is
// seen of it stays while newer deeds come above.
const (
	deedsPage  = 100
	deedsAhead = 20     // rows before the end at which more are asked for
	deedsMax   = 20_000 // that are held at once
)

// Activity answers who did what.
type Activity struct {
	f     *page.Frame
	audit Audit
	text  *page.Entry
	list  *page.List
	end   *widget.Label
	all   fyne.CanvasObject

	deeds []view.DeedRow // the newest first
	next  string         // where older ones begin; empty: there are none
	shown []line         // those that the search names
	asked bool           // older ones are asked for
	read  bool
}

// line is a deed in words.
type line struct{ when, what string }

// NewActivity makes the page.
func NewActivity(f *page.Frame, audit Audit) *Activity {
	a := &Activity{f: f, audit: audit, end: widget.NewLabel("")}
	a.text = page.NewEntry(f, f.Say("deeds.search"), func(string) { a.draw() })
	a.text.OnSubmitted = func(string) { f.Window.Canvas().Focus(a.list) }
	a.list = page.NewList(f, func() int { return len(a.shown) }, newDeed, a.drawLine)
	a.list.OnSelected = func(i int) { a.list.Unselect(i) } // there is nothing to open
	a.all = container.NewBorder(a.text, a.end, nil, nil, a.list)
	return a
}

// newDeed is a time, and beside it what was done.
func newDeed() fyne.CanvasObject {
	at := page.OneLine("")
	at.TextStyle.Bold = true
	return container.NewBorder(nil, nil, container.NewGridWrap(fyne.NewSize(170, at.MinSize().Height), at), nil, page.Plain(""))
}

// drawLine fills a row, which is as high as its words.
func (a *Activity) drawLine(i int, o fyne.CanvasObject) {
	if i >= len(a.shown) {
		return
	}
	row := o.(*fyne.Container)
	what := row.Objects[0].(*widget.Label)
	what.SetText(a.shown[i].what)
	row.Objects[1].(*fyne.Container).Objects[0].(*widget.Label).SetText(a.shown[i].when)
	a.list.SetItemHeight(i, what.MinSize().Height)
	if i >= len(a.shown)-deedsAhead {
		a.more()
	}
}

// Name is what the page is called, and its icon (page.Page).
func (a *Activity) Name() (string, fyne.Resource) {
	return a.f.Say("activity.name"), theme.HistoryIcon()
}

// First is the list (page.Page).
func (a *Activity) First() fyne.Focusable { return a.list }

// Content is what is drawn (page.Page).
func (a *Activity) Content() fyne.CanvasObject { return a.all }

// Show draws nothing: the page shows the audit alone (page.Page).
func (a *Activity) Show(view.Site) {}

// Update asks for the newest deeds again (page.Page).
func (a *Activity) Update() {
	a.f.Ask("activity", func(ctx context.Context) (func(), error) {
		newest, err := a.audit.Deeds(ctx, "", deedsPage)
		return func() { a.put(newest) }, err
	})
}

// put takes in the newest deeds; those behind them stay where nothing lies between.
func (a *Activity) put(newest view.DeedPage) {
	kept := a.behind(newest.Deeds)
	if kept == nil {
		a.next, a.asked = newest.Next, false
	}
	a.deeds, a.read = append(newest.Deeds, kept...), true
	a.draw()
}

// behind gives the deeds that are held behind the last of some; nil where that is not
// held.
func (a *Activity) behind(newest []view.DeedRow) []view.DeedRow {
	if len(newest) == 0 {
		return nil
	}
	last := view.Trace(newest[len(newest)-1].Deed)
	for i, d := range a.deeds {
		if view.Trace(d.Deed) == last && i < len(a.deeds)-1 {
			return a.deeds[i+1:]
		}
	}
	return nil
}

// more asks for older deeds.
func (a *Activity) more() {
	if a.next == "" || a.asked || len(a.deeds) >= deedsMax {
		return
	}
	a.asked = true
	from := a.next
	a.f.Ask("activity further", func(ctx context.Context) (func(), error) {
		older, err := a.audit.Deeds(ctx, from, deedsPage)
		return func() {
			if a.next == from {
				a.deeds, a.next, a.asked = append(a.deeds, older.Deeds...), older.Next, false
				a.draw()
			}
		}, err
	})
}

// draw shows the deeds that the search names; where they do not fill the list, older
// ones are looked for.
func (a *Activity) draw() {
	r := a.f.Reader()
	sought := strings.ToLower(strings.TrimSpace(a.text.Text))
	a.shown = nil
	for _, d := range a.deeds {
		when, what := r.Deed(d)
		if strings.Contains(strings.ToLower(when+" "+what), sought) {
			a.shown = append(a.shown, line{when, what})
		}
	}
	a.list.Refresh()
	if a.read {
		a.end.SetText(r.DeedsEnd(len(a.shown), a.next != "", len(a.deeds)))
	}
	if len(a.shown) < deedsAhead {
		a.more()
	}
}
