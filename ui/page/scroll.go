package page

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// scrollLine is how far an arrow scrolls.
const scrollLine = 40

// Scroll is text that is longer than its place, and is read to its end by keyboard, too:
// Tab comes to it, and arrows, Page Up, Page Down, Home and End move it.
type Scroll struct {
	widget.BaseWidget
	frame  *Frame
	label  string // for who cannot see it
	scroll *container.Scroll
	edge   *canvas.Rectangle // where the cursor is
}

// NewScroll makes one of a content that label names.
func NewScroll(f *Frame, label string, content fyne.CanvasObject) *Scroll {
	s := &Scroll{frame: f, label: label, scroll: container.NewVScroll(content), edge: canvas.NewRectangle(color.Transparent)}
	s.edge.StrokeColor, s.edge.StrokeWidth = color.Transparent, 2
	s.ExtendBaseWidget(s)
	return s
}

// ScrollToTop shows the beginning.
func (s *Scroll) ScrollToTop() { s.scroll.ScrollToTop() }

// scrollLeast is how high it is at least, in ems: some lines are seen, however little room
// the page has.
const scrollLeast = 15

// MinSize leaves room for some lines (fyne.Widget).
func (s *Scroll) MinSize() fyne.Size {
	s.ExtendBaseWidget(s)
	least := s.BaseWidget.MinSize()
	return fyne.NewSize(least.Width, max(least.Height, min(Em(scrollLeast), s.scroll.Content.MinSize().Height)))
}

// CreateRenderer draws it (fyne.Widget).
func (s *Scroll) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(container.NewStack(s.scroll, s.edge))
}

// FocusGained shows where the cursor is, and brings it into sight (fyne.Focusable).
func (s *Scroll) FocusGained() {
	s.mark(theme.Color(theme.ColorNameForeground))
	s.frame.See(s)
}

// FocusLost shows that the cursor is elsewhere (fyne.Focusable).
func (s *Scroll) FocusLost() { s.mark(color.Transparent) }

func (s *Scroll) mark(c color.Color) {
	s.edge.StrokeColor = c
	s.edge.Refresh()
}

// TypedRune does nothing (fyne.Focusable).
func (s *Scroll) TypedRune(rune) {}

// TypedKey scrolls, and hands the window's keys on (fyne.Focusable).
func (s *Scroll) TypedKey(key *fyne.KeyEvent) {
	if s.frame.takes(key) {
		return
	}
	switch leaf := s.scroll.Size().Height - scrollLine; key.Name {
	case fyne.KeyUp:
		s.by(-scrollLine)
	case fyne.KeyDown:
		s.by(scrollLine)
	case fyne.KeyPageUp:
		s.by(-leaf)
	case fyne.KeyPageDown, fyne.KeySpace:
		s.by(leaf)
	case fyne.KeyHome:
		s.scroll.ScrollToTop()
	case fyne.KeyEnd:
		s.scroll.ScrollToBottom()
	}
}

// by scrolls down as far as there is something; up where it is negative.
func (s *Scroll) by(dy float32) {
	most := max(s.scroll.Content.MinSize().Height-s.scroll.Size().Height, 0)
	s.scroll.ScrollToOffset(fyne.NewPos(0, min(max(s.scroll.Offset.Y+dy, 0), most)))
}

// AccessibilityLabel says what is to be read (fyne.Accessible).
func (s *Scroll) AccessibilityLabel() string { return s.label }

// AccessibilityRole is that of text (fyne.Accessible).
func (s *Scroll) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleText }
