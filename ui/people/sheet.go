package people

import (
	"context"
	"errors"
	"slices"
	"strings"

	"footbridge/ui/page"
	"footbridge/ui/view"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// sheet is a dialog that stays, with all that was typed, until what it asks for is done:
// what is wrong is said in it, until that is changed.
type sheet struct {
	f       *page.Frame
	dialog  *dialog.CustomDialog
	answers []*answer
	wrong   *widget.Label
	why     fyne.CanvasObject // the label and its icon
	do      *page.Button
}

// openSheet opens one, whose content has answers. ready gives what is to be done by it, or
// says what is missing; done is called once that was done.
func (p *Page) openSheet(title, do string, content fyne.CanvasObject, answers []*answer, ready func() (act func(context.Context) error, missing []lack), done func()) *sheet {
	title, content = p.f.Titled(title, content)
	s := &sheet{f: p.f, answers: answers, wrong: page.Plain("")}
	s.why = page.Marked(theme.ErrorIcon(), s.wrong)
	s.why.Hide()
	for _, a := range answers {
		a.heed(func() { s.changed(a) })
	}
	s.do = page.NewButton(p.f, do, nil, func() {
		act, missing := ready()
		if s.mark(missing); len(missing) > 0 {
			s.say(p.f.Say("people.look_at_marks"))
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
				s.refuse(err)
				return
			}
			s.dialog.Hide()
			done()
		}, nil
	})
}

// refuse says what is wrong, at the fields that it is about where those are here.
func (s *sheet) refuse(err error) {
	var refused *view.Refused
	if !errors.As(err, &refused) || len(refused.Wrong) == 0 {
		s.say(err.Error())
		return
	}
	var wrong []lack
	for _, w := range refused.Wrong {
		label := w.Field
		if i := slices.IndexFunc(s.answers, func(a *answer) bool { return a.name == w.Field }); i >= 0 {
			label = s.answers[i].label
		}
		wrong = append(wrong, lack{w.Field, s.f.Say("phrase.complaint", "name", label, "what", w.Must) + "."})
	}
	if s.mark(wrong) {
		s.say(s.f.Say("people.look_at_marks"))
	} else {
		s.say(err.Error())
	}
}

// mark says at their fields what is wrong, and at no others, and puts the cursor into the
// first of them; false where one of them is not here.
func (s *sheet) mark(wrong []lack) (all bool) {
	s.say("")
	here := 0
	var first *answer
	for _, a := range s.answers {
		var texts []string
		for _, w := range wrong {
			if w.name == a.name {
				texts = append(texts, w.text)
			}
		}
		if a.say(strings.Join(texts, "\n")); len(texts) > 0 && first == nil {
			first = a
		}
		here += len(texts)
	}
	if first != nil {
		s.f.Window.Canvas().Focus(first.at)
	}
	return here == len(wrong)
}

// changed takes back what was said of an answer, which may be right now, and what is said
// of all where nothing is marked any more.
func (s *sheet) changed(a *answer) {
	a.say("")
	if !slices.ContainsFunc(s.answers, (*answer).marked) {
		s.say("")
	}
}

// say says what is wrong; empty: nothing is.
func (s *sheet) say(text string) {
	if s.wrong.SetText(text); text == "" {
		s.why.Hide()
	} else {
		s.why.Show()
	}
}
