package page

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// List is a list that leaves the window its key of help, and that Home, End, Page Up and
// Page Down walk through, too.
type List struct {
	widget.List
	Chosen func(row int) // told which row someone chose; may be nil

	frame *Frame
	at    int // where the cursor is
}

// NewList makes one of as many rows as length tells; draw fills a row that row made.
func NewList(f *Frame, length func() int, row func() fyne.CanvasObject, draw func(int, fyne.CanvasObject)) *List {
	l := &List{frame: f}
	l.Length, l.CreateItem, l.UpdateItem = length, row, draw
	l.OnHighlighted = func(i int) { l.at = i }
	l.OnSelected = func(i int) {
		l.at = i // a tap leads there, and nothing else tells it
		if l.Chosen != nil {
			l.Chosen(i)
		}
	}
	l.ExtendBaseWidget(l)
	return l
}

// TypedKey walks through the list, and hands the key of help on (fyne.Focusable).
func (l *List) TypedKey(key *fyne.KeyEvent) {
	switch key.Name {
	case HelpKey().KeyName:
		l.frame.TypedShortcut(HelpKey())
	case fyne.KeyHome:
		l.walk(-l.Length())
	case fyne.KeyEnd:
		l.walk(l.Length())
	case fyne.KeyPageUp:
		l.walk(-l.leaf())
	case fyne.KeyPageDown:
		l.walk(l.leaf())
	default:
		l.List.TypedKey(key)
	}
}

// walk moves the cursor by so many rows, as far as there are some.
func (l *List) walk(rows int) {
	if n := l.Length(); n > 0 {
		l.Highlight(min(max(l.at+rows, 0), n-1))
	}
}

// leaf is how many rows are seen at once, but one.
func (l *List) leaf() int {
	row := l.CreateItem().MinSize().Height + l.Theme().Size(theme.SizeNamePadding)
	return max(int(l.Size().Height/row)-1, 1)
}

// Select is a choice that leaves the window its keys.
type Select struct {
	widget.Select
	frame *Frame
}

// NewSelect makes one; chosen is told what someone chose.
func NewSelect(f *Frame, options []string, chosen func(string)) *Select {
	s := &Select{frame: f}
	s.Options, s.OnChanged = options, chosen
	s.ExtendBaseWidget(s)
	return s
}

// TypedKey leaves the window its keys (fyne.Focusable).
func (s *Select) TypedKey(key *fyne.KeyEvent) {
	if !s.frame.typed(key) {
		s.Select.TypedKey(key)
	}
}
