package devices

import (
	"slices"

	"footbridge/ui/page"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// field is where a participant's id is typed, or chosen of those that there are. It
// leaves the window its shortcuts.
type field struct {
	widget.SelectEntry
	frame *page.Frame
	ids   []string
}

func newField(f *page.Frame, hint string, changed func(string), done func()) *field {
	e := &field{frame: f}
	e.ExtendBaseWidget(e)
	e.PlaceHolder, e.OnChanged, e.OnSubmitted = hint, changed, func(string) { done() }
	return e
}

// offer lets someone choose of these.
func (e *field) offer(ids []string) {
	if !slices.Equal(ids, e.ids) {
		e.ids = ids
		e.SetOptions(ids)
	}
}

// TypedShortcut gives the window what is its own (fyne.Shortcutable).
func (e *field) TypedShortcut(shortcut fyne.Shortcut) {
	e.frame.TypedShortcut(shortcut)
	e.SelectEntry.TypedShortcut(shortcut)
}
