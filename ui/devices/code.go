package devices

import (
	"reflect"

	"footbridge/core"
	"footbridge/ui/page"
	"footbridge/ui/qr"
	"footbridge/ui/view"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

const (
	codeSide  = 300 // of the QR code
	codeSize  = 44  // of the code's signs
	codeScale = 8   // pixels of a module, before it is fitted
)

// code is a pairing's code on the screen, large enough to be read across a table.
type code struct {
	f     *page.Frame
	made  view.Pairing // with the code; none is shown where it has no id
	now   view.Pairing
	card  view.PairingCard
	again *widget.Button
	lines *fyne.Container
	all   fyne.CanvasObject
}

// newCode makes one; done is called by whoever has seen enough.
func newCode(f *page.Frame, done func()) *code {
	c := &code{f: f, lines: container.NewVBox()}
	c.again = widget.NewButton(f.Say("pairing.again"), done)
	c.all = container.NewBorder(nil, container.NewHBox(c.again), nil, nil, container.NewVScroll(c.lines))
	return c
}

// show shows a code that was made.
func (c *code) show(made view.Pairing) {
	c.made, c.now, c.card = made, made, view.PairingCard{}
	c.draw()
}

// turn shows what came of a code.
func (c *code) turn(id core.PairingID, now view.Pairing) {
	if c.made.ID == id {
		c.now = now
		c.draw()
	}
}

// clear takes the code off the screen.
func (c *code) clear() {
	c.made, c.now, c.card, c.lines.Objects = view.Pairing{}, view.Pairing{}, view.PairingCard{}, nil
}

// draw draws the code where something changed.
func (c *code) draw() {
	card := c.f.Reader().Pairing(c.made, c.now)
	if reflect.DeepEqual(card, c.card) {
		return
	}
	c.card = card
	c.lines.Objects = []fyne.CanvasObject{page.Heading(c.f.Say("pairing.for", "who", c.made.Participant, "study", c.made.Study))}
	if !card.Ended {
		c.lines.Add(c.drawn(card))
	}
	if card.Left != "" {
		c.lines.Add(page.Marked(theme.HistoryIcon(), page.Plain(card.Left)))
	}
	for _, care := range card.Cares {
		c.lines.Add(page.Marked(theme.WarningIcon(), page.Plain(care)))
	}
	for _, news := range card.News {
		told := page.Plain(news)
		told.TextStyle.Bold, told.SizeName = true, theme.SizeNameSubHeadingText
		c.lines.Add(page.Marked(theme.ConfirmIcon(), told))
	}
	if card.Waits != "" {
		c.lines.Add(page.Marked(theme.MoreHorizontalIcon(), page.Plain(card.Waits)))
	}
	c.lines.Refresh()
}

// drawn is the QR code, and what is typed where none can be scanned.
func (c *code) drawn(card view.PairingCard) fyne.CanvasObject {
	lines := container.NewVBox(page.Plain(c.f.Say("pairing.scan")))
	if drawn, err := qr.New(card.URL); err == nil { // it is never too long
		picture := canvas.NewImageFromImage(drawn.Image(codeScale))
		picture.FillMode, picture.ScaleMode = canvas.ImageFillContain, canvas.ImageScalePixels
		picture.SetMinSize(fyne.NewSquareSize(codeSide))
		lines.Add(container.NewHBox(picture))
	}
	signs := canvas.NewText(card.Code, theme.Color(theme.ColorNameForeground))
	signs.TextSize, signs.TextStyle = codeSize, fyne.TextStyle{Monospace: true}
	address := page.Plain(card.Address)
	address.SizeName, address.TextStyle = theme.SizeNameHeadingText, fyne.TextStyle{Monospace: true}
	lines.Add(page.Plain(c.f.Say("pairing.type")))
	lines.Add(address)
	lines.Add(container.NewPadded(signs))
	if card.Others != "" {
		lines.Add(page.Plain(card.Others))
	}
	return lines
}
