package page

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
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
