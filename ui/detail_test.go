package ui_test

import (
	"testing"

	"footbridge/ui"
	"footbridge/ui/page"
	"footbridge/ui/page/pagetest"

	"fyne.io/fyne/v2"
)

// What can be done for an upload is offered while it is seen: not for one that another
// filter hides, and not before it is here.
func TestTheDetailIsOfWhatIsChosen(t *testing.T) {
	w := look(t, busy(), ui.Config{})
	w.press(fyne.Key2)
	list := pagetest.Find(w.Seen, func(*page.List) bool { return true })[0]
	again := pagetest.Find(w.Seen, func(b *page.Button) bool { return b.Text == "Process again" })[0]
	if list.Select(2); !again.Disabled() {
		t.Error("an upload that is not here yet can be processed again")
	}
	if w.Settle(); again.Disabled() {
		t.Error("the upload that is here cannot be processed again")
	}
	w.Expect("▸ rest-1.zip", "1.5 KiB, of study sleep.")
	state := func(text string) {
		pagetest.Find(w.Seen, func(c *page.Select) bool { return len(c.Options) > 5 })[0].SetSelected(text)
		w.Settle()
	}
	if state("Sent"); again.Disabled() {
		t.Error("the upload that is listed still cannot be processed again")
	}
	if state("Needs a person"); !again.Disabled() {
		t.Error("an upload that is not listed any more can be processed again")
	}
	w.Expect("Choose an upload to see how it went.")
	if w.Says("1.5 KiB, of study sleep.") {
		t.Error("what is not listed any more is still shown")
	}
}
