package pagetest

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"footbridge/ui/page"
	"footbridge/ui/view"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write what is drawn as what it should be")

// Noon is when tests look; theirs is UTC.
var Noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// Config is who looks: someone who reads English, a minute after noon.
func Config() page.Config {
	return page.Config{Now: func() time.Time { return Noon.Add(time.Minute) }, Zone: time.UTC}
}

// App is one without a display, which looks the same everywhere.
func App(t *testing.T) fyne.App {
	t.Helper()
	app := test.NewTempApp(t)
	app.Settings().SetTheme(test.Theme())
	return app
}

// Seen is a window before someone's eyes.
type Seen struct {
	t      *testing.T
	window fyne.Window
	step   func(context.Context) bool
}

// Look looks at a window; step asks for one thing that it wants to know, and tells
// false where it wants nothing more.
func Look(t *testing.T, window fyne.Window, step func(context.Context) bool) *Seen {
	t.Helper()
	window.Resize(fyne.NewSize(1100, 700))
	s := &Seen{t, window, step}
	s.Settle()
	return s
}

// Open looks at one page alone, which shows a site.
func Open(t *testing.T, site view.Site, make func(*page.Frame) page.Page) *Seen {
	t.Helper()
	stage := &alone{site: site}
	stage.frame = page.New(App(t), Config(), stage)
	p := make(stage.frame)
	stage.Open(p)
	return Look(t, stage.frame.Window, stage.frame.Step)
}

// alone is a stage of one page at a time.
type alone struct {
	frame *page.Frame
	page  page.Page
	site  view.Site
}

func (a *alone) Open(p page.Page) {
	a.page = p
	a.frame.Window.SetContent(p.Content())
	a.Refresh()
}

func (a *alone) Refresh() {
	a.page.Show(a.site)
	a.page.Update()
}

// Settle lets the window ask for all that it wants to know.
func (s *Seen) Settle() {
	s.t.Helper()
	for range 1000 {
		if !s.step(s.t.Context()) {
			return
		}
	}
	s.t.Fatal("it never has enough")
}

// Write types where the cursor is.
func (s *Seen) Write(text string) {
	s.t.Helper()
	at := s.window.Canvas().Focused()
	if at == nil {
		s.t.Fatal("there is no cursor")
	}
	for _, r := range text {
		at.TypedRune(r)
	}
	s.Settle()
}

// Press presses a key where the cursor is.
func (s *Seen) Press(key fyne.KeyName) {
	s.t.Helper()
	at := s.window.Canvas().Focused()
	if at == nil {
		s.t.Fatal("there is no cursor")
	}
	Press(at, key)
	s.Settle()
}

// Press presses a key at what has the cursor, which is told as the window tells it.
func Press(at fyne.Focusable, key fyne.KeyName) {
	pressed := &fyne.KeyEvent{Name: key}
	if at, ok := at.(desktop.Keyable); ok {
		at.KeyDown(pressed)
	}
	at.TypedKey(pressed)
}

// Find gives what is drawn of a kind and fits, a dialog's included.
func Find[T fyne.CanvasObject](s *Seen, fits func(T) bool) []T {
	return append(within(s.window.Content(), fits), above(s, fits)...)
}

// above is Find for what is drawn above the window: a dialog or a menu.
func above[T fyne.CanvasObject](s *Seen, fits func(T) bool) []T {
	if top := s.window.Canvas().Overlays().Top(); top != nil {
		return within(top, fits)
	}
	return nil
}

func within[T fyne.CanvasObject](all fyne.CanvasObject, fits func(T) bool) (found []T) {
	hidden := map[fyne.CanvasObject]bool{} // with what it lies in
	for _, o := range test.LaidOutObjects(all) {
		if !hidden[o] && !o.Visible() {
			for _, inner := range test.LaidOutObjects(o) {
				hidden[inner] = true
			}
		}
		if drawn, ok := o.(T); ok && !hidden[o] && fits(drawn) {
			found = append(found, drawn)
		}
	}
	return found
}

// Tap taps the first button of a name, a dialog's before those that it covers.
func (s *Seen) Tap(name string) {
	s.t.Helper()
	named := func(o fyne.CanvasObject) bool { return called(o) == name }
	all := append(above(s, named), Find(s, named)...)
	if len(all) == 0 {
		s.t.Fatalf("there is no button %s", name)
	}
	if all[0].(fyne.Disableable).Disabled() {
		s.t.Fatalf("the button %s can not be tapped", name)
	}
	test.Tap(all[0].(fyne.Tappable))
	s.Settle()
}

// called is what a button is called; empty: it is none. Dialogs have those of the toolkit.
func called(o fyne.CanvasObject) string {
	switch b := o.(type) {
	case *page.Button:
		return b.Text
	case *page.Option:
		return b.Text
	case *widget.Button:
		return b.Text
	}
	return ""
}

// Says reports whether a text is to be read.
func (s *Seen) Says(text string) bool { return slices.Contains(s.texts(), text) }

// texts are all that is to be read.
func (s *Seen) texts() []string {
	var all []string
	for _, l := range Find(s, func(l *widget.Label) bool { return l.Text != "" }) {
		all = append(all, l.Text)
	}
	for _, r := range Find(s, func(*widget.RichText) bool { return true }) {
		for _, segment := range r.Segments {
			all = append(all, segment.Textual())
		}
	}
	return all
}

// Expect fails where one of the texts is not to be read.
func (s *Seen) Expect(texts ...string) {
	s.t.Helper()
	for _, text := range texts {
		if !s.Says(text) {
			s.t.Errorf("nothing says %q, but %q", text, s.texts())
		}
	}
}

// Focusable are all that can have the cursor in the window, what a dialog covers included.
func (s *Seen) Focusable() (all []fyne.Focusable) {
	for _, o := range within(s.window.Content(), func(fyne.CanvasObject) bool { return true }) {
		if o, ok := o.(fyne.Focusable); ok {
			all = append(all, o)
		}
	}
	return all
}

// ours fails where something can have the cursor that is the toolkit's: it would keep the
// keys of the window for itself.
func (s *Seen) ours() {
	s.t.Helper()
	for _, o := range s.Focusable() {
		if kind := reflect.TypeOf(o).Elem(); strings.HasPrefix(kind.PkgPath(), "fyne.io/") {
			s.t.Errorf("a %s has keys that the window does not get", kind)
		}
	}
}

// Golden compares what is drawn with testdata/NAME.xml, or writes that with -update; and
// looks that the window gets its keys.
func (s *Seen) Golden(name string) {
	s.t.Helper()
	s.ours()
	file, got := filepath.Join("testdata", name+".xml"), test.RenderToMarkup(s.window.Canvas())
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			s.t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			s.t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		s.t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		s.t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}
