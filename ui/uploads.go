package ui

import (
	"footbridge/core"
	"footbridge/ui/view"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// uploads answers what became of an upload: a list to find it in, and its way beside.
type uploads struct {
	w        *Window
	list     *pager
	text     *searchField
	standing *widget.Select
	study    *widget.Select
	detail   *detail
	all      fyne.CanvasObject
}

func newUploads(w *Window) *uploads {
	u := &uploads{w: w, detail: newDetail(w)}
	u.list = newPager(w, "uploads", view.LabelNoUpload, func(row view.UploadRow) { u.detail.open(row.ID) })
	u.text = newSearchField(w, func(string) { u.filter() })
	u.text.OnSubmitted = func(string) { w.window.Canvas().Focus(u.list.list) }
	names := []string{view.LabelAnyState}
	for _, s := range view.Standings() {
		names = append(names, s.Words())
	}
	u.standing = widget.NewSelect(names, func(string) { u.filter() })
	u.study = widget.NewSelect([]string{view.LabelAnyStudy}, func(string) { u.filter() })
	u.standing.Selected, u.study.Selected = view.LabelAnyState, view.LabelAnyStudy
	filters := container.NewBorder(nil, nil, nil, container.NewHBox(u.standing, u.study), u.text)
	split := container.NewHSplit(u.list.all, u.detail.all)
	split.Offset = 0.58
	u.all = container.NewBorder(filters, nil, nil, nil, split)
	return u
}

func (u *uploads) name() (string, fyne.Resource) { return view.LabelUploads, theme.StorageIcon() }

func (u *uploads) first() fyne.Focusable { return u.list.list }

func (u *uploads) content() fyne.CanvasObject { return u.all }

// show offers the studies that there are.
func (u *uploads) show(site view.Site) {
	names := []string{view.LabelAnyStudy}
	for _, id := range site.Studies {
		names = append(names, string(id))
	}
	u.study.Options = names
}

func (u *uploads) update() {
	u.list.update()
	u.detail.update()
}

// filter lists what the fields above the list say.
func (u *uploads) filter() {
	q := view.UploadQuery{Text: u.text.Text}
	if i := u.standing.SelectedIndex(); i > 0 {
		q.Standing = view.Standings()[i-1]
	}
	if u.study.Selected != view.LabelAnyStudy {
		q.Study = core.StudyID(u.study.Selected)
	}
	if q != u.list.query {
		u.list.show(q)
	}
}

// showOnly opens the page with the uploads that stand there.
func (u *uploads) showOnly(s view.Standing) {
	u.w.turn(pageUploads)
	u.text.SetText("")
	u.study.SetSelected(view.LabelAnyStudy)
	u.standing.SetSelected(s.Words())
}

// open opens the page with one upload.
func (u *uploads) open(id core.UploadID) {
	u.w.turn(pageUploads)
	u.list.chosen = id
	u.list.list.Refresh()
	u.detail.open(id)
}

// searchField is an entry that leaves the window its shortcuts, and its cursor to
// whoever presses Escape.
type searchField struct {
	widget.Entry
	w *Window
}

func newSearchField(w *Window, changed func(string)) *searchField {
	s := &searchField{w: w}
	s.PlaceHolder, s.OnChanged = view.LabelSearch, changed
	s.ExtendBaseWidget(s)
	return s
}

// TypedShortcut gives the window what is its own (fyne.Shortcutable).
func (s *searchField) TypedShortcut(shortcut fyne.Shortcut) {
	s.w.TypedShortcut(shortcut)
	s.Entry.TypedShortcut(shortcut)
}

// TypedKey empties the field and leaves it on Escape (fyne.Focusable).
func (s *searchField) TypedKey(key *fyne.KeyEvent) {
	if key.Name == fyne.KeyEscape {
		s.SetText("")
		s.w.window.Canvas().Unfocus()
		return
	}
	s.Entry.TypedKey(key)
}
