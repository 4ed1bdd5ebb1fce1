package qr_test

import (
	"image"
	"image/color"
	"strings"
	"testing"
	"unicode/utf8"

	"footbridge/ui/qr"

	"github.com/makiuchi-d/gozxing"
	decoder "github.com/makiuchi-d/gozxing/qrcode"
)

const link = "https://192.168.1.20:8443/pair#c=KXRD7M4W&p=q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA&o=10.0.0.7:8443,172.16.4.2:8443"

// read reads a QR code as a camera does.
func read(t *testing.T, picture image.Image) string {
	t.Helper()
	bits, err := gozxing.NewBinaryBitmapFromImage(picture)
	if err != nil {
		t.Fatal(err)
	}
	found, err := decoder.NewQRCodeReader().Decode(bits, nil)
	if err != nil {
		t.Fatal(err)
	}
	return found.GetText()
}

// pictured is what a terminal shows of lines.
func pictured(lines []string) image.Image {
	const scale = 4
	drawn := image.NewGray(image.Rect(0, 0, scale*utf8.RuneCountInString(lines[0]), 2*scale*len(lines)))
	for i := range drawn.Pix {
		drawn.Pix[i] = 255
	}
	for row, line := range lines {
		for column, sign := range []rune(line) {
			for half, dark := range []bool{sign == '█' || sign == '▀', sign == '█' || sign == '▄'} {
				for i := range scale * scale {
					if dark {
						drawn.SetGray(column*scale+i%scale, (2*row+half)*scale+i/scale, color.Gray{})
					}
				}
			}
		}
	}
	return drawn
}

// What is drawn is read again, in the window and in a terminal.
func TestWhatIsDrawnIsRead(t *testing.T) {
	for _, text := range []string{link, "a", "Grüße, карта", strings.Repeat("long ", 80)} {
		code, err := qr.New(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range [][2]int{{500, 500}, {613, 700}, {450, 401}} {
			if got := read(t, code.Image(size[0], size[1])); got != text {
				t.Errorf("the image of %v says %q, not %q", size, got, text)
			}
		}
		if got := read(t, pictured(code.Lines())); got != text {
			t.Errorf("the lines say %q, not %q", got, text)
		}
	}
	if _, err := qr.New(strings.Repeat("x", 3000)); err == nil {
		t.Error("a text that is too long was drawn")
	}
}

// A link fits a terminal of eighty columns and twenty-five lines or so.
func TestALinkIsSmall(t *testing.T) {
	code, err := qr.New(link)
	if err != nil {
		t.Fatal(err)
	}
	if lines := code.Lines(); len(lines) > 29 || utf8.RuneCountInString(lines[0]) > 60 {
		t.Errorf("it takes %d lines of %d", len(lines), utf8.RuneCountInString(lines[0]))
	}
}
