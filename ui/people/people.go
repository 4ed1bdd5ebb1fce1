package people

import (
	"slices"

	"footbridge/core"
	"footbridge/ui/page"
	"footbridge/ui/uploads"
	"footbridge/ui/view"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// What someone chose is kept under these names, for the next time.
const (
	daysKey  = "people.days"
	studyKey = "people.study"
)

// lateChoices are the days to choose from.
func lateChoices() []int { return []int{1, 2, 3, 7, 14, 30, 90} }

// Page answers who takes part, who is late, and what is known of each.
type Page struct {
	f        *page.Frame
	clerk    Clerk
	uploads  *uploads.Page
	studies  []core.StudyID
	list     *list
	detail   *detail
	study    *page.Select
	text     *page.Entry
	presence *page.Select
	days     *page.Select
	create   *page.Button
	late     *widget.Label
	all      fyne.CanvasObject
}

// New makes the page; what someone sent opens on the page of the uploads.
func New(f *page.Frame, source Source, clerk Clerk, all *uploads.Page) *Page {
	p := &Page{f: f, clerk: clerk, uploads: all, late: page.Plain("")}
	p.detail = newDetail(p, source)
	p.list = newList(f, source, func(row view.ParticipantRow) { p.detail.open(p.list.query.Study, row.ID, p.list.query.Days) }, p.count)
	p.text = page.NewEntry(f, f.Say("people.search"), func(string) { p.filter() })
	p.text.OnSubmitted = func(string) { f.Window.Canvas().Focus(p.list.rows.List) }
	p.study = page.NewSelect(f, nil, func(string) { p.filter() })
	names := []string{f.Say("people.everyone")}
	for _, presence := range view.Presences() {
		names = append(names, f.Say("presence."+string(presence)))
	}
	p.presence = page.NewSelect(f, names, func(string) { p.filter() })
	p.presence.Selected = names[0]
	var days []string
	for _, n := range lateChoices() {
		days = append(days, f.Count("people.days_choice", n))
	}
	p.days = page.NewSelect(f, days, func(string) { p.filter() })
	p.days.Selected = f.Count("people.days_choice", f.App.Preferences().IntWithFallback(daysKey, view.LateDays))
	p.create = page.NewButton(f, f.Say("people.new"), theme.ContentAddIcon(), p.askCreate)
	p.create.Disable()
	choices := page.Buttons(p.study, p.presence, container.NewHBox(widget.NewLabel(f.Say("people.late_after")), p.days), p.create)
	filters := container.NewVBox(p.text, choices, p.late)
	p.all = container.NewBorder(filters, nil, nil, nil, page.Beside(p.list.Content(), p.detail.all, 0.54))
	return p
}

// Name is what the page is called, and its icon (page.Page).
func (p *Page) Name() (string, fyne.Resource) { return p.f.Say("people.name"), theme.AccountIcon() }

// First is the list (page.Page).
func (p *Page) First() fyne.Focusable { return p.list.rows.List }

// Search puts the cursor where a search is typed (page.Searcher).
func (p *Page) Search() { p.f.Window.Canvas().Focus(p.text) }

// Content is what is drawn (page.Page).
func (p *Page) Content() fyne.CanvasObject { return p.all }

// Show offers the studies that there are; where none is chosen, that of the last time is,
// or the first (page.Page).
func (p *Page) Show(site view.Site) {
	p.studies = site.Studies
	var names []string
	for _, id := range site.Studies {
		names = append(names, string(id))
	}
	p.study.SetOptions(names)
	page.Enable(p.create, len(names) > 0 && site.Trouble == "")
	if !p.list.read {
		p.late.SetText(p.nobody(site))
	}
	if len(names) > 0 && p.study.Selected == "" {
		last := p.f.App.Preferences().String(studyKey)
		if !slices.Contains(names, last) {
			last = names[0]
		}
		p.study.SetSelected(last)
	}
}

// nobody says why nobody is listed before anybody was; nothing while that is asked for.
func (p *Page) nobody(site view.Site) string {
	if site.Overview.State == "" || site.Trouble != "" || len(site.Studies) > 0 {
		return p.f.Reader().Unknown(site)
	}
	return p.f.Say("people.no_study")
}

// Update reads the list and the participant again (page.Page).
func (p *Page) Update() {
	p.list.update()
	p.detail.update()
}

// filter lists what the fields above the list say.
func (p *Page) filter() {
	q := view.ParticipantQuery{Study: core.StudyID(p.study.Selected), Text: p.text.Text, Days: view.LateDays}
	if i := p.presence.SelectedIndex(); i > 0 {
		q.Presence = view.Presences()[i-1]
	}
	if i := p.days.SelectedIndex(); i >= 0 {
		q.Days = lateChoices()[i]
		p.f.App.Preferences().SetInt(daysKey, q.Days)
	}
	if q == p.list.query {
		return
	}
	if q.Study != p.list.query.Study {
		p.f.App.Preferences().SetString(studyKey, string(q.Study))
	}
	if same := p.list.query; q.Study != same.Study || q.Text != same.Text || q.Presence != same.Presence {
		p.list.chosen = "" // nobody is shown who may not be listed
		p.detail.close()
	}
	p.detail.days = q.Days
	p.detail.update()
	p.list.show(q)
}

// reveal chooses a participant who came just now, and has them seen in the list: among
// all, or alone where there are too many to look through.
func (p *Page) reveal(id core.UserID, who string) {
	show := func(text string) {
		p.presence.SetSelected(p.f.Say("people.everyone"))
		p.text.SetText(text)
		p.list.chosen = id
		p.detail.open(p.list.query.Study, id, p.list.query.Days)
	}
	show("")
	p.list.sought, p.list.lost = id, func() { show(who) }
}

// count says how many are late.
func (p *Page) count(late int) { p.late.SetText(p.f.Reader().LateWords(late, p.list.query.Days)) }
