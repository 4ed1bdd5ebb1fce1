package page

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
)

// The rules here are: nothing is laid out by a number of pixels alone, since text may be
// twice as large; and what has no room beside something goes below it.

// Em is so many times the height of the reader's text.
func Em(n float32) float32 { return n * theme.TextSize() }

// Column is how wide one of several cells is, in ems.
type Column struct {
	Name  string  // above it; empty: it has none
	Least float32 // that it can be read with
	Grow  float32 // its share of what room there is beyond that
}

// cells lays what it is given beside each other, and where the width does not suffice, in
// several lines (fyne.Layout).
type cells struct {
	columns []Column
	tight   bool    // they are texts, which have room around them already
	width   float32 // as it was laid last; 0: it never was
}

// NewCells lays cells beside each other, and where the width does not suffice, in several
// lines. There are as many columns as cells.
func NewCells(columns []Column, all ...fyne.CanvasObject) *fyne.Container {
	return container.New(&cells{columns: columns}, all...)
}

// gap is between two lines.
func (c *cells) gap() float32 {
	if c.tight {
		return -theme.InnerPadding()
	}
	return theme.Padding()
}

// lines says which cells stand in which line.
func (c *cells) lines(all []fyne.CanvasObject) (lines [][]int) {
	room := float32(0)
	for i, o := range all {
		if !o.Visible() {
			continue
		}
		least := c.least(i, o)
		if len(lines) == 0 || c.width > 0 && least > room {
			lines, room = append(lines, nil), c.width
		}
		lines[len(lines)-1] = append(lines[len(lines)-1], i)
		room -= least + c.between()
	}
	return lines
}

// least is what a cell needs: a button cannot be narrower than its name.
func (c *cells) least(i int, o fyne.CanvasObject) float32 {
	return max(Em(c.columns[i].Least), o.MinSize().Width)
}

// between is how far two cells of a line are from each other.
func (c *cells) between() float32 {
	if c.tight {
		return 0
	}
	return 2 * theme.Padding()
}

// shares is how wide the cells of a line are. A line that is not the only one is filled.
func (c *cells) shares(all []fyne.CanvasObject, line []int) []float32 {
	wide, room, grow := make([]float32, len(line)), c.width-c.between()*float32(len(line)-1), float32(0)
	for at, i := range line {
		wide[at] = min(c.least(i, all[i]), c.width)
		room -= wide[at]
		grow += c.columns[i].Grow
	}
	for at, i := range line {
		if grow > 0 {
			wide[at] += max(room, 0) * c.columns[i].Grow / grow
		} else {
			wide[at] += max(room, 0) / float32(len(line))
		}
	}
	return wide
}

// MinSize is that of the lines, as wide as they were laid last (fyne.Layout).
func (c *cells) MinSize(all []fyne.CanvasObject) (size fyne.Size) {
	for at, line := range c.lines(all) {
		high := float32(0)
		shares := c.shares(all, line)
		for k, i := range line {
			if c.width > 0 { // lines of a text are as many as the width makes them
				all[i].Resize(fyne.NewSize(shares[k], all[i].Size().Height))
			}
			least := all[i].MinSize()
			size.Width, high = max(size.Width, least.Width), max(high, least.Height)
		}
		if at > 0 {
			size.Height += c.gap()
		}
		size.Height += high
	}
	return size
}

// Layout puts each cell into its line (fyne.Layout).
func (c *cells) Layout(all []fyne.CanvasObject, size fyne.Size) {
	c.width = size.Width
	lines := c.lines(all)
	y := float32(0)
	for _, line := range lines {
		x, high, shares := float32(0), float32(0), c.shares(all, line)
		for k, i := range line {
			all[i].Resize(fyne.NewSize(shares[k], all[i].Size().Height))
			high = max(high, all[i].MinSize().Height)
		}
		if len(lines) == 1 {
			high = max(high, size.Height)
		}
		for k, i := range line {
			all[i].Move(fyne.NewPos(x, y))
			all[i].Resize(fyne.NewSize(shares[k], high))
			x += shares[k] + c.between()
		}
		y += high + c.gap()
	}
}

// Buttons are beside each other, and where the width does not suffice, in several lines.
func Buttons(all ...fyne.CanvasObject) *fyne.Container {
	return container.New(layout.NewRowWrapLayout(), all...)
}

// besideLeast is how wide two panes are at least that stand beside each other, in ems.
const besideLeast = 46

// beside lays a split: its panes stand beside each other where they have the room, and
// else below (fyne.Layout).
type beside struct{ split *container.Split }

// Beside puts two panes beside each other, the first with its share of the width; where
// the width does not suffice, the second is below.
func Beside(first, second fyne.CanvasObject, share float64) fyne.CanvasObject {
	split := container.NewHSplit(first, second)
	split.Offset = share
	return container.New(&beside{split}, split)
}

// MinSize is that of the panes as they stand; they make no window wider (fyne.Layout).
func (b *beside) MinSize([]fyne.CanvasObject) fyne.Size { return b.split.MinSize() }

// Layout lets the panes stand where they have the room (fyne.Layout).
func (b *beside) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	if wide := size.Width >= Em(besideLeast); wide != b.split.Horizontal {
		b.split.Horizontal = wide
		b.split.Refresh()
	}
	b.split.Resize(size)
}

// NewTight is NewCells for texts alone, which have room around them already.
func NewTight(columns []Column, all ...fyne.CanvasObject) *fyne.Container {
	return container.New(&cells{columns: columns, tight: true}, all...)
}

// NewFixed is a cell of so many ems, and beside it what has the rest of the width.
func NewFixed(ems float32, first, rest fyne.CanvasObject) *fyne.Container {
	return NewCells([]Column{{Least: ems}, {Grow: 1}}, first, rest)
}
