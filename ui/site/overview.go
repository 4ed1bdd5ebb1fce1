package site

import (
	"reflect"
	"strconv"

	"footbridge/ui/page"
	"footbridge/ui/uploads"
	"footbridge/ui/view"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Overview answers whether everything is fine.
type Overview struct {
	f            *page.Frame
	uploads      *uploads.Page
	front        view.Front
	traffic      view.Traffic
	days         *days
	arriving     *page.Moving
	leaving      *page.Moving
	icon         *widget.Icon
	sentence     *widget.Label
	needs        *needs
	queues       *fyne.Container
	numbers      []*widget.Label
	destinations *fyne.Container
	disk         *widget.Label
	all          fyne.CanvasObject
}

// NewOverview makes the page; its figures lead to the uploads that they count, and what
// needs a person to the page where that is put right.
func NewOverview(f *page.Frame, all *uploads.Page, places map[view.Place]page.Page) *Overview {
	o := &Overview{
		f: f, uploads: all, icon: widget.NewIcon(theme.InfoIcon()), sentence: page.Plain(""), disk: page.Plain(""),
		needs: newNeeds(f, all, places), queues: container.NewVBox(), destinations: container.NewVBox(),
		days: newDays(f), arriving: page.NewMoving(f, f.Say("moving.arriving")), leaving: page.NewMoving(f, f.Say("moving.leaving")),
	}
	o.sentence.SizeName = theme.SizeNameSubHeadingText
	o.sentence.TextStyle.Bold = true
	o.all = page.NewScroll(f, f.Say("overview.name"), container.NewPadded(container.NewVBox(
		container.NewBorder(nil, nil, o.icon, nil, o.sentence), o.needs.all, widget.NewSeparator(),
		page.NewCells([]page.Column{{Least: 26, Grow: 1}, {Least: 20, Grow: 1}}, container.NewVBox(page.Heading(f.Say("overview.queues")), o.queues), container.NewVBox(o.days.all, page.Heading(f.Say("overview.disk")), o.disk)),
		o.arriving.Content(), o.leaving.Content(), page.Heading(f.Say("overview.destinations")), o.destinations,
	)))
	return o
}

// Name is what the page is called, and its icon (page.Page).
func (o *Overview) Name() (string, fyne.Resource) { return o.f.Say("overview.name"), theme.HomeIcon() }

// First is nothing (page.Page).
func (o *Overview) First() fyne.Focusable { return nil }

// Content is what is drawn (page.Page).
func (o *Overview) Content() fyne.CanvasObject { return o.all }

// Update asks for nothing: the page shows the site alone (page.Page).
func (o *Overview) Update() {}

// Show draws what changed. The buttons stay, or whoever is at one by keyboard would
// lose it.
func (o *Overview) Show(site view.Site) {
	r := o.f.Reader()
	front := r.Front(site)
	o.arriving.Show(site.Traffic.Arriving) // what is the same is on its way longer
	o.leaving.Show(site.Traffic.Leaving)
	if site.Overview.State == "" && site.Trouble == "" || reflect.DeepEqual(front, o.front) && reflect.DeepEqual(site.Traffic, o.traffic) {
		return
	}
	if !reflect.DeepEqual(site.Traffic.Days, o.traffic.Days) {
		o.days.show(site.Traffic)
	}
	o.front, o.traffic = front, site.Traffic
	o.icon.SetResource(stateIcon(front.State))
	o.sentence.SetText(front.Sentence)
	o.needs.show(front.Needs)
	o.showQueues(front.Queues)
	o.destinations.Objects = nil
	for _, card := range front.Destinations {
		o.destinations.Add(drawCard(card))
	}
	o.disk.SetText(front.Disk)
	o.all.Refresh()
}

// numberWidth is how wide a figure is, in ems.
const numberWidth = 5

func (o *Overview) showQueues(figures []view.Figure) {
	if len(o.numbers) != len(figures) {
		o.numbers, o.queues.Objects = nil, nil
		for _, f := range figures {
			number := widget.NewLabelWithStyle("", fyne.TextAlignTrailing, fyne.TextStyle{Bold: true})
			words := page.Plain(f.Words)
			show := page.NewButton(o.f, o.f.Say("overview.show"), nil, func() { o.lead(f) })
			o.numbers = append(o.numbers, number)
			o.queues.Add(container.NewBorder(nil, nil, nil, container.NewVBox(show), page.NewFixed(numberWidth, number, words)))
		}
	}
	for i, f := range figures {
		o.numbers[i].SetText(strconv.Itoa(f.Number))
	}
}

// lead opens the uploads that a figure counts.
func (o *Overview) lead(f view.Figure) {
	if f.Days != "" {
		o.uploads.ShowDays(f.Days)
		return
	}
	o.uploads.ShowOnly(f.Standing)
}

// drawCard draws a destination.
func drawCard(card view.DestinationCard) fyne.CanvasObject {
	name := page.Plain(card.Name + ": " + card.State)
	name.TextStyle.Bold = true
	lines := container.NewVBox(name, page.Plain(card.Facts))
	if card.Sentence != "" {
		lines.Add(page.Plain(card.Sentence))
	}
	return lines
}

// stateIcon is what stands beside the words for a state.
func stateIcon(state string) fyne.Resource {
	switch state {
	case "ok":
		return theme.ConfirmIcon()
	case "needs_person", "refused":
		return theme.WarningIcon()
	case "away":
		return theme.QuestionIcon()
	case "waiting":
		return theme.HistoryIcon()
	}
	return theme.InfoIcon()
}
