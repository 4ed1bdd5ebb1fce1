package page

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Select is a choice that leaves the window its keys.
type Select struct {
	widget.Select
	Label string            // for who cannot see it; empty: what is chosen says it
	With  fyne.CanvasObject // is brought into sight with it; nil: it alone
	frame *Frame
}

// NewSelect makes one; chosen is told what someone chose.
func NewSelect(f *Frame, options []string, chosen func(string)) *Select {
	s := &Select{frame: f}
	s.Options, s.OnChanged = options, chosen
	s.ExtendBaseWidget(s)
	return s
}

// selectMost is how much of a choice is to be read at least, where it is that long, in ems.
const selectMost = 15

// MinSize leaves room for what may be chosen (fyne.Widget).
func (s *Select) MinSize() fyne.Size {
	size := s.Select.MinSize() // with room for the placeholder
	wide := func(text string) float32 { return fyne.MeasureText(text, theme.TextSize(), fyne.TextStyle{}).Width }
	longest := float32(0)
	for _, option := range s.Options {
		longest = max(longest, wide(option))
	}
	size.Width += max(min(longest, Em(selectMost))-wide(s.PlaceHolder), 0)
	return size
}

// FocusGained brings it into sight (fyne.Focusable).
func (s *Select) FocusGained() {
	s.Select.FocusGained()
	s.frame.seeWith(s, s.With)
}

// TypedKey hands the window's keys on (fyne.Focusable).
func (s *Select) TypedKey(key *fyne.KeyEvent) {
	if !s.frame.takes(key) {
		s.Select.TypedKey(key)
	}
}

// AccessibilityLabel says what is chosen, and of what (fyne.Accessible).
func (s *Select) AccessibilityLabel() string {
	if s.Label == "" {
		return s.Selected
	}
	return s.Label + ": " + s.Selected
}

// AccessibilityRole is that of what is pressed (fyne.Accessible).
func (s *Select) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleButton }

// SelectEntry is a field in which something is typed, or chosen of what there is. It
// leaves the window its keys.
type SelectEntry struct {
	widget.SelectEntry
	frame   *Frame
	options []string
	typing
}

// NewSelectEntry makes one; changed is told what stands in it, and done that Enter was
// pressed.
func NewSelectEntry(f *Frame, placeholder string, changed func(string), done func()) *SelectEntry {
	e := &SelectEntry{frame: f}
	e.ExtendBaseWidget(e)
	e.PlaceHolder, e.OnChanged, e.OnSubmitted = placeholder, changed, func(string) { done() }
	e.Offer(nil)
	return e
}

// Offer lets someone choose of these.
func (e *SelectEntry) Offer(options []string) {
	if e.ActionItem != nil && slices.Equal(options, e.options) {
		return
	}
	e.options = options
	e.SetOptions(options)
	if toolkits, ok := e.ActionItem.(*widget.Button); ok { // it would keep the window's keys
		drop := NewButton(e.frame, "", theme.MenuDropDownIcon(), toolkits.OnTapped)
		drop.Importance = widget.LowImportance
		e.ActionItem = drop
	}
}

// CreateRenderer draws it, and leaves the mouse wheel to the page (fyne.Widget).
func (e *SelectEntry) CreateRenderer() fyne.WidgetRenderer {
	return newWheeled(e.frame, e, e.SelectEntry.CreateRenderer())
}

// KeyDown notes what is pressed in the field (desktop.Keyable).
func (e *SelectEntry) KeyDown(key *fyne.KeyEvent) {
	e.pressed = key.Name
	e.SelectEntry.KeyDown(key)
}

// TypedRune types a letter (fyne.Focusable).
func (e *SelectEntry) TypedRune(r rune) {
	if !e.stray(r) {
		e.SelectEntry.TypedRune(r)
	}
}

// FocusGained brings it into sight (fyne.Focusable).
func (e *SelectEntry) FocusGained() {
	e.begin()
	e.SelectEntry.FocusGained()
	e.frame.See(e)
}

// TypedShortcut gives the window what is its own (fyne.Shortcutable).
func (e *SelectEntry) TypedShortcut(shortcut fyne.Shortcut) {
	e.frame.TypedShortcut(shortcut)
	e.SelectEntry.TypedShortcut(shortcut)
}

// TypedKey hands the window's keys on. Escape, where it closes no dialog, empties the field
// and leaves it; the Return that pressed a button, and so gave the field the cursor, ends
// nothing that is typed in it (fyne.Focusable).
func (e *SelectEntry) TypedKey(key *fyne.KeyEvent) {
	switch {
	case e.frame.takes(key):
	case (key.Name == fyne.KeyReturn || key.Name == fyne.KeyEnter) && e.fresh && e.pressed == "":
	case key.Name == fyne.KeyEscape:
		e.SetText("")
		e.frame.Window.Canvas().Unfocus()
	default:
		e.SelectEntry.TypedKey(key)
	}
}

// AccessibilityLabel says what the field is for (fyne.Accessible).
func (e *SelectEntry) AccessibilityLabel() string { return e.PlaceHolder }

// AccessibilityRole is that of text: the toolkit has none for fields (fyne.Accessible).
func (e *SelectEntry) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleText }
