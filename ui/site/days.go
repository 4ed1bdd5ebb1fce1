package site

import (
	"footbridge/ui/page"
	"footbridge/ui/view"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// days is the chart of what came lately, and the same in words.
type days struct {
	f      *page.Frame
	chart  view.Chart
	bars   *page.Bars
	chosen *widget.Label
	sum    *widget.Label
	all    fyne.CanvasObject
}

func newDays(f *page.Frame) *days {
	d := &days{f: f, sum: page.Plain(""), chosen: page.Plain(f.Say("chart.keys"))}
	d.chosen.SizeName = theme.SizeNameCaptionText
	d.bars = page.NewBars(f, func(i int) { d.chosen.SetText(d.chart.Bars[i].Text) })
	d.all = container.NewVBox(page.Heading(f.Say("chart.title")), d.bars, d.chosen, d.sum)
	return d
}

// show draws other days; the one that someone looks at stays.
func (d *days) show(t view.Traffic) {
	d.chart = d.f.Reader().Chart(t)
	bars := make([]page.Bar, len(d.chart.Bars))
	for i, bar := range d.chart.Bars {
		bars[i] = page.Bar{Number: bar.Uploads, Name: bar.Name, Marked: bar.Today}
	}
	d.bars.SetBars(bars)
	d.sum.SetText(d.chart.Text)
}
