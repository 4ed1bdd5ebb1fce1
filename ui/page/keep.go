package page

import "fyne.io/fyne/v2/theme"

// Keep changes the rows, each of which has a name. Where a list was scrolled, what is
// seen of it stays; where it was not, it goes on to show its beginning. The cursor stays
// on its row either way, unless that is the first.
func (l *List) Keep(name func(row int) string, change func()) {
	offset := l.GetScrollOffset()
	top := l.rowAt(offset)
	into := offset - l.above(top)
	seen, cursor := l.names(name, top, seenMost), l.names(name, l.at, 1)
	change()
	moved := 0
	for i, one := range seen { // the first that is still there
		if now := l.find(name, one, top+i); now >= 0 {
			moved = now - top - i
			break
		}
	}
	l.move(moved)
	for _, one := range cursor {
		if now := l.find(name, one, l.at); now >= 0 && l.at > 0 {
			l.Highlight(now) // which goes there
		}
	}
	if offset > 0 {
		offset = l.above(top+moved) + into
	}
	l.ScrollToOffset(offset)
}

// seenMost is how many rows from the first in sight are looked for again.
const seenMost = 30

// names are those of so many rows from one on, as far as there are some.
func (l *List) names(name func(int) string, from, many int) (all []string) {
	for i := from; i < min(from+many, l.Length()); i++ {
		all = append(all, name(i))
	}
	return all
}

// find gives the row of a name, the next behind where it was; -1: it is not there.
func (l *List) find(name func(int) string, wanted string, was int) int {
	n := l.Length()
	for i := range n {
		if row := (was + i) % n; name(row) == wanted {
			return row
		}
	}
	return -1
}

// move takes what is known of how high rows are along with them.
func (l *List) move(by int) {
	if by == 0 {
		return
	}
	was := l.heights
	l.heights = make(map[int]float32, len(was))
	usual := l.usual()
	for row := range was { // those that other rows take the place of
		if _, ok := was[row-by]; !ok {
			l.SetItemHeight(row, usual)
		}
	}
	for row, height := range was {
		if row+by >= 0 {
			l.SetItemHeight(row+by, height)
		}
	}
}

// above is how high all rows before one are.
func (l *List) above(row int) (sum float32) {
	usual := l.usual()
	for i := range row {
		sum += l.height(i, usual)
	}
	return sum
}

// rowAt is the row that is so far from the beginning.
func (l *List) rowAt(offset float32) int {
	usual := l.usual()
	for row := range l.Length() {
		if offset -= l.height(row, usual); offset < 0 {
			return row
		}
	}
	return 0
}

// height is how much room a row takes, with what parts it from the next.
func (l *List) height(row int, usual float32) float32 {
	if known, ok := l.heights[row]; ok {
		usual = known
	}
	return usual + l.Theme().Size(theme.SizeNamePadding)
}

// usual is how high a row is that nothing is known of.
func (l *List) usual() float32 { return l.CreateItem().MinSize().Height }
