package study

import (
	"context"
	"reflect"
	"slices"

	"footbridge/core"
	"footbridge/ui/page"
	"footbridge/ui/view"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Page answers what a study's export is configured to, and what it lacks.
type Page struct {
	f       *page.Frame
	studies Studies
	known   []core.StudyID
	open    core.StudyID
	fresh   core.StudyID // was made just now; the site may not list it yet
	detail  view.StudyDetail
	said    string // of the project, as it was last drawn: times pass
	choice  *page.Select
	icon    *widget.Icon
	state   *widget.Label
	make    *page.Button
	steps   *fyne.Container
	fields  *fyne.Container
	access  *access
	papers  *papers
	scrolls []*page.Scroll // the columns
	all     fyne.CanvasObject
}

// New makes the page.
func New(f *page.Frame, studies Studies, granter Access, documents Documents) *Page {
	s := &Page{f: f, studies: studies, icon: widget.NewIcon(theme.InfoIcon()), state: page.Plain(""), steps: container.NewVBox(), fields: container.NewVBox()}
	s.choice = page.NewSelect(f, nil, func(id string) { s.show(core.StudyID(id)) })
	s.choice.PlaceHolder = f.Say("people.scope_choose")
	create := page.NewButton(f, f.Say("study.new"), theme.ContentAddIcon(), s.askNew)
	s.make = page.NewButton(f, f.Say("study.make"), theme.FolderNewIcon(), func() {
		id := s.open
		f.Do(func(ctx context.Context) error { return s.studies.AskProject(ctx, id) }, f.Say("study.asked"))
	})
	s.access, s.papers = newAccess(s, granter), newPapers(s, documents)
	s.state.TextStyle.Bold = true
	head := page.NewCells([]page.Column{{Least: 5}, {Least: 14, Grow: 1}, {Least: 11}}, widget.NewLabel(f.Say("study.which")), s.choice, create)
	export := container.NewVBox(
		container.NewBorder(nil, nil, container.NewVBox(container.NewPadded(s.icon)), nil, s.state), page.Buttons(s.make), s.steps,
		page.Heading(f.Say("study.fields")), s.fields,
	)
	others := container.NewVBox(s.access.all, widget.NewSeparator(), s.papers.all)
	s.scrolls = []*page.Scroll{page.NewScroll(f, f.Say("study.fields"), container.NewPadded(export)), page.NewScroll(f, f.Say("study.name"), container.NewPadded(others))}
	s.all = container.NewBorder(container.NewPadded(head), nil, nil, nil, page.Beside(s.scrolls[0], s.scrolls[1], 0.5))
	s.draw(view.StudyDetail{})
	return s
}

// Name is what the page is called, and its icon (page.Page).
func (s *Page) Name() (string, fyne.Resource) { return s.f.Say("study.name"), theme.DocumentIcon() }

// First is the choice of a study (page.Page).
func (s *Page) First() fyne.Focusable { return s.choice }

// Content is what is drawn (page.Page).
func (s *Page) Content() fyne.CanvasObject { return s.all }

// Show draws which studies there are (page.Page).
func (s *Page) Show(site view.Site) {
	studies := slices.Clone(site.Studies)
	if s.fresh != "" && !slices.Contains(studies, s.fresh) {
		studies = append(studies, s.fresh)
	} else {
		s.fresh = ""
	}
	if !slices.Equal(studies, s.known) {
		s.known = studies
		var names []string
		for _, id := range s.known {
			names = append(names, string(id))
		}
		s.choice.SetOptions(names)
	}
	if s.detail.ID == "" {
		s.standing(site)
	}
	if len(s.known) > 0 && !slices.Contains(s.known, s.open) {
		s.choice.SetSelected(string(s.known[0]))
	}
}

// standing says how things stand before a study is known; nothing while it is asked for.
func (s *Page) standing(site view.Site) {
	r := s.f.Reader()
	text := r.Unknown(site)
	if text == "" && site.Overview.State != "" && len(site.Studies) == 0 {
		text = r.StudyStanding(view.StudyDetail{})
	}
	s.state.SetText(text)
}

// Update asks for the study again (page.Page).
func (s *Page) Update() {
	id := s.open
	if id == "" {
		return
	}
	s.f.Ask("study", func(ctx context.Context) (func(), error) {
		detail, err := s.studies.Study(ctx, id)
		return func() {
			if s.open == id {
				s.draw(detail)
			}
		}, err
	})
}

// show opens a study.
func (s *Page) show(id core.StudyID) {
	if s.open == id {
		return
	}
	s.open = id
	for _, w := range []*word{s.access.word, s.papers.kept, s.papers.taken} {
		w.clear()
	}
	for _, column := range s.scrolls {
		column.ScrollToTop() // it may be as the study before was left
	}
	s.Update()
}

// draw shows what changed. The fields that somebody may be typing in stay.
func (s *Page) draw(detail view.StudyDetail) {
	r := s.f.Reader()
	said := r.ProjectSentence(detail.Project)
	for _, b := range []*page.Button{s.make, s.papers.timeline} {
		page.Enable(b, detail.ID != "")
	}
	if detail.ID != "" && said == s.said && reflect.DeepEqual(detail, s.detail) {
		return
	}
	s.detail, s.said = detail, said
	s.state.SetText(r.StudyStanding(detail))
	s.icon.SetResource(theme.InfoIcon())
	if s.make.SetText(s.f.Say("study.make")); detail.Configured() {
		s.icon.SetResource(theme.ConfirmIcon())
		s.make.SetText(s.f.Say("study.make_again"))
	}
	s.drawSteps(r, said)
	s.fields.Objects = nil
	for _, field := range r.ConfigFields(detail) {
		s.fields.Add(s.drawField(field))
	}
	s.fields.Refresh()
	s.access.draw()
	s.all.Refresh()
}

// drawSteps shows how far the project is.
func (s *Page) drawSteps(r view.Reader, said string) {
	s.steps.Objects = nil
	if state := s.detail.Project.State; state == "making" || state == "waiting" {
		for _, step := range s.detail.Project.Steps {
			icon := map[string]fyne.Resource{"done": theme.ConfirmIcon(), "now": theme.MediaPlayIcon(), "stopped": theme.WarningIcon()}[step.State]
			if icon == nil {
				icon = theme.RadioButtonIcon()
			}
			s.steps.Add(page.Marked(icon, page.Plain(r.ProjectStep(step))))
		}
	}
	if said != "" {
		s.steps.Add(page.Plain(said))
	}
	s.steps.Refresh()
}

// drawField draws one field of the configuration.
func (s *Page) drawField(field view.ConfigField) fyne.CanvasObject {
	copies := page.NewButton(s.f, s.f.Say("study.copy"), theme.ContentCopyIcon(), func() { s.copy(field.Value) })
	value := page.Plain(field.Value)
	if field.Value == "" {
		value.SetText(s.f.Say("study.empty"))
		copies.Disable()
	}
	words := page.Plain(field.Words + " (" + field.Key + ")")
	words.SizeName = theme.SizeNameCaptionText
	return container.NewBorder(nil, nil, nil, container.NewVBox(copies), container.NewVBox(words, value))
}

// copy puts a text on the clipboard.
func (s *Page) copy(text string) {
	s.f.App.Clipboard().SetContent(text)
	s.f.Tell(s.f.Say("study.copied"))
}
