package people

import "fyne.io/fyne/v2"

// columns lays texts beside each other, each as wide as its column, and all as high as
// the one with the most lines (fyne.Layout).
type columns struct{}

func (columns) width(i int) float32 {
	if i == 0 {
		return fieldWidth
	}
	return versionWidth
}

// MinSize is that of all columns (fyne.Layout).
func (c columns) MinSize(texts []fyne.CanvasObject) fyne.Size {
	var size fyne.Size
	for i, text := range texts {
		text.Resize(fyne.NewSize(c.width(i), text.Size().Height)) // lines are as many as the width makes them
		size.Width += c.width(i)
		size.Height = max(size.Height, text.MinSize().Height)
	}
	return size
}

// Layout puts each text into its column (fyne.Layout).
func (c columns) Layout(texts []fyne.CanvasObject, size fyne.Size) {
	var x float32
	for i, text := range texts {
		text.Move(fyne.NewPos(x, 0))
		text.Resize(fyne.NewSize(c.width(i), size.Height))
		x += c.width(i)
	}
}

// shares lays texts beside each other, each with its share of the width (fyne.Layout).
type shares [4]float32

// MinSize is that of the highest text (fyne.Layout).
func (shares) MinSize(texts []fyne.CanvasObject) fyne.Size {
	var size fyne.Size
	for _, text := range texts {
		size.Width += text.MinSize().Width
		size.Height = max(size.Height, text.MinSize().Height)
	}
	return size
}

// Layout gives each text its share (fyne.Layout).
func (s shares) Layout(texts []fyne.CanvasObject, size fyne.Size) {
	var x float32
	for i, text := range texts {
		width := size.Width * s[i]
		text.Move(fyne.NewPos(x, 0))
		text.Resize(fyne.NewSize(width, size.Height))
		x += width
	}
}
