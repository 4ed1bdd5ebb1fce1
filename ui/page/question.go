package page

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// The rules here are: Escape closes every dialog, as its button that leaves does; and a
// question has the cursor where its answer changes nothing, or Return would agree to what
// nobody read.

// askWidth is how wide what asks something is, in ems, where the window has the room.
const askWidth = 40

// askFrame is how much wider it is than its content, in ems.
const askFrame = 4

// AskSize is how large something that asks is, which needs some height; the window is
// larger.
func (f *Frame) AskSize(height float32) fyne.Size {
	all := f.Window.Canvas().Size()
	return fyne.NewSize(min(Em(askWidth), all.Width-Em(2)), min(height, all.Height-Em(2)))
}

// Titled gives a dialog's title and content. The toolkit's title has one line; one that is
// longer, such as one with the name of a file, stands above the content instead.
func (f *Frame) Titled(title string, content fyne.CanvasObject) (string, fyne.CanvasObject) {
	bold := fyne.TextStyle{Bold: true}
	if fyne.MeasureText(title, theme.TextSize(), bold).Width <= f.AskSize(0).Width-Em(askFrame) {
		return title, content
	}
	heading := Plain(title)
	heading.TextStyle = bold
	return "", container.NewVBox(heading, content)
}

// Question asks before something is done; yes and no are what its buttons are called, and
// answer is told which was pressed. It gives what presses yes, for those who type Return.
// The toolkit's own question answers in the language of the computer, which may not be the
// reader's, and knows no Escape.
func (f *Frame) Question(title, yes, no string, content fyne.CanvasObject, answer func(yes bool)) (agree func()) {
	agrees := NewButton(f, yes, theme.ConfirmIcon(), nil)
	agrees.Importance = widget.HighImportance
	return f.question(title, no, agrees, content, answer)
}

// question asks with a button that agrees.
func (f *Frame) question(title, no string, agrees *Button, content fyne.CanvasObject, answer func(yes bool)) (agree func()) {
	title, content = f.Titled(title, content)
	d := dialog.NewCustomWithoutButtons(title, content, f.Window)
	agreed := false
	agree = func() {
		agreed = true
		d.Hide()
	}
	agrees.OnTapped = agree
	leaves := NewButton(f, no, theme.CancelIcon(), d.Hide)
	f.stand(d, content, leaves, container.NewGridWithColumns(2, leaves, agrees), func() { answer(agreed) })
	return agree
}

// Inform says something once; read is what the button is called by which a person says
// that they read it, and closed is told then.
func (f *Frame) Inform(title, text, read string, closed func()) {
	content := Plain(text)
	d := dialog.NewCustomWithoutButtons(title, content, f.Window)
	leaves := NewButton(f, read, nil, d.Hide)
	f.stand(d, content, leaves, leaves, closed)
}

// most is how large what needs room is, above the window.
func (f *Frame) most() fyne.Size {
	all := f.Window.Canvas().Size()
	return fyne.NewSize(0.85*all.Width, 0.85*all.Height)
}

// Lay lays something to read over the window, with the cursor at first, until the button
// that leaves it is pressed.
func (f *Frame) Lay(title string, content fyne.CanvasObject, first fyne.Focusable, leave string) {
	d := dialog.NewCustomWithoutButtons(title, content, f.Window)
	d.SetButtons([]fyne.CanvasObject{NewButton(f, leave, nil, d.Hide)})
	f.Leave(d, nil)
	d.Resize(f.most())
	d.Show()
	f.Window.Canvas().Focus(first)
}

// stand shows a dialog above the window, with the cursor at the button that leaves it.
func (f *Frame) stand(d *dialog.CustomDialog, content fyne.CanvasObject, leaves *Button, buttons fyne.CanvasObject, closed func()) {
	d.SetButtons([]fyne.CanvasObject{buttons})
	content.Resize(fyne.NewSize(f.AskSize(0).Width-Em(askFrame), content.MinSize().Height)) // lines are as many as the width makes them
	f.Leave(d, closed)
	d.Resize(f.AskSize(d.MinSize().Height))
	f.Above(content)
	d.Show()
	f.Window.Canvas().Focus(leaves)
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

// Endanger has a button look like one whose work cannot be taken back, by colour and by icon.
func Endanger(b *Button) {
	b.Importance, b.Icon = widget.DangerImportance, theme.WarningIcon()
	b.Refresh()
}

// ConfirmForGood is Confirm for what cannot be taken back: the button that agrees shows it.
func (f *Frame) ConfirmForGood(question, why, do string, act func()) {
	agrees := NewButton(f, do, nil, nil)
	Endanger(agrees)
	f.question(question, f.Say("window.leave"), agrees, Plain(why), func(yes bool) {
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
