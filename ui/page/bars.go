package page

import (
	"image/color"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Bar is one of a chart.
type Bar struct {
	Number int
	Name   string // under it, where it is the first or marked
	Marked bool   // its name stands under it
}

// Bars is a chart that is read by keyboard and pointer, too: each bar can be chosen,
// and what chosen is told is to be read beside it. Colour says nothing in it.
type Bars struct {
	widget.BaseWidget
	frame   *Frame
	bars    []Bar
	at      int // the chosen one; none where it is negative
	focused bool
	chosen  func(int)
}

// NewBars makes a chart; chosen is told which bar someone chose.
func NewBars(f *Frame, chosen func(int)) *Bars {
	b := &Bars{frame: f, at: -1, chosen: chosen}
	b.ExtendBaseWidget(b)
	return b
}

// SetBars draws other bars. Which one is chosen stays.
func (b *Bars) SetBars(bars []Bar) {
	b.bars, b.at = bars, min(b.at, len(bars)-1)
	b.Refresh()
	if b.at >= 0 {
		b.chosen(b.at)
	}
}

// choose chooses a bar where there is one.
func (b *Bars) choose(i int) {
	if i < 0 || i >= len(b.bars) || i == b.at {
		return
	}
	b.at = i
	b.Refresh()
	b.chosen(i)
}

// under is which bar is at a place.
func (b *Bars) under(x float32) int { return int(x / (b.Size().Width / float32(max(len(b.bars), 1)))) }

// Tapped chooses a bar (fyne.Tappable).
func (b *Bars) Tapped(e *fyne.PointEvent) { b.choose(b.under(e.Position.X)) }

// MouseIn chooses the bar under the pointer (desktop.Hoverable).
func (b *Bars) MouseIn(e *desktop.MouseEvent) { b.choose(b.under(e.Position.X)) }

// MouseMoved chooses the bar under the pointer (desktop.Hoverable).
func (b *Bars) MouseMoved(e *desktop.MouseEvent) { b.choose(b.under(e.Position.X)) }

// MouseOut leaves the choice as it is (desktop.Hoverable).
func (b *Bars) MouseOut() {}

// FocusGained shows where the cursor is, brings the chart into sight, and chooses the last
// bar where none is (fyne.Focusable).
func (b *Bars) FocusGained() {
	b.focused = true
	if b.at < 0 {
		b.choose(len(b.bars) - 1)
	}
	b.Refresh()
	b.frame.See(b)
}

// FocusLost leaves the choice as it is (fyne.Focusable).
func (b *Bars) FocusLost() {
	b.focused = false
	b.Refresh()
}

// TypedRune does nothing (fyne.Focusable).
func (b *Bars) TypedRune(rune) {}

// TypedKey goes from bar to bar, and hands the window's keys on (fyne.Focusable).
func (b *Bars) TypedKey(key *fyne.KeyEvent) {
	if b.frame.takes(key) {
		return
	}
	switch key.Name {
	case fyne.KeyLeft:
		b.choose(b.at - 1)
	case fyne.KeyRight:
		b.choose(b.at + 1)
	case fyne.KeyHome:
		b.choose(0)
	case fyne.KeyEnd:
		b.choose(len(b.bars) - 1)
	}
}

// CreateRenderer draws it (fyne.Widget).
func (b *Bars) CreateRenderer() fyne.WidgetRenderer {
	r := &barsRenderer{bars: b, most: canvas.NewText("", color.Transparent), base: canvas.NewLine(color.Transparent), frame: canvas.NewRectangle(color.Transparent)}
	r.Refresh()
	return r
}

const (
	barsWidth  = 17 // at least, in ems
	barsHeight = 9.3
	barsGap    = 3 // between two
)

// barsRenderer draws a chart with what a canvas has.
type barsRenderer struct {
	bars  *Bars
	most  *canvas.Text // the number of the highest bar
	base  *canvas.Line
	frame *canvas.Rectangle // where the cursor is
	rects []*canvas.Rectangle
	names []*canvas.Text // under the bars; nil where none is
}

// MinSize is the least that is readable.
func (r *barsRenderer) MinSize() fyne.Size { return fyne.NewSize(Em(barsWidth), Em(barsHeight)) }

// Destroy has nothing to give back.
func (r *barsRenderer) Destroy() {}

// Objects are what is drawn.
func (r *barsRenderer) Objects() []fyne.CanvasObject {
	all := []fyne.CanvasObject{r.frame, r.base, r.most}
	for i, rect := range r.rects {
		all = append(all, rect)
		if r.names[i] != nil {
			all = append(all, r.names[i])
		}
	}
	return all
}

// Refresh takes up what changed: bars, choice, cursor, colours.
func (r *barsRenderer) Refresh() {
	b := r.bars
	r.rects, r.names = make([]*canvas.Rectangle, len(b.bars)), make([]*canvas.Text, len(b.bars))
	front, fill := theme.Color(theme.ColorNameForeground), theme.Color(theme.ColorNamePrimary)
	for i, bar := range b.bars {
		rect := canvas.NewRectangle(fill)
		if i == b.at {
			rect.StrokeColor, rect.StrokeWidth = front, 2
		}
		r.rects[i] = rect
		if bar.Marked || i == 0 {
			r.names[i] = canvas.NewText(bar.Name, front)
			r.names[i].TextSize = theme.CaptionTextSize()
			r.names[i].TextStyle.Bold = bar.Marked
		}
	}
	r.most.Text, r.most.Color, r.most.TextSize = strconv.Itoa(r.highest()), front, theme.CaptionTextSize()
	r.base.StrokeColor, r.base.StrokeWidth = front, 1
	r.frame.StrokeColor, r.frame.StrokeWidth = color.Transparent, 2
	if b.focused {
		r.frame.StrokeColor = front
	}
	r.Layout(b.Size())
	canvas.Refresh(b)
}

func (r *barsRenderer) highest() (most int) {
	for _, bar := range r.bars.bars {
		most = max(most, bar.Number)
	}
	return most
}

// Layout puts the bars side by side on their line, the names under it, and the number
// of the highest above.
func (r *barsRenderer) Layout(size fyne.Size) {
	caption := fyne.MeasureText("0", theme.CaptionTextSize(), fyne.TextStyle{}).Height
	top, bottom := caption+2, size.Height-caption-4
	r.frame.Resize(size)
	r.most.Move(fyne.NewPos(2, 0))
	r.base.Position1, r.base.Position2 = fyne.NewPos(0, bottom), fyne.NewPos(size.Width, bottom)
	wide, most := size.Width/float32(max(len(r.rects), 1)), max(r.highest(), 1)
	for i, rect := range r.rects {
		high := (bottom - top) * float32(r.bars.bars[i].Number) / float32(most)
		if r.bars.bars[i].Number > 0 {
			high = max(high, 2) // one of a thousand is to be seen, too
		}
		rect.Resize(fyne.NewSize(max(wide-barsGap, 1), high))
		rect.Move(fyne.NewPos(float32(i)*wide+barsGap/2, bottom-high))
		if name := r.names[i]; name != nil {
			width := name.MinSize().Width
			name.Move(fyne.NewPos(max(min(float32(i)*wide, size.Width-width-2), 0), bottom+2))
		}
	}
}
