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
	codeSize  = 2.9 // of the code's signs, in ems
	codeLeast = 16  // of what is beside the QR code, in ems
)

// code is a pairing's code on the screen, large enough to be read across a table.
type code struct {
	f      *page.Frame
	made   view.Pairing // with the code; none is shown where it has no id
	now    view.Pairing
	card   view.PairingCard
	again  *page.Button
	copied *widget.Label   // the link is on the clipboard
	link   *fyne.Container // what puts it there; it stays while time passes, or the cursor would be lost
	lines  *fyne.Container
	all    fyne.CanvasObject
}

// newCode makes one; done is called by whoever has seen enough.
func newCode(f *page.Frame, done func()) *code {
	c := &code{f: f, lines: container.NewVBox(), copied: page.Plain(f.Say("pairing.copied"))}
	button := page.NewButton(f, f.Say("pairing.copy"), theme.ContentCopyIcon(), func() {
		f.App.Clipboard().SetContent(c.card.URL)
		c.copied.Show()
	})
	c.link = container.NewVBox(page.Buttons(button), c.copied)
	c.again = page.NewButton(f, f.Say("pairing.again"), nil, done)
	c.all = container.NewVBox(c.lines, page.Buttons(c.again)) // it is seen as a whole, and what it stands on scrolls
	return c
}

// show shows a code that was made.
func (c *code) show(made view.Pairing) {
	c.made, c.now, c.card = made, made, view.PairingCard{}
	c.copied.Hide()
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
	whose := page.Plain(c.f.Say("pairing.for", "who", c.made.Participant, "study", c.made.Study)) // ids may be long
	whose.TextStyle.Bold = true
	c.lines.Objects = []fyne.CanvasObject{whose}
	for _, care := range card.Cares {
		c.lines.Add(page.Marked(theme.WarningIcon(), page.Plain(care)))
	}
	state := c.state(card)
	if card.Ended {
		c.lines.Add(state)
	} else {
		c.addCode(card, state)
	}
	c.lines.Refresh()
}

// state is what came of the code, and what is waited for.
func (c *code) state(card view.PairingCard) fyne.CanvasObject {
	lines := container.NewVBox()
	for _, news := range card.News {
		told := page.Plain(news)
		told.TextStyle.Bold, told.SizeName = true, theme.SizeNameSubHeadingText
		lines.Add(page.Marked(theme.ConfirmIcon(), told))
	}
	if card.Left != "" {
		lines.Add(page.Marked(theme.HistoryIcon(), page.Plain(card.Left)))
	}
	if card.Waits != "" {
		lines.Add(page.Marked(theme.MoreHorizontalIcon(), page.Plain(card.Waits)))
	}
	return lines
}

// addCode adds the QR code with its state beside it, and what is typed where none can
// be scanned.
func (c *code) addCode(card view.PairingCard, state fyne.CanvasObject) {
	signs := canvas.NewText(card.Code, theme.Color(theme.ColorNameForeground))
	signs.TextSize, signs.TextStyle = page.Em(codeSize), fyne.TextStyle{Monospace: true}
	picture := container.NewHBox()
	if drawn, err := qr.New(card.URL); err == nil { // it is never too long
		raster := canvas.NewRaster(drawn.Image)
		raster.SetMinSize(fyne.NewSquareSize(codeSide))
		picture.Add(raster)
	}
	address := page.Plain(card.Address)
	address.SizeName, address.TextStyle = theme.SizeNameHeadingText, fyne.TextStyle{Monospace: true}
	c.lines.Add(page.NewCells([]page.Column{{Least: codeSide / theme.TextSize()}, {Least: codeLeast, Grow: 1}},
		container.NewVBox(picture), container.NewVBox(container.NewPadded(signs), page.Plain(c.f.Say("pairing.scan")), c.link, state)))
	c.lines.Add(page.Plain(c.f.Say("pairing.type")))
	c.lines.Add(address)
	if card.Others != "" {
		c.lines.Add(page.Plain(card.Others))
	}
}
