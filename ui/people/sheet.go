package people

import (
	"context"

	"footbridge/ui/page"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// sheet is a dialog that stays, with all that was typed, until what it asks for is done:
// what is wrong is said in it.
type sheet struct {
	f      *page.Frame
	dialog *dialog.CustomDialog
	wrong  *widget.Label
	why    fyne.CanvasObject // the label and its icon
	do     *page.Button
}

// openSheet opens one. ready gives what is to be done by it, or says what is missing;
// done is called once that was done.
func (p *Page) openSheet(title, do string, content fyne.CanvasObject, ready func() (act func(context.Context) error, missing string), done func()) *sheet {
	s := &sheet{f: p.f, wrong: page.Plain("")}
	s.why = page.Marked(theme.ErrorIcon(), s.wrong)
	s.why.Hide()
	s.do = page.NewButton(p.f, do, nil, func() {
		act, missing := ready()
		if missing != "" {
			s.say(missing)
			return
		}
		s.run(act, func() {
			done()
			p.Update()
		})
	})
	s.do.Importance = widget.HighImportance
	cancel := page.NewButton(p.f, p.f.Say("people.cancel"), nil, func() { s.dialog.Hide() })
	foot := container.NewVBox(s.why, container.NewHBox(layout.NewSpacer(), cancel, s.do))
	s.show(title, container.NewBorder(nil, foot, nil, nil, container.NewVScroll(content)), content, foot.MinSize().Height)
	s.f.Leave(s.dialog, nil)
	return s
}

// sheetFrame is what of a sheet is not its content, in ems.
const sheetFrame = 6

// show opens the dialog, as high as its content and what is below has to be, and as fits
// the window.
func (s *sheet) show(title string, all, content fyne.CanvasObject, below float32) {
	frame := page.Em(sheetFrame)
	content.Resize(fyne.NewSize(s.f.AskSize(0).Width-frame, content.MinSize().Height)) // lines are as many as the width makes them
	s.dialog = dialog.NewCustomWithoutButtons(title, all, s.f.Window)
	s.dialog.Resize(s.f.AskSize(content.MinSize().Height + below + frame))
	s.f.Above(all)
	s.dialog.Show()
}

// submit has Return in a field do what the sheet is for.
func (s *sheet) submit(fields ...*page.Entry) {
	for _, field := range fields {
		field.OnSubmitted = func(string) {
			if !s.do.Disabled() {
				s.do.OnTapped()
			}
		}
	}
}

// run does what was asked for, and closes the sheet where it was done.
func (s *sheet) run(act func(context.Context) error, done func()) {
	s.do.Disable()
	s.f.Ask("", func(ctx context.Context) (func(), error) {
		err := act(ctx)
		return func() {
			s.do.Enable()
			if err != nil {
				s.say(err.Error())
				return
			}
			s.dialog.Hide()
			done()
		}, nil
	})
}

// say says what is wrong.
func (s *sheet) say(text string) {
	s.wrong.SetText(text)
	s.why.Show()
}
