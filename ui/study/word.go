package study

import (
	"footbridge/ui/page"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// word is what came of the last thing that was asked for, where it was asked for. It takes
// no room while there is none.
type word struct {
	f    *page.Frame
	icon *widget.Icon
	text *widget.Label
	all  *fyne.Container
}

func newWord(f *page.Frame) *word {
	w := &word{f: f, icon: widget.NewIcon(theme.InfoIcon()), text: page.Plain("")}
	w.all = container.NewBorder(nil, nil, container.NewVBox(container.NewPadded(w.icon)), nil, w.text)
	w.all.Hide()
	return w
}

// well says what was done.
func (w *word) well(text string) { w.say(theme.ConfirmIcon(), text) }

// wrong says why something was not done.
func (w *word) wrong(text string) { w.say(theme.WarningIcon(), text) }

// say says it in sight; the window's own words are older.
func (w *word) say(icon fyne.Resource, text string) {
	w.icon.SetResource(icon)
	w.text.SetText(text)
	w.all.Show()
	w.f.Tell("")
	w.f.See(w.all)
}

// clear says nothing.
func (w *word) clear() { w.all.Hide() }
