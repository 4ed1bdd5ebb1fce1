package help

import (
	"footbridge/ui/page"
	"footbridge/ui/view"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Page answers what to do: questions on the left, the answer beside.
type Page struct {
	f      *page.Frame
	topics []view.Topic // those that are listed
	about  func() view.About
	chosen string
	marks  bool // the list is told what is open, and nobody chooses
	search *page.Entry
	list   *page.List
	none   *widget.Label
	title  *widget.Label
	text   *widget.Label
	answer *page.Scroll
	all    fyne.CanvasObject
}

// New makes the page; about is asked when the page is opened, by the thread that draws.
func New(f *page.Frame, about func() view.About) *Page {
	p := &Page{f: f, about: about, none: page.Plain(f.Say("help.none")), title: page.Plain(""), text: page.Plain("")}
	p.title.SizeName, p.title.TextStyle.Bold = theme.SizeNameSubHeadingText, true
	p.search = page.NewEntry(f, f.Say("help.search"), func(string) { p.find(); p.mark() })
	p.search.OnSubmitted = func(string) { f.Window.Canvas().Focus(p.list) }
	p.list = page.NewList(f, func() int { return len(p.topics) }, func() fyne.CanvasObject { return page.Plain("") }, func(i int, o fyne.CanvasObject) {
		if i < len(p.topics) {
			title := o.(*widget.Label)
			title.SetText(p.topics[i].Title)
			p.list.SetItemHeight(i, title.MinSize().Height)
		}
	})
	p.list.Chosen = func(i int) {
		if !p.marks {
			p.open(p.topics[i].Name)
			f.See(p.answer)
		}
	}
	p.none.Hide()
	p.answer = page.NewScroll(f, f.Say("help.name"), container.NewVBox(p.title, p.text))
	split := page.Beside(container.NewStack(p.list, p.none), p.answer, 0.36)
	p.all = container.New(layout.NewBorderLayout(p.search, nil, nil, nil), p.search, split) // in the order of Tab
	p.find()
	p.list.Select(0)
	p.list.ScrollToTop() // before it is laid out, what is chosen is scrolled past
	return p
}

// Name is what the page is called, and its icon (page.Page).
func (p *Page) Name() (string, fyne.Resource) { return p.f.Say("help.name"), theme.HelpIcon() }

// First is the search (page.Page).
func (p *Page) First() fyne.Focusable { return p.search }

// Search puts the cursor where a search is typed (page.Searcher).
func (p *Page) Search() { p.f.Window.Canvas().Focus(p.search) }

// Content is what is drawn (page.Page).
func (p *Page) Content() fyne.CanvasObject { return p.all }

// Show draws nothing: the page shows what is always so (page.Page).
func (p *Page) Show(view.Site) {}

// Update looks again where devices reach this computer (page.Page).
func (p *Page) Update() { p.find() }

// find lists the topics that say what stands in the search.
func (p *Page) find() {
	all := p.f.Reader().Topics(p.about())
	p.topics = view.Found(all, p.search.Text)
	if len(p.topics) == 0 {
		p.none.Show()
	} else {
		p.none.Hide()
	}
	p.list.Refresh()
	for _, t := range all {
		if t.Name == p.chosen {
			p.title.SetText(t.Title)
			p.text.SetText(t.Text)
		}
	}
}

// mark has the list show which topic is open, where that is among those that it lists now.
func (p *Page) mark() {
	p.marks = true
	defer func() { p.marks = false }()
	p.list.UnselectAll()
	for i, t := range p.topics {
		if t.Name == p.chosen {
			p.list.Select(i)
		}
	}
}

// open shows the answer of a topic.
func (p *Page) open(name string) {
	p.chosen = name
	p.answer.ScrollToTop()
	p.find()
}
