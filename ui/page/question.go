package page

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// The rule here is: Escape closes every dialog, as its button that leaves does.

// questionWidth is how wide a question is.
const questionWidth = 560

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
	d.Resize(fyne.NewSize(questionWidth, d.MinSize().Height))
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

// typed does what the keys do that are the window's own, wherever the cursor is; false for
// others.
func (f *Frame) typed(key *fyne.KeyEvent) bool {
	switch key.Name {
	case HelpKey().KeyName:
		f.TypedShortcut(HelpKey())
		return true
	case fyne.KeyEscape:
		return f.escape()
	}
	return false
}
