package page

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"
)

// See brings something into sight, in whatever scrolls it lies. What has the cursor does so
// by itself, for whoever goes by keyboard.
func (f *Frame) See(what fyne.CanvasObject) {
	f.scrolls(what, func(s *container.Scroll, at fyne.Position) { scrollTo(s, at, what.Size()) })
}

// scrolls tells of every scroll that something lies in, the innermost first, and where in
// its content that is.
func (f *Frame) scrolls(what fyne.CanvasObject, each func(s *container.Scroll, at fyne.Position)) {
	if f.dialog != nil {
		if _, ok := f.find(f.dialog, what, each); ok {
			return
		}
	}
	if all := f.Window.Canvas().Content(); all != nil {
		f.find(all, what, each)
	}
}

// Above says what a dialog shows, where something in it scrolls: the toolkit does not tell.
func (f *Frame) Above(content fyne.CanvasObject) { f.dialog = content }

// seeWith brings something into sight, with what belongs to it as far as there is room;
// with may be nil.
func (f *Frame) seeWith(what, with fyne.CanvasObject) {
	if with != nil {
		f.See(with)
	}
	f.See(what)
}

// find looks for something within something else, tells of every scroll on the way to it,
// the innermost first, and gives where in the other it is then. The toolkit knows that of
// what was drawn alone, and this may be about to be.
func (f *Frame) find(within, what fyne.CanvasObject, each func(*container.Scroll, fyne.Position)) (at fyne.Position, ok bool) {
	if within == what {
		return at, true
	}
	if !within.Visible() {
		return at, false
	}
	switch o := within.(type) {
	case *fyne.Container:
		return f.findAny(o.Objects, what, each)
	case *container.Split:
		return f.findAny([]fyne.CanvasObject{o.Leading, o.Trailing}, what, each)
	case *widget.Form:
		for _, item := range o.Items {
			if _, ok := f.find(item.Widget, what, each); ok {
				driver := f.App.Driver() // its layout is its own matter
				return driver.AbsolutePositionForObject(what).Subtract(driver.AbsolutePositionForObject(o)), true
			}
		}
	case *Scroll:
		return f.find(o.scroll, what, each)
	case *container.Scroll:
		o.Content.Resize(o.Content.MinSize().Max(o.Size())) // it may have changed since it was drawn last
		if at, ok = f.find(o.Content, what, each); ok {
			each(o, at)
			at = at.Subtract(o.Offset)
		}
	}
	return at, ok
}

func (f *Frame) findAny(all []fyne.CanvasObject, what fyne.CanvasObject, each func(*container.Scroll, fyne.Position)) (fyne.Position, bool) {
	for _, o := range all {
		if at, ok := f.find(o, what, each); ok {
			return at.Add(o.Position()), true
		}
	}
	return fyne.Position{}, false
}

// scrollTo scrolls as little as brings a place of the content into sight, with what stands
// close to it.
func scrollTo(s *container.Scroll, at fyne.Position, size fyne.Size) {
	to := fyne.NewPos(nearest(s.Offset.X, s.Size().Width, at.X, size.Width), nearest(s.Offset.Y, s.Size().Height, at.Y, size.Height))
	if to != s.Offset {
		s.ScrollToOffset(to)
	}
}

// nearest is the offset closest to one that shows so much of what is there, which begins
// at a place and has a length; its beginning where it is longer.
func nearest(offset, shown, at, length float32) float32 {
	margin := min(Em(1), max((shown-length)/2, 0))
	first, last := at-margin, at+length+margin-shown
	if first < last {
		return max(at, 0)
	}
	return max(min(max(offset, last), first), 0)
}
