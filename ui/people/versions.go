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

// versionLeast is what a column of versions needs, in ems.
const versionLeast = 7.8

// drawVersions puts versions beside each other: a column each, a row for each field.
func (d *detail) drawVersions() fyne.CanvasObject {
	c := d.f.Reader().Compare(d.person.Versions, d.newer)
	if len(c.Heads) == 0 {
		return page.Plain(d.f.Say("versions.none"))
	}
	all := container.NewVBox(versionRow("", c.Heads, true))
	for _, row := range c.Rows {
		all.Add(widget.NewSeparator())
		all.Add(versionRow(row.Field, row.Cells, false))
	}
	if len(d.person.Versions) > 1 {
		all.Add(page.Plain(d.f.Say("versions.legend")))
	}
	if c.Newer+c.Older > 0 {
		page.Enable(d.newest, c.Newer > 0)
		page.Enable(d.oldest, c.Older > 0)
		all.Add(page.Buttons(d.newest, d.oldest))
	}
	return all
}

// turn shows versions that there was no room for. One stays, so that it is seen what the
// others are compared with.
func (d *detail) turn(by int) {
	d.newer = max(0, d.newer+by)
	d.redraw()
}

// versionRow is a field in every version.
func versionRow(field string, cells []view.Cell, head bool) fyne.CanvasObject {
	columns, texts := []page.Column{{Least: versionLeast, Grow: 1}}, []fyne.CanvasObject{page.Plain(field)}
	for _, cell := range cells {
		text := page.Plain(cell.Text)
		text.TextStyle.Bold = head || cell.Changed
		if cell.Changed && !head {
			text.Text = changedMark + cell.Text
		}
		columns, texts = append(columns, page.Column{Least: versionLeast, Grow: 1}), append(texts, text)
	}
	return page.NewTight(columns, texts...)
}
