package uploads

import (
	"cmp"
	"context"
	"slices"

	"footbridge/core"
	"footbridge/ui/page"
	"footbridge/ui/view"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

// The rules here are: however many uploads there are, a list has those that someone
// scrolled to and not many more; and what is seen of it is read again when something
// changed.

const (
	pageSize  = 100
	rereadAll = 5 // pages from the top that are read again
	rereadMax = 500
	rowsMax   = 10_000
	ahead     = 30 // rows before the end at which more are asked for
)

// List is a list of uploads, the newest first. Its methods belong to the thread that
// draws.
type List struct {
	f      *page.Frame
	source Source
	name   string           // of its errands
	none   string           // said where the list is empty
	Query  view.UploadQuery // which uploads it lists; Show changes it
	known  []view.UploadRow
	moving view.Traffic // of which some of them may be a part
	next   core.UploadID
	asked  bool // more is asked for
	read   bool // the first page is here
	old    bool // the rows are those of another query, until the first page is here
	chosen core.UploadID
	choose func(view.UploadRow)
	fixed  bool   // what is chosen was opened from elsewhere: other rows than these may have it
	lost   func() // told that what was chosen is not among the rows; may be nil
	rows   *page.Rows
}

// NewList makes one whose errands have a name of their own; none is said where it is
// empty, and choose told what someone chose.
func NewList(f *page.Frame, source Source, name, none string, choose func(view.UploadRow)) *List {
	p := &List{f: f, source: source, name: name, none: none, choose: choose}
	p.rows = page.NewRows(f, page.RowsConfig{
		Columns: []page.Column{
			{Name: f.Say("uploads.file"), Least: 9.5, Grow: 2}, {Name: f.Say("uploads.who"), Least: 6.5, Grow: 1},
			{Name: f.Say("uploads.state"), Least: 7.5, Grow: 1}, {Name: f.Say("uploads.when"), Least: 6.5, Grow: 1},
		},
		Icons:  true,
		Length: func() int { return len(p.known) },
		Line:   p.line,
		Chosen: func(i int) {
			p.chosen, p.fixed = p.known[i].ID, false
			p.choose(p.known[i])
		},
	})
	return p
}

// Content is what is drawn.
func (p *List) Content() fyne.CanvasObject { return p.rows.Content() }

// First is what has the cursor in it.
func (p *List) First() fyne.Focusable { return p.rows.List }

// line is what a row says; more are asked for where their end is near.
func (p *List) line(i int) page.Line {
	if i >= len(p.known)-ahead {
		p.more()
	}
	row := p.f.Reader().RowNow(p.known[i], p.moving)
	return page.Line{
		Icon: standingIcon(p.known[i].Standing), Cells: []string{row.File, row.Who, row.State, row.When}, Sentence: row.Sentence, Chosen: row.ID == p.chosen,
	}
}

// Show lists other uploads, from the newest.
func (p *List) Show(q view.UploadQuery) {
	p.Query, p.next, p.old = q, "", true
	p.rows.List.ScrollToTop()
	p.Update()
}

// Passing draws which of the uploads are arriving, and how far they are.
func (p *List) Passing(t view.Traffic) {
	moves := len(p.moving.Arriving)+len(t.Arriving) > 0
	if p.moving = t; moves {
		p.rows.Refresh()
	}
}

// Update reads the list again from the top, as far as someone may look.
func (p *List) Update() {
	query, want := p.Query, pageSize
	if !p.old {
		want = max(len(p.known), pageSize)
	}
	p.f.Ask(p.name, func(ctx context.Context) (func(), error) {
		q, rows := query, []view.UploadRow(nil)
		for range rereadAll {
			q.Size = min(rereadMax, max(want-len(rows), pageSize))
			page, err := p.source.Uploads(ctx, q)
			if err != nil {
				return nil, err
			}
			rows, q.Before = append(rows, page.Rows...), page.Next
			if page.Next == "" || len(rows) >= want {
				break
			}
		}
		return func() {
			if p.Query == query {
				p.put(rows, q.Before)
			}
		}, nil
	})
}

// put takes in the newest rows, up to the one that next names. Those behind it stay where
// there are more than were read and nothing lies between; else the list goes on from next.
func (p *List) put(rows []view.UploadRow, next core.UploadID) {
	if !p.old && len(rows) < len(p.known) && next != "" && p.known[0].ID >= next {
		tail, _ := slices.BinarySearchFunc(p.known, next, func(r view.UploadRow, next core.UploadID) int { return cmp.Compare(next, r.ID) })
		rows = append(rows, p.known[tail:]...)
	} else {
		p.next = next
	}
	change := func() { p.known, p.read, p.old, p.asked = rows, true, false, false }
	if p.old {
		change()
		p.lose()
	} else {
		p.rows.List.Keep(func(i int) string { return string(p.known[i].ID) }, change)
	}
	p.redraw()
}

// lose gives up what was chosen where other rows were asked for, and it is not among them:
// a person would do something for an upload that they do not see.
func (p *List) lose() {
	if p.chosen == "" || p.fixed || p.lost == nil || slices.ContainsFunc(p.known, func(r view.UploadRow) bool { return r.ID == p.chosen }) {
		return
	}
	p.chosen = ""
	p.lost()
}

// more asks for the rows behind the last.
func (p *List) more() {
	if p.next == "" || p.asked || len(p.known) >= rowsMax {
		return
	}
	p.asked = true
	query, from := p.Query, p.next
	p.f.Ask(p.name+" further", func(ctx context.Context) (func(), error) {
		q := query
		q.Before, q.Size = from, pageSize
		page, err := p.source.Uploads(ctx, q)
		return func() {
			if p.Query == query && p.next == from {
				p.known, p.next, p.asked = append(p.known, page.Rows...), page.Next, false
				p.redraw()
				p.rows.List.Grown()
			}
		}, err
	})
}

// redraw shows the rows; where they do not fill the list, more are looked for.
func (p *List) redraw() {
	p.rows.Refresh()
	if p.read {
		p.rows.Tell(p.f.Reader().ListEnd(p.Query, p.none, len(p.known), p.next, len(p.known) >= rowsMax))
	}
	if len(p.known) < ahead {
		p.more()
	}
}

func standingIcon(s view.Standing) fyne.Resource {
	switch s {
	case view.StandingSent:
		return theme.ConfirmIcon()
	case view.StandingPerson:
		return theme.WarningIcon()
	case view.StandingRefused:
		return theme.ErrorIcon()
	case view.StandingWaiting:
		return theme.HistoryIcon()
	case view.StandingProcessing, view.StandingReceived, view.StandingExpected:
		return theme.DownloadIcon()
	}
	return theme.InfoIcon()
}
