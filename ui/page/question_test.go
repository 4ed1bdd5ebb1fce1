package page_test

import (
	"strings"
	"testing"

	"footbridge/ui/page"
	"footbridge/ui/page/pagetest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
)

// Return presses the button that has the cursor, as Space does, and what it asks is not
// agreed to by the same key, or by the next one.
func TestNothingIsAgreedToByASlip(t *testing.T) {
	for _, key := range []fyne.KeyName{fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace} {
		f := page.New(pagetest.App(t), pagetest.Config(), nil)
		asked, answered := 0, []bool(nil)
		b := page.NewButton(f, "Remove", nil, func() {
			asked++
			f.Question("Remove it?", "Remove", "Leave", widget.NewLabel(""), func(yes bool) { answered = append(answered, yes) })
		})
		f.Window.SetContent(b)
		canvas := f.Window.Canvas()
		canvas.Focus(b)
		pagetest.Press(b, key)
		for range 5 { // it is held down
			canvas.Focused().TypedKey(&fyne.KeyEvent{Name: key})
		}
		if asked != 1 || len(answered) > 0 {
			t.Fatalf("%s asks %d times, and is answered %v while it is held down", key, asked, answered)
		}
		pagetest.Press(canvas.Focused(), key)
		if len(answered) != 1 || answered[0] {
			t.Errorf("%s once more answers %v", key, answered)
		}
		pagetest.Press(canvas.Focused(), key)
		canvas.FocusNext()
		if pagetest.Press(canvas.Focused(), key); len(answered) != 2 || !answered[1] {
			t.Errorf("%s at the button that agrees answers %v", key, answered)
		}
	}
}

// A question about something with a long name is read to its end, and no wider than others.
func TestAQuestionWithALongName(t *testing.T) {
	f := page.New(pagetest.App(t), pagetest.Config(), nil)
	f.Window.SetContent(widget.NewLabel(""))
	f.Window.Resize(fyne.NewSize(800, 600))
	for _, title := range []string{"Remove it?", "Remove " + strings.Repeat("film", 60) + ".mp4?"} {
		f.Question(title, "Remove", "Leave", page.Plain("It is gone then."), func(bool) {})
		top := f.Window.Canvas().Overlays().Top()
		if least := top.MinSize().Width; least > 800 {
			t.Errorf("%q needs %v", title, least)
		}
		var said bool
		for _, o := range test.LaidOutObjects(top) {
			l, ok := o.(*widget.Label)
			said = said || ok && l.Text == title
		}
		if !said {
			t.Errorf("%q is not said", title)
		}
	}
}

// A Return that is held down ends nothing in a field that a button opened.
func TestTheReturnThatPressedAButton(t *testing.T) {
	f := page.New(pagetest.App(t), pagetest.Config(), nil)
	ended := 0
	e := page.NewEntry(f, "", nil)
	e.OnSubmitted = func(string) { ended++ }
	f.Window.SetContent(e)
	f.Window.Canvas().Focus(e)
	if e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn}); ended != 0 {
		t.Error("the Return of before ends it")
	}
	if pagetest.Press(e, fyne.KeyReturn); ended != 1 {
		t.Errorf("its own Return ended it %d times", ended)
	}
}
