package ui

import (
	"image/color"
	"slices"

	"footbridge/ui/page"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

// The rules here are: colours and the size of the text are those of every page as soon as
// it is seen; and nothing that was typed or chosen on a page is lost by that.

// style is how things are drawn now.
type style struct {
	background color.Color
	text       float32 // its size
}

func styleOf(s fyne.Settings) style {
	return style{s.Theme().Color(theme.ColorNameBackground, s.ThemeVariant()), s.Theme().Size(theme.SizeNameText)}
}

// restyled notes that what is seen is drawn as it is to be now, and other pages are not:
// the toolkit leaves out what no window shows.
func (w *Window) restyled(s fyne.Settings) {
	if now := styleOf(s); now != w.style {
		w.style, w.stale = now, slices.Clone(w.pages)
	}
	seen := w.pages[w.open]
	w.stale = slices.DeleteFunc(w.stale, func(p page.Page) bool { return p == seen })
}

// dress draws the page that is open in the colours of now, where it is not.
func (w *Window) dress() {
	if slices.Contains(w.stale, w.pages[w.open]) {
		s := w.frame.App.Settings()
		s.SetTheme(s.Theme()) // which draws everything that is shown
	}
}
