package settings_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"footbridge/ui/look"
	"footbridge/ui/page"
	"footbridge/ui/page/pagetest"
	"footbridge/ui/settings"
	"footbridge/ui/tongue"
	"footbridge/ui/view"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
)

// site has some settings, takes what does not begin with x, and notes what it is asked.
type site struct {
	all   []view.Setting
	asked []string
	away  error
	trial view.Trial
	locks view.Secrets
}

func (s *site) RepositorySecrets(context.Context) (view.Secrets, error) { return s.locks, s.away }

func (s *site) KeepRepositorySecrets(_ context.Context, given map[string]string) error {
	s.asked = append(s.asked, fmt.Sprint("keep ", given))
	return s.away
}

func (s *site) Settings(context.Context) ([]view.Setting, error) { return slices.Clone(s.all), nil }

func (s *site) TrySetting(_ context.Context, key, value string) (view.SettingTry, error) {
	s.asked = append(s.asked, "try "+key+" "+value)
	return view.SettingTry{OK: value[0] != 'x', Why: "must not begin with x"}, nil
}

func (s *site) ChangeSetting(_ context.Context, key, value string) (view.Setting, error) {
	s.asked = append(s.asked, "change "+key+" "+value)
	i := slices.IndexFunc(s.all, func(s view.Setting) bool { return s.Key == key })
	if s.away == nil {
		s.all[i].Value = value
	}
	return s.all[i], s.away
}

func (s *site) TestRepository(_ context.Context, repository string) (view.Trial, error) {
	s.asked = append(s.asked, "test "+repository)
	return s.trial, s.away
}

func some() *site {
	one, sixteen := int64(1), int64(16)
	return &site{all: []view.Setting{
		{Key: "plain_http", Kind: "switch", Value: "false", Default: "false", Asks: true},
		{Key: "repository", Kind: "text", Value: "folder:repository", Default: "folder:repository", Asks: true},
		{Key: "uploads.max_size", Kind: "number", Value: "5368709120", Default: "5368709120", Least: &one, Unit: "bytes"},
		{Key: "validation.strictness", Kind: "choice", Value: "report", Default: "report", Choices: []string{"warning", "report", "strict"}},
		{Key: "sync.transfers", Kind: "number", Value: "4", Default: "4", Least: &one, Most: &sixteen, Unit: "records"},
	}}
}

func open(t *testing.T, s *site) *pagetest.Seen {
	t.Helper()
	return pagetest.Open(t, view.Site{}, func(f *page.Frame) page.Page { return settings.New(f, s, nil) })
}

// field is the field that has a text.
func field(t *testing.T, w *pagetest.Seen, text string) *page.Entry {
	t.Helper()
	all := pagetest.Find(w, func(e *page.Entry) bool { return e.Text == text })
	if len(all) != 1 {
		t.Fatalf("%d fields have %q", len(all), text)
	}
	return all[0]
}

// chooser is the choice that stands at a text.
func chooser(t *testing.T, w *pagetest.Seen, text string) choice {
	t.Helper()
	all := pagetest.Find(w, func(c choice) bool { return strings.HasSuffix(c.AccessibilityLabel(), ": "+text) })
	if len(all) == 0 {
		t.Fatalf("no choice stands at %q", text)
	}
	return all[len(all)-1]
}

// choice is one of several words.
type choice interface {
	fyne.CanvasObject
	fyne.Accessible
	SetSelected(string)
}

func (s *site) wants(t *testing.T, want ...string) {
	t.Helper()
	if !slices.Equal(s.asked, want) {
		t.Errorf("asked was %q, not %q", s.asked, want)
	}
}

func TestThePage(t *testing.T) { open(t, some()).Golden("settings") }

// What is typed is checked, and saved by Enter once it is right.
func TestTyping(t *testing.T) {
	s := some()
	w := open(t, s)
	w.Expect("Usually: 4", "5.0 GiB. Usually: 5.0 GiB")
	e := field(t, w, "4")
	e.SetText("x")
	w.Settle()
	w.Expect("It must be a whole number from 1 to 16.")
	e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	w.Settle()
	s.wants(t, "try sync.transfers x")
	e.SetText("7")
	w.Settle()
	w.Expect("That can be saved.")
	e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	w.Settle()
	w.Expect("Usually: 4")
	s.wants(t, "try sync.transfers x", "try sync.transfers 7", "change sync.transfers 7")
	if e.Text != "7" {
		t.Errorf("in the field is %q", e.Text)
	}
}

// signIn is what a computer starts when its user signs in.
type signIn struct {
	on, broken bool
	dark       error // of looking
}

func (s *signIn) On() (bool, error) { return s.on && s.dark == nil, s.dark }

func (s *signIn) Set(on bool) error {
	if s.broken {
		return errors.New("have it started at login: the disk is full")
	}
	s.on = on
	return nil
}

// Whether Footbridge starts by itself is chosen, and is seen when a command changed it.
func TestTheStartAtLogin(t *testing.T) {
	computer := &signIn{}
	var frame *page.Frame
	var p *settings.Page
	w := pagetest.Open(t, view.Site{}, func(f *page.Frame) page.Page {
		frame, p = f, settings.New(f, some(), computer)
		return p
	})
	says := func(want string) {
		t.Helper()
		if frame.Notice.Text != want {
			t.Errorf("it says %q", frame.Notice.Text)
		}
	}
	start := pagetest.Find(w, func(s *page.Select) bool { return s.Label == "Start when you sign in" })[0]
	if label := start.AccessibilityLabel(); label != "Start when you sign in: No" {
		t.Fatalf("it is called %q", label)
	}
	start.SetSelected("Yes")
	w.Settle()
	if says("Saved: Start when you sign in."); !computer.on {
		t.Error("it does not start")
	}
	computer.on = false // by a command
	p.Update()
	w.Settle()
	computer.broken = true
	if start.AccessibilityLabel() != "Start when you sign in: No" {
		t.Errorf("it is %q", start.AccessibilityLabel())
	}
	start.SetSelected("Yes")
	w.Settle()
	says("This computer did not take it: have it started at login: the disk is full")
	if start.AccessibilityLabel() != "Start when you sign in: No" {
		t.Errorf("it could not be changed, and is %q", start.AccessibilityLabel())
	}
}

// Where it cannot be told whether Footbridge starts, what came of the change is told all the
// same, and the choice shows what is known.
func TestTheStartAtLoginInTheDark(t *testing.T) {
	computer := &signIn{broken: true, dark: errors.New("look whether it starts at login: permission denied")}
	var frame *page.Frame
	var p *settings.Page
	w := pagetest.Open(t, view.Site{}, func(f *page.Frame) page.Page {
		frame, p = f, settings.New(f, some(), computer)
		return p
	})
	start := pagetest.Find(w, func(s *page.Select) bool { return s.Label == "Start when you sign in" })[0]
	choose := func(option, told, shown string) {
		t.Helper()
		start.SetSelected(option)
		w.Settle()
		if frame.Notice.Text != told || start.Selected != shown {
			t.Errorf("chosen is %q, it says %q", start.Selected, frame.Notice.Text)
		}
	}
	const refused = "This computer did not take it: have it started at login: the disk is full"
	choose("Yes", refused, "") // it was never known
	computer.dark = nil
	p.Update()
	w.Settle()
	computer.dark = errors.New("look whether it starts at login: permission denied")
	choose("Yes", refused, "No")
	computer.broken = false
	choose("Yes", "Saved: Start when you sign in.", "Yes")
	computer.broken = true
	choose("No", refused, "Yes")
}

// A value that can be saved, but would stop everything now, says so.
func TestAWarning(t *testing.T) {
	s := some()
	s.all = []view.Setting{{Key: "uploads.free_space_floor", Kind: "number", Value: "1024", Default: "1024", Unit: "bytes"}}
	site := view.Site{Overview: view.Overview{Disk: view.Disk{FreeBytes: 10 << 20}}}
	w := pagetest.Open(t, site, func(f *page.Frame) page.Page { return settings.New(f, s, nil) })
	e := field(t, w, "1024")
	e.SetText("10485760")
	w.Settle()
	w.Expect("10.0 MiB. That can be saved.\nOnly 10.0 MiB are free now: with this, no upload would be taken.")
	e.SetText("2048")
	w.Settle()
	w.Expect("2.0 KiB. That can be saved.")
	s.wants(t, "try uploads.free_space_floor 10485760", "try uploads.free_space_floor 2048")
}

// Escape takes back what was typed, and not what is saved.
func TestEscape(t *testing.T) {
	s := some()
	w := open(t, s)
	e := field(t, w, "4")
	e.SetText("x")
	w.Settle()
	e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	w.Settle()
	if e.Text != "4" {
		t.Errorf("in the field is %q", e.Text)
	}
	w.Expect("Usually: 4")
}

// What stops everything now says so as long as it does, and not in the way of whoever types.
func TestAWarningStays(t *testing.T) {
	s := some()
	s.all = []view.Setting{{Key: "uploads.free_space_floor", Kind: "number", Value: "1024", Default: "1024", Unit: "bytes"}}
	var p *settings.Page
	free := func(bytes int64) view.Site {
		return view.Site{Overview: view.Overview{Disk: view.Disk{FreeBytes: bytes}}}
	}
	w := pagetest.Open(t, free(10<<20), func(f *page.Frame) page.Page { p = settings.New(f, s, nil); return p })
	w.Expect("1.0 KiB. Usually: 1.0 KiB")
	e := field(t, w, "1024")
	e.SetText("20 MiB")
	w.Settle()
	e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	w.Settle()
	const stops = "Only 10.0 MiB are free now: no upload is taken. Make room on the disk, or choose a smaller number.\n20.0 MiB. Usually: 1.0 KiB"
	w.Expect(stops)
	p.Update()
	w.Settle()
	w.Expect(stops)
	p.Show(free(30 << 20))
	w.Expect("20.0 MiB. Usually: 1.0 KiB")
	p.Show(free(10 << 20))
	w.Expect(stops)
	e.SetText("1 MiB")
	w.Settle()
	p.Show(free(9 << 20))
	w.Expect("1.0 MiB. That can be saved.")
}

// A size is typed with its unit, and tried and saved in bytes.
func TestTypingASize(t *testing.T) {
	s := some()
	w := open(t, s)
	e := field(t, w, "5368709120")
	for typed, said := range map[string]string{"1.5 GB": "1.4 GiB. That can be saved.", "x GB": "It must be a size, such as 10 GB, or a whole number of bytes, at least 1."} {
		e.SetText(typed)
		w.Settle()
		w.Expect(said)
	}
	e.SetText("5 GiB") // as it is
	w.Settle()
	w.Expect("5.0 GiB. Usually: 5.0 GiB")
	s.asked = nil
	e.SetText("10 GiB")
	w.Settle()
	w.Expect("10.0 GiB. That can be saved.")
	e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	w.Settle()
	w.Expect("10.0 GiB. Usually: 5.0 GiB")
	s.wants(t, "try uploads.max_size 10737418240", "change uploads.max_size 10737418240")
	if e.Text != "10737418240" || e.CursorColumn != len(e.Text) {
		t.Errorf("in the field is %q, and the cursor at %d", e.Text, e.CursorColumn)
	}
}

// What nobody sees around what was typed is not saved with it, and changes nothing.
func TestTypingIsTrimmed(t *testing.T) {
	s := some()
	w := open(t, s)
	e := field(t, w, "4")
	e.SetText("4 ")
	w.Settle()
	e.SetText(" 7 ")
	w.Settle()
	e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	w.Settle()
	s.wants(t, "try sync.transfers 7", "change sync.transfers 7")
	if e.Text != "7" {
		t.Errorf("in the field is %q", e.Text)
	}
}

// What someone types is not taken away by what changed elsewhere, and can be undone.
func TestTypingIsKept(t *testing.T) {
	s := some()
	var p *settings.Page
	w := pagetest.Open(t, view.Site{}, func(f *page.Frame) page.Page { p = settings.New(f, s, nil); return p })
	e := field(t, w, "4")
	e.SetText("9")
	w.Settle()
	s.all[4].Value = "3"
	p.Update()
	w.Settle()
	if e.Text != "9" {
		t.Fatalf("now %q stands there", e.Text)
	}
	p.Update()
	w.Settle()
	w.Expect("That can be saved.\nNot saved yet.")
	undo := pagetest.Find(w, func(b *page.Button) bool { return b.Text == "Undo" })
	if len(undo) != 1 {
		t.Fatalf("%d fields can be undone", len(undo))
	}
	test.Tap(undo[0])
	if e.Text != "3" {
		t.Errorf("undone it is %q", e.Text)
	}
	s.all[4].Value = "2"
	p.Update()
	w.Settle()
	if e.Text != "2" {
		t.Errorf("where nobody types, %q stands there", e.Text)
	}
}

// What Footbridge was started with stands beside what is written, also after a change.
func TestInForce(t *testing.T) {
	s := some()
	s.all = append(s.all, view.Setting{Key: "listen", Kind: "text", Value: ":8443", Default: ":8443", InForce: "127.0.0.1:18443"})
	w := open(t, s)
	const held = "In force since Footbridge was started: 127.0.0.1:18443. What stands here holds once Footbridge is started without that option.\nUsually: :8443"
	w.Expect(held)
	e := field(t, w, ":8443")
	e.SetText(":9443")
	w.Settle()
	w.Expect("That can be saved.")
	e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	w.Settle()
	w.Expect(held)
}

// A choice is saved at once; where the appliance does not take it, it goes back.
func TestChoosing(t *testing.T) {
	s := some()
	w := open(t, s)
	c := chooser(t, w, "Take it, and say so in the record")
	c.SetSelected("Refuse it")
	w.Settle()
	s.wants(t, "change validation.strictness strict")
	s.away = errors.New("Footbridge does not answer.")
	c.SetSelected("Take it, and say so here")
	w.Settle()
	if c.AccessibilityLabel() != "Data that does not fit its description: Refuse it" {
		t.Errorf("it stands at %q", c.AccessibilityLabel())
	}
}

// What brings something with it says so first, and is left alone unless a person agrees.
func TestAsking(t *testing.T) {
	s := some()
	w := open(t, s)
	c := chooser(t, w, "No")
	c.SetSelected("Yes")
	w.Settle()
	s.wants(t)
	w.Tap("Leave it")
	s.wants(t)
	if c.AccessibilityLabel() != "Without encryption on the network: No" {
		t.Errorf("it stands at %q", c.AccessibilityLabel())
	}
	c.SetSelected("Yes")
	w.Tap("Change it")
	s.wants(t, "change plain_http true")
}

// What opens the repository is typed without anyone seeing it, kept whole, and tried.
func TestWhatOpensTheRepository(t *testing.T) {
	s := some()
	s.trial, s.locks = view.Trial{OK: true}, view.Secrets{Asks: []string{"key_id", "key_secret"}}
	w := open(t, s)
	w.Tap("New key or password")
	w.Expect("What opens the repository?", "Access key id", "Secret access key")
	w.Write("AKIA")
	w.Press(fyne.KeyReturn) // one is missing
	w.Expect("Nothing was changed: every field has to be filled in.")
	s.wants(t)
	w.Tap("New key or password")
	pagetest.Find(w, func(e *page.Entry) bool { return e.Label == "Secret access key" })[0].SetText("s3cret-1")
	w.Write("AKIA")
	w.Press(fyne.KeyReturn)
	w.Expect("All is well: records can be sent there.")
	s.wants(t, "keep map[key_id:AKIA key_secret:s3cret-1]", "test ")

	s.locks = view.Secrets{}
	w.Tap("New key or password")
	w.Expect("This place needs no key and no password, or is opened in another way: by a file, or by a sign-in in a browser.")
	s.locks.Variable = "FOOTBRIDGE_REPOSITORY_TOKEN"
	w.Tap("New key or password")
	w.Expect("The token comes from FOOTBRIDGE_REPOSITORY_TOKEN, which is set where Footbridge is started and alone counts. Whoever set it up changes it there.")
	s.away = errors.New("the site is away")
	w.Tap("New key or password")
	w.Expect("the site is away")
}

// The repository is tried out as it is, or as it is typed.
func TestTheRepositoryIsTried(t *testing.T) {
	s := some()
	s.trial.OK = true
	var p *settings.Page
	w := pagetest.Open(t, view.Site{}, func(f *page.Frame) page.Page { p = settings.New(f, s, nil); return p })
	w.Tap("Test")
	w.Expect("All is well: records can be sent there.")
	s.all[4].Value = "5" // of another setting
	p.Update()
	w.Settle()
	w.Expect("All is well: records can be sent there.")
	s.trial = view.Trial{Checks: []view.Check{{OK: true, Text: "found"}, {Text: "look into /x: not there", Trouble: "no_folder"}}}
	field(t, w, "folder:repository").SetText("folder:elsewhere")
	w.Settle()
	w.Tap("Test")
	w.Expect("Records cannot be sent there yet.\nThere is no such folder.\nConnect its disk, or make the folder.\nFor whoever mends it: look into /x: not there")
	s.wants(t, "test ", "try repository folder:elsewhere", "test folder:elsewhere")
}

func TestSearching(t *testing.T) {
	w := open(t, some())
	field(t, w, "").SetText("SLOW line")
	w.Expect("Records sent at once")
	w.Golden("search")
	field(t, w, "SLOW line").SetText("no such")
	w.Expect("No setting is like that.")
}

// What is found is found by every word that is to be read there: of a button, of what it
// asks for, of a choice, of how the window looks, in every language.
func TestSearchingByWhatIsRead(t *testing.T) {
	for _, language := range tongue.Languages() {
		spoken := tongue.In(language.Code)
		f := page.New(pagetest.App(t), page.Config{Tongue: spoken}, nil)
		p := settings.New(f, some(), &signIn{})
		f.Window.SetContent(p.Content())
		p.Update()
		w := pagetest.Look(t, f.Window, f.Step)
		search := field(t, w, "")
		seen := func(name string) (names []string) {
			search.SetText(spoken.Say(name))
			for _, label := range pagetest.Find(w, func(l *widget.Label) bool { return l.TextStyle.Bold }) {
				names = append(names, label.Text)
			}
			return names
		}
		for name, want := range map[string]string{
			"settings.secrets": "setting.repository.name", "settings.secrets.token": "setting.repository.name", "settings.secrets.password": "setting.repository.name",
			"look.scale": "look.scale", "look.theme.dark": "look.theme", "settings.group.window": "look.theme",
		} {
			if found := seen(name); !slices.Contains(found, spoken.Say(want)) {
				t.Errorf("in %s %q finds %q", language.Code, spoken.Say(name), found)
			}
		}
	}
}

// How the window looks is chosen here, for this desktop alone.
func TestLook(t *testing.T) {
	s := some()
	w := open(t, s)
	chooser(t, w, "As this computer").SetSelected("Dark")
	chooser(t, w, "100 %").SetSelected("150 %")
	if got := look.Of(fyne.CurrentApp()); got != (look.Look{Variant: look.Dark, Scale: 150}) {
		t.Errorf("chosen is %+v", got)
	}
	s.wants(t)
}
