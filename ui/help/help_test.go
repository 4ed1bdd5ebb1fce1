package help_test

import (
	"strings"
	"testing"

	"footbridge/ui/help"
	"footbridge/ui/page"
	"footbridge/ui/page/pagetest"
	"footbridge/ui/view"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

func open(t *testing.T, about view.About) *pagetest.Seen {
	t.Helper()
	return pagetest.Open(t, view.Site{}, func(f *page.Frame) page.Page {
		p := help.New(f, func() view.About { return about })
		f.Window.Canvas().Focus(p.First())
		return p
	})
}

func list(w *pagetest.Seen) *page.List {
	return pagetest.Find(w, func(*page.List) bool { return true })[0]
}

func TestThePage(t *testing.T) { open(t, view.About{}).Golden("help") }

// However small the window is, the help begins with its first topic.
func TestTheFirstTopicIsInSight(t *testing.T) {
	f := page.New(pagetest.App(t), pagetest.Config(), nil)
	p := help.New(f, func() view.About { return view.About{} })
	f.Window.SetContent(p.Content())
	f.Window.Resize(fyne.NewSize(900, 300))
	for _, o := range test.LaidOutObjects(p.Content()) {
		if topics, ok := o.(*page.List); ok && topics.GetScrollOffset() != 0 {
			t.Errorf("it begins %v below", topics.GetScrollOffset())
		}
	}
}

// The only answer that is found can be opened, although it stands where the open one did.
func TestTheFirstThatIsFound(t *testing.T) {
	w := open(t, view.About{})
	search := pagetest.Find(w, func(*page.Entry) bool { return true })[0]
	search.SetText("clock")
	w.Settle()
	list(w).TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
	w.Settle()
	title := func() string {
		return pagetest.Find(w, func(l *widget.Label) bool { return l.SizeName == theme.SizeNameSubHeadingText })[0].Text
	}
	if list(w).Length() != 1 || title() != "A device cannot connect" {
		t.Errorf("%d answers are listed, and %q is open", list(w).Length(), title())
	}
	search.SetText("")
	w.Settle()
	if title() != "A device cannot connect" {
		t.Errorf("%q is open", title())
	}
}

// An answer is found by a word in it, and read by keyboard.
func TestAnAnswerIsFound(t *testing.T) {
	w := open(t, view.About{Version: "1.2.3", Home: "/home/site", Addresses: []string{"https://10.0.0.7:8443"}})
	list(w).Select(2)
	w.Expect("A record needs a person")
	search := pagetest.Find(w, func(*page.Entry) bool { return true })[0]
	search.SetText("APACHE")
	w.Settle()
	if got := list(w).Length(); got != 1 {
		t.Fatalf("%d answers are listed", got)
	}
	list(w).Select(0)
	w.Expect("About this program")
	for _, l := range pagetest.Find(w, func(l *widget.Label) bool { return l.Selectable }) {
		for _, want := range []string{"1.2.3", "/home/site", "https://10.0.0.7:8443", "Apache License"} {
			if !strings.Contains(l.Text, want) {
				t.Errorf("it does not say %s, but %s", want, l.Text)
			}
		}
	}
	search.SetText("no such word")
	w.Expect("Nothing here says that. Try another word.")
}
