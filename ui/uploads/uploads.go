package uploads

import (
	"footbridge/core"
	"footbridge/ui/page"
	"footbridge/ui/view"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
)

// Page answers what became of an upload: a list to find it in, and its way beside.
type Page struct {
	f        *page.Frame
	list     *List
	text     *page.Entry
	standing *page.Select
	study    *page.Select
	days     *daysField
	arriving *page.Moving
	leaving  *page.Moving
	detail   *detail
	all      fyne.CanvasObject
}

// New makes the page.
func New(f *page.Frame, source Source, mender Mender) *Page {
	u := &Page{f: f, detail: newDetail(f, source, mender)}
	u.list = NewList(f, source, "uploads", f.Say("uploads.none"), func(row view.UploadRow) { u.detail.open(row.ID) })
	u.list.lost = u.detail.close
	u.text = page.NewEntry(f, f.Say("uploads.search"), func(string) { u.filter() })
	u.text.OnSubmitted = func(string) { f.Window.Canvas().Focus(u.list.rows.List) }
	names := []string{f.Say("uploads.any_state")}
	for _, s := range view.Standings() {
		names = append(names, f.Say("standing."+string(s)))
	}
	u.standing = page.NewSelect(f, names, func(string) { u.filter() })
	u.study = page.NewSelect(f, []string{f.Say("uploads.any_study")}, func(string) { u.filter() })
	u.standing.Selected, u.study.Selected = f.Say("uploads.any_state"), f.Say("uploads.any_study")
	u.days = newDaysField(f, u.filter)
	u.arriving, u.leaving = page.NewMoving(f, f.Say("moving.arriving")), page.NewMoving(f, f.Say("moving.leaving"))
	filters := container.NewVBox(u.text, page.Buttons(u.standing, u.study, u.days.choice)) // readable where the text is large
	u.all = container.NewBorder(container.NewVBox(filters, u.days.written, u.arriving.Content(), u.leaving.Content()), nil, nil, nil, page.Beside(u.list.Content(), u.detail.scroll, 0.58))
	return u
}

// Name is what the page is called, and its icon (page.Page).
func (u *Page) Name() (string, fyne.Resource) { return u.f.Say("uploads.name"), theme.StorageIcon() }

// First is the list (page.Page).
func (u *Page) First() fyne.Focusable { return u.list.rows.List }

// Content is what is drawn (page.Page).
func (u *Page) Content() fyne.CanvasObject { return u.all }

// Show offers the studies that there are, and draws what is on its way (page.Page).
func (u *Page) Show(site view.Site) {
	names := []string{u.f.Say("uploads.any_study")}
	for _, id := range site.Studies {
		names = append(names, string(id))
	}
	u.study.Options = names
	u.arriving.Show(site.Traffic.Arriving)
	u.leaving.Show(site.Traffic.Leaving)
	u.list.Passing(site.Traffic)
	u.detail.passing(site)
}

// Update reads the list and the upload again (page.Page).
func (u *Page) Update() {
	u.list.Update()
	u.detail.update()
}

// filter lists what the fields above the list say.
func (u *Page) filter() {
	since, until, ok := u.days.between()
	if !ok {
		return
	}
	q := view.UploadQuery{Text: u.text.Text, Since: since, Until: until}
	if i := u.standing.SelectedIndex(); i > 0 {
		q.Standing = view.Standings()[i-1]
	}
	if u.study.Selected != u.f.Say("uploads.any_study") {
		q.Study = core.StudyID(u.study.Selected)
	}
	if q != u.list.Query {
		u.list.fixed = false
		u.detail.seek(q.Standing == view.StandingRefused)
		u.list.Show(q)
	}
}

// ShowOnly opens the page with the uploads that stand there.
func (u *Page) ShowOnly(s view.Standing) {
	u.f.Open(u)
	u.showAll()
	u.standing.SetSelected(u.f.Say("standing." + string(s)))
}

// ShowDays opens the page with the uploads of some days.
func (u *Page) ShowDays(days view.Days) {
	u.f.Open(u)
	u.showAll()
	u.days.set(days)
}

// showAll empties the fields above the list.
func (u *Page) showAll() {
	u.text.SetText("")
	u.study.SetSelected(u.f.Say("uploads.any_study"))
	u.standing.SetSelected(u.f.Say("uploads.any_state"))
	u.days.set(view.DaysAny)
}

// ShowWith opens the page with the uploads that a text is found in.
func (u *Page) ShowWith(text string) {
	u.f.Open(u)
	u.study.SetSelected(u.f.Say("uploads.any_study"))
	u.standing.SetSelected(u.f.Say("uploads.any_state"))
	u.text.SetText(text)
}

// OpenUpload opens the page with one upload, which the list beside it has, too.
func (u *Page) OpenUpload(id core.UploadID) {
	u.f.Open(u)
	u.showAll()
	u.list.chosen, u.list.fixed = id, true
	u.list.rows.Refresh()
	u.detail.open(id)
}

// Search puts the cursor where a search is typed (page.Searcher).
func (u *Page) Search() { u.f.Window.Canvas().Focus(u.text) }
