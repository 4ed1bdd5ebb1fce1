package page

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// Entry is a field that leaves the window its shortcuts, and its cursor to whoever
// presses Escape.
type Entry struct {
	widget.Entry
	Label string            // for who cannot see it; empty: what stands in it while it is empty
	With  fyne.CanvasObject // is brought into sight with it; nil: the field alone
	Kept  func() string     // what Escape puts back into it; nil: nothing

	frame *Frame
	typing
}

// typing tells what someone types in a field from the key that pressed a button, and so gave
// the field the cursor or took away what was above it: it comes to the field, too.
type typing struct {
	fresh   bool         // nothing was typed since the field has the cursor
	pressed fyne.KeyName // the last key since then
}

// begin is told that the field has the cursor.
func (t *typing) begin() { t.fresh, t.pressed = true, "" }

// stray reports whether a letter is the Space that pressed a button.
func (t *typing) stray(r rune) bool {
	if r == ' ' && t.pressed != fyne.KeySpace && (t.fresh || t.pressed != "") {
		return true
	}
	t.fresh = false
	return false
}

// NewEntry makes one; changed is told what stands in it.
func NewEntry(f *Frame, placeholder string, changed func(string)) *Entry {
	e := &Entry{frame: f}
	e.PlaceHolder, e.OnChanged = placeholder, changed
	e.ExtendBaseWidget(e)
	return e
}

// NewPassword makes one that shows to nobody what stands in it.
func NewPassword(f *Frame) *Entry {
	e := NewEntry(f, "", nil)
	e.Password = true
	return e
}

// CreateRenderer draws it; a field of one line leaves the mouse wheel to the page
// (fyne.Widget).
func (e *Entry) CreateRenderer() fyne.WidgetRenderer {
	drawn := e.Entry.CreateRenderer()
	if e.MultiLine {
		return drawn
	}
	return newWheeled(e.frame, e, drawn)
}

// KeyDown notes what is pressed in the field (desktop.Keyable).
func (e *Entry) KeyDown(key *fyne.KeyEvent) {
	e.pressed = key.Name
	e.Entry.KeyDown(key)
}

// TypedRune types a letter (fyne.Focusable).
func (e *Entry) TypedRune(r rune) {
	if !e.stray(r) {
		e.Entry.TypedRune(r)
	}
}

// FocusGained brings it into sight, and puts the cursor behind what stands in it, unless
// it was somewhere in that before (fyne.Focusable).
func (e *Entry) FocusGained() {
	e.begin()
	if !e.MultiLine && e.CursorColumn == 0 {
		e.CursorColumn = len([]rune(e.Text))
	}
	e.Entry.FocusGained()
	e.frame.seeWith(e, e.With)
}

// TypedShortcut gives the window what is its own (fyne.Shortcutable).
func (e *Entry) TypedShortcut(shortcut fyne.Shortcut) {
	e.frame.TypedShortcut(shortcut)
	e.Entry.TypedShortcut(shortcut)
}

// TypedKey hands the window's keys on. Escape, where it closes no dialog, takes back what
// was typed and leaves the field; the Return that pressed a button, and so gave the field the cursor, ends
// nothing that is typed in it (fyne.Focusable).
func (e *Entry) TypedKey(key *fyne.KeyEvent) {
	switch {
	case e.frame.takes(key):
	case (key.Name == fyne.KeyReturn || key.Name == fyne.KeyEnter) && e.fresh && e.pressed == "":
	case key.Name == fyne.KeyEscape:
		kept := ""
		if e.Kept != nil {
			kept = e.Kept()
		}
		e.SetText(kept)
		e.frame.Window.Canvas().Unfocus()
	default:
		e.Entry.TypedKey(key)
	}
}

// AccessibilityLabel says what the field is for (fyne.Accessible).
func (e *Entry) AccessibilityLabel() string {
	if e.Label != "" {
		return e.Label
	}
	return e.PlaceHolder
}

// AccessibilityRole is that of text: the toolkit has none for fields (fyne.Accessible).
func (e *Entry) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleText }
