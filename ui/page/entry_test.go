package page_test

import (
	"testing"

	"footbridge/ui/page"
	"footbridge/ui/page/pagetest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
)

// The Space that presses a dialog's button is typed into no field behind it; the next one
// is.
func TestTheSpaceThatPressedAButton(t *testing.T) {
	f := page.New(pagetest.App(t), pagetest.Config(), nil)
	e := page.NewEntry(f, "", nil)
	f.Window.SetContent(e)
	canvas := f.Window.Canvas()
	canvas.Focus(e)
	e.TypedRune('a')
	e.KeyDown(&fyne.KeyEvent{Name: fyne.KeyReturn})
	answered := ""
	f.Question("Change it?", "Change", "Leave", widget.NewLabel(""), func(yes bool) { answered = map[bool]string{true: "yes", false: "no"}[yes] })
	canvas.FocusNext()
	pagetest.Press(canvas.Focused(), fyne.KeySpace)
	if answered != "yes" || canvas.Focused() != e {
		t.Fatalf("the answer is %q, and the cursor at %T", answered, canvas.Focused())
	}
	canvas.Focused().TypedRune(' ')
	if e.Text != "a" {
		t.Errorf("typed is %q", e.Text)
	}
	e.KeyDown(&fyne.KeyEvent{Name: fyne.KeySpace})
	e.TypedRune(' ')
	if e.Text != "a " {
		t.Errorf("then typed is %q", e.Text)
	}
}

// The Space that pressed a button, and so gave a choice of yes or no the cursor, chooses
// nothing; the next one does, once however long it is held down.
func TestTheSpaceThatLedToACheck(t *testing.T) {
	f := page.New(pagetest.App(t), pagetest.Config(), nil)
	c := page.NewCheck(f, "They also stop sharing")
	f.Window.SetContent(c)
	f.Window.Canvas().Focus(c)
	c.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
	if c.TypedRune(' '); c.Checked {
		t.Fatal("it is chosen by a slip")
	}
	pagetest.Press(c, fyne.KeySpace)
	for range 2 {
		c.TypedRune(' ')
	}
	if !c.Checked {
		t.Error("Space does not choose it")
	}
}

// Escape answers a question as its button that leaves does, and empties a field where
// nothing is asked.
func TestEscape(t *testing.T) {
	f := page.New(pagetest.App(t), pagetest.Config(), nil)
	e := page.NewEntry(f, "", nil)
	f.Window.SetContent(e)
	canvas := f.Window.Canvas()
	canvas.Focus(e)
	e.TypedRune('a')
	var answers []bool
	for range 2 {
		inside := page.NewEntry(f, "", nil)
		f.Question("Change it?", "Change", "Leave", inside, func(yes bool) { answers = append(answers, yes) })
		canvas.Focus(inside)
	}
	for range 2 {
		canvas.Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	}
	if len(answers) != 2 || answers[0] || answers[1] || canvas.Focused() != e || e.Text != "a" {
		t.Fatalf("the answers are %v, and the field has %q", answers, e.Text)
	}
	e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if e.Text != "" || canvas.Focused() != nil {
		t.Errorf("the field has %q", e.Text)
	}
}

// The mouse wheel moves the page over a field, too, to the end of the page and no further.
func TestTheWheelOverAField(t *testing.T) {
	app := pagetest.App(t)
	f := page.New(app, pagetest.Config(), nil)
	for name, field := range map[string]fyne.CanvasObject{"a field": page.NewEntry(f, "", nil), "a field with a choice": page.NewSelectEntry(f, "", nil, nil)} {
		still := container.NewVScroll(field) // that has nowhere to go
		still.SetMinSize(fyne.NewSize(100, 60))
		f.Window.SetContent(container.NewVScroll(container.NewVBox(still, tall())))
		f.Window.Resize(fyne.NewSize(300, 300))
		top := func() float32 { return app.Driver().AbsolutePositionForObject(field).Y }
		before := top()
		test.Scroll(f.Window.Canvas(), fyne.NewPos(50, before+10), 0, -30)
		if top() != before-30 {
			t.Errorf("over %s the wheel moves it from %v to %v", name, before, top())
		}
		test.Scroll(f.Window.Canvas(), fyne.NewPos(50, before-30+10), 0, 400)
		if top() != before {
			t.Errorf("over %s the wheel moves it back to %v", name, top())
		}
	}
}

// A field with a choice takes the key that gave it the cursor for nothing that is typed in
// it, either.
func TestTheKeyThatLedToAChoice(t *testing.T) {
	f := page.New(pagetest.App(t), pagetest.Config(), nil)
	done := 0
	e := page.NewSelectEntry(f, "", nil, func() { done++ })
	f.Window.SetContent(e)
	canvas := f.Window.Canvas()
	canvas.Focus(e)
	e.TypedRune(' ')
	e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if e.Text != "" || done != 0 {
		t.Fatalf("typed is %q, and that was all %d times", e.Text, done)
	}
	for _, key := range []fyne.KeyName{fyne.KeyA, fyne.KeySpace} {
		e.KeyDown(&fyne.KeyEvent{Name: key})
		e.TypedRune(map[fyne.KeyName]rune{fyne.KeyA: 'a', fyne.KeySpace: ' '}[key])
	}
	e.KeyDown(&fyne.KeyEvent{Name: fyne.KeyReturn})
	e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if e.Text != "a " || done != 1 {
		t.Errorf("typed is %q, and that was all %d times", e.Text, done)
	}
	e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if e.Text != "" || canvas.Focused() != nil {
		t.Errorf("the field has %q", e.Text)
	}
}
