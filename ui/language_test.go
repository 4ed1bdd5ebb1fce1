package ui_test

import (
	"context"
	"testing"

	"footbridge/ui"
	"footbridge/ui/page"
	"footbridge/ui/page/pagetest"
	"footbridge/ui/tongue"
	"footbridge/ui/view"
)

// tongued is a site whose language is a setting.
type tongued struct {
	*site
	code string
}

func (s *tongued) Settings(context.Context) ([]view.Setting, error) {
	return []view.Setting{{Key: "language", Kind: "choice", Value: s.code, Choices: []string{"en", "fr"}}}, s.away
}

func (s *tongued) ChangeSetting(_ context.Context, key, value string) (view.Setting, error) {
	s.code = value
	return view.Setting{Key: key, Kind: "choice", Value: value, Choices: []string{"en", "fr"}}, s.away
}

// A language that is chosen is spoken at once, by the page that is open and by the tray.
func TestALanguageIsChosen(t *testing.T) {
	s, tray, known := &tongued{busy(), "en"}, &shelf{}, true
	config := ui.Config{Config: pagetest.Config(), Tray: tray, Speaks: func() (tongue.Tongue, ui.Appliance, bool) { return tongue.In(s.code), s, known }}
	window := ui.New(pagetest.App(t), s, config)
	w := &seen{pagetest.Look(t, window.Shown(), window.Step), window}
	w.press("7")
	for _, c := range pagetest.Find(w.Seen, func(c *page.Select) bool { return c.Label == "Language" }) {
		c.SetSelected("français")
	}
	w.Settle()
	window.Refresh() // the bell rang
	w.Settle()
	w.Expect("Langue", "Ce que ce site parle avec le personnel.", "Enregistré : Langue.")
	if title := window.Shown().Title(); title != "Footbridge: "+tongue.In("fr").Say("settings.name") {
		t.Errorf("the window is called %q", title)
	}
	if got, want := tray.labels()[1], tongue.In("fr").Say("tray.open"); got != want {
		t.Errorf("the tray offers %q", got)
	}
	w.press("1")
	w.Expect(tongue.In("fr").Count("front.needs", 2))

	s.code, known = "en", false // the settings cannot be read now
	window.Refresh()
	w.Settle()
	w.press("7")
	w.Expect("Langue")
}

// A question that is open is not taken away by another language.
func TestALanguageWaitsForAnAnswer(t *testing.T) {
	s := &tongued{busy(), "en"}
	config := ui.Config{Config: pagetest.Config(), Serves: true, Speaks: func() (tongue.Tongue, ui.Appliance, bool) { return tongue.In(s.code), s, true }}
	window := ui.New(pagetest.App(t), s, config)
	w := &seen{pagetest.Look(t, window.Shown(), window.Step), window}
	window.AskToClose()
	s.code = "fr"
	window.Refresh()
	w.Settle()
	w.Expect("Close Footbridge?")
	w.Tap("Cancel")
	window.Refresh()
	w.Settle()
	if title := window.Shown().Title(); title != "Footbridge: "+tongue.In("fr").Say("overview.name") {
		t.Errorf("the window is called %q", title)
	}
}
