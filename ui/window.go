package ui

import (
	"context"
	"time"

	"footbridge/ui/view"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Config says how a window is. Its zero value works.
type Config struct {
	Now  func() time.Time // nil: time.Now
	Zone *time.Location   // of the reader; nil: that of the machine

	// Serves says that devices cannot send once the window is closed: it asks before.
	Serves bool
}

// page is one screen.
type page interface {
	// name is what the page is called, and its icon.
	name() (string, fyne.Resource)

	// content is drawn once, and changed by show and by what update asks for.
	content() fyne.CanvasObject

	// first has the cursor once the page is opened; nil: nothing has.
	first() fyne.Focusable

	// show draws what is known of the appliance.
	show(view.Site)

	// update asks for what else the page shows.
	update()
}

// Window is all that a person sees. Its methods but Run and Step belong to the thread
// that draws.
type Window struct {
	feed     Feed
	commands Commands
	config   Config
	errands  *errands

	app     fyne.App
	window  fyne.Window
	keys    fyne.ShortcutHandler
	pages   []page
	buttons []*widget.Button
	stage   *fyne.Container
	notice  *widget.Label
	failed  string // name of the errand whose error is the notice
	open    int    // which page is seen
	site    view.Site
	uploads *uploads
}

// The pages, in their order.
const (
	pageOverview = iota
	pageUploads
	pageSync
	pageActivity
)

// New makes a window of an app; whoever has the app shows it (Shown) and runs it.
func New(app fyne.App, feed Feed, commands Commands, config Config) *Window {
	if config.Now == nil {
		config.Now = time.Now
	}
	if config.Zone == nil {
		config.Zone = time.Local
	}
	w := &Window{
		feed: feed, commands: commands, config: config, errands: newErrands(),
		app: app, window: app.NewWindow(view.LabelTitle), notice: widget.NewLabel(view.LabelAsked), stage: container.NewStack(),
	}
	w.notice.Truncation = fyne.TextTruncateEllipsis
	w.uploads = newUploads(w)
	w.pages = []page{newOverview(w), w.uploads, newSync(w), newActivity(w)}
	bar := container.NewVBox()
	for i, p := range w.pages {
		label, icon := p.name()
		b := widget.NewButtonWithIcon(label, icon, func() { w.turn(i) })
		b.Alignment = widget.ButtonAlignLeading
		w.buttons = append(w.buttons, b)
		bar.Add(b)
		w.keep(pageKey(i), func() { w.turn(i) })
	}
	w.keep(searchKey(), w.search)
	foot := container.NewVBox(widget.NewSeparator(), container.NewBorder(nil, nil, nil, widget.NewLabel(view.LabelKeys), w.notice))
	w.window.SetContent(container.NewBorder(nil, foot, container.NewPadded(bar), nil, w.stage))
	w.window.Resize(fyne.NewSize(1180, 720))
	if config.Serves {
		w.window.SetCloseIntercept(w.askToClose)
	}
	w.turn(pageOverview)
	return w
}

// keep has a key do something, wherever the cursor is.
func (w *Window) keep(key fyne.Shortcut, do func()) {
	w.keys.AddShortcut(key, func(fyne.Shortcut) { do() })
	w.window.Canvas().AddShortcut(key, func(fyne.Shortcut) { do() })
}

// TypedShortcut does what a key of the window does (fyne.Shortcutable).
func (w *Window) TypedShortcut(key fyne.Shortcut) { w.keys.TypedShortcut(key) }

// Shown is the window itself.
func (w *Window) Shown() fyne.Window { return w.window }

func pageKey(i int) fyne.Shortcut {
	return &desktop.CustomShortcut{KeyName: []fyne.KeyName{fyne.Key1, fyne.Key2, fyne.Key3, fyne.Key4}[i], Modifier: fyne.KeyModifierShortcutDefault}
}

func searchKey() fyne.Shortcut {
	return &desktop.CustomShortcut{KeyName: fyne.KeyF, Modifier: fyne.KeyModifierShortcutDefault}
}

// turn opens a page.
func (w *Window) turn(to int) {
	w.open = to
	canvas := w.window.Canvas()
	for top := canvas.Overlays().Top(); top != nil; top = canvas.Overlays().Top() {
		canvas.Overlays().Remove(top) // a menu that was left open
	}
	for i, b := range w.buttons {
		_, b.Icon = w.pages[i].name()
		b.Importance = widget.LowImportance
		if i == to { // by colour, and by shape
			b.Importance, b.Icon = widget.HighImportance, theme.NavigateNextIcon()
		}
		b.Refresh()
	}
	p := w.pages[to]
	name, _ := p.name()
	w.window.SetTitle(view.LabelTitle + ": " + name)
	w.stage.Objects = []fyne.CanvasObject{p.content()}
	w.stage.Refresh()
	p.show(w.site)
	if canvas.Unfocus(); p.first() != nil {
		canvas.Focus(p.first())
	}
	w.refresh()
}

// search opens the uploads with the cursor where a search is typed.
func (w *Window) search() {
	w.turn(pageUploads)
	w.window.Canvas().Focus(w.uploads.text)
}

// askToClose closes the window once a person knows what that means.
func (w *Window) askToClose() {
	dialog.ShowConfirm(view.LabelClose, view.LabelCloseWhy, func(yes bool) {
		if yes {
			w.window.Close()
		}
	}, w.window)
}

// reader is who reads now.
func (w *Window) reader() view.Reader { return view.Reader{Now: w.config.Now(), Zone: w.config.Zone} }

// refresh asks how things are.
func (w *Window) refresh() {
	w.errands.add("site", func(ctx context.Context) (func(), error) {
		site, err := w.feed.Site(ctx)
		return func() {
			w.site = site
			w.pages[w.open].show(site)
			if w.notice.Text == view.LabelAsked {
				w.say("")
			}
		}, err
	})
	w.pages[w.open].update()
}

// do has something done that a person asked for, says so, and looks what came of it.
func (w *Window) do(what func(context.Context) error, said string) {
	w.errands.add("", func(ctx context.Context) (func(), error) {
		err := what(ctx)
		return func() {
			w.say(said)
			w.refresh()
		}, err
	})
}

// say puts a sentence where the window's own words stand.
func (w *Window) say(text string) {
	w.failed = ""
	w.notice.SetText(text)
}
