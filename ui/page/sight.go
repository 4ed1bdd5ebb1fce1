package page

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"
)

// See brings something that is drawn into sight, in whatever scrolls it lies: what has the
// cursor, for whoever goes by keyboard, does so by itself.
func (f *Frame) See(what fyne.CanvasObject) {
	canvas := f.Window.Canvas()
	if top := canvas.Overlays().Top(); top != nil && f.find(top, what) {
		return
	}
	if all := canvas.Content(); all != nil {
		f.find(all, what)
	}
}

// seeWith brings something into sight, with what belongs to it as far as there is room;
// with may be nil.
func (f *Frame) seeWith(what, with fyne.CanvasObject) {
	if with != nil {
		f.See(with)
	}
	f.See(what)
}

// find looks for something within something else, and scrolls every scroll on the way to
// it, the innermost first.
func (f *Frame) find(within, what fyne.CanvasObject) bool {
	if within == what {
		return true
	}
	if !within.Visible() {
		return false
	}
	switch o := within.(type) {
	case *fyne.Container:
		return f.findAny(o.Objects, what)
	case *container.Split:
		return f.findAny([]fyne.CanvasObject{o.Leading, o.Trailing}, what)
	case *widget.PopUp:
		return f.find(o.Content, what)
	case *widget.Form:
		for _, item := range o.Items {
			if f.find(item.Widget, what) {
				return true
			}
		}
	case *Scroll:
		return f.find(o.scroll, what)
	case *container.Scroll:
		if f.find(o.Content, what) {
			f.scrollTo(o, what)
			return true
		}
	}
	return false
}

func (f *Frame) findAny(all []fyne.CanvasObject, what fyne.CanvasObject) bool {
	for _, o := range all {
		if f.find(o, what) {
			return true
		}
	}
	return false
}

// scrollTo scrolls as little as brings something into sight, with what stands close to it;
// where it is higher than the place, its beginning.
func (f *Frame) scrollTo(s *container.Scroll, what fyne.CanvasObject) {
	driver := f.App.Driver()
	s.Content.Resize(s.Content.MinSize().Max(s.Size())) // it may have changed since it was drawn last
	at := driver.AbsolutePositionForObject(what).Subtract(driver.AbsolutePositionForObject(s))
	margin := min(Em(1), max((s.Size().Height-what.Size().Height)/2, 0))
	top, bottom := at.Y-margin, at.Y+what.Size().Height+margin-s.Size().Height
	by := fyne.Delta{}
	switch {
	case top < 0 || bottom > top:
		by.DY = top
	case bottom > 0:
		by.DY = bottom
	}
	if right := at.X + what.Size().Width - s.Size().Width; at.X < 0 || right > at.X {
		by.DX = at.X
	} else if right > 0 {
		by.DX = right
	}
	if by != (fyne.Delta{}) {
		s.ScrollToOffset(s.Offset.AddXY(by.DX, by.DY))
	}
}
