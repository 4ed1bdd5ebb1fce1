package page_test

import (
	"slices"
	"testing"

	"footbridge/ui/page"
	"footbridge/ui/page/pagetest"
	"footbridge/ui/tongue"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
)

// The toolkit's own words are in the reader's language, whatever the computer speaks.
func TestTheToolkitsWords(t *testing.T) {
	f := page.New(pagetest.App(t), pagetest.Config(), nil)
	t.Cleanup(func() { f.Speak(tongue.Tongue{}) }) // of the whole process
	for language, want := range map[string]string{"sw": "Chagua zote", "fr": "Tout sélectionner", "en": "Select all"} {
		if f.Speak(tongue.In(language)); lang.L("Select all") != want {
			t.Errorf("in %s it says %q", language, lang.L("Select all"))
		}
	}
}

// Where a file is chosen there is room, and Escape leaves.
func TestChoosingAFile(t *testing.T) {
	f := page.New(pagetest.App(t), pagetest.Config(), nil)
	t.Cleanup(func() { f.Speak(tongue.Tongue{}) })
	f.Speak(tongue.In("pt"))
	f.Window.Resize(fyne.NewSize(1000, 700))
	f.OpenFile(dialog.NewFileOpen(func(fyne.URIReadCloser, error) {}, f.Window))
	shown := f.Window.Canvas().Overlays().Top()
	var said []string
	wide := float32(0)
	for _, o := range test.LaidOutObjects(shown) {
		switch o := o.(type) {
		case *widget.Label:
			said = append(said, o.Text)
		case *widget.Button:
			said = append(said, o.Text)
		case *widget.PopUp:
			wide = o.Content.Size().Width
		}
	}
	for _, want := range []string{"Escolha um ficheiro", "Escolher", "Cancelar"} {
		if !slices.Contains(said, want) {
			t.Errorf("nothing says %q, but %q", want, said)
		}
	}
	if wide < 800 || wide > 900 {
		t.Errorf("it is %v wide", wide)
	}
	leaves := func() {
		t.Helper()
		if f.Window.Canvas().Focused() != nil {
			t.Error("a field of the toolkit's has the cursor")
		}
		f.Window.Canvas().OnTypedKey()(&fyne.KeyEvent{Name: fyne.KeyEscape})
		if f.Window.Canvas().Overlays().Top() != nil {
			t.Error("Escape does not leave")
		}
	}
	leaves()
	f.SaveFile(dialog.NewFileSave(func(fyne.URIWriteCloser, error) {}, f.Window))
	leaves()
}
