package page

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"
)

// wheel lies over a field of one line, and has the mouse wheel move the page that the field
// is on: the toolkit's field takes it, and does nothing with it.
type wheel struct {
	widget.BaseWidget
	frame *Frame
	field fyne.CanvasObject
	own   fyne.Scrollable // of the field, which moves a text that is too long sideways; nil: it has none
}

// Scrolled moves the innermost of what the field lies in that has somewhere to go
// (fyne.Scrollable).
func (w *wheel) Scrolled(turned *fyne.ScrollEvent) {
	if turned.Scrolled.DY == 0 {
		if w.own != nil {
			w.own.Scrolled(turned)
		}
		return
	}
	moved := false
	w.frame.scrolls(w.field, func(s *container.Scroll, _ fyne.Position) {
		if !moved && s.Content.MinSize().Height > s.Size().Height {
			moved = true
			s.Scrolled(turned)
		}
	})
}

// CreateRenderer draws nothing (fyne.Widget).
func (w *wheel) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(container.NewWithoutLayout())
}

// wheeled is a field as the toolkit draws it, with a wheel over it.
type wheeled struct {
	fyne.WidgetRenderer
	wheel *wheel
}

// newWheeled puts a wheel over a field of one line.
func newWheeled(f *Frame, field fyne.CanvasObject, drawn fyne.WidgetRenderer) *wheeled {
	w := &wheeled{drawn, &wheel{frame: f, field: field}}
	w.wheel.ExtendBaseWidget(w.wheel)
	for _, o := range drawn.Objects() {
		if own, ok := o.(fyne.Scrollable); ok {
			w.wheel.own = own
		}
	}
	return w
}

// Objects are those of the field, and the wheel above them (fyne.WidgetRenderer).
func (w *wheeled) Objects() []fyne.CanvasObject {
	all := w.WidgetRenderer.Objects()
	return append(all[:len(all):len(all)], w.wheel)
}

// Layout lays the wheel over the whole field (fyne.WidgetRenderer).
func (w *wheeled) Layout(size fyne.Size) {
	w.WidgetRenderer.Layout(size)
	w.wheel.Resize(size)
}
