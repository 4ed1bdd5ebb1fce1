package people

import (
	"context"
	"slices"

	"footbridge/core"
	"footbridge/ui/page"
	"footbridge/ui/view"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
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

// list is the participants of a study, in its order.
type list struct {
	f      *page.Frame
	source Source
	query  view.ParticipantQuery
	known  []view.ParticipantRow
	next   string
	asked  bool // more is asked for
	read   bool // the first page is here
	old    bool // the rows are those of another query, until the first page is here
	chosen core.UserID
	sought core.UserID // is scrolled to once the list is read
	lost   func()      // told where they are not in it
	choose func(view.ParticipantRow)
	count  func(late int)
	rows   *page.Rows
}

func newList(f *page.Frame, source Source, choose func(view.ParticipantRow), count func(int)) *list {
	l := &list{f: f, source: source, choose: choose, count: count}
	l.rows = page.NewRows(f, page.RowsConfig{
		Columns: []page.Column{
			{Name: f.Say("people.who"), Least: 8, Grow: 2}, {Name: f.Say("people.state"), Least: 6, Grow: 1},
			{Name: f.Say("people.sharing"), Least: 9, Grow: 2}, {Name: f.Say("people.last"), Least: 9, Grow: 1},
		},
		Icons:  true,
		Length: func() int { return len(l.known) },
		Line:   l.line,
		Chosen: func(i int) {
			l.chosen = l.known[i].ID
			l.choose(l.known[i])
		},
	})
	return l
}

// Content is what is drawn.
func (l *list) Content() fyne.CanvasObject { return l.rows.Content() }

// line is what a row says; more are asked for where their end is near.
func (l *list) line(i int) page.Line {
	if i >= len(l.known)-ahead {
		l.more()
	}
	row, words := l.known[i], l.f.Reader().Participant(l.known[i])
	return page.Line{
		Icon: presenceIcon(row.Presence), Cells: []string{words.Who, words.State, words.Sharing, words.Last}, Sentence: words.Sentence, Chosen: row.ID == l.chosen,
	}
}

// show lists others, from the first.
func (l *list) show(q view.ParticipantQuery) {
	l.query, l.next, l.old = q, "", true
	l.rows.List.ScrollToTop()
	l.update()
}

// update reads the list again from the top, as far as someone may look.
func (l *list) update() {
	if l.query.Study == "" {
		return
	}
	query, want := l.query, pageSize
	if !l.old {
		want = max(len(l.known), pageSize)
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
	tail := slices.IndexFunc(l.known, func(r view.ParticipantRow) bool { return next != "" && r.Place >= next })
	if tail >= 0 && !l.old && len(rows) < len(l.known) {
		rows = append(rows, without(l.known[tail:], rows)...)
	} else {
		l.next = next
	}
	l.known, l.read, l.old, l.asked = rows, true, false, false
	l.redraw()
	l.seek()
}

// seek scrolls to who is sought.
func (l *list) seek() {
	sought := l.sought
	if l.sought = ""; sought == "" {
		return
	}
	at := slices.IndexFunc(l.known, func(r view.ParticipantRow) bool { return r.ID == sought })
	if at < 0 {
		l.lost()
		return
	}
	l.rows.List.ScrollTo(at)
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
	if l.next == "" || l.asked || len(l.known) >= rowsMax {
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
				l.known, l.next, l.asked = append(l.known, without(page.Rows, l.known)...), page.Next, false
				l.redraw()
			}
		}, err
	})
}

// redraw shows the rows; where they do not fill the list, more are looked for.
func (l *list) redraw() {
	l.rows.Refresh()
	if l.read {
		l.rows.Tell(l.f.Reader().ParticipantsEnd(l.query, len(l.known), l.next != "", len(l.known) >= rowsMax))
	}
	if len(l.known) < ahead {
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
