package ui

import (
	"context"
	"slices"
	"strconv"
	"sync/atomic"

	"footbridge/ui/devices"
	"footbridge/ui/help"
	"footbridge/ui/page"
	"footbridge/ui/people"
	"footbridge/ui/settings"
	"footbridge/ui/site"
	"footbridge/ui/study"
	"footbridge/ui/tongue"
	"footbridge/ui/uploads"
	"footbridge/ui/view"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// title is what the program is called, in every language.
const title = "Footbridge"

// Config says how a window is. Its zero value works.
type Config struct {
	page.Config

	// Serves says that devices cannot send once the program ends: the window asks before,
	// or goes into the tray.
	Serves bool

	Tray    Tray              // of the desktop; nil: it has none
	Desktop Desktop           // that the window is on; nil: it tells no place
	Login   settings.Login    // of whoever sits here; nil: nothing can be started for them
	Hidden  bool              // the window begins in the tray, where there is one
	About   func() view.About // of the program; nil: nothing is known of it

	// Speaks gives the language that the site speaks to staff now, and the appliance in
	// it; false where that is not known now. It is asked outside of the drawing. nil: the
	// language stays.
	Speaks func() (tongue.Tongue, Appliance, bool)
}

// Window is all that a person sees. Its methods but Run and Step belong to the thread
// that draws.
type Window struct {
	frame     *page.Frame
	appliance Appliance // in the language of the frame
	bell      <-chan struct{}
	speaks    func() (tongue.Tongue, Appliance, bool) // nil: the language stays
	about     func() view.About
	pages     []page.Page
	uploads   *uploads.Page
	buttons   []*page.Button
	stage     *fyne.Container
	scroll    *container.Scroll // a page that has no room scrolls as a whole
	open      int               // which page is seen
	site      view.Site
	away      *away
	help      *help.Page
	tray      *tray
	serves    bool
	hidden    bool           // in the tray
	desktop   Desktop        // nil: it tells no place
	login     settings.Login // nil: nothing can be started
	settled   bool           // the window is where it was last
	style     style          // of what is seen
	stale     []page.Page    // pages that are drawn otherwise
	closing   bool           // a person asked for it, and is asked whether they know what it means
	moves     atomic.Bool    // something is on its way
}

// New makes a window of an app; whoever has the app shows it and runs it.
func New(app fyne.App, appliance Appliance, config Config) *Window {
	if config.About == nil {
		config.About = func() view.About { return view.About{} }
	}
	w := &Window{
		appliance: appliance, bell: appliance.Changes(), speaks: config.Speaks, about: config.About, stage: container.NewStack(), away: newAway(),
		serves: config.Serves, hidden: config.Hidden && config.Tray != nil, desktop: config.Desktop, login: config.Login,
	}
	w.frame = page.New(app, config.Config, w)
	w.frame.Tell(w.frame.Say("window.asking"))
	w.scroll = container.NewScroll(w.stage)
	w.build()
	w.frame.Window.Resize(w.size())
	w.frame.Window.SetCloseIntercept(w.askToClose)
	w.style = styleOf(app.Settings())
	app.Settings().AddListener(func(s fyne.Settings) { fyne.Do(func() { w.restyled(s) }) })
	w.frame.Window.SetMaster() // the tray has a window of its own, which nobody sees
	w.tray = &tray{w: w, to: config.Tray}
	w.tray.begin()
	w.turn(0)
	return w
}

// build makes the pages, and what stands around them, in the language that is spoken.
func (w *Window) build() {
	w.uploads = uploads.New(w.frame, w.appliance, w.appliance)
	w.help = help.New(w.frame, w.about)
	places := map[view.Place]page.Page{
		view.PlaceStudy:    study.New(w.frame, w.appliance, w.appliance, w.appliance),
		view.PlaceSettings: settings.New(w.frame, w.appliance, w.login),
	}
	places[view.PlaceSending] = site.NewSending(w.frame, w.appliance, w.appliance, w.appliance, w.appliance, w.uploads, places)
	w.pages = []page.Page{
		site.NewOverview(w.frame, w.uploads, places), w.uploads, places[view.PlaceSending], people.New(w.frame, w.appliance, w.appliance, w.uploads),
		places[view.PlaceStudy], devices.New(w.frame, w.appliance), places[view.PlaceSettings], site.NewActivity(w.frame, w.appliance), w.help,
	}
	names := container.New(bar{})
	w.buttons = nil
	for i, p := range w.pages {
		label, icon := p.Name()
		b := page.NewButton(w.frame, label, icon, func() { w.turn(i) })
		b.Alignment = widget.ButtonAlignLeading
		w.buttons = append(w.buttons, b)
		names.Add(b)
		w.keep(pageKey(i), func() { w.turn(i) })
	}
	w.keep(searchKey(), w.search)
	w.keep(page.HelpKey(), func() { w.Open(w.help) })
	foot := container.NewVBox(widget.NewSeparator(), newFoot(w.frame, len(w.pages)))
	w.frame.Window.SetContent(container.NewBorder(w.away.all, foot, container.NewVScroll(container.NewPadded(names)), nil, w.scroll))
}

// ShowAndRun shows the window, or leaves it in the tray, and runs the app.
func (w *Window) ShowAndRun() {
	if !w.hidden {
		w.frame.Window.Show()
	}
	w.frame.App.Run()
}

// Shown is the window itself.
func (w *Window) Shown() fyne.Window { return w.frame.Window }

func pageKey(i int) fyne.Shortcut {
	return &desktop.CustomShortcut{KeyName: fyne.KeyName(strconv.Itoa(i + 1)), Modifier: fyne.KeyModifierShortcutDefault}
}

func searchKey() fyne.Shortcut {
	return &desktop.CustomShortcut{KeyName: fyne.KeyF, Modifier: fyne.KeyModifierShortcutDefault}
}

// TypedShortcut does what a key of the window does (fyne.Shortcutable).
func (w *Window) TypedShortcut(key fyne.Shortcut) { w.frame.TypedShortcut(key) }

// keep has a key do something, except where a dialog waits for its answer.
func (w *Window) keep(key fyne.Shortcut, do func()) {
	w.frame.Keep(key, func() {
		if w.closeMenus() {
			do()
		}
	})
}

// closeMenus closes the menus that were left open, as a tap beside them does; false where
// a dialog is open, which such a tap leaves: what it shows may be shown once.
func (w *Window) closeMenus() bool {
	overlays := w.frame.Window.Canvas().Overlays()
	for top := overlays.Top(); top != nil; top = overlays.Top() {
		if menu, ok := top.(fyne.Tappable); ok {
			menu.Tapped(&fyne.PointEvent{})
		}
		if overlays.Top() == top {
			return false
		}
	}
	return true
}

// turn opens a page.
func (w *Window) turn(to int) {
	if to != w.open {
		w.frame.Tell("") // it was said of another page
	}
	w.open = to
	w.closeMenus()
	canvas := w.frame.Window.Canvas()
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
	w.dress()
	w.scroll.ScrollToTop()
	p.Show(w.site)
	if canvas.Unfocus(); p.First() != nil {
		canvas.Focus(p.First())
		w.scroll.ScrollToTop() // what stands above it is read first
	}
	w.Refresh()
}

// search puts the cursor where a search is typed: on the page that is seen where it has
// one, else on that of the uploads.
func (w *Window) search() {
	if p, ok := w.pages[w.open].(page.Searcher); ok {
		p.Search()
		return
	}
	w.Open(w.uploads)
	w.uploads.Search()
}

// askToClose closes the window: where devices could not send then, once a person knows
// that, unless it goes on in the tray.
func (w *Window) askToClose() {
	switch {
	case !w.serves:
		w.quit()
		return
	case w.closing: // it is being asked
		return
	case w.tray.to != nil:
		w.toTray()
		return
	}
	w.closing = true
	f := w.frame
	f.Question(f.Say("window.close"), f.Say("window.close_do"), f.Say("window.leave"), page.Plain(f.Say("window.close_why")), func(yes bool) {
		if w.closing = false; yes {
			w.quit()
		}
	})
}

// Open shows a page instead of the one that is seen (page.Stage).
func (w *Window) Open(p page.Page) { w.turn(slices.Index(w.pages, p)) }

// Refresh asks how things are (page.Stage).
func (w *Window) Refresh() {
	w.frame.Fade()
	appliance := w.appliance
	w.frame.Ask("site", func(ctx context.Context) (func(), error) {
		speak := w.spoken()
		site, err := appliance.Site(ctx)
		return func() {
			speak()
			w.show(site, err)
		}, nil
	})
	w.pages[w.open].Update()
}

// show draws a site, or, where it does not answer, what is known of it and that this is
// of before.
func (w *Window) show(site view.Site, err error) {
	reader := w.frame.Reader()
	if site.At = reader.Now; err != nil {
		site = w.site
		site.Trouble = err.Error()
	}
	w.site = site
	w.away.tell(reader.Away(site))
	w.tray.draw(site)
	w.moves.Store(err == nil && site.Traffic.Moves())
	w.pages[w.open].Show(site)
	w.frame.Over(w.frame.Say("window.asking"))
}
