package ui_test

import (
	"fmt"
	"strings"
	"testing"

	"footbridge/ui"
	looks "footbridge/ui/look"
	"footbridge/ui/page"
	"footbridge/ui/page/pagetest"
	"footbridge/ui/tongue"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// everyPage opens each page in turn.
func everyPage(t *testing.T, w *seen, do func(t *testing.T, again func())) {
	for i := range 9 {
		again := func() { w.press(fyne.KeyName(fmt.Sprint(i + 1))) }
		again()
		t.Run(w.window.Shown().Title(), func(t *testing.T) { do(t, again) })
	}
}

// Wherever the cursor is, F1 opens the help.
func TestHelpFromEverywhere(t *testing.T) {
	w := look(t, busy(), ui.Config{})
	canvas := w.window.Shown().Canvas()
	kinds, seen := map[string]bool{}, map[fyne.Focusable]bool{}
	everyPage(t, w, func(t *testing.T, again func()) {
		for _, o := range w.Focusable() {
			if seen[o] {
				continue // it stands beside every page
			}
			seen[o], kinds[fmt.Sprintf("%T", o)] = true, true
			again()
			o.TypedKey(&fyne.KeyEvent{Name: fyne.KeyF1})
			w.Settle()
			if search, ok := canvas.Focused().(*page.Entry); !ok || search.PlaceHolder != "Search in the help" {
				t.Errorf("a %T opens no help: the cursor is at a %T", o, canvas.Focused())
			}
		}
	})
	for _, kind := range []string{"Button", "Bars", "Entry", "List", "Scroll", "Select"} {
		if !kinds["*page."+kind] {
			t.Errorf("there is no %s among %v", kind, kinds)
		}
	}
}

// A key leads to the search of the page that is seen, and from one that has none to that of
// the uploads.
func TestTheSearchOfThePage(t *testing.T) {
	w := look(t, busy(), ui.Config{})
	for i, want := range []string{"file", "file", "file", "id", "file", "file", "settings", "did", "help"} {
		w.press(fyne.KeyName(fmt.Sprint(i + 1)))
		before := w.window.Shown().Title()
		w.press(fyne.KeyF)
		at, ok := w.window.Shown().Canvas().Focused().(*page.Entry)
		if !ok || !strings.Contains(at.PlaceHolder, want) {
			t.Errorf("from %s it leads to %+v", before, at)
		}
		if now := w.window.Shown().Title(); want != "file" && now != before {
			t.Errorf("it leads from %s to %s", before, now)
		}
	}
}

// large is a window on a small screen, for who needs large text.
func large(t *testing.T, s *site, scale int) *seen {
	t.Helper()
	return largeIn(t, s, scale, tongue.In("en"))
}

func largeIn(t *testing.T, s *site, scale int, spoken tongue.Tongue) *seen {
	t.Helper()
	app := pagetest.App(t)
	app.Settings().SetTheme(looks.Theme{Look: looks.Look{Variant: looks.Light, Scale: scale}})
	config := pagetest.Config()
	config.Tongue = spoken
	w := ui.New(app, s, ui.Config{Config: config})
	l := &seen{pagetest.Look(t, w.Shown(), w.Step), w}
	l.settleLayout()
	return l
}

// settleLayout lays everything out until the lines of all texts are known, as a window on
// a screen does by itself.
func (w *seen) settleLayout() {
	for i := range 8 {
		w.window.Shown().Resize(fyne.NewSize(1280, 800-float32(1-i%2)))
	}
}

// However large the text is, no page needs more than a small screen, and nothing in it is
// left out.
func TestLargeTextFits(t *testing.T) {
	for _, scale := range looks.Scales() {
		w := large(t, busy(), scale)
		everyPage(t, w, func(t *testing.T, _ func()) {
			w.settleLayout()
			if least := w.window.Shown().Content().MinSize(); least.Width > 1280 || least.Height > 800 {
				t.Errorf("at %d %% it needs %v", scale, least)
			}
			for _, l := range pagetest.Find(w.Seen, func(l *widget.Label) bool { return l.Truncation != fyne.TextTruncateOff }) {
				t.Errorf("the end of %q may be left out", l.Text)
			}
		})
	}
}

// What stands in an empty field is read to its end, in every language: it says what the
// field is for, and the toolkit cuts it.
func TestWhatStandsInEmptyFieldsFits(t *testing.T) {
	for _, language := range tongue.Languages() {
		w := largeIn(t, busy(), 200, tongue.In(language.Code))
		everyPage(t, w, func(t *testing.T, _ func()) {
			w.settleLayout()
			for _, e := range pagetest.Find(w.Seen, func(e *page.Entry) bool { return e.PlaceHolder != "" && e.Size().Width > 0 }) {
				needs := fyne.MeasureText(e.PlaceHolder, theme.TextSize(), fyne.TextStyle{}).Width + 4*theme.InnerPadding()
				if needs > e.Size().Width {
					t.Errorf("in %s %q needs %v, and has %v", language.Code, e.PlaceHolder, needs, e.Size().Width)
				}
			}
		})
	}
}

// The keys stand below every page where they have one line, and else the one that leads
// to them.
func TestTheKeysHaveOneLine(t *testing.T) {
	for _, language := range tongue.Languages() {
		spoken := tongue.In(language.Code)
		w := largeIn(t, busy(), 100, spoken)
		for _, width := range []float32{1280, 1024, 800} {
			w.window.Shown().Resize(fyne.NewSize(width, 700))
			all, few := spoken.Say("window.keys", "last", "9"), spoken.Say("window.keys_few")
			keys := pagetest.Find(w.Seen, func(l *widget.Label) bool { return l.Text == all || l.Text == few })
			if len(keys) != 1 {
				t.Fatalf("in %s there are %d of them at %v", language.Code, len(keys), width)
			}
			line := fyne.MeasureText(keys[0].Text, theme.TextSize(), fyne.TextStyle{}).Width
			if line > keys[0].Size().Width {
				t.Errorf("in %s %q is cut at %v", language.Code, keys[0].Text, width)
			}
			if width == 1280 && keys[0].Text != all {
				t.Errorf("in %s there is room for all keys", language.Code)
			}
		}
	}
}

// Who goes by Tab sees where the cursor is, however large the text is.
func TestTheCursorIsInSight(t *testing.T) {
	for _, scale := range []int{100, 200} {
		w := large(t, busy(), scale)
		canvas := w.window.Shown().Canvas()
		everyPage(t, w, func(t *testing.T, _ func()) {
			w.settleLayout()
			foot := pagetest.Find(w.Seen, func(l *widget.Label) bool { return l == w.window.Notice() })[0]
			driver := fyne.CurrentApp().Driver()
			end := driver.AbsolutePositionForObject(foot).Y
			canvas.Unfocus()
			for range len(w.Focusable()) {
				canvas.FocusNext()
				o := canvas.Focused().(fyne.CanvasObject)
				at, size := driver.AbsolutePositionForObject(o), o.Size()
				if at.X < 0 || at.Y < 0 || at.Y+min(size.Height, end/2) > end || at.X+min(size.Width, 640) > 1280 {
					t.Errorf("at %d %% a %T of %v has the cursor at %v; the page ends at %v", scale, o, size, at, end)
				}
			}
		})
	}
}
