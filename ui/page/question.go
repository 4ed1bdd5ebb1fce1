package page

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// The rule here is: Escape closes every dialog, as its button that leaves does.

// askWidth is how wide what asks something is, in ems, where the window has the room.
const askWidth = 40

// AskSize is how large something that asks is, which needs some height; the window is
// larger.
func (f *Frame) AskSize(height float32) fyne.Size {
	all := f.Window.Canvas().Size()
	return fyne.NewSize(min(Em(askWidth), all.Width-Em(2)), min(height, all.Height-Em(2)))
}

// Question asks before something is done; yes and no are what its buttons are called, and
// answer is told which was pressed. It gives what presses yes, for those who type Return.
// The toolkit's own question answers in the language of the computer, which may not be the
// reader's, and knows no Escape.
func (f *Frame) Question(title, yes, no string, content fyne.CanvasObject, answer func(yes bool)) (agree func()) {
	d := dialog.NewCustomWithoutButtons(title, content, f.Window)
	agreed := false
	agree = func() {
		agreed = true
		d.Hide()
	}
	agrees := NewButton(f, yes, theme.ConfirmIcon(), agree)
	agrees.Importance = widget.HighImportance
	d.SetButtons([]fyne.CanvasObject{container.NewGridWithColumns(2, NewButton(f, no, theme.CancelIcon(), d.Hide), agrees)})
	f.Leave(d, func() { answer(agreed) })
	d.Resize(f.AskSize(d.MinSize().Height))
	f.Above(content)
	d.Show()
	return agree
}

// Confirm does something once a person knows what it means; do is what the button that
// agrees is called.
func (f *Frame) Confirm(question, why, do string, act func()) {
	f.Question(question, do, f.Say("window.leave"), Plain(why), func(yes bool) {
		if yes {
			act()
		}
	})
}

// Leave has Escape close a dialog, which is to be shown next; closed is told once it is
// closed, however, and may be nil.
func (f *Frame) Leave(d dialog.Dialog, closed func()) {
	f.leave = append(f.leave, d.Hide)
	depth := len(f.leave)
	d.SetOnClosed(func() {
		f.leave = f.leave[:min(depth-1, len(f.leave))]
		if closed != nil {
			closed()
		}
	})
}

// escape closes the dialog that is open; false where none is.
func (f *Frame) escape() bool {
	if len(f.leave) == 0 {
		return false
	}
	f.leave[len(f.leave)-1]()
	return true
}
