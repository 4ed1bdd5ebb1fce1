package page

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// HelpKey opens the help. The toolkit gives it to whatever has the cursor, which hands it
// on to the window.
func HelpKey() *desktop.CustomShortcut { return &desktop.CustomShortcut{KeyName: fyne.KeyF1} }

// Button is a button that leaves the window its keys.
type Button struct {
	widget.Button
	frame *Frame
}

// NewButton makes one.
func NewButton(f *Frame, label string, icon fyne.Resource, tapped func()) *Button {
	b := &Button{frame: f}
	b.Text, b.Icon, b.OnTapped = label, icon, tapped
	b.ExtendBaseWidget(b)
	return b
}

// TypedKey leaves the window its keys (fyne.Focusable).
func (b *Button) TypedKey(key *fyne.KeyEvent) {
	if !b.frame.typed(key) {
		b.Button.TypedKey(key)
	}
}
