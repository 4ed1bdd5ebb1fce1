package page_test

import (
	"testing"

	"footbridge/ui/page"
	"footbridge/ui/page/pagetest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/widget"
)

// tall is something higher than the windows here.
func tall() fyne.CanvasObject {
	r := canvas.NewRectangle(nil)
	r.SetMinSize(fyne.NewSize(50, 900))
	return r
}

// What has the cursor is brought into sight, in whatever it lies.
func TestSee(t *testing.T) {
	for name, put := range map[string]func(f *page.Frame, what fyne.CanvasObject){
		"in a scroll": func(f *page.Frame, what fyne.CanvasObject) {
			f.Window.SetContent(container.NewVScroll(container.NewVBox(tall(), what, tall())))
		},
		"in a scroll of ours": func(f *page.Frame, what fyne.CanvasObject) {
			f.Window.SetContent(page.NewScroll(f, "lines", container.NewVBox(tall(), what)))
		},
		"in a scroll in a scroll": func(f *page.Frame, what fyne.CanvasObject) {
			inner := container.NewVScroll(container.NewVBox(tall(), what))
			inner.SetMinSize(fyne.NewSize(100, 200))
			f.Window.SetContent(container.NewScroll(container.NewVBox(tall(), inner, tall())))
		},
		"in a pane": func(f *page.Frame, what fyne.CanvasObject) {
			f.Window.SetContent(page.Beside(widget.NewLabel("left"), container.NewVScroll(container.NewVBox(tall(), what)), 0.5))
		},
		"in a form": func(f *page.Frame, what fyne.CanvasObject) {
			f.Window.SetContent(container.NewVScroll(container.NewVBox(tall(), widget.NewForm(widget.NewFormItem("name", what)))))
		},
		"in a dialog": func(f *page.Frame, what fyne.CanvasObject) {
			f.Window.SetContent(container.NewVScroll(tall()))
			shown := container.NewVScroll(container.NewVBox(tall(), what))
			f.Above(shown)
			d := dialog.NewCustomWithoutButtons("title", shown, f.Window)
			d.Resize(fyne.NewSize(250, 250))
			d.Show()
		},
	} {
		t.Run(name, func(t *testing.T) {
			app := pagetest.App(t)
			f := page.New(app, pagetest.Config(), nil)
			f.Window.Resize(fyne.NewSize(300, 300))
			entry := page.NewEntry(f, "name", nil)
			put(f, entry)
			f.Window.Resize(fyne.NewSize(300, 300))
			top := func() float32 { return app.Driver().AbsolutePositionForObject(entry).Y }
			if top() < 300 {
				t.Fatalf("it is in sight before, at %v", top())
			}
			f.Window.Canvas().Focus(entry)
			if at := top(); at < 0 || at+entry.Size().Height > 300 {
				t.Errorf("it is at %v", at)
			}
		})
	}
}

// Something of what was there changed, and is seen as it is now; what is in sight stays
// where it is.
func TestSeeWhatGrew(t *testing.T) {
	app := pagetest.App(t)
	f := page.New(app, pagetest.Config(), nil)
	grows, button := container.NewVBox(), page.NewButton(f, "Press", nil, nil)
	f.Window.SetContent(container.NewVScroll(container.NewVBox(grows, button)))
	f.Window.Resize(fyne.NewSize(300, 300))
	at := func() float32 { return app.Driver().AbsolutePositionForObject(button).Y }
	before := at()
	f.See(button)
	if at() != before {
		t.Errorf("it moved from %v to %v", before, at())
	}
	grows.Add(tall())
	f.See(button)
	if at() < 0 || at()+button.Size().Height > 300 {
		t.Errorf("it is at %v", at())
	}
	grows.Add(tall())
	button = page.NewButton(f, "Press, too", nil, nil)
	grows.Add(container.NewVBox(button))
	f.Window.Canvas().Focus(button)
	if at() < 0 || at()+button.Size().Height > 300 {
		t.Errorf("what is new is at %v", at())
	}
}
