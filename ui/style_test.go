package ui_test

import (
	"testing"

	"footbridge/ui"
	looks "footbridge/ui/look"
	"footbridge/ui/page"
	"footbridge/ui/page/pagetest"

	"fyne.io/fyne/v2"
)

// A page that was drawn in other colours is drawn anew when it is opened, once, and what
// stands in its fields stays.
func TestColoursAreChosen(t *testing.T) {
	app := pagetest.App(t)
	window := ui.New(app, busy(), ui.Config{Config: pagetest.Config()})
	w := &seen{pagetest.Look(t, window.Shown(), window.Step), window}
	drawn := 0
	app.Settings().AddListener(func(fyne.Settings) { drawn++ })
	w.press("2")
	w.press("F")
	w.Write("walk")
	w.Settle()
	if w.press("1"); drawn != 0 {
		t.Fatalf("it was drawn anew %d times in the same colours", drawn)
	}
	looks.Choose(app, looks.Look{Variant: looks.Light, Scale: 150})
	for _, step := range []struct {
		page fyne.KeyName
		want int
	}{{"1", 1}, {"2", 2}, {"1", 2}, {"2", 2}, {"7", 3}, {"2", 3}} {
		if w.press(step.page); drawn != step.want {
			t.Errorf("page %s: drawn anew %d times, not %d", step.page, drawn, step.want)
		}
	}
	if found := pagetest.Find(w.Seen, func(e *page.Entry) bool { return e.Text == "walk" }); len(found) != 1 {
		t.Error("what was typed is gone")
	}
	looks.Choose(app, looks.Look{Variant: looks.Dark, Scale: 150})
	if w.press("7"); drawn != 5 {
		t.Errorf("drawn anew %d times, not 5", drawn)
	}
}
