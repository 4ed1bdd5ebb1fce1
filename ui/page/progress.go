package page

import (
	"fmt"

	"footbridge/ui/view"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"
)

// Moving shows files on their way, as far as they are. It takes no room while there
// are none.
type Moving struct {
	f       *Frame
	heading *widget.Label
	rows    *fyne.Container
	more    *widget.Label
	all     *fyne.Container
	bars    []*widget.ProgressBar
	texts   []*widget.Label
	parts   []*widget.Label // in hundredths
}

// NewMoving makes one with a heading.
func NewMoving(f *Frame, heading string) *Moving {
	m := &Moving{f: f, heading: Heading(heading), rows: container.NewVBox(), more: Plain("")}
	m.all = container.NewVBox(m.heading, m.rows, m.more)
	m.all.Hide()
	return m
}

// Content is what is drawn.
func (m *Moving) Content() fyne.CanvasObject { return m.all }

// Show draws how far files are.
func (m *Moving) Show(transfers []view.Transfer) {
	shown, more := m.f.Reader().Progress(transfers)
	for len(m.bars) < len(shown) {
		bar, text, part := widget.NewProgressBar(), Plain(""), widget.NewLabel("")
		bar.TextFormatter = func() string { return "" } // half of it would stand on the bar and half beside
		part.Alignment = fyne.TextAlignTrailing
		m.bars, m.texts, m.parts = append(m.bars, bar), append(m.texts, text), append(m.parts, part)
		m.rows.Add(NewCells([]Column{{Least: 22, Grow: 1}, {Least: 14, Grow: 1}}, text, container.NewBorder(nil, nil, nil, part, bar)))
	}
	for i, row := range m.rows.Objects {
		if i >= len(shown) {
			row.Hide()
			continue
		}
		m.texts[i].SetText(shown[i].Text)
		m.bars[i].SetValue(shown[i].Part)
		m.parts[i].SetText(fmt.Sprintf("%d %%", int(100*shown[i].Part)))
		row.Show()
	}
	m.more.SetText(more)
	if m.more.Hidden = more == ""; len(shown) > 0 {
		m.all.Show()
	} else {
		m.all.Hide()
	}
}
