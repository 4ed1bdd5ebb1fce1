package uploads

import (
	"context"
	"slices"

	"footbridge/core"
	"footbridge/ui/page"
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

// chosenMark stands before what is chosen.
const chosenMark = "▸ "

// List is a list of uploads, the newest first. Its methods belong to the thread that
// draws.
type List struct {
	f      *page.Frame
	source Source
	name   string           // of its errands
	none   string           // said where the list is empty
	Query  view.UploadQuery // which uploads it lists; Show changes it
	rows   []view.UploadRow
	next   core.UploadID
	asked  bool // more is asked for
	read   bool // the first page is here
	old    bool // the rows are those of another query, until the first page is here
	chosen core.UploadID
	choose func(view.UploadRow)
	list   *page.List
	end    *widget.Label
	all    fyne.CanvasObject
}

// NewList makes one whose errands have a name of their own; none is said where it is
// empty, and choose told what someone chose.
func NewList(f *page.Frame, source Source, name, none string, choose func(view.UploadRow)) *List {
	p := &List{f: f, source: source, name: name, none: none, choose: choose, end: widget.NewLabel("")}
	p.list = page.NewList(f, func() int { return len(p.rows) }, newRow, p.draw)
	p.list.OnSelected = func(i int) {
		p.list.UnselectAll() // rows move; which one is chosen, draw shows
		if i < len(p.rows) {
			p.chosen = p.rows[i].ID
			p.choose(p.rows[i])
			p.list.Refresh()
		}
	}
	head := newRow().(*fyne.Container)
	setRow(head, view.Row{File: f.Say("uploads.file"), Who: f.Say("uploads.who"), State: f.Say("uploads.state"), When: f.Say("uploads.when")}, nil)
	p.all = container.NewBorder(head, p.end, nil, nil, p.list)
	return p
}

// newRow is an icon, four columns, and a sentence below them.
func newRow() fyne.CanvasObject {
	columns := container.NewGridWithColumns(4)
	for range 4 {
		columns.Add(page.OneLine(""))
	}
	columns.Objects[0].(*widget.Label).TextStyle.Bold = true
	return container.NewBorder(nil, nil, widget.NewIcon(theme.InfoIcon()), nil, container.NewVBox(columns, page.OneLine("")))
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

// Content is what is drawn.
func (p *List) Content() fyne.CanvasObject { return p.all }

// draw fills a row of the list, and asks for more where its end is near.
func (p *List) draw(i int, o fyne.CanvasObject) {
	if i >= len(p.rows) {
		return
	}
	row := p.f.Reader().Row(p.rows[i])
	if row.ID == p.chosen {
		row.File = chosenMark + row.File
	}
	setRow(o.(*fyne.Container), row, standingIcon(p.rows[i].Standing))
	if i >= len(p.rows)-ahead {
		p.more()
	}
}

// Show lists other uploads, from the newest.
func (p *List) Show(q view.UploadQuery) {
	p.Query, p.next, p.old = q, "", true
	p.list.ScrollToTop()
	p.Update()
}

// Update reads the list again from the top, as far as someone may look.
func (p *List) Update() {
	query, want := p.Query, pageSize
	if !p.old {
		want = max(len(p.rows), pageSize)
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

// put takes in the newest rows, up to the one that next names; those behind it stay.
func (p *List) put(rows []view.UploadRow, next core.UploadID) {
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
func (p *List) more() {
	if p.next == "" || p.asked || len(p.rows) >= rowsMax {
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
				p.rows, p.next, p.asked = append(p.rows, page.Rows...), page.Next, false
				p.redraw()
			}
		}, err
	})
}

// redraw shows the rows; where they do not fill the list, more are looked for.
func (p *List) redraw() {
	p.list.Refresh()
	p.tell()
	if len(p.rows) < ahead {
		p.more()
	}
}

func (p *List) tell() {
	text := ""
	if p.read {
		text = p.f.Reader().ListEnd(p.Query, p.none, len(p.rows), p.next, len(p.rows) >= rowsMax)
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
