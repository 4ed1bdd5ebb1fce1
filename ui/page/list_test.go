package page_test

import (
	"strconv"
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

// Where a list was scrolled, new rows before it move nothing that is seen; its beginning
// stays its beginning. The cursor stays on its row.
func TestRowsComeWhileSomeoneReads(t *testing.T) {
	f := page.New(pagetest.App(t), pagetest.Config(), nil)
	first, last := 0, 1000 // rows are named by numbers that fall, the newest is the first
	row := func(i int) string { return strconv.Itoa(last - i) }
	chosen := ""
	r := page.NewRows(f, page.RowsConfig{
		Columns: []page.Column{{Least: 5, Grow: 1}}, Length: func() int { return last - first },
		Line: func(i int) page.Line {
			line := page.Line{Cells: []string{row(i)}}
			if (last-i)%3 == 0 { // every third is higher
				line.Sentence = "something is to be said of it"
			}
			return line
		},
		Chosen: func(i int) { chosen = row(i) },
	})
	f.Window.SetContent(r.Content())
	f.Window.Resize(fyne.NewSize(300, 400))
	come := func(n int) {
		r.List.Keep(row, func() { last += n })
		r.Refresh()
	}
	at := func(y float32) string {
		test.TapCanvas(f.Window.Canvas(), fyne.NewPos(20, y))
		return chosen
	}
	press := func(keys ...fyne.KeyName) string {
		for _, key := range keys {
			r.List.TypedKey(&fyne.KeyEvent{Name: key})
		}
		return chosen
	}
	if come(5); at(10) != "1005" {
		t.Errorf("the list begins with %s", chosen)
	}
	if come(1); at(10) != "1006" {
		t.Errorf("a list whose first row was chosen begins with %s", chosen)
	}
	at(120)
	if come(2); at(10) != "1008" {
		t.Errorf("a list of which a row was chosen begins with %s", chosen)
	}
	wanted := at(120)
	if come(2); press(fyne.KeySpace) != wanted {
		t.Errorf("the cursor went from %s to %s", wanted, chosen)
	}

	r.List.ScrollToOffset(3333)
	upper, lower := at(30), at(350)
	for _, n := range []int{1, 7, 100, 300} {
		if come(n); at(30) != upper || at(350) != lower {
			t.Errorf("%d rows came: %s to %s are seen, not %s to %s", n, at(30), at(350), upper, lower)
		}
	}
	if come(-60); at(30) != upper || at(350) != lower {
		t.Errorf("rows went: %s to %s are seen, not %s to %s", at(30), at(350), upper, lower)
	}
	if press(fyne.KeyDown, fyne.KeySpace); chosen == lower {
		t.Error("the cursor stays")
	}
	if r.List.Keep(row, func() { last, first = 12, 10 }); last != 12 || press(fyne.KeyHome, fyne.KeySpace) != "12" {
		t.Errorf("a list that is short now begins with %s", chosen)
	}
}
