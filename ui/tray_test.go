package ui_test

import (
	"context"
	"slices"
	"testing"

	"footbridge/ui"
	looks "footbridge/ui/look"
	"footbridge/ui/page"
	"footbridge/ui/page/pagetest"
	"footbridge/ui/tongue"
	"footbridge/ui/view"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

func (s *site) Settings(context.Context) ([]view.Setting, error) {
	return []view.Setting{
		{Key: "sync.transfers", Kind: "number", Value: "4", Default: "4"}, {Key: "awake", Kind: "switch", Value: "true", Default: "true"},
		{Key: "repository", Kind: "text", Value: "folder:/srv/records"},
	}, s.away
}

func (s *site) TrySetting(context.Context, string, string) (view.SettingTry, error) {
	return view.SettingTry{OK: true}, s.away
}

func (s *site) ChangeSetting(_ context.Context, key, value string) (view.Setting, error) {
	return view.Setting{Key: key, Value: value}, s.note("change " + key)
}

func (s *site) RepositorySecrets(context.Context) (view.Secrets, error) {
	return view.Secrets{}, s.away
}

func (s *site) KeepRepositorySecrets(context.Context, map[string]string) error { return s.away }

func (s *site) TestRepository(context.Context, string) (view.Trial, error) {
	return view.Trial{OK: true}, s.away
}

// shelf is a tray that keeps what it is given.
type shelf struct {
	menu  *fyne.Menu
	icons []string // their names, each once
}

func (s *shelf) SetSystemTrayMenu(menu *fyne.Menu) { s.menu = menu }

func (s *shelf) SetSystemTrayIcon(icon fyne.Resource) { s.icons = append(s.icons, icon.Name()) }

// labels are what the menu offers.
func (s *shelf) labels() (all []string) {
	for _, item := range s.menu.Items {
		if !item.IsSeparator {
			all = append(all, item.Label)
		}
	}
	return all
}

func same(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("the tray offers %q, not %q", got, want)
	}
}

func (s *shelf) tap(t *testing.T, label string) {
	t.Helper()
	for _, item := range s.menu.Items {
		if item.Label == label {
			item.Action()
			return
		}
	}
	t.Fatalf("the tray offers no %s, but %q", label, s.labels())
}

func sent(overview view.Overview) view.Overview {
	overview.State, overview.Sentence, overview.Needs, overview.Queues.Refused = "ok", "All is well.", nil, 0
	return overview
}

// The tray says how the site is, and offers what helps.
func TestTheTray(t *testing.T) {
	s, to := busy(), &shelf{}
	w := look(t, s, ui.Config{Serves: true, Tray: to})
	same(t, to.labels(), "2 things need a person.", "Open", "Send now", "Pause", "Quit")
	to.tap(t, "Pause")
	to.tap(t, "Send now")
	w.Settle()
	s.overview = sent(s.overview)
	s.overview.Paused = true
	w.press(fyne.Key1)
	same(t, to.labels(), "All is well.", "Open", "Send now", "Resume", "Quit")
	to.tap(t, "Resume")
	w.Settle()
	for _, want := range []string{"pause", "now", "resume"} {
		if !slices.Contains(s.asked, want) {
			t.Errorf("%q was not asked, but %q", want, s.asked)
		}
	}
	before := len(to.icons)
	w.press(fyne.Key1)
	if len(to.icons) != before {
		t.Error("it is drawn again where nothing changed")
	}
}

// Until a guide ends, the tray leads to it.
func TestTheTrayOfAGuide(t *testing.T) {
	pagetest.App(t)
	to, did := &shelf{}, ""
	ui.Reserve(to, tongue.In("fr"), func() { did += "open " }, func() { did += "quit" })
	same(t, to.labels(), "Ouvrir", "Quitter")
	to.tap(t, "Ouvrir")
	to.tap(t, "Quitter")
	if did != "open quit" || len(to.icons) != 1 {
		t.Errorf("it did %q, with %d icons", did, len(to.icons))
	}
}

// Every state has a shape of its own.
func TestTheTraysIcons(t *testing.T) {
	s, to := busy(), &shelf{}
	s.overview.Queues.Refused = 0
	w := look(t, s, ui.Config{Tray: to})
	for _, state := range []string{"ok", "working", "waiting"} {
		s.overview = sent(s.overview)
		s.overview.State = state
		w.press(fyne.Key1)
	}
	seen := map[string]bool{}
	for _, name := range to.icons {
		seen[name] = true
	}
	if len(seen) != 5 { // not known yet, and four states
		t.Errorf("the icons are %q", to.icons)
	}
	s.overview = sent(s.overview)
	w.press(fyne.Key1)
	s.overview.Queues.Refused = 1 // an upload could not be opened
	w.press(fyne.Key1)
	if n := len(to.icons); n != 7 || to.icons[n-1] == to.icons[n-2] {
		t.Errorf("the icons are %q", to.icons)
	}
}

// A window that serves goes into the tray when it is closed, says so once, and comes back.
func TestIntoTheTray(t *testing.T) {
	s, to := busy(), &shelf{}
	w := look(t, s, ui.Config{Serves: true, Tray: to})
	window, closed := w.window.Shown(), false
	window.SetOnClosed(func() { closed = true })
	window.Resize(fyne.NewSize(900, 640))
	w.window.AskToClose()
	w.window.AskToClose() // again tells once
	w.Expect("Footbridge goes on in the tray. Devices can send; “Quit” in the tray ends it.")
	w.Tap("I see")
	if window.Canvas().Overlays().Top() != nil {
		t.Error("it says so twice")
	}
	to.tap(t, "Open")
	w.window.AskToClose() // it is known now
	if w.Says("Footbridge goes on in the tray. Devices can send; “Quit” in the tray ends it.") && len(pagetest.Find(w.Seen, func(b *page.Button) bool { return b.Text == "I see" })) > 0 {
		t.Error("it says so again")
	}
	if closed {
		t.Fatal("it ended")
	}
	to.tap(t, "Quit")
	if !closed {
		t.Error("it goes on")
	}
	again := ui.New(fyne.CurrentApp(), s, ui.Config{Config: pagetest.Config()})
	if got := again.Shown().Canvas().Size(); got != fyne.NewSize(900, 640) {
		t.Errorf("the next window is %v large", got)
	}
}

// The desktop is told once that a person is needed, and told nothing else.
func TestNotifications(t *testing.T) {
	s := busy()
	s.overview = sent(s.overview)
	w := look(t, s, ui.Config{})
	again := func() { w.press(fyne.Key1) }
	needed := fyne.NewNotification("Footbridge needs a person", "1 thing needs a person. Open Footbridge to see what to do.")
	s.overview.Needs = []view.Need{{Kind: "parked sleep", Sentence: "1 record for sleep cannot be sent since 07:00:00 UTC on 2026-11-20."}}
	test.AssertNotificationSent(t, needed, again)
	s.overview.Needs = []view.Need{{Kind: "parked sleep", Sentence: "2 records for sleep cannot be sent since 07:00:00 UTC on 2026-11-20."}}
	test.AssertNotificationSent(t, nil, again)
	s.overview.State, s.overview.Needs = "waiting", nil
	test.AssertNotificationSent(t, nil, again)
	s.overview.Needs = []view.Need{{Kind: "room", Sentence: "The disk is full."}}
	test.AssertNotificationSent(t, needed, again)
	s.overview.Needs = append(s.overview.Needs, view.Need{Kind: "key", Sentence: "There is no key."})
	two := fyne.NewNotification("Footbridge needs a person", "2 things need a person. Open Footbridge to see what to do.")
	test.AssertNotificationSent(t, two, again)
	s.overview.Needs = s.overview.Needs[:1]
	test.AssertNotificationSent(t, nil, again)
	s.overview.Queues.Refused = 1 // an upload cannot be opened
	test.AssertNotificationSent(t, two, again)
	s.overview.Queues.Refused = 2
	test.AssertNotificationSent(t, nil, again)
}

// What is there when the window opens is seen in it; who begins in the tray is told.
func TestNotificationsAtFirst(t *testing.T) {
	for hidden, want := range map[bool]*fyne.Notification{
		false: nil, true: fyne.NewNotification("Footbridge needs a person", "2 things need a person. Open Footbridge to see what to do."),
	} {
		app := pagetest.App(t)
		w := ui.New(app, busy(), ui.Config{Config: pagetest.Config(), Tray: &shelf{}, Hidden: hidden})
		test.AssertNotificationSent(t, want, func() { pagetest.Look(t, w.Shown(), w.Step) })
	}
}

// The help opens wherever the cursor is.
func TestHelpByKey(t *testing.T) {
	w := look(t, busy(), ui.Config{About: func() view.About { return view.About{Version: "1.2.3"} }})
	help := &fyne.KeyEvent{Name: fyne.KeyF1}
	open := func() bool { return w.window.Shown().Title() == "Footbridge: Help" }
	w.window.Shown().Canvas().OnTypedKey()(help)
	if !open() {
		t.Error("it does not open where nothing has the cursor")
	}
	w.press(fyne.KeyF) // the search of uploads
	w.window.Shown().Canvas().Focused().TypedKey(help)
	if !open() {
		t.Error("it does not open from a field")
	}
	w.press(fyne.Key1)
	tabs := pagetest.Find(w.Seen, func(b *page.Button) bool { return b.Text == "Uploads" })
	if len(tabs) != 1 {
		t.Fatalf("%d buttons open the uploads", len(tabs))
	}
	tabs[0].TypedKey(help)
	if !open() {
		t.Error("it does not open from a button")
	}
	if tabs[0].AccessibilityLabel() != "Uploads" {
		t.Errorf("the button is called %q", tabs[0].AccessibilityLabel())
	}
}

// The window fits onto a small laptop with large text in every language, so that nothing
// is out of reach.
func TestLargeText(t *testing.T) {
	for _, l := range tongue.Languages() {
		app := pagetest.App(t)
		app.Preferences().SetInt("look.scale", 150)
		looks.Apply(app)
		config := pagetest.Config()
		config.Tongue = tongue.In(l.Code)
		w := ui.New(app, busy(), ui.Config{Config: config})
		s := &seen{pagetest.Look(t, w.Shown(), w.Step), w}
		for i := range 9 {
			s.press(fyne.KeyName(rune('1' + i)))
			if least := w.Shown().Content().MinSize(); least.Width > 1180 || least.Height > 720 {
				t.Errorf("%s: %s needs %v", l.Code, w.Shown().Title(), least)
			}
		}
	}
}
