package page

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"
)

// The rules here are: a row is as high as its words, and nothing of them is left out; what
// has no room beside something is below it; and which row is chosen is told by a mark, and
// not by colour alone.

// chosenMark stands before what is chosen.
const chosenMark = "▸ "

// Line is what a row of a list says.
type Line struct {
	Icon     fyne.Resource // nil: none
	Cells    []string      // one for each column; the first is in bold
	Sentence string        // below them; empty: there is none
	Chosen   bool
}

// Rows is a list of rows with columns, their names above and what is said of the whole
// below.
type Rows struct {
	List    *List // which has the cursor
	columns []Column
	icons   bool
	end     *widget.Label
	all     fyne.CanvasObject
}

// RowsConfig says how rows are.
type RowsConfig struct {
	Columns []Column
	Icons   bool           // a row has an icon
	Length  func() int     // how many rows there are
	Line    func(int) Line // what a row says
	Chosen  func(int)      // told which row someone chose; nil: there is nothing to choose
}

// NewRows makes a list of rows.
func NewRows(f *Frame, config RowsConfig) *Rows {
	r := &Rows{columns: config.Columns, icons: config.Icons, end: Plain("")}
	r.end.Hide()
	r.List = NewList(f, config.Length, func() fyne.CanvasObject { return newRow(r.columns, r.icons) }, func(i int, o fyne.CanvasObject) {
		if i < config.Length() {
			row := o.(*row)
			row.set(config.Line(i))
			r.List.SetItemHeight(i, row.MinSize().Height)
		}
	})
	r.List.Chosen = func(i int) {
		r.List.UnselectAll() // rows move; which one is chosen, its line says
		if config.Chosen != nil && i < config.Length() {
			config.Chosen(i)
			r.List.Refresh()
		}
	}
	var head fyne.CanvasObject
	if r.columns[0].Name != "" {
		head = r.head()
	}
	r.all = container.NewBorder(head, r.end, nil, nil, r.List)
	return r
}

// head is the names of the columns.
func (r *Rows) head() fyne.CanvasObject {
	names := Line{}
	for _, c := range r.columns {
		names.Cells = append(names.Cells, c.Name)
	}
	head := newRow(r.columns, r.icons)
	head.set(names)
	return head
}

// Content is what is drawn.
func (r *Rows) Content() fyne.CanvasObject { return r.all }

// Refresh draws the rows again.
func (r *Rows) Refresh() { r.List.Refresh() }

// Tell says something of the whole; empty: nothing.
func (r *Rows) Tell(text string) {
	if r.end.Text != text {
		r.end.Hidden = text == ""
		r.end.SetText(text)
		r.all.Refresh()
	}
}

// row is one of a list.
type row struct {
	widget.BaseWidget
	icon *widget.Icon // nil: there is none
	all  *fyne.Container
	text []*widget.Label // the cells, and the sentence
}

// sentenceLeast is wider than any row, so that a sentence has lines of its own.
const sentenceLeast = 1e4

func newRow(columns []Column, icon bool) *row {
	r := &row{}
	c := &cells{tight: true}
	lines := container.New(c)
	for _, column := range append(columns[:len(columns):len(columns)], Column{Least: sentenceLeast}) {
		text := Plain("")
		r.text, c.columns = append(r.text, text), append(c.columns, column)
		lines.Add(text)
	}
	r.text[0].TextStyle.Bold = true
	r.text[len(columns)].Hide()
	r.all = container.NewBorder(nil, nil, nil, nil, lines)
	if icon {
		r.icon = widget.NewIcon(nil)
		r.all = container.NewBorder(nil, nil, container.NewVBox(container.NewPadded(r.icon)), nil, lines)
	}
	r.ExtendBaseWidget(r)
	return r
}

// CreateRenderer draws it (fyne.Widget).
func (r *row) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(r.all) }

// set fills the row.
func (r *row) set(line Line) {
	for i, text := range line.Cells {
		if i == 0 && line.Chosen {
			text = chosenMark + text
		}
		put(r.text[i], text)
	}
	sentence := r.text[len(r.text)-1]
	sentence.Hidden = line.Sentence == ""
	put(sentence, line.Sentence)
	if r.icon != nil && r.icon.Resource != line.Icon {
		r.icon.SetResource(line.Icon)
	}
	r.all.Objects[0].Refresh()
}

// put lets a label say something, where it does not say so already.
func put(l *widget.Label, text string) {
	if l.Text != text {
		l.SetText(text)
	}
}
