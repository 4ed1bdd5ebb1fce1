package ui

import (
	"strconv"

	"footbridge/ui/page"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// The rules here are: what the window says is to be read to its end; the keys stand beside
// it where there is room, and else the one that leads to them.

// foot lays what the window says, all its keys, and the one that leads to the others
// (fyne.Layout).
type foot struct{ width float32 } // as it was laid last

// footWords is the share of the width that what the window says has at least.
const footWords = 0.4

// newFoot is what is below every page.
func newFoot(f *page.Frame, pages int) fyne.CanvasObject {
	all, few := page.Plain(f.Say("window.keys", "last", strconv.Itoa(pages))), widget.NewLabel(f.Say("window.keys_few"))
	all.Alignment = fyne.TextAlignTrailing
	return container.New(&foot{}, f.Notice, all, few)
}

// shares shows what there is room for, and says how wide what the window says is.
func (f *foot) shares(parts []fyne.CanvasObject) (words float32, keys fyne.CanvasObject) {
	all, few := parts[1].(*widget.Label), parts[2]
	line := fyne.MeasureText(all.Text, page.Em(1), all.TextStyle).Width + 2*theme.InnerPadding()
	if f.width == 0 || f.width*(1-footWords) >= line {
		all.Show()
		few.Hide()
		return f.width * footWords, all
	}
	all.Hide()
	few.Show()
	return max(f.width-few.MinSize().Width, 0), few
}

// MinSize is as high as the words make it in the width it was laid last (fyne.Layout).
func (f *foot) MinSize(parts []fyne.CanvasObject) fyne.Size {
	words, keys := f.shares(parts)
	if f.width > 0 {
		parts[0].Resize(fyne.NewSize(words, parts[0].Size().Height))
		keys.Resize(fyne.NewSize(f.width-words, keys.Size().Height))
	}
	return fyne.NewSize(0, max(parts[0].MinSize().Height, keys.MinSize().Height))
}

// Layout puts them beside each other (fyne.Layout).
func (f *foot) Layout(parts []fyne.CanvasObject, size fyne.Size) {
	f.width = size.Width
	words, keys := f.shares(parts)
	parts[0].Resize(fyne.NewSize(words, size.Height))
	keys.Move(fyne.NewPos(words, 0))
	keys.Resize(fyne.NewSize(size.Width-words, size.Height))
}

// bar lays the names of the pages below each other, close together where the text is
// large: all of them are seen (fyne.Layout).
type bar struct{}

// barLeast is how much higher than its text a name is at least, in ems.
const barLeast = 0.5

// MinSize is as high as can be read (fyne.Layout).
func (bar) MinSize(names []fyne.CanvasObject) (size fyne.Size) {
	line := fyne.MeasureText("M", page.Em(1), fyne.TextStyle{Bold: true}).Height
	for _, name := range names {
		size.Width = max(size.Width, name.MinSize().Width)
		size.Height += line + page.Em(barLeast)
	}
	return size
}

// Layout gives each what it needs, as far as there is room (fyne.Layout).
func (bar) Layout(names []fyne.CanvasObject, size fyne.Size) {
	gap := page.Em(barLeast) / 2
	each := size.Height / float32(max(len(names), 1))
	y := float32(0)
	for _, name := range names {
		high := min(name.MinSize().Height+gap, each)
		name.Move(fyne.NewPos(0, y))
		name.Resize(fyne.NewSize(size.Width, high-min(gap, high/10)))
		y += high
	}
}
