package ui

import (
	"context"
	"slices"

	"footbridge/ui/page"
	"footbridge/ui/site"
	"footbridge/ui/study"
	"footbridge/ui/uploads"
	"footbridge/ui/view"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// title is what the program is called, in every language.
const title = "Footbridge"

// Config says how a window is. Its zero value works.
type Config struct {
	page.Config

	// Serves says that devices cannot send once the window is closed: it asks before.
	Serves bool
}

// Window is all that a person sees. Its methods but Run and Step belong to the thread
// that draws.
type Window struct {
	frame     *page.Frame
	appliance Appliance
	pages     []page.Page
	uploads   *uploads.Page
	buttons   []*widget.Button
	stage     *fyne.Container
	open      int // which page is seen
	site      view.Site
}

// New makes a window of an app; whoever has the app shows it and runs it.
func New(app fyne.App, appliance Appliance, config Config) *Window {
	w := &Window{appliance: appliance, stage: container.NewStack()}
	w.frame = page.New(app, config.Config, w)
	w.frame.Tell(w.frame.Say("window.asking"))
	w.uploads = uploads.New(w.frame, appliance)
	w.pages = []page.Page{
		site.NewOverview(w.frame, w.uploads), w.uploads, site.NewSending(w.frame, appliance, appliance, w.uploads), site.NewActivity(w.frame, appliance),
		study.New(w.frame, appliance, appliance, appliance),
	}
	bar := container.NewVBox()
	for i, p := range w.pages {
		label, icon := p.Name()
		b := widget.NewButtonWithIcon(label, icon, func() { w.turn(i) })
		b.Alignment = widget.ButtonAlignLeading
		w.buttons = append(w.buttons, b)
		bar.Add(b)
		w.frame.Keep(pageKey(i), func() { w.turn(i) })
	}
	w.frame.Keep(searchKey(), w.uploads.Search)
	foot := container.NewVBox(widget.NewSeparator(), container.NewBorder(nil, nil, nil, widget.NewLabel(w.frame.Say("window.keys")), w.frame.Notice))
	w.frame.Window.SetContent(container.NewBorder(nil, foot, container.NewPadded(bar), nil, w.stage))
	w.frame.Window.Resize(fyne.NewSize(1180, 720))
	if config.Serves {
		w.frame.Window.SetCloseIntercept(w.askToClose)
	}
	w.turn(0)
	return w
}

// Shown is the window itself.
func (w *Window) Shown() fyne.Window { return w.frame.Window }

func pageKey(i int) fyne.Shortcut {
	return &desktop.CustomShortcut{KeyName: []fyne.KeyName{fyne.Key1, fyne.Key2, fyne.Key3, fyne.Key4, fyne.Key5}[i], Modifier: fyne.KeyModifierShortcutDefault}
}

func searchKey() fyne.Shortcut {
	return &desktop.CustomShortcut{KeyName: fyne.KeyF, Modifier: fyne.KeyModifierShortcutDefault}
}

// TypedShortcut does what a key of the window does (fyne.Shortcutable).
func (w *Window) TypedShortcut(key fyne.Shortcut) { w.frame.TypedShortcut(key) }

// turn opens a page.
func (w *Window) turn(to int) {
	w.open = to
	canvas := w.frame.Window.Canvas()
	for top := canvas.Overlays().Top(); top != nil; top = canvas.Overlays().Top() {
		canvas.Overlays().Remove(top) // a menu that was left open
	}
	for i, b := range w.buttons {
		_, b.Icon = w.pages[i].Name()
		b.Importance = widget.LowImportance
		if i == to { // by colour, and by shape
			b.Importance, b.Icon = widget.HighImportance, theme.NavigateNextIcon()
		}
		b.Refresh()
	}
	p := w.pages[to]
	name, _ := p.Name()
	w.frame.Window.SetTitle(title + ": " + name)
	w.stage.Objects = []fyne.CanvasObject{p.Content()}
	w.stage.Refresh()
	p.Show(w.site)
	if canvas.Unfocus(); p.First() != nil {
		canvas.Focus(p.First())
	}
	w.Refresh()
}

// askToClose closes the window once a person knows what that means.
func (w *Window) askToClose() {
	dialog.ShowConfirm(w.frame.Say("window.close"), w.frame.Say("window.close_why"), func(yes bool) {
		if yes {
			w.frame.Window.Close()
		}
	}, w.frame.Window)
}

// Open shows a page instead of the one that is seen (page.Stage).
func (w *Window) Open(p page.Page) { w.turn(slices.Index(w.pages, p)) }

// Refresh asks how things are (page.Stage).
func (w *Window) Refresh() {
	w.frame.Ask("site", func(ctx context.Context) (func(), error) {
		site, err := w.appliance.Site(ctx)
		return func() {
			w.site = site
			w.pages[w.open].Show(site)
			if w.frame.Notice.Text == w.frame.Say("window.asking") {
				w.frame.Tell("")
			}
		}, err
	})
	w.pages[w.open].Update()
}
