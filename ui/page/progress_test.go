package page_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"footbridge/core"
	"footbridge/ui/page"
	"footbridge/ui/page/pagetest"
	"footbridge/ui/view"

	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
)

// How far a file is stands beside its bar, where it can be read however full that is.
func TestNothingIsWrittenOnABar(t *testing.T) {
	app := pagetest.App(t)
	now := pagetest.Noon
	f := page.New(app, page.Config{Now: func() time.Time { return now }}, nil)
	m := page.NewMoving(f, "Being sent now")
	f.Window.SetContent(m.Content())
	m.Show([]view.Transfer{{ID: "1", File: "film.mp4", Bytes: 40, Of: 100}})
	now = now.Add(3 * time.Second)
	m.Show([]view.Transfer{{ID: "1", File: "film.mp4", Bytes: 48, Of: 100}})
	beside, bars := false, 0
	for _, o := range test.LaidOutObjects(m.Content()) {
		switch o := o.(type) {
		case *widget.Label:
			beside = beside || o.Text == "48 %"
		case *widget.ProgressBar:
			bars++
			for _, o := range test.LaidOutObjects(o) {
				if text, ok := o.(*canvas.Text); ok && text.Text != "" {
					t.Errorf("on the bar stands %q", text.Text)
				}
			}
		}
	}
	if bars != 1 || !beside {
		t.Errorf("%d bars are drawn, and beside them stands how full they are: %v", bars, beside)
	}
}

// Small files that come and go are not shown; one that takes longer is, for as long as it does.
func TestWhatIsThereInAMomentIsNotShown(t *testing.T) {
	now := pagetest.Noon
	f := page.New(pagetest.App(t), page.Config{Now: func() time.Time { return now }}, nil)
	m := page.NewMoving(f, "Being sent now")
	film := view.Transfer{ID: "film", File: "film.mp4", Bytes: 48, Of: 100}
	for second := range 10 {
		m.Show([]view.Transfer{{ID: core.UploadID(fmt.Sprint(second)), File: "row.txt", Bytes: 9, Of: 9}, film})
		if m.Content().Visible() != (second >= 3) {
			t.Errorf("after %d s it is seen: %v", second, m.Content().Visible())
		}
		now = now.Add(time.Second)
	}
	for _, o := range test.LaidOutObjects(m.Content()) {
		if l, ok := o.(*widget.Label); ok && strings.Contains(l.Text, "row.txt") {
			t.Errorf("shown is %q", l.Text)
		}
	}
	if m.Show(nil); m.Content().Visible() {
		t.Error("it is seen where nothing moves")
	}
}
