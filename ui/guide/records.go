package guide

import (
	"context"
	"slices"

	"footbridge/ui/page"
	"footbridge/ui/view/plan"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/theme"
)

// records is the screen that asks where records go, and tries it.
type records struct {
	g      *Guide
	places []*page.Option
	form   *fyne.Container
	test   *page.Button
}

func newRecords(g *Guide) *records {
	r := &records{g: g, form: container.NewVBox()}
	r.test = page.NewButton(g.f, g.f.Say("guide.trial.do"), theme.SearchIcon(), r.try)
	return r
}

// draw draws the screen.
func (r *records) draw() {
	r.places = nil
	for _, place := range plan.Places() {
		option := page.NewOption(r.g.f, r.g.f.Say("guide.place."+string(place)), func() { r.choose(place) })
		r.places = append(r.places, option)
		r.g.body.Add(option)
	}
	r.g.body.Add(r.form)
	r.g.body.Add(page.Buttons(r.test))
	r.choose(r.g.draft.Place)
}

// choose has records go to a place, and asks what it needs.
func (r *records) choose(place plan.Place) {
	r.g.draft.Place = place
	for i, option := range r.places {
		option.Choose(plan.Places()[i] == place)
	}
	r.drawForm()
	r.g.scroll.ScrollToTop() // the form of another place may have been longer
	r.g.f.See(r.places[slices.Index(plan.Places(), place)])
}

// drawForm asks what the place needs.
func (r *records) drawForm() {
	r.g.fields, r.form.Objects = nil, nil
	r.g.complain("")
	r.g.addFields(r.form, r.g.draft.Asked(plan.StepRecords))
	r.g.body.Refresh()
}

// try tries the place out, once nothing is wrong with the answers.
func (r *records) try() {
	for _, f := range r.g.fields {
		f.tell()
	}
	if r.g.draft.FirstWrong(plan.StepRecords) != "" {
		return
	}
	r.test.Disable()
	r.g.work(r.g.f.Say("guide.trial.works"))
	draft := r.g.draft.Copy()
	r.g.f.Await(func(ctx context.Context) (func(), error) {
		trial, err := r.g.founder.Try(ctx, draft)
		return func() {
			r.g.rest()
			r.g.enable()
			r.test.Enable()
			r.show(trial, err)
			r.g.f.Window.Canvas().Focus(r.g.next)
		}, nil
	})
}

// show says what came of it.
func (r *records) show(trial plan.Trial, err error) {
	if err != nil {
		trial.Wrong = append(trial.Wrong, plan.Sentence(err.Error()))
	}
	icon := theme.ConfirmIcon()
	if !trial.OK {
		icon = theme.WarningIcon()
	}
	r.g.trouble.Objects = nil // it stays in sight there
	r.g.trouble.Add(page.Marked(icon, page.Heading(trial.Verdict(r.g.f.Tongue))))
	for _, line := range trial.Wrong {
		r.g.trouble.Add(page.Plain(line))
	}
	r.g.trouble.Refresh()
	r.g.f.Window.Content().Refresh() // what scrolls has less room now
	r.g.f.See(r.test)
}

// chooseFolder asks for a folder.
func (g *Guide) chooseFolder(f *field) {
	which := dialog.NewFolderOpen(func(dir fyne.ListableURI, err error) {
		if err == nil && dir != nil {
			f.entry.SetText(dir.Path())
		}
	}, g.f.Window)
	g.f.OpenFolder(which)
}

// chooseFile asks for a file.
func (g *Guide) chooseFile(f *field) {
	which := dialog.NewFileOpen(func(file fyne.URIReadCloser, err error) {
		if err == nil && file != nil {
			f.entry.SetText(file.URI().Path())
			file.Close()
		}
	}, g.f.Window)
	g.f.OpenFile(which)
}
