package uploads

import (
	"time"

	"footbridge/ui/page"
	"footbridge/ui/view"

	"fyne.io/fyne/v2"
)

// daysField is where the days of a list are chosen.
type daysField struct {
	f        *page.Frame
	choice   *page.Select
	from, to *page.Entry
	written  *fyne.Container // from and to
}

// newDaysField makes one; changed is told after every change.
func newDaysField(f *page.Frame, changed func()) *daysField {
	d := &daysField{f: f}
	d.from = page.NewEntry(f, f.Say("days.from"), func(string) { changed() })
	d.to = page.NewEntry(f, f.Say("days.to"), func(string) { changed() })
	d.written = page.NewCells([]page.Column{{Least: 16, Grow: 1}, {Least: 16, Grow: 1}}, d.from, d.to)
	d.written.Hide()
	var names []string
	for _, days := range view.AllDays() {
		names = append(names, f.Say("days."+string(days)))
	}
	d.choice = page.NewSelect(f, names, func(string) {
		if d.days() == view.DaysChosen {
			d.written.Show()
		} else {
			d.written.Hide()
		}
		changed()
	})
	d.choice.Selected = names[0]
	return d
}

func (d *daysField) days() view.Days { return view.AllDays()[max(d.choice.SelectedIndex(), 0)] }

// set chooses days.
func (d *daysField) set(days view.Days) { d.choice.SetSelected(d.f.Say("days." + string(days))) }

// between gives the times between which the days lie; false where no days are written,
// which the window then says.
func (d *daysField) between() (since, until time.Time, ok bool) {
	since, until, err := d.f.Reader().Between(d.days(), d.from.Text, d.to.Text)
	if err != nil {
		d.f.Tell(d.f.Say("days.none"))
	}
	return since, until, err == nil
}
