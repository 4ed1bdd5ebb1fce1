package study

import (
	"context"
	"strings"

	"footbridge/core"
	"footbridge/ui/page"
	"footbridge/ui/view"
	"footbridge/ui/view/plan"

	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"
)

// fresh is what asks for a new study. It stays, with all that was typed, until the study is
// made.
type fresh struct {
	s        *Page
	dialog   *dialog.CustomDialog
	name, id *page.Entry
	given    bool // someone typed the id; else it is proposed after the name
	wrong    *word
	do       *page.Button
}

// askNew asks for a new study.
func (s *Page) askNew() {
	a := &fresh{s: s, id: page.NewEntry(s.f, "", nil), name: page.NewEntry(s.f, "", nil), wrong: newWord(s.f)}
	a.id.Label, a.name.Label = s.f.Say("guide.field.study"), s.f.Say("study.new.name")
	a.name.OnChanged = a.propose
	a.id.OnChanged = func(id string) {
		a.given = id != "" && id != plan.Identifier(a.name.Text)
		a.check()
	}
	a.id.OnSubmitted = func(string) { a.make() }
	a.name.OnSubmitted = a.id.OnSubmitted
	a.do = page.NewButton(s.f, s.f.Say("study.new.do"), nil, a.make)
	a.do.Importance = widget.HighImportance
	cancel := page.NewButton(s.f, s.f.Say("study.cancel"), nil, func() { a.dialog.Hide() })
	form := container.NewVBox(
		page.Heading(a.name.Label), a.name,
		page.Heading(a.id.Label), a.id, page.Plain(s.f.Say("guide.hint.study")), a.wrong.all,
	)
	all := container.NewBorder(nil, container.NewHBox(layout.NewSpacer(), cancel, a.do), nil, nil, container.NewVScroll(form))
	a.dialog = dialog.NewCustomWithoutButtons(s.f.Say("study.new.title"), all, s.f.Window)
	a.dialog.Resize(s.f.AskSize(page.Em(26)))
	s.f.Leave(a.dialog, nil)
	s.f.Above(all)
	a.dialog.Show()
	s.f.Window.Canvas().Focus(a.name)
}

// propose calls the study after its name until someone types an id.
func (a *fresh) propose(name string) {
	if a.given {
		return
	}
	id := plan.Identifier(name)
	if a.id.SetText(id); id == "" { // nothing was typed there that could be wrong
		a.wrong.clear()
	}
}

// study is the id that was typed.
func (a *fresh) study() core.StudyID { return core.StudyID(strings.TrimSpace(a.id.Text)) }

// check says what is wrong with the id; false where something is.
func (a *fresh) check() bool {
	wrong := a.s.f.Reader().StudyIDWrong(string(a.study()), a.s.known)
	if wrong == "" {
		a.wrong.clear()
	} else {
		a.wrong.wrong(wrong)
	}
	return wrong == ""
}

// make makes the study and opens it.
func (a *fresh) make() {
	s, id, name := a.s, a.study(), strings.TrimSpace(a.name.Text)
	if !a.check() {
		s.f.Window.Canvas().Focus(a.id)
		return
	}
	a.do.Disable()
	s.f.Ask("", func(ctx context.Context) (func(), error) {
		err := s.studies.CreateStudy(ctx, id, name)
		return func() {
			a.do.Enable()
			if err != nil {
				a.wrong.wrong(err.Error())
				return
			}
			a.dialog.Hide()
			s.f.Tell(s.f.Say("study.new.done"))
			s.fresh = id
			s.Show(view.Site{Studies: s.known})
			s.choice.SetSelected(string(id))
		}, nil
	})
}
