package ui

import "fyne.io/fyne/v2"

// Where the preferences have the window's size. Its place is the desktop's: Fyne neither
// tells nor takes it.
const (
	widthKey  = "window.width"
	heightKey = "window.height"
)

// usual is how large the window is at first.
func usual() fyne.Size { return fyne.NewSize(1180, 720) }

// size is how large the window was last.
func (w *Window) size() fyne.Size {
	preferences := w.frame.App.Preferences()
	return fyne.NewSize(
		float32(preferences.FloatWithFallback(widthKey, float64(usual().Width))), float32(preferences.FloatWithFallback(heightKey, float64(usual().Height))))
}

// remember keeps how large the window is.
func (w *Window) remember() {
	size, preferences := w.frame.Window.Canvas().Size(), w.frame.App.Preferences()
	if size.Width <= 0 || size == w.size() {
		return
	}
	preferences.SetFloat(widthKey, float64(size.Width))
	preferences.SetFloat(heightKey, float64(size.Height))
}
