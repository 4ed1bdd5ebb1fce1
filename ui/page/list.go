package page

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// List is a list that leaves the window its keys.
type List struct {
	widget.List
	frame *Frame
}

// NewList makes one of as many rows as length tells; draw fills a row that row made.
func NewList(f *Frame, length func() int, row func() fyne.CanvasObject, draw func(int, fyne.CanvasObject)) *List {
	l := &List{frame: f}
	l.Length, l.CreateItem, l.UpdateItem = length, row, draw
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

// TypedKey hands the window's keys on (fyne.Focusable).
func (l *List) TypedKey(key *fyne.KeyEvent) {
	if !l.frame.takes(key) {
		l.frame.See(l) // what was chosen last may have taken its place
		l.List.TypedKey(key)
	}
}
