package ui

import (
	"context"
	"slices"

	"footbridge/core"
	"footbridge/ui/view"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
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

// pager is a list of uploads.
type pager struct {
	w      *Window
	name   string // of its errands
	none   string // said where the list is empty
	query  view.UploadQuery
	rows   []view.UploadRow
	next   core.UploadID
	asked  bool // more is asked for
	read   bool // the first page is here
	old    bool // the rows are those of another query, until the first page is here
	chosen core.UploadID
	choose func(view.UploadRow)
	list   *widget.List
	end    *widget.Label
	all    fyne.CanvasObject
}

func newPager(w *Window, name, none string, choose func(view.UploadRow)) *pager {
	p := &pager{w: w, name: name, none: none, choose: choose, end: widget.NewLabel("")}
	p.list = widget.NewList(func() int { return len(p.rows) }, newRow, p.draw)
	p.list.OnSelected = func(i int) {
		p.list.UnselectAll() // rows move; which one is chosen, draw shows
		if i < len(p.rows) {
			p.chosen = p.rows[i].ID
			p.choose(p.rows[i])
			p.list.Refresh()
		}
	}
	head := newRow().(*fyne.Container)
	setRow(head, view.Row{File: view.LabelFile, Who: view.LabelWho, State: view.LabelState, When: view.LabelWhen}, nil)
	p.all = container.NewBorder(head, p.end, nil, nil, p.list)
	return p
}

// newRow is an icon, four columns, and a sentence below them.
func newRow() fyne.CanvasObject {
	columns := container.NewGridWithColumns(4)
	for range 4 {
		columns.Add(oneLine())
	}
	columns.Objects[0].(*widget.Label).TextStyle.Bold = true
	return container.NewBorder(nil, nil, widget.NewIcon(theme.InfoIcon()), nil, container.NewVBox(columns, oneLine()))
}

func oneLine() *widget.Label {
	l := widget.NewLabel("")
	l.Truncation = fyne.TextTruncateEllipsis
	return l
}

// setRow fills what newRow made; without an icon it is the head of the list.
func setRow(o *fyne.Container, row view.Row, icon fyne.Resource) {
	lines := o.Objects[0].(*fyne.Container)
	columns := lines.Objects[0].(*fyne.Container)
	for i, text := range []string{row.File, row.Who, row.State, row.When} {
		columns.Objects[i].(*widget.Label).SetText(text)
	}
	lines.Objects[1].(*widget.Label).SetText(row.Sentence)
	if icon == nil {
		lines.Objects[1].Hide()
	}
	o.Objects[1].(*widget.Icon).SetResource(icon)
}

// draw fills a row of the list, and asks for more where its end is near.
func (p *pager) draw(i int, o fyne.CanvasObject) {
	if i >= len(p.rows) {
		return
	}
	row := p.w.reader().Row(p.rows[i])
	if row.ID == p.chosen {
		row.File = view.LabelChosen + row.File
	}
	setRow(o.(*fyne.Container), row, standingIcon(p.rows[i].Standing))
	if i >= len(p.rows)-ahead {
		p.more()
	}
}

// show lists other uploads, from the newest.
func (p *pager) show(q view.UploadQuery) {
	p.query, p.next, p.old = q, "", true
	p.list.ScrollToTop()
	p.update()
}

// update reads the list again from the top, as far as someone may look.
func (p *pager) update() {
	query, want := p.query, pageSize
	if !p.old {
		want = max(len(p.rows), pageSize)
	}
	p.w.errands.add(p.name, func(ctx context.Context) (func(), error) {
		q, rows := query, []view.UploadRow(nil)
		for range rereadAll {
			q.Size = min(rereadMax, max(want-len(rows), pageSize))
			page, err := p.w.feed.Uploads(ctx, q)
			if err != nil {
				return nil, err
			}
			rows, q.Before = append(rows, page.Rows...), page.Next
			if page.Next == "" || len(rows) >= want {
				break
			}
		}
		return func() {
			if p.query == query {
				p.put(rows, q.Before)
			}
		}, nil
	})
}

// put takes in the newest rows, up to the one that next names; those behind it stay.
func (p *pager) put(rows []view.UploadRow, next core.UploadID) {
	tail := slices.IndexFunc(p.rows, func(r view.UploadRow) bool { return next != "" && r.ID <= next })
	if tail >= 0 && !p.old {
		rows = append(rows, p.rows[tail:]...)
	} else {
		p.next = next
	}
	p.rows, p.read, p.old, p.asked = rows, true, false, false
	p.redraw()
}

// more asks for the rows behind the last.
func (p *pager) more() {
	if p.next == "" || p.asked || len(p.rows) >= rowsMax {
		return
	}
	p.asked = true
	query, from := p.query, p.next
	p.w.errands.add(p.name+" further", func(ctx context.Context) (func(), error) {
		q := query
		q.Before, q.Size = from, pageSize
		page, err := p.w.feed.Uploads(ctx, q)
		return func() {
			if p.query == query && p.next == from {
				p.rows, p.next, p.asked = append(p.rows, page.Rows...), page.Next, false
				p.redraw()
			}
		}, err
	})
}

// redraw shows the rows; where they do not fill the list, more are looked for.
func (p *pager) redraw() {
	p.list.Refresh()
	p.tell()
	if len(p.rows) < ahead {
		p.more()
	}
}

func (p *pager) tell() {
	text := ""
	if p.read {
		text = view.ListEnd(p.none, len(p.rows), p.next != "", len(p.rows) >= rowsMax)
	}
	p.end.SetText(text)
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
