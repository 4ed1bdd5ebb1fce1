package page

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// Entry is a field that leaves the window its shortcuts, and its cursor to whoever
// presses Escape.
type Entry struct {
	widget.Entry
	Reached func() // told when the cursor comes; nil: nobody is
	frame   *Frame
}

// NewEntry makes one; changed is told what stands in it.
func NewEntry(f *Frame, placeholder string, changed func(string)) *Entry {
	e := &Entry{frame: f}
	e.PlaceHolder, e.OnChanged = placeholder, changed
	e.ExtendBaseWidget(e)
	return e
}

// FocusGained tells that the cursor came (fyne.Focusable).
func (e *Entry) FocusGained() {
	e.Entry.FocusGained()
	if e.Reached != nil {
		e.Reached()
	}
}

// TypedShortcut gives the window what is its own (fyne.Shortcutable).
func (e *Entry) TypedShortcut(shortcut fyne.Shortcut) {
	e.frame.TypedShortcut(shortcut)
	e.Entry.TypedShortcut(shortcut)
}

// TypedKey empties the field and leaves it on Escape (fyne.Focusable).
func (e *Entry) TypedKey(key *fyne.KeyEvent) {
	if key.Name == fyne.KeyEscape {
		e.SetText("")
		e.frame.Window.Canvas().Unfocus()
		return
	}
	e.Entry.TypedKey(key)
}
