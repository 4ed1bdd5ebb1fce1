package page_test

import (
	"testing"

	"footbridge/ui/page"
	"footbridge/ui/page/pagetest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
)

// A list is walked through by every key that walks.
func TestList(t *testing.T) {
	f := page.New(pagetest.App(t), pagetest.Config(), nil)
	n := 1000
	l := page.NewList(f, func() int { return n }, func() fyne.CanvasObject { return widget.NewLabel("row") }, func(int, fyne.CanvasObject) {})
	chosen := -1
	l.Chosen = func(i int) { chosen = i; l.UnselectAll() }
	f.Window.SetContent(l)
	f.Window.Resize(fyne.NewSize(300, 400))
	at := func(key fyne.KeyName) int {
		l.TypedKey(&fyne.KeyEvent{Name: key})
		l.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
		spaced := chosen
		chosen = -2
		if l.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn}); n > 0 && chosen != spaced {
			t.Errorf("Return chooses %d, and Space %d", chosen, spaced)
		}
		return spaced
	}
	leaf := at(fyne.KeyPageDown)
	if leaf < 5 || leaf > 15 {
		t.Fatalf("a page is %d rows", leaf)
	}
	for _, step := range []struct {
		key  fyne.KeyName
		want int
	}{
		{fyne.KeyPageDown, 2 * leaf}, {fyne.KeyDown, 2*leaf + 1}, {fyne.KeyPageUp, leaf + 1}, {fyne.KeyEnd, 999}, {fyne.KeyPageDown, 999},
		{fyne.KeyUp, 998}, {fyne.KeyHome, 0}, {fyne.KeyPageUp, 0},
	} {
		if got := at(step.key); got != step.want {
			t.Errorf("%s leads to %d, not %d", step.key, got, step.want)
		}
	}
	test.TapCanvas(f.Window.Canvas(), fyne.NewPos(20, 200))
	tapped := chosen
	if got := at(fyne.KeyPageDown); tapped < 2 || got != tapped+leaf {
		t.Errorf("from the row %d that was tapped the next page leads to %d", tapped, got)
	}
	if n = 0; at(fyne.KeyEnd) != tapped+leaf {
		t.Error("an empty list has a row")
	}
}

// A row is brought into sight wholly, although rows turn out to be higher when they are
// drawn.
func TestHighRows(t *testing.T) {
	app := pagetest.App(t)
	f := page.New(app, pagetest.Config(), nil)
	drawn := map[int]fyne.CanvasObject{}
	var l *page.List
	l = page.NewList(f, func() int { return 200 }, func() fyne.CanvasObject { return widget.NewLabel("row") }, func(i int, o fyne.CanvasObject) {
		drawn[i] = o
		l.SetItemHeight(i, float32(60+i%3*20))
	})
	f.Window.SetContent(l)
	f.Window.Resize(fyne.NewSize(300, 400))
	seen := func(row int) bool {
		top := app.Driver().AbsolutePositionForObject(drawn[row]).Y - app.Driver().AbsolutePositionForObject(l).Y
		return top >= 0 && top+float32(60+row%3*20) <= l.Size().Height+1
	}
	l.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
	if !seen(199) {
		t.Error("End leads beside the last row")
	}
	if l.ScrollTo(100); !seen(100) {
		t.Error("a row that is sought is not seen")
	}
}
