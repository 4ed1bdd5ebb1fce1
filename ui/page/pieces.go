package page

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Plain is text that takes as many lines as it needs.
func Plain(text string) *widget.Label {
	l := widget.NewLabel(text)
	l.Wrapping = fyne.TextWrapWord
	return l
}

// Heading stands above what belongs together.
func Heading(text string) *widget.Label {
	return widget.NewLabelWithStyle(text, fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
}

// Marked is text with an icon before its first line.
func Marked(icon fyne.Resource, text fyne.CanvasObject) fyne.CanvasObject {
	return container.NewBorder(nil, nil, container.NewVBox(container.NewPadded(widget.NewIcon(icon))), nil, text)
}

// askWidth is how wide what asks something is, in ems, where the window has the room.
const askWidth = 40

// AskSize is how large something that asks is, which needs some height; the window is
// larger.
func (f *Frame) AskSize(height float32) fyne.Size {
	all := f.Window.Canvas().Size()
	return fyne.NewSize(min(Em(askWidth), all.Width-Em(2)), min(height, all.Height-Em(2)))
}

// Confirm does something once a person knows what it means; do is what the button that
// agrees is called. The toolkit's own question answers in the language of the computer,
// which may not be the reader's.
func (f *Frame) Confirm(question, why, do string, act func()) {
	d := dialog.NewCustomConfirm(question, do, f.Say("window.leave"), Plain(why), func(yes bool) {
		if yes {
			act()
		}
	}, f.Window)
	d.Resize(f.AskSize(d.MinSize().Height))
	d.Show()
}

// StageIcon stands beside a stage of an upload's way that is in a state (view.Stage).
func StageIcon(state string) fyne.Resource {
	switch state {
	case "done":
		return theme.ConfirmIcon()
	case "now":
		return theme.MediaPlayIcon()
	case "stopped":
		return theme.WarningIcon()
	}
	return theme.RadioButtonIcon()
}
