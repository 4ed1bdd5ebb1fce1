package page

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// List is a list that leaves the window its keys, that Home, End, Page Up and Page Down walk
// through, too, and of which Return chooses a row as Space does.
type List struct {
	widget.List
	Chosen func(row int) // told which row someone chose; may be nil

	frame   *Frame
	at      int             // where the cursor is
	follows int             // so many rows are followed to the end; 0: End was not pressed last
	heights map[int]float32 // of rows that are not as high as a new one
}

// NewList makes one of as many rows as length tells; draw fills a row that row made.
func NewList(f *Frame, length func() int, row func() fyne.CanvasObject, draw func(int, fyne.CanvasObject)) *List {
	l := &List{frame: f, heights: map[int]float32{}}
	l.Length, l.CreateItem, l.UpdateItem = length, row, draw
	l.OnHighlighted = func(i int) { l.at = i }
	l.OnSelected = func(i int) {
		l.at, l.follows = i, 0 // a tap leads there, and nothing else tells it
		if l.Chosen != nil {
			l.Chosen(i)
		}
	}
	l.ExtendBaseWidget(l)
	return l
}

// listLeast is how high a list is at least, in ems: some rows are seen, however little
// room the page has.
const listLeast = 11

// MinSize leaves room for some rows (fyne.Widget).
func (l *List) MinSize() fyne.Size {
	least := l.List.MinSize()
	return fyne.NewSize(least.Width, max(least.Height, Em(listLeast)))
}

// Resize fills the rows again, which are as high as their width makes them (fyne.Widget).
func (l *List) Resize(size fyne.Size) {
	other := size.Width != l.Size().Width
	l.List.Resize(size)
	if other {
		l.Refresh()
	}
}

// FocusGained brings it into sight (fyne.Focusable).
func (l *List) FocusGained() {
	l.List.FocusGained()
	l.frame.See(l)
}

// SetItemHeight says how high a row is (widget.List).
func (l *List) SetItemHeight(row int, height float32) {
	l.heights[row] = height
	l.List.SetItemHeight(row, height)
}

// TypedKey walks through the list, and hands the window's keys on (fyne.Focusable).
func (l *List) TypedKey(key *fyne.KeyEvent) {
	if l.frame.takes(key) {
		return
	}
	l.frame.See(l) // what was chosen last may have taken its place
	l.follows = 0
	switch key.Name {
	case fyne.KeyHome:
		l.walk(-l.Length())
	case fyne.KeyEnd:
		l.follows = l.Length() + followMost
		l.walk(l.Length())
	case fyne.KeyPageUp:
		l.walk(-l.leaf(-1))
	case fyne.KeyPageDown:
		l.walk(l.leaf(1))
	case fyne.KeyReturn, fyne.KeyEnter:
		l.List.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
	default:
		l.List.TypedKey(key)
	}
}

// followMost is how many rows End goes through that are not here yet: who wants the end of
// a million of them finds it by a search.
const followMost = 1000

// Grown tells that rows came behind the last. The cursor goes on to the end of them where
// End was pressed last.
func (l *List) Grown() {
	if l.follows == 0 {
		return
	}
	if l.walk(l.Length()); l.Length() >= l.follows {
		l.follows = 0
	}
}

// ScrollToTop shows the beginning, and leaves the end (widget.List).
func (l *List) ScrollToTop() {
	l.follows = 0
	l.List.ScrollToTop()
}

// walk moves the cursor by so many rows, as far as there are some.
func (l *List) walk(rows int) {
	if n := l.Length(); n > 0 {
		l.Highlight(min(max(min(l.at, n-1)+rows, 0), n-1))
		l.ScrollTo(l.at)
	}
}

// ScrollTo brings a row into sight. How high the rows are beside which it then lies is
// known once they were drawn, which is why it looks again (widget.List).
func (l *List) ScrollTo(row int) {
	for range 3 {
		l.List.ScrollTo(row)
	}
}

// leaf is how many rows away from the cursor are seen at once in a direction; at least
// one.
func (l *List) leaf(step int) int {
	usual := l.usual()
	if height, ok := l.heights[l.at]; ok {
		usual = height
	}
	rows, room := 0, l.Size().Height
	for i := l.at; i >= 0 && i < l.Length(); i += step {
		if room -= l.height(i, usual); room < 0 {
			break
		}
		rows++
	}
	return max(rows-1, 1)
}
