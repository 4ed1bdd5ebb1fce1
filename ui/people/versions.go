package people

import (
	"footbridge/ui/page"
	"footbridge/ui/view"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"
)

// changedMark stands before what is not as in the version before: not by colour alone.
const changedMark = "● "

const (
	fieldWidth   = 130
	versionWidth = 190
)

// drawVersions puts the versions beside each other: a column each, a row for each field.
func (d *detail) drawVersions(versions []view.ParticipantVersion) fyne.CanvasObject {
	c := d.f.Reader().Compare(versions)
	if len(c.Heads) == 0 {
		return page.Plain(d.f.Say("versions.none"))
	}
	table := container.NewVBox(versionRow("", c.Heads, true))
	for _, row := range c.Rows {
		table.Add(widget.NewSeparator())
		table.Add(versionRow(row.Field, row.Cells, false))
	}
	all := container.NewVBox(container.NewHScroll(table))
	if len(c.Heads) > 1 {
		all.Add(page.Plain(d.f.Say("versions.legend")))
	}
	if c.Older > 0 {
		all.Add(page.Plain(d.f.Count("versions.older", c.Older)))
	}
	return all
}

// versionRow is a field in every version.
func versionRow(field string, cells []view.Cell, head bool) fyne.CanvasObject {
	row := container.New(columns{}, page.Plain(field))
	for _, cell := range cells {
		text := page.Plain(cell.Text)
		text.TextStyle.Bold = head || cell.Changed
		if cell.Changed && !head {
			text.Text = changedMark + cell.Text
		}
		row.Add(text)
	}
	return row
}
