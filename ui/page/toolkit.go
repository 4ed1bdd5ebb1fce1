package page

import (
	"encoding/json"
	"strings"

	"footbridge/ui/tongue"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/lang"
)

// The rules here are: the toolkit's own words, in the menus of fields and where a file is
// chosen, are in the language of whoever reads; and where a file is chosen, there is as
// much room as the window has.

// Speak goes on in another language. Words that the toolkit does not take from it stay in
// the computer's.
func (f *Frame) Speak(t tongue.Tongue) {
	f.Tongue = t
	words := map[string]string{}
	for _, name := range tongue.Names("toolkit.") {
		_, word, _ := strings.Cut(name, ".") // as the toolkit calls it
		words[word] = t.Say("toolkit." + word)
	}
	taught, _ := json.Marshal(words)                               // texts by texts
	_ = lang.AddTranslationsForLocale(taught, lang.SystemLocale()) // the one that the toolkit speaks
}

// filesShare is how much of the window the choice of a file takes.
const filesShare = 0.85

// OpenFile shows what a file is chosen with that is to be read.
func (f *Frame) OpenFile(d *dialog.FileDialog) {
	d.SetTitleText(f.Say("files.open"))
	d.SetConfirmText(f.Say("files.take"))
	f.showFiles(d)
}

// SaveFile shows what the place of a new file is chosen with.
func (f *Frame) SaveFile(d *dialog.FileDialog) {
	d.SetTitleText(f.Say("files.save"))
	f.showFiles(d)
}

func (f *Frame) showFiles(d *dialog.FileDialog) {
	f.Leave(d, nil)
	d.Show()
	all := f.Window.Canvas().Size()
	d.Resize(fyne.NewSize(all.Width*filesShare, all.Height*filesShare)) // which it takes once it is shown
}
