package ui

import "fyne.io/fyne/v2"

// sizeKey is where the preferences have the window's width and height, together: what is
// put there in two steps may get lost between them. Its place is the desktop's: Fyne
// neither tells nor takes it.
const sizeKey = "window.size"

// usual is how large the window is at first.
func usual() fyne.Size { return fyne.NewSize(1180, 720) }

// size is how large the window was last.
func (w *Window) size() fyne.Size {
	if last := w.frame.App.Preferences().FloatList(sizeKey); len(last) == 2 {
		return fyne.NewSize(float32(last[0]), float32(last[1]))
	}
	return usual()
}

// remember keeps how large the window is. It is called while the window is open: Fyne
// heeds signals by itself, and may end without a word to anybody.
func (w *Window) remember() {
	size := w.frame.Window.Canvas().Size()
	if size.Width <= 0 || size.Height <= 0 || size == w.size() {
		return
	}
	w.frame.App.Preferences().SetFloatList(sizeKey, []float64{float64(size.Width), float64(size.Height)})
}
