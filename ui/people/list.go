package people

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

// The rules here are those of the list of uploads: it has those that someone scrolled
// to and not many more, and what is seen of it is read again when something changed.

const (
	pageSize  = 100
	rereadAll = 5 // pages from the top that are read again
	rereadMax = 500
	rowsMax   = 10_000
	ahead     = 30 // rows before the end at which more are asked for
)

// chosenMark stands before who is chosen.
const chosenMark = "▸ "

// list is the participants of a study, in its order.
type list struct {
	f      *page.Frame
	source Source
	query  view.ParticipantQuery
	rows   []view.ParticipantRow
	next   string
	asked  bool // more is asked for
	read   bool // the first page is here
	old    bool // the rows are those of another query, until the first page is here
	chosen core.UserID
	sought core.UserID // is scrolled to once the list is read
	lost   func()      // told where they are not in it
	choose func(view.ParticipantRow)
	count  func(late int)
	list   *page.List
	end    *widget.Label
	all    fyne.CanvasObject
}

func newList(f *page.Frame, source Source, choose func(view.ParticipantRow), count func(int)) *list {
	l := &list{f: f, source: source, choose: choose, count: count, end: widget.NewLabel("")}
	l.list = page.NewList(f, func() int { return len(l.rows) }, newRow, l.draw)
	l.list.Chosen = func(i int) {
		l.list.UnselectAll() // rows move; who is chosen, draw shows
		if i < len(l.rows) {
			l.chosen = l.rows[i].ID
			l.choose(l.rows[i])
			l.list.Refresh()
		}
	}
	head := newRow().(*fyne.Container)
	setRow(head, view.ParticipantLine{Who: f.Say("people.who"), State: f.Say("people.state"), Sharing: f.Say("people.sharing"), Last: f.Say("people.last")}, nil)
	l.all = container.NewBorder(head, l.end, nil, nil, l.list)
	return l
}

// newRow is an icon, four columns, and a sentence below them.
func newRow() fyne.CanvasObject {
	columns := container.New(shares{0.2, 0.2, 0.36, 0.24})
	for range 4 {
		columns.Add(page.OneLine(""))
	}
	columns.Objects[0].(*widget.Label).TextStyle.Bold = true
	return container.NewBorder(nil, nil, widget.NewIcon(theme.InfoIcon()), nil, container.NewVBox(columns, page.OneLine("")))
}

// setRow fills what newRow made; without an icon it is the head of the list.
func setRow(o *fyne.Container, row view.ParticipantLine, icon fyne.Resource) {
	lines := o.Objects[0].(*fyne.Container)
	columns := lines.Objects[0].(*fyne.Container)
	for i, text := range []string{row.Who, row.State, row.Sharing, row.Last} {
		columns.Objects[i].(*widget.Label).SetText(text)
	}
	lines.Objects[1].(*widget.Label).SetText(row.Sentence)
	if icon == nil {
		lines.Objects[1].Hide()
	}
	o.Objects[1].(*widget.Icon).SetResource(icon)
}

// draw fills a row of the list, and asks for more where its end is near.
func (l *list) draw(i int, o fyne.CanvasObject) {
	if i >= len(l.rows) {
		return
	}
	row := l.f.Reader().Participant(l.rows[i])
	if l.rows[i].ID == l.chosen {
		row.Who = chosenMark + row.Who
	}
	setRow(o.(*fyne.Container), row, presenceIcon(l.rows[i].Presence))
	if i >= len(l.rows)-ahead {
		l.more()
	}
}

// show lists others, from the first.
func (l *list) show(q view.ParticipantQuery) {
	l.query, l.next, l.old = q, "", true
	l.list.ScrollToTop()
	l.update()
}

// update reads the list again from the top, as far as someone may look.
func (l *list) update() {
	if l.query.Study == "" {
		return
	}
	query, want := l.query, pageSize
	if !l.old {
		want = max(len(l.rows), pageSize)
	}
	l.f.Ask("participants", func(ctx context.Context) (func(), error) {
		q, rows, late := query, []view.ParticipantRow(nil), 0
		for range rereadAll {
			q.Size = min(rereadMax, max(want-len(rows), pageSize))
			page, err := l.source.Participants(ctx, q)
			if err != nil {
				return nil, err
			}
			rows, q.From, late = append(rows, page.Rows...), page.Next, page.Late
			if page.Next == "" || len(rows) >= want {
				break
			}
		}
		return func() {
			if l.query == query {
				l.put(rows, q.From)
				l.count(late)
			}
		}, nil
	})
}

// put takes in the first rows, up to the one that next names. Where there are more than
// were read, those behind it stay, but who moved to the front is not there twice.
func (l *list) put(rows []view.ParticipantRow, next string) {
	tail := slices.IndexFunc(l.rows, func(r view.ParticipantRow) bool { return next != "" && r.Place >= next })
	if tail >= 0 && !l.old && len(rows) < len(l.rows) {
		rows = append(rows, without(l.rows[tail:], rows)...)
	} else {
		l.next = next
	}
	l.rows, l.read, l.old, l.asked = rows, true, false, false
	l.redraw()
	l.seek()
}

// seek scrolls to who is sought.
func (l *list) seek() {
	sought := l.sought
	if l.sought = ""; sought == "" {
		return
	}
	at := slices.IndexFunc(l.rows, func(r view.ParticipantRow) bool { return r.ID == sought })
	if at < 0 {
		l.lost()
		return
	}
	l.list.ScrollTo(at)
}

// without are the rows that are not among others.
func without(rows, others []view.ParticipantRow) []view.ParticipantRow {
	known := map[core.UserID]bool{}
	for _, r := range others {
		known[r.ID] = true
	}
	return slices.DeleteFunc(slices.Clone(rows), func(r view.ParticipantRow) bool { return known[r.ID] })
}

// more asks for the rows behind the last.
func (l *list) more() {
	if l.next == "" || l.asked || len(l.rows) >= rowsMax {
		return
	}
	l.asked = true
	query, from := l.query, l.next
	l.f.Ask("participants further", func(ctx context.Context) (func(), error) {
		q := query
		q.From, q.Size = from, pageSize
		page, err := l.source.Participants(ctx, q)
		return func() {
			if l.query == query && l.next == from {
				l.rows, l.next, l.asked = append(l.rows, without(page.Rows, l.rows)...), page.Next, false
				l.redraw()
			}
		}, err
	})
}

// redraw shows the rows; where they do not fill the list, more are looked for.
func (l *list) redraw() {
	l.list.Refresh()
	text := ""
	if l.read {
		text = l.f.Reader().ParticipantsEnd(l.query, len(l.rows), l.next != "", len(l.rows) >= rowsMax)
	}
	l.end.SetText(text)
	if len(l.rows) < ahead {
		l.more()
	}
}

func presenceIcon(p view.Presence) fyne.Resource {
	switch p {
	case view.PresenceLate:
		return theme.WarningIcon()
	case view.PresenceInTime:
		return theme.ConfirmIcon()
	case view.PresenceWithdrawn:
		return theme.LogoutIcon()
	}
	return theme.MediaPauseIcon()
}
