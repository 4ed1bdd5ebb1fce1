package ui_test

import (
	"errors"
	"testing"

	"footbridge/ui"
	"footbridge/ui/page"
	"footbridge/ui/page/pagetest"

	"fyne.io/fyne/v2"
)

// Where nothing answers the window says so, and again nothing once it does.
func TestTheSiteIsAway(t *testing.T) {
	s := busy()
	s.away = errors.New("Footbridge does not answer.")
	w := look(t, s, ui.Config{})
	w.Expect("Footbridge does not answer.", "It is not known how things are now.")
	s.away = nil
	w.press(fyne.Key1)
	if w.Says("Footbridge does not answer.") || w.Says("It is not known how things are now.") {
		t.Error("it still says so")
	}
	w.Expect("2 things need a person.")
	s.away = errors.New("Footbridge does not answer.")
	w.press(fyne.Key1)
	if w.Says("2 things need a person.") {
		t.Error("the headline is that of before")
	}
	for key := fyne.KeyName("1"); key <= "9"; key = fyne.KeyName(key[0] + 1) {
		w.press(key)
		w.Expect("Footbridge does not answer. What you see is how things were at 12:01:00.")
	}
}

// Who opens a page before anything is known is not told that there is nothing.
func TestNothingIsKnown(t *testing.T) {
	for _, before := range []error{nil, errors.New("Footbridge does not answer.")} { // when the window is opened
		nothingIsKnown(t, before)
	}
}

func nothingIsKnown(t *testing.T, before error) {
	t.Helper()
	s := busy()
	s.away = before
	w := look(t, s, ui.Config{})
	s.away = errors.New("Footbridge does not answer.")
	for _, key := range []fyne.KeyName{fyne.Key4, fyne.Key5, fyne.Key6, fyne.Key7, fyne.Key8} {
		w.press(key)
		w.Expect("It is not known how things are now.")
		for _, text := range []string{"There is no study yet: participants belong to one.", "This study is not configured for v3 export: its records stay here. “Create project” makes what is missing."} {
			if w.Says(text) {
				t.Errorf("page %s says %q", key, text)
			}
		}
		if create := pagetest.Find(w.Seen, func(b *page.Button) bool { return b.Text == "New participant…" }); len(create) > 0 && !create[0].Disabled() {
			t.Error("participants can be created")
		}
	}
	s.away = nil
	for _, key := range []fyne.KeyName{fyne.Key4, fyne.Key5, fyne.Key6, fyne.Key7, fyne.Key8} {
		w.press(key)
		if w.Says("It is not known how things are now.") {
			t.Errorf("page %s still says so", key)
		}
	}
}
