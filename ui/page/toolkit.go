package page

import (
	"encoding/json"
	"strings"

	"footbridge/ui/tongue"

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

// OpenFile shows what a file is chosen with that is there.
func (f *Frame) OpenFile(d *dialog.FileDialog) { f.openFiles(d, f.Say("files.open")) }

// OpenFolder shows what a folder is chosen with.
func (f *Frame) OpenFolder(d *dialog.FileDialog) { f.openFiles(d, f.Say("files.folder")) }

func (f *Frame) openFiles(d *dialog.FileDialog, title string) {
	d.SetTitleText(title)
	d.SetConfirmText(f.Say("files.take"))
	f.showFiles(d)
}

// SaveFile shows what the place of a new file is chosen with.
func (f *Frame) SaveFile(d *dialog.FileDialog) {
	d.SetTitleText(f.Say("files.save"))
	f.showFiles(d)
	f.Window.Canvas().Unfocus() // the toolkit's field of the name keeps Escape to itself
}

func (f *Frame) showFiles(d *dialog.FileDialog) {
	f.Leave(d, nil)
	d.Show()
	d.Resize(f.most()) // which it takes once it is shown
}
