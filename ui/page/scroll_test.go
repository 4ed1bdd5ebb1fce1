package page_test

import (
	"strings"
	"testing"

	"footbridge/ui/page"
	"footbridge/ui/page/pagetest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// Long text is read to its end by keyboard alone, and no further.
func TestScroll(t *testing.T) {
	app := pagetest.App(t)
	f := page.New(app, pagetest.Config(), nil)
	text := widget.NewLabel(strings.Repeat("a line\n", 100))
	s := page.NewScroll(f, "lines", text)
	f.Window.SetContent(s)
	f.Window.Resize(fyne.NewSize(300, 200))
	canvas := f.Window.Canvas()
	canvas.FocusNext()
	if canvas.Focused() != s {
		t.Fatalf("Tab comes to %T", canvas.Focused())
	}
	at := func() float32 { return app.Driver().AbsolutePositionForObject(text).Y }
	top := at()
	press := func(key fyne.KeyName) float32 {
		s.TypedKey(&fyne.KeyEvent{Name: key})
		return top - at()
	}
	end := press(fyne.KeyEnd)
	if want := text.MinSize().Height - s.Size().Height; end != want {
		t.Errorf("the end is at %v, not %v", end, want)
	}
	for _, step := range []struct {
		key  fyne.KeyName
		want func(float32) bool
	}{
		{fyne.KeyDown, func(y float32) bool { return y == end }},
		{fyne.KeyPageUp, func(y float32) bool { return y < end && y > end-s.Size().Height }},
		{fyne.KeyHome, func(y float32) bool { return y == 0 }},
		{fyne.KeyUp, func(y float32) bool { return y == 0 }},
		{fyne.KeyDown, func(y float32) bool { return y > 0 && y < s.Size().Height }},
		{fyne.KeyPageDown, func(y float32) bool { return y > 100 && y < 2*s.Size().Height }},
	} {
		if y := press(step.key); !step.want(y) {
			t.Errorf("%s leads to %v", step.key, y)
		}
	}
}
