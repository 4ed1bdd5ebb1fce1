package page

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// The rules here are: whatever can have the cursor leaves the window its keys, and is
// brought into sight when it has it; a key that is held down presses nothing that the
// cursor came to meanwhile. Pages have no buttons, choices or fields but ours.

// HelpKey opens the help. The toolkit gives it to whatever has the cursor, which hands it
// on to the window.
func HelpKey() *desktop.CustomShortcut { return &desktop.CustomShortcut{KeyName: fyne.KeyF1} }

// takes hands a key on that is the window's; false where it is not. Escape is, while a
// dialog is open.
func (f *Frame) takes(key *fyne.KeyEvent) bool {
	switch key.Name {
	case HelpKey().KeyName:
		f.TypedShortcut(HelpKey())
		return true
	case fyne.KeyEscape:
		return f.escape()
	}
	return false
}

// Button is a button that leaves the window its keys, and that Return presses as Space
// does.
type Button struct {
	widget.Button
	frame   *Frame
	pressed fyne.KeyName // the key that went down at it, and that presses nothing yet
}

// NewButton makes one; icon may be nil.
func NewButton(f *Frame, label string, icon fyne.Resource, tapped func()) *Button {
	b := &Button{frame: f}
	b.Text, b.Icon, b.OnTapped = label, icon, tapped
	b.ExtendBaseWidget(b)
	return b
}

// FocusGained brings it into sight (fyne.Focusable).
func (b *Button) FocusGained() {
	b.pressed = ""
	b.Button.FocusGained()
	b.frame.See(b)
}

// KeyDown notes which key goes down at it (desktop.Keyable).
func (b *Button) KeyDown(key *fyne.KeyEvent) { b.pressed = key.Name }

// KeyUp does nothing (desktop.Keyable).
func (b *Button) KeyUp(*fyne.KeyEvent) {}

// TypedKey presses it once where the key went down at it, and hands the window's keys on
// (fyne.Focusable).
func (b *Button) TypedKey(key *fyne.KeyEvent) {
	began := b.pressed == key.Name
	b.pressed = ""
	switch {
	case b.frame.takes(key):
	case began && (key.Name == fyne.KeySpace || key.Name == fyne.KeyReturn || key.Name == fyne.KeyEnter):
		b.press()
	}
}

// press does what a tap does, and leaves the cursor where it is: the toolkit takes it away,
// and who goes on by Tab would begin at the top of the window again.
func (b *Button) press() {
	if b.OnTapped != nil && b.Visible() && !b.Disabled() {
		b.OnTapped()
	}
}

// Enable lets something be used, or not.
func Enable(what fyne.Disableable, can bool) {
	if can {
		what.Enable()
	} else {
		what.Disable()
	}
}

// Check is a choice of yes or no that leaves the window its keys.
type Check struct {
	widget.Check
	frame   *Frame
	pressed fyne.KeyName // the key that went down at it, and that chose nothing yet
}

// NewCheck makes one.
func NewCheck(f *Frame, label string) *Check {
	c := &Check{frame: f}
	c.Text = label
	c.ExtendBaseWidget(c)
	return c
}

// FocusGained brings it into sight (fyne.Focusable).
func (c *Check) FocusGained() {
	c.pressed = ""
	c.Check.FocusGained()
	c.frame.See(c)
}

// TypedKey hands the window's keys on (fyne.Focusable).
func (c *Check) TypedKey(key *fyne.KeyEvent) {
	if !c.frame.takes(key) {
		c.Check.TypedKey(key)
	}
}

// KeyDown notes which key goes down at it (desktop.Keyable).
func (c *Check) KeyDown(key *fyne.KeyEvent) { c.pressed = key.Name }

// KeyUp does nothing (desktop.Keyable).
func (c *Check) KeyUp(*fyne.KeyEvent) {}

// TypedRune chooses it by Space once where the key went down at it: the Space that pressed a
// button, and so gave it the cursor, comes to it, too (fyne.Focusable).
func (c *Check) TypedRune(r rune) {
	if r != ' ' || c.pressed == fyne.KeySpace {
		c.pressed = ""
		c.Check.TypedRune(r)
	}
}

// Option is one of several of which one is chosen, which its icon shows.
type Option struct {
	Button
	chosen bool
}

// NewOption makes one; who has it chooses it by Choose.
func NewOption(f *Frame, label string, tapped func()) *Option {
	o := &Option{Button: Button{frame: f}}
	o.Text, o.OnTapped, o.Alignment, o.Importance = label, tapped, widget.ButtonAlignLeading, widget.LowImportance
	o.Icon = theme.RadioButtonIcon()
	o.ExtendBaseWidget(o)
	return o
}

// Tapped chooses it, and gives it the cursor, which the toolkit would leave nowhere: Return
// would choose what had it before (fyne.Tappable).
func (o *Option) Tapped(*fyne.PointEvent) {
	if o.press(); o.Visible() && !o.Disabled() {
		o.frame.Window.Canvas().Focus(o)
	}
}

// Choose shows whether it is the one that is chosen.
func (o *Option) Choose(chosen bool) {
	o.chosen, o.Icon = chosen, theme.RadioButtonIcon()
	if chosen {
		o.Icon = theme.RadioButtonCheckedIcon()
	}
	o.Refresh()
}

// Chosen reports whether it is the one that is chosen.
func (o *Option) Chosen() bool { return o.chosen }
