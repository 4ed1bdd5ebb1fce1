package page

import (
	"context"
	"time"

	"footbridge/ui/tongue"
	"footbridge/ui/view"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

const (
	errandTime = 15 * time.Second // for one answer
	noticeTime = 30 * time.Second // that the window's own words stand at least
)

// Config says who looks at a window. Its zero value works.
type Config struct {
	Now    func() time.Time // nil: time.Now
	Zone   *time.Location   // of the reader; nil: that of the machine
	Tongue tongue.Tongue    // of the reader
}

// Stage has the pages. Its methods belong to the thread that draws.
type Stage interface {
	// Refresh asks again how things are.
	Refresh()

	// Open shows a page instead of the one that is seen.
	Open(Page)
}

// Frame is the window as its pages know it. Its methods but Ask, Asked and Step belong
// to the thread that draws.
type Frame struct {
	App    fyne.App
	Window fyne.Window
	Notice *widget.Label // where the window's own words stand

	tongue.Tongue
	config  Config
	errands *errands
	stage   Stage
	keys    fyne.ShortcutHandler
	dialog  fyne.CanvasObject // what the last one showed; nil: there was none
	leave   []func()          // close the dialogs that are open, the last of them first
	failed  string            // name of the errand whose error is the notice
	told    time.Time         // when the notice was
}

// New frames a window of an app for a stage.
func New(app fyne.App, config Config, stage Stage) *Frame {
	if config.Now == nil {
		config.Now = time.Now
	}
	if config.Zone == nil {
		config.Zone = time.Local
	}
	f := &Frame{App: app, Window: app.NewWindow(""), Notice: Plain(""), config: config, errands: newErrands(), stage: stage}
	f.Speak(config.Tongue)
	f.Window.Canvas().SetOnTypedKey(func(key *fyne.KeyEvent) { f.takes(key) }) // where nothing has the cursor
	return f
}

// Reader is who reads now.
func (f *Frame) Reader() view.Reader {
	return view.Reader{Tongue: f.Tongue, Window: true, Now: f.config.Now(), Zone: f.config.Zone}
}

// Ask lets the appliance be asked for something, outside of the drawing; what ask gives
// shows the answer. Of what waits to be asked under one name, only the last is asked; the
// empty name is that of none, and everything without a name is asked.
func (f *Frame) Ask(name string, ask func(context.Context) (show func(), err error)) {
	f.errands.add(errand{name: name, ask: ask})
}

// Await is Ask for what a person waits for, however long it takes. Nothing else is
// asked meanwhile.
func (f *Frame) Await(ask func(context.Context) (show func(), err error)) {
	f.errands.add(errand{ask: ask, patient: true})
}

// Do has something done that a person asked for, says so, and looks what came of it.
func (f *Frame) Do(what func(context.Context) error, said string) {
	f.DoThen(what, func() { f.Tell(said) })
}

// DoThen has something done that a person asked for, goes on with then where it was
// done, and looks what came of it.
func (f *Frame) DoThen(what func(context.Context) error, then func()) {
	f.Ask("", func(ctx context.Context) (func(), error) {
		err := what(ctx)
		return func() {
			then()
			f.stage.Refresh()
		}, err
	})
}

// Refresh asks again how things are.
func (f *Frame) Refresh() { f.stage.Refresh() }

// Open shows a page instead of the one that is seen.
func (f *Frame) Open(p Page) { f.stage.Open(p) }

// Tell puts a sentence where the window's own words stand, for a while.
func (f *Frame) Tell(text string) {
	f.failed, f.told = "", f.config.Now()
	f.Notice.SetText(text)
}

// Over takes a sentence away that was told and holds no more.
func (f *Frame) Over(text string) {
	if f.Notice.Text == text {
		f.Tell("")
	}
}

// Fade takes away what was told a while ago. What keeps something from being shown
// stands until it is mended.
func (f *Frame) Fade() {
	if f.failed == "" && f.config.Now().Sub(f.told) >= noticeTime {
		f.Over(f.Notice.Text)
	}
}

// Keep has a key do something, wherever the cursor is.
func (f *Frame) Keep(key fyne.Shortcut, do func()) {
	f.keys.AddShortcut(key, func(fyne.Shortcut) { do() })
	f.Window.Canvas().AddShortcut(key, func(fyne.Shortcut) { do() })
}

// TypedShortcut does what a key of the window does (fyne.Shortcutable).
func (f *Frame) TypedShortcut(key fyne.Shortcut) { f.keys.TypedShortcut(key) }

// Asked rings after something was asked. Nobody closes it.
func (f *Frame) Asked() <-chan struct{} { return f.errands.rung }

// Step asks the appliance for one thing that is to be asked, and shows what came of
// it; false where nothing is to be asked.
func (f *Frame) Step(ctx context.Context) bool {
	e, ok := f.errands.next()
	if !ok {
		return false
	}
	asking, stop := ctx, context.CancelFunc(func() {})
	if !e.patient {
		asking, stop = context.WithTimeout(ctx, errandTime)
	}
	defer stop()
	show, err := e.ask(asking)
	if ctx.Err() != nil {
		return false // nobody looks any more
	}
	fyne.Do(func() {
		switch {
		case err != nil:
			f.Tell(err.Error())
			f.failed = e.name
			return
		case f.failed == e.name && e.name != "":
			f.Tell("")
		}
		show()
	})
	return true
}
