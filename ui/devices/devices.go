package devices

import (
	"context"
	"reflect"

	"footbridge/core"
	"footbridge/ui/page"
	"footbridge/ui/view"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Page answers which devices there are, and pairs another one.
type Page struct {
	f      *page.Frame
	source Source
	panel  *Panel
	known  []view.DeviceLine
	read   bool // they are known
	chosen core.DeviceID
	rows   *page.Rows
	pair   *page.Button
	beside *fyne.Container
	lines  *fyne.Container
	forget *page.Button
	detail fyne.CanvasObject
	shown  view.DeviceCard
	all    fyne.CanvasObject
}

// New makes the page.
func New(f *page.Frame, source Source) *Page {
	p := &Page{f: f, source: source, panel: NewPanel(f, source, ""), lines: container.NewVBox(page.Plain(f.Say("devices.choose")))}
	p.rows = page.NewRows(f, page.RowsConfig{
		Columns: []page.Column{
			{Name: f.Say("devices.device"), Least: 9.5, Grow: 3}, {Name: f.Say("devices.who"), Least: 6.5, Grow: 2},
			{Name: f.Say("devices.seen"), Least: 6.5, Grow: 2}, {Name: f.Say("devices.uploads"), Least: 9, Grow: 1},
		},
		Icons:  true,
		Length: func() int { return len(p.known) },
		Line:   p.line,
		Chosen: func(i int) {
			p.choose(p.known[i].ID)
			f.See(p.beside)
		},
	})
	p.pair = page.NewButton(f, f.Say("devices.pair"), theme.ContentAddIcon(), p.startPairing)
	p.pair.Importance = widget.HighImportance
	p.forget = page.NewButton(f, f.Say("devices.forget"), theme.DeleteIcon(), p.askToForget)
	p.forget.Hide()
	p.detail = container.NewBorder(nil, page.Buttons(p.forget), nil, nil, page.NewScroll(f, f.Say("devices.name"), p.lines))
	p.beside = container.NewStack(p.detail)
	listed := container.NewBorder(page.Buttons(p.pair), nil, nil, nil, p.rows.Content())
	p.all = page.Beside(listed, container.NewPadded(p.beside), 0.46)
	return p
}

// Name is what the page is called, and its icon (page.Page).
func (p *Page) Name() (string, fyne.Resource) { return p.f.Say("devices.name"), theme.ComputerIcon() }

// First is the button that pairs a device (page.Page).
func (p *Page) First() fyne.Focusable { return p.pair }

// Content is what is drawn (page.Page).
func (p *Page) Content() fyne.CanvasObject { return p.all }

// Show offers the studies that there are; until the devices are known it says whether they
// can be (page.Page).
func (p *Page) Show(site view.Site) {
	p.panel.Show(site)
	if !p.read {
		p.rows.Tell(p.f.Reader().Unknown(site))
	}
}

// Update asks for the devices, and what came of a code (page.Page).
func (p *Page) Update() {
	p.f.Ask("devices", func(ctx context.Context) (func(), error) {
		rows, err := p.source.Devices(ctx)
		return func() { p.put(rows) }, err
	})
	if p.pairing() {
		p.panel.Update()
	}
}

// pairing reports whether the panel is seen.
func (p *Page) pairing() bool { return p.beside.Objects[0] == p.panel.Content() }

// put shows the devices; how long ago they were here changes by itself.
func (p *Page) put(rows []view.DeviceLine) {
	none := ""
	p.read = true
	if p.known = rows; len(rows) == 0 {
		none = p.f.Say("devices.none")
	}
	p.rows.Tell(none)
	p.rows.Refresh()
	p.drawDetail()
}

// line is what a row says.
func (p *Page) line(i int) page.Line {
	card := p.f.Reader().Device(p.known[i])
	return page.Line{Icon: stateIcon(p.known[i].State), Cells: []string{card.Name, card.Who, card.Seen, card.Uploads}, Chosen: card.ID == p.chosen}
}

// stateIcon is what stands beside the words for a state.
func stateIcon(s view.DeviceState) fyne.Resource {
	if s == view.DeviceEnded {
		return theme.CancelIcon()
	}
	return theme.ComputerIcon()
}

// startPairing asks whose device is to be paired.
func (p *Page) startPairing() {
	p.turn(p.panel.Content())
	p.panel.Reset()
	p.panel.Update()
}

func (p *Page) turn(to fyne.CanvasObject) {
	p.beside.Objects = []fyne.CanvasObject{to}
	p.beside.Refresh()
}

// choose shows a device, instead of a code.
func (p *Page) choose(id core.DeviceID) {
	p.chosen = id
	p.panel.code.clear()
	p.turn(p.detail)
	p.rows.Refresh()
	p.drawDetail()
}

// drawDetail draws the chosen device where something changed.
func (p *Page) drawDetail() {
	var card view.DeviceCard
	var icon fyne.Resource
	for _, row := range p.known {
		if row.ID == p.chosen {
			card, icon = p.f.Reader().Device(row), stateIcon(row.State)
		}
	}
	if reflect.DeepEqual(card, p.shown) {
		return
	}
	p.shown = card
	if card.ID == "" {
		p.forget.Hide()
		p.lines.Objects = []fyne.CanvasObject{page.Plain(p.f.Say("devices.choose"))}
		p.lines.Refresh()
		return
	}
	name := page.Plain(card.Name)
	name.TextStyle.Bold, name.SizeName = true, theme.SizeNameSubHeadingText
	p.lines.Objects = []fyne.CanvasObject{name, page.Plain(card.Who), page.Marked(icon, page.Plain(card.State))}
	for _, fact := range card.Facts {
		p.lines.Add(page.Plain(fact))
	}
	p.lines.Refresh()
	p.forget.Show()
}

// askToForget lets go of the chosen device once a person knows what that means.
func (p *Page) askToForget() {
	card := p.shown
	why := p.f.Say("devices.forget_why", "name", card.Name, "who", card.Who)
	p.f.Confirm(p.f.Say("devices.forget_ask"), why, p.f.Say("devices.forget"), func() {
		p.f.Do(func(ctx context.Context) error { return p.source.Forget(ctx, card.ID) }, p.f.Say("devices.forgotten"))
	})
}
