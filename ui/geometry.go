package ui

import (
	"slices"

	"fyne.io/fyne/v2"
)

// The preferences keep how large the window was, and where its upper left corner was;
// each as a list of two numbers, for what is put there in two steps may get lost between
// them.
const (
	sizeKey  = "window.size"
	placeKey = "window.place"
)

// Desktop is the desktop that the window is on, in its pixels (screen.Desktop). Its methods belong
// to the thread that draws.
type Desktop interface {
	Where(window fyne.Window) (x, y int, ok bool)
	Put(window fyne.Window, x, y int) bool
}

// usual is how large the window is at first.
func usual() fyne.Size { return fyne.NewSize(1180, 720) }

// size is how large the window was last.
func (w *Window) size() fyne.Size {
	if last := w.frame.App.Preferences().FloatList(sizeKey); len(last) == 2 {
		return fyne.NewSize(float32(last[0]), float32(last[1]))
	}
	return usual()
}

// settle puts the window to where it was last, once the desktop shows it; until then its
// place is not kept.
func (w *Window) settle() {
	if w.desktop == nil || w.settled || w.hidden {
		return
	}
	last := w.frame.App.Preferences().IntList(placeKey)
	w.settled = len(last) != 2 || w.desktop.Put(w.frame.Window, last[0], last[1])
}

// remember keeps how large the window is, and where. It is called while the window is
// open: Fyne heeds signals by itself, and may end without a word to anybody.
func (w *Window) remember() {
	preferences := w.frame.App.Preferences()
	if size := w.frame.Window.Canvas().Size(); size.Width > 0 && size.Height > 0 && size != w.size() {
		preferences.SetFloatList(sizeKey, []float64{float64(size.Width), float64(size.Height)})
	}
	if !w.settled || w.hidden {
		return
	}
	if x, y, ok := w.desktop.Where(w.frame.Window); ok && !slices.Equal(preferences.IntList(placeKey), []int{x, y}) {
		preferences.SetIntList(placeKey, []int{x, y})
	}
}
