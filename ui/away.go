package ui

import (
	"footbridge/ui/page"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// away says above every page that the site does not answer, so that nobody takes how
// things were for how they are. It takes no room while it does answer.
type away struct {
	text *widget.Label
	all  fyne.CanvasObject
}

func newAway() *away {
	a := &away{text: page.Plain("")}
	a.text.TextStyle.Bold, a.text.Importance = true, widget.DangerImportance
	a.all = page.Marked(theme.NewErrorThemedResource(theme.WarningIcon()), a.text)
	a.all.Hide()
	return a
}

// tell says it; the empty text says that the site answers.
func (a *away) tell(text string) {
	if text == a.text.Text {
		return
	}
	a.text.SetText(text)
	if a.all.Hide(); text != "" {
		a.all.Show()
	}
}
