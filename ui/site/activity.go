package site

import (
	"context"
	"strings"

	"footbridge/ui/page"
	"footbridge/ui/view"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
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
	rows  *page.Rows
	all   fyne.CanvasObject

	deeds []view.DeedRow // the newest first
	next  string         // where older ones begin; empty: there are none
	shown []line         // those that the search names
	asked bool           // older ones are asked for
	read  bool
}

// line is a deed in words.
type line struct{ name, when, what string }

// NewActivity makes the page.
func NewActivity(f *page.Frame, audit Audit) *Activity {
	a := &Activity{f: f, audit: audit}
	a.text = page.NewEntry(f, f.Say("deeds.search"), func(string) { a.sift(); a.draw() })
	a.text.OnSubmitted = func(string) { f.Window.Canvas().Focus(a.rows.List) }
	a.rows = page.NewRows(f, page.RowsConfig{
		Columns: []page.Column{{Least: 12}, {Least: 24, Grow: 1}}, Length: func() int { return len(a.shown) }, Line: a.line,
	})
	a.all = container.NewBorder(a.text, nil, nil, nil, a.rows.Content())
	return a
}

// line is what a row says; older deeds are asked for where their end is near.
func (a *Activity) line(i int) page.Line {
	if i >= len(a.shown)-deedsAhead {
		a.more()
	}
	return page.Line{Cells: []string{a.shown[i].when, a.shown[i].what}}
}

// Name is what the page is called, and its icon (page.Page).
func (a *Activity) Name() (string, fyne.Resource) {
	return a.f.Say("activity.name"), theme.HistoryIcon()
}

// First is the list (page.Page).
func (a *Activity) First() fyne.Focusable { return a.rows.List }

// Search puts the cursor where a search is typed (page.Searcher).
func (a *Activity) Search() { a.f.Window.Canvas().Focus(a.text) }

// Content is what is drawn (page.Page).
func (a *Activity) Content() fyne.CanvasObject { return a.all }

// Show says whether the audit can be known, until it is (page.Page).
func (a *Activity) Show(site view.Site) {
	if !a.read {
		a.rows.Tell(a.f.Reader().Unknown(site))
	}
}

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
	a.rows.List.Keep(func(i int) string { return a.shown[i].name }, func() {
		a.deeds, a.read = append(newest.Deeds, kept...), true
		a.sift()
	})
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
				a.sift()
				a.draw()
				a.rows.List.Grown()
			}
		}, err
	})
}

// sift keeps of the deeds those that the search names.
func (a *Activity) sift() {
	r := a.f.Reader()
	sought := strings.ToLower(strings.TrimSpace(a.text.Text))
	a.shown = nil
	for _, d := range a.deeds {
		when, what := r.Deed(d)
		if strings.Contains(strings.ToLower(when+" "+what), sought) {
			a.shown = append(a.shown, line{view.Trace(d.Deed), when, what})
		}
	}
}

// draw shows them; where they do not fill the list, older ones are looked for.
func (a *Activity) draw() {
	a.rows.Refresh()
	if a.read {
		a.rows.Tell(a.f.Reader().DeedsEnd(len(a.shown), a.next != "", len(a.deeds)))
	}
	if len(a.shown) < deedsAhead {
		a.more()
	}
}
