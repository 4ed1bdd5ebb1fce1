package qr

import (
	"fmt"
	"image"
	"image/color"
	"strings"

	"github.com/boombuler/barcode/qr"
)

// quiet is how wide the white border is, in modules (ISO/IEC 18004).
const quiet = 4

// Code is a QR code.
type Code struct {
	size int // modules of a side, with the border
	dark [][]bool
}

// New makes the code of a text. Errors: the text is too long, over 2,300 bytes.
func New(text string) (Code, error) {
	drawn, err := qr.Encode(text, qr.M, qr.Unicode)
	if err != nil {
		return Code{}, fmt.Errorf("draw a QR code: %w", err)
	}
	side := drawn.Bounds().Dx()
	c := Code{size: side + 2*quiet}
	for y := range c.size {
		row := make([]bool, c.size)
		for x := range row {
			if at := image.Pt(x-quiet, y-quiet); at.In(drawn.Bounds()) {
				row[x] = color.GrayModel.Convert(drawn.At(at.X, at.Y)).(color.Gray).Y < 128
			}
		}
		c.dark = append(c.dark, row)
	}
	return c, nil
}

// Image gives the code as large as it fits into so many pixels, in their middle. Every
// module has the same size in whole pixels, because cameras stumble over others.
func (c Code) Image(width, height int) image.Image {
	scale := max(min(width, height)/c.size, 1)
	left, top := (width-c.size*scale)/2, (height-c.size*scale)/2
	drawn := image.NewGray(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			if !c.isDark((x-left)/scale, (y-top)/scale) {
				drawn.SetGray(x, y, color.Gray{Y: 255})
			}
		}
	}
	return drawn
}

// isDark reports whether a module is; those outside are not.
func (c Code) isDark(x, y int) bool {
	return x >= 0 && y >= 0 && x < c.size && y < c.size && c.dark[y][x]
}

// Lines gives the code as text, two modules above one another in each sign. What is
// dark is drawn: let the ground be light.
func (c Code) Lines() []string {
	var lines []string
	for y := 0; y < c.size; y += 2 {
		var line strings.Builder
		for x := range c.size {
			above, below := c.isDark(x, y), c.isDark(x, y+1)
			switch {
			case above && below:
				line.WriteRune('█')
			case above:
				line.WriteRune('▀')
			case below:
				line.WriteRune('▄')
			default:
				line.WriteRune(' ')
			}
		}
		lines = append(lines, line.String())
	}
	return lines
}
