package settings

import (
	"context"

	"footbridge/ui/page"
	"footbridge/ui/view"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Page answers what this site does, and lets it be changed.
type Page struct {
	f      *page.Frame
	source Source
	search *page.Entry
	here   *computer
	below  *widget.Separator
	groups []*group
	rows   []*row
	lines  *fyne.Container
	scroll *container.Scroll
	none   *widget.Label // nothing is like that, or it is not known what is
	all    fyne.CanvasObject

	disk    view.Disk
	unknown string // why no settings are known; empty where that is not known either
}

// group is a heading and the settings below it.
type group struct {
	name  string
	lines *fyne.Container
	rows  []*row
}

// New makes the page; login is that of whoever sits here, nil where nothing can be started
// for them.
func New(f *page.Frame, source Source, login Login) *Page {
	p := &Page{f: f, source: source, lines: container.NewVBox(), none: page.Plain(f.Say("settings.none"))}
	p.search = page.NewEntry(f, f.Say("settings.search"), func(string) { p.filter() })
	p.here, p.below = newComputer(f, login), widget.NewSeparator()
	for _, name := range view.SettingGroups() {
		g := &group{name: name, lines: container.NewVBox()}
		p.groups = append(p.groups, g)
		p.lines.Add(g.lines)
	}
	p.none.Hide()
	p.scroll = container.NewVScroll(container.NewPadded(container.NewVBox(p.here.all, p.below, page.Plain(f.Say("settings.about")), p.lines, p.none)))
	p.all = container.New(layout.NewBorderLayout(p.search, nil, nil, nil), p.search, p.scroll) // in the order of Tab
	return p
}

// groupName is what a group is called.
func groupName(f *page.Frame, name string) string { return f.Say("settings.group." + name) }

// groupHeading stands above a group.
func groupHeading(f *page.Frame, name string) fyne.CanvasObject {
	heading := page.Heading(groupName(f, name))
	heading.SizeName = theme.SizeNameSubHeadingText
	return container.NewVBox(widget.NewSeparator(), heading)
}

// Name is what the page is called, and its icon (page.Page).
func (p *Page) Name() (string, fyne.Resource) {
	return p.f.Say("settings.name"), theme.SettingsIcon()
}

// First is the search (page.Page).
func (p *Page) First() fyne.Focusable { return p.search }

// Search puts the cursor where a search is typed (page.Searcher).
func (p *Page) Search() { p.f.Window.Canvas().Focus(p.search) }

// Content is what is drawn (page.Page).
func (p *Page) Content() fyne.CanvasObject { return p.all }

// Show says whether the settings can be known, until they are (page.Page).
func (p *Page) Show(site view.Site) {
	p.disk = site.Overview.Disk
	for _, r := range p.rows {
		r.room()
	}
	if unknown := p.f.Reader().Unknown(site); unknown != p.unknown {
		p.unknown = unknown
		p.filter()
	}
}

// Update reads the settings again (page.Page).
func (p *Page) Update() {
	p.here.update()
	p.f.Ask("settings", func(ctx context.Context) (func(), error) {
		all, err := p.source.Settings(ctx)
		return func() { p.put(all) }, err
	})
}

// put shows the settings. Where they are the same ones, their fields stay, with what
// someone is typing there.
func (p *Page) put(all []view.Setting) {
	same := len(all) == len(p.rows)
	for i := 0; same && i < len(all); i++ {
		same = all[i].Key == p.rows[i].setting.Key
	}
	if same {
		for i, s := range all {
			p.rows[i].put(s)
		}
		return
	}
	p.rows = nil
	for _, g := range p.groups {
		g.rows, g.lines.Objects = nil, []fyne.CanvasObject{groupHeading(p.f, g.name)}
		for _, s := range all {
			if s.Group() == g.name {
				g.rows = append(g.rows, newRow(p, s))
				g.lines.Add(g.rows[len(g.rows)-1].all)
			}
		}
	}
	for _, s := range all { // in the order of the file, as they come
		for _, g := range p.groups {
			for _, r := range g.rows {
				if r.setting.Key == s.Key {
					p.rows = append(p.rows, r)
				}
			}
		}
	}
	p.filter()
}

// filter shows what someone looks for.
func (p *Page) filter() {
	found := false
	for _, g := range p.groups {
		some := false
		for _, r := range g.rows {
			shown := p.f.Reader().Shows(r.setting, p.search.Text)
			some = some || shown
			show(r.all, shown)
		}
		show(g.lines, some)
		found = found || some
	}
	here := p.here.filter(p.search.Text)
	show(p.below, here)
	found = found || here
	if p.none.SetText(p.f.Say("settings.none")); len(p.rows) == 0 {
		p.none.SetText(p.unknown)
	}
	show(p.none, p.none.Text != "" && (!found || len(p.rows) == 0))
	p.scroll.Refresh()
}

func show(o fyne.CanvasObject, shown bool) {
	if shown {
		o.Show()
	} else {
		o.Hide()
	}
}
