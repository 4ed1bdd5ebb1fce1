package settings

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// chooser is a choice that says what it is for, and is brought into sight when it has the
// cursor.
type chooser struct {
	widget.Select
	label string
	seen  func() // may be nil
}

func newChooser(label string, options []string, chosen func(string)) *chooser {
	c := &chooser{label: label}
	c.Options, c.OnChanged = options, chosen
	c.ExtendBaseWidget(c)
	return c
}

// FocusGained brings it into sight (fyne.Focusable).
func (c *chooser) FocusGained() {
	c.Select.FocusGained()
	if c.seen != nil {
		c.seen()
	}
}

// AccessibilityLabel says what is chosen, and of what (fyne.Accessible).
func (c *chooser) AccessibilityLabel() string { return c.label + ": " + c.Selected }

// AccessibilityRole is that of what is pressed (fyne.Accessible).
func (c *chooser) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleButton }
