package guide

import (
	"footbridge/ui/page"
	"footbridge/ui/view/plan"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// field is one answer: what is asked, where it is typed, and what is wrong with it.
type field struct {
	g       *Guide
	name    plan.Field
	entry   *page.Entry
	wrong   *widget.Label
	icon    *widget.Icon      // of the wrong
	why     fyne.CanvasObject // the wrong with its icon; what is below it stays where it is once it was needed
	touched bool              // before, nobody is told that an answer is missing
	all     *fyne.Container
}

// addFields draws fields; what the person types into one may change another.
func (g *Guide) addFields(to *fyne.Container, names []plan.Field) {
	for _, name := range names {
		f := g.newField(name)
		g.fields = append(g.fields, f)
		to.Add(f.all)
	}
}

func (g *Guide) newField(name plan.Field) *field {
	f := &field{g: g, name: name, wrong: page.Plain("")}
	f.entry = page.NewEntry(g.f, "", nil)
	f.entry.Password = name.Secret()
	f.entry.SetText(g.draft.Text(name))
	f.entry.OnChanged = func(text string) {
		if text == g.draft.Text(name) {
			return
		}
		f.touched = true
		g.draft.Put(name, text)
		if g.step < len(plan.Steps()) {
			g.complain("") // it was said of other answers
		}
		for _, other := range g.fields {
			other.follow()
		}
	}
	f.entry.OnSubmitted = func(string) { g.forward() }
	f.wrong.Importance = widget.DangerImportance
	f.icon = widget.NewIcon(theme.WarningIcon())
	f.why = container.NewBorder(nil, nil, container.NewVBox(container.NewPadded(f.icon)), nil, f.wrong)
	f.why.Hide()
	f.all = container.NewVBox(page.Heading(g.f.Say("guide.field."+string(name))), f.typed())
	f.entry.With = f.all
	if name.Explained() {
		hint := page.Plain(g.f.Say("guide.hint." + string(name)))
		f.all.Add(hint)
	}
	f.all.Add(f.why)
	return f
}

// typed is where the answer is typed, or chosen.
func (f *field) typed() fyne.CanvasObject {
	switch f.name {
	case plan.Folder:
		return container.NewBorder(nil, nil, nil, page.NewButton(f.g.f, f.g.f.Say("guide.choose"), theme.FolderOpenIcon(), func() { f.g.chooseFolder(f) }), f.entry)
	case plan.Conf:
		return container.NewBorder(nil, nil, nil, page.NewButton(f.g.f, f.g.f.Say("guide.choose"), theme.FileIcon(), func() { f.g.chooseFile(f) }), f.entry)
	}
	return f.entry
}

// follow shows what became of the answer where another one changed it, and what is
// wrong with it now.
func (f *field) follow() {
	if f.entry.Text != f.g.draft.Text(f.name) && f.g.f.Window.Canvas().Focused() != f.entry {
		f.entry.SetText(f.g.draft.Text(f.name))
	}
	if f.touched {
		f.tell()
	}
}

// tell says what is wrong with the answer.
func (f *field) tell() {
	f.touched = true
	f.wrong.SetText(f.g.draft.Wrong(f.name, f.g.f.Tongue))
	if f.wrong.Text == "" {
		f.icon.Hide()
	} else {
		f.icon.Show()
		f.why.Show()
	}
	f.all.Refresh()
}
