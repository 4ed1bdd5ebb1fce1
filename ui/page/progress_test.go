package page_test

import (
	"testing"

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
	f := page.New(app, pagetest.Config(), nil)
	m := page.NewMoving(f, "Being sent now")
	f.Window.SetContent(m.Content())
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
