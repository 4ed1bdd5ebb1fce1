package ui

// AskToClose does what the close button of a desktop does.
func (w *Window) AskToClose() { w.askToClose() }
