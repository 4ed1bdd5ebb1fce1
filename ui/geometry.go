package ui

import (
	"slices"

	"fyne.io/fyne/v2"
)

// geometryKey is where the preferences have the window's width and height, and, where the
// desktop tells it, its upper left corner in pixels of the desktop; together, for what is
// put there in several steps may get lost between them.
const geometryKey = "window.geometry"

// Desktop is what the window is on (screen.Desktop). Its methods belong to the thread
// that draws.
type Desktop interface {
	Where(window fyne.Window) (x, y int, ok bool)
	Fills(window fyne.Window) bool // its screen, as someone had the desktop make it
	Put(window fyne.Window, x, y int) bool
}

// usual is how large the window is at first.
func usual() fyne.Size { return fyne.NewSize(1180, 720) }

// last is how the window was last: its width and height, and its place where that is
// known; empty where nothing is.
func (w *Window) last() []float64 {
	if kept := w.frame.App.Preferences().FloatList(geometryKey); len(kept) == 2 || len(kept) == 4 {
		return kept
	}
	return nil
}

// size is how large the window was last.
func (w *Window) size() fyne.Size {
	if last := w.last(); last != nil {
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
	last := w.last()
	w.settled = len(last) < 4 || w.desktop.Put(w.frame.Window, int(last[2]), int(last[3]))
}

// remember keeps how large the window is, and where, but not while it fills its screen: how
// it was before, it is to be again. It is called while the window is
// open: Fyne heeds signals by itself, and may end without a word to anybody.
func (w *Window) remember() {
	size := w.frame.Window.Canvas().Size()
	if size.Width <= 0 || size.Height <= 0 || w.hidden || w.desktop != nil && w.desktop.Fills(w.frame.Window) {
		return
	}
	last := w.last()
	now := []float64{float64(size.Width), float64(size.Height)}
	if x, y, ok := w.where(); ok {
		now = append(now, float64(x), float64(y))
	} else if len(last) == 4 {
		now = append(now, last[2:]...)
	}
	if !slices.Equal(now, last) {
		w.frame.App.Preferences().SetFloatList(geometryKey, now)
	}
}

// where is the window's place; false where it is not to be kept.
func (w *Window) where() (x, y int, ok bool) {
	if !w.settled {
		return 0, 0, false
	}
	return w.desktop.Where(w.frame.Window)
}
