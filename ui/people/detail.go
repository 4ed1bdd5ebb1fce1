package people

import (
	"context"
	"reflect"

	"footbridge/core"
	"footbridge/ui/page"
	"footbridge/ui/view"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
)

// detail is one participant: what is known, in which studies they are, and how that came
// about from version to version.
type detail struct {
	f       *page.Frame
	source  Source
	study   core.StudyID
	id      core.UserID
	days    int
	opened  bool // it is to be brought into sight
	person  view.Participant
	said    string // as what the times were said
	newer   int    // versions that are passed over
	lines   *fyne.Container
	buttons []*page.Button
	newest  *page.Button // turns to newer versions; it stays, or whoever is at it by keyboard would lose it
	oldest  *page.Button
	scroll  *page.Scroll
	all     fyne.CanvasObject
}

// facts are a name, and what is to be said.
func facts() []page.Column { return []page.Column{{Least: 9.5}, {Least: 14, Grow: 1}} }

// tight is between two lines, which have room around them already.
const tight = -6

func newDetail(p *Page, source Source) *detail {
	d := &detail{f: p.f, source: source, lines: container.New(layout.NewCustomPaddedVBoxLayout(tight))}
	button := func(name string, icon fyne.Resource, do func()) {
		d.buttons = append(d.buttons, page.NewButton(p.f, name, icon, do))
	}
	button(p.f.Say("people.uploads"), theme.StorageIcon(), func() { p.uploads.ShowWith(d.person.Row.ExternalID) })
	button(p.f.Say("people.edit"), theme.DocumentCreateIcon(), p.askEdit)
	button(p.f.Say("people.record"), theme.ConfirmIcon(), p.askConsent)
	button(p.f.Say("people.enrol"), theme.ContentAddIcon(), p.askEnrol)
	button(p.f.Say("people.withdraw"), theme.LogoutIcon(), p.askWithdraw)
	d.newest = page.NewButton(p.f, p.f.Say("versions.newer"), theme.NavigateBackIcon(), func() { d.turn(1 - view.ComparedMax) })
	d.oldest = page.NewButton(p.f, p.f.Say("versions.older"), theme.NavigateNextIcon(), func() { d.turn(view.ComparedMax - 1) })
	bar := page.Buttons()
	for _, b := range d.buttons {
		bar.Add(b)
	}
	d.scroll = page.NewScroll(p.f, p.f.Say("people.name"), container.NewVBox(bar, d.lines)) // large buttons leave no room to read in
	d.close()
	d.all = d.scroll
	return d
}

// open shows a participant of a study. Until all is known of them nothing can be done, so
// that nobody does it to the one who was shown before.
func (d *detail) open(study core.StudyID, id core.UserID, days int) {
	if d.id != id || d.study != study {
		d.close()
	}
	d.study, d.id, d.days, d.opened = study, id, days, true
	d.update()
}

// close shows nobody.
func (d *detail) close() {
	d.id, d.person, d.newer = "", view.Participant{}, 0
	d.scroll.ScrollToTop()
	d.lines.Objects = []fyne.CanvasObject{page.Plain(d.f.Say("people.choose"))}
	d.lines.Refresh()
	d.enable()
}

// update asks for the participant again.
func (d *detail) update() {
	study, id, days := d.study, d.id, d.days
	if id == "" {
		return
	}
	d.f.Ask("participant", func(ctx context.Context) (func(), error) {
		person, err := d.source.Participant(ctx, study, id, days)
		return func() {
			if d.id != id || d.study != study {
				return
			}
			if d.show(person); d.opened {
				d.opened = false
				d.f.See(d.all)
			}
		}, err
	})
}

func (d *detail) show(person view.Participant) {
	line := d.f.Reader().Participant(person.Row)
	if reflect.DeepEqual(person, d.person) && d.said == line.Last+line.Sentence {
		return
	}
	if person.ID != d.person.ID || len(person.Versions) != len(d.person.Versions) {
		d.newer = 0
	}
	d.person, d.said = person, line.Last+line.Sentence
	d.enable()
	d.redraw()
}

// redraw draws the participant.
func (d *detail) redraw() {
	r, person := d.f.Reader(), d.person
	line := r.Participant(person.Row)
	name := page.Plain(line.Who)
	name.TextStyle.Bold, name.SizeName = true, theme.SizeNameSubHeadingText
	d.lines.Objects = []fyne.CanvasObject{
		name, page.Marked(presenceIcon(person.Row.Presence), page.Plain(line.State+". "+line.Sentence)),
		fact(view.Fact{Name: d.f.Say("people.last"), Text: line.Last}),
	}
	for _, f := range r.ParticipantFacts(person) {
		d.lines.Add(fact(f))
	}
	d.lines.Add(page.Heading(d.f.Say("versions.studies")))
	for _, text := range r.Enrollments(person) {
		d.lines.Add(page.Plain(text))
	}
	d.lines.Add(page.Heading(d.f.Say("versions.heading")))
	d.lines.Add(d.drawVersions())
	d.lines.Refresh()
}

// fact is a name, and beside it what is to be said.
func fact(f view.Fact) fyne.CanvasObject {
	name := page.Plain(f.Name)
	name.TextStyle.Bold = true
	return page.NewTight(facts(), name, page.Plain(f.Text))
}

// enable lets a person do what can be done: the uploads are found by the external id, and
// only members withdraw.
func (d *detail) enable() {
	known := d.person.ID != ""
	for i, can := range []bool{d.person.Row.ExternalID != "", known, known, known, known && d.person.ActiveIn(d.study)} {
		page.Enable(d.buttons[i], can)
	}
}
