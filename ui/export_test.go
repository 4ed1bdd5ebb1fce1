package ui

import "fyne.io/fyne/v2/widget"

// AskToClose does what the close button of a desktop does.
func (w *Window) AskToClose() { w.askToClose() }

// Notice is where the window's own words stand, below every page.
func (w *Window) Notice() *widget.Label { return w.frame.Notice }
