package page

import (
	"fmt"
	"time"

	"footbridge/ui/view"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"
)

// movingLeast is how long a file is on its way at least before it is shown: many small
// ones would come and go faster than anyone reads, and move what is below.
const movingLeast = 3 * time.Second

// Moving shows files on their way, as far as they are, except those that are there in a
// moment. It takes no room while there are none.
type Moving struct {
	f       *Frame
	heading *widget.Label
	rows    *fyne.Container
	more    *widget.Label
	all     *fyne.Container
	bars    []*widget.ProgressBar
	texts   []*widget.Label
	parts   []*widget.Label      // in hundredths
	since   map[string]time.Time // by their ids: when it was first told of each
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
	shown, more := m.f.Reader().Progress(m.long(transfers))
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

// long are those that have been on their way for a while.
func (m *Moving) long(transfers []view.Transfer) (all []view.Transfer) {
	now, since := m.f.Reader().Now, map[string]time.Time{}
	for _, t := range transfers {
		first, known := m.since[string(t.ID)]
		if !known {
			first = now
		}
		since[string(t.ID)] = first
		if now.Sub(first) >= movingLeast {
			all = append(all, t)
		}
	}
	m.since = since
	return all
}
