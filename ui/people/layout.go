package people

import (
	"footbridge/ui/view"

	"fyne.io/fyne/v2"
)

// fieldWidth is how wide the names of fields are.
const fieldWidth = 110

// columnMin is the least that a column of versions needs.
const columnMin = 110

// columns lays the name of a field and its texts beside each other, all as high as the
// one with the most lines; there is room for as many as are compared (fyne.Layout).
type columns struct{ width float32 }

// column is how wide the column of a text is.
func (c *columns) column(i int) float32 {
	if i == 0 {
		return fieldWidth
	}
	return max(columnMin, (c.width-fieldWidth)/view.ComparedMax)
}

// MinSize is that of the columns, as wide as they were laid last (fyne.Layout).
func (c *columns) MinSize(texts []fyne.CanvasObject) fyne.Size {
	size := fyne.NewSize(fieldWidth+columnMin*view.ComparedMax, 0)
	for i, text := range texts {
		text.Resize(fyne.NewSize(c.column(i), text.Size().Height)) // lines are as many as the width makes them
		size.Height = max(size.Height, text.MinSize().Height)
	}
	return size
}

// Layout puts each text into its column (fyne.Layout).
func (c *columns) Layout(texts []fyne.CanvasObject, size fyne.Size) {
	c.width = size.Width
	var x float32
	for i, text := range texts {
		text.Move(fyne.NewPos(x, 0))
		text.Resize(fyne.NewSize(c.column(i), size.Height))
		x += c.column(i)
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
