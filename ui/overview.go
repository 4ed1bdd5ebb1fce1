package ui

import (
	"reflect"
	"strconv"

	"footbridge/ui/view"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// overview answers whether everything is fine.
type overview struct {
	w            *Window
	front        view.Front
	icon         *widget.Icon
	sentence     *widget.Label
	needs        *fyne.Container
	queues       *fyne.Container
	numbers      []*widget.Label
	destinations *fyne.Container
	disk         *widget.Label
	all          fyne.CanvasObject
}

func newOverview(w *Window) *overview {
	o := &overview{
		w: w, icon: widget.NewIcon(theme.InfoIcon()), sentence: plain(""), disk: plain(""),
		needs: container.NewVBox(), queues: container.NewVBox(), destinations: container.NewVBox(),
	}
	o.sentence.SizeName = theme.SizeNameSubHeadingText
	o.sentence.TextStyle.Bold = true
	o.all = container.NewVScroll(container.NewPadded(container.NewVBox(
		container.NewBorder(nil, nil, o.icon, nil, o.sentence), o.needs, widget.NewSeparator(),
		heading(view.LabelQueues), o.queues, heading(view.LabelDestinations), o.destinations, heading(view.LabelDisk), o.disk,
	)))
	return o
}

func (o *overview) name() (string, fyne.Resource) { return view.LabelOverview, theme.HomeIcon() }

func (o *overview) first() fyne.Focusable { return nil }

func (o *overview) content() fyne.CanvasObject { return o.all }

func (o *overview) update() {} // it shows the site alone

// show draws what changed. The buttons stay, or whoever is at one by keyboard would
// lose it.
func (o *overview) show(site view.Site) {
	front := view.NewFront(site.Overview, o.w.reader())
	if site.Overview.State == "" || reflect.DeepEqual(front, o.front) {
		return
	}
	o.front = front
	o.icon.SetResource(stateIcon(front.State))
	o.sentence.SetText(front.Sentence)
	o.needs.Objects = nil
	for _, need := range front.Needs {
		o.needs.Add(container.NewBorder(nil, nil, widget.NewIcon(theme.WarningIcon()), nil, plain(need)))
	}
	o.showQueues(front.Queues)
	o.destinations.Objects = nil
	for _, card := range front.Destinations {
		o.destinations.Add(drawCard(card))
	}
	o.disk.SetText(front.Disk)
	o.all.Refresh()
}

func (o *overview) showQueues(figures []view.Figure) {
	if len(o.numbers) != len(figures) {
		o.numbers, o.queues.Objects = nil, nil
		for _, f := range figures {
			number := widget.NewLabelWithStyle("", fyne.TextAlignTrailing, fyne.TextStyle{Bold: true})
			show := widget.NewButton(view.LabelShow, func() { o.w.uploads.showOnly(f.Standing) })
			o.numbers = append(o.numbers, number)
			height := number.MinSize().Height
			o.queues.Add(container.NewHBox(
				container.NewGridWrap(fyne.NewSize(80, height), number), container.NewGridWrap(fyne.NewSize(330, height), widget.NewLabel(f.Words)), show))
		}
	}
	for i, f := range figures {
		o.numbers[i].SetText(strconv.Itoa(f.Number))
	}
}

// drawCard draws a destination.
func drawCard(card view.DestinationCard) fyne.CanvasObject {
	name := widget.NewLabelWithStyle(card.Name+": "+card.State, fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	lines := container.NewVBox(name, plain(card.Facts))
	if card.Sentence != "" {
		lines.Add(plain(card.Sentence))
	}
	return lines
}

// plain is text that takes as many lines as it needs.
func plain(text string) *widget.Label {
	l := widget.NewLabel(text)
	l.Wrapping = fyne.TextWrapWord
	return l
}

func heading(text string) *widget.Label {
	return widget.NewLabelWithStyle(text, fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
}

// stateIcon is what stands beside the words for a state.
func stateIcon(state string) fyne.Resource {
	switch state {
	case "ok":
		return theme.ConfirmIcon()
	case "needs_person":
		return theme.WarningIcon()
	case "waiting":
		return theme.HistoryIcon()
	}
	return theme.InfoIcon()
}
