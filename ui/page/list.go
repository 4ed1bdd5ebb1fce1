package page

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// List is a list that leaves the window its key of help.
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

// TypedKey hands the key of help on (fyne.Focusable).
func (l *List) TypedKey(key *fyne.KeyEvent) {
	if key.Name == HelpKey().KeyName {
		l.frame.TypedShortcut(HelpKey())
		return
	}
	l.List.TypedKey(key)
}

// Select is a choice that leaves the window its key of help.
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

// TypedKey hands the key of help on (fyne.Focusable).
func (s *Select) TypedKey(key *fyne.KeyEvent) {
	if key.Name == HelpKey().KeyName {
		s.frame.TypedShortcut(HelpKey())
		return
	}
	s.Select.TypedKey(key)
}
