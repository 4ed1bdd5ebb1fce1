package board_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"footbridge/app/board"
)

func more(lines int) string { return fmt.Sprintf("… and %d lines more", lines) }

// Texts are drawn over one another, cut to the height, and the terminal is given back.
func TestAScreenIsDrawnInPlace(t *testing.T) {
	var out bytes.Buffer
	columns, height := 20, 3
	screen := board.NewScreen(&out, func() (int, int) { return columns, height }, more)
	text := "one\ntwo\n"
	show := func() string {
		t.Helper()
		out.Reset()
		if err := screen.Show(func(int) string { return text }); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	if err := screen.Close(); err != nil || out.Len() > 0 {
		t.Errorf("a screen that was never taken is given back: %q (%v)", out.String(), err)
	}
	if got := show(); got != "\x1b[?1049h\x1b[?25l\x1b[Hone\x1b[K\r\ntwo\x1b[K\x1b[J" {
		t.Errorf("the first is %q", got)
	}
	if got := show(); got != "" {
		t.Errorf("the same again is %q", got)
	}
	text = "1\n2\n3\n4\n5\n"
	if got := show(); got != "\x1b[H1\x1b[K\r\n2\x1b[K\r\n… and 3 lines more\x1b[K\x1b[J" {
		t.Errorf("more than fits is %q", got)
	}
	text = "1\n\n2\n\n3\n"
	height = 4
	if got := show(); got != "\x1b[H1\x1b[K\r\n\x1b[K\r\n2\x1b[K\r\n3\x1b[K\x1b[J" {
		t.Errorf("more than fits, by an empty line, is %q", got)
	}
	text = "1\n2\n3\n4\n5\n"
	height = 5
	if got := show(); got != "\x1b[H1\x1b[K\r\n2\x1b[K\r\n3\x1b[K\r\n4\x1b[K\r\n5\x1b[K\x1b[J" {
		t.Errorf("on a larger terminal it is %q", got)
	}
	columns = 30
	if got := show(); !strings.HasPrefix(got, "\x1b[H1") {
		t.Errorf("a terminal that changed its width keeps what stood there: %q", got)
	}
	for i, want := range []string{"\x1b[?25h\x1b[?1049l", ""} {
		out.Reset()
		if err := screen.Close(); err != nil || out.String() != want {
			t.Errorf("closing it, %d: %q (%v)", i, out.String(), err)
		}
	}
}

type broken struct{ error }

func (b broken) Write([]byte) (int, error) { return 0, b.error }

func TestAScreenThatIsGone(t *testing.T) {
	gone := errors.New("gone")
	screen := board.NewScreen(broken{gone}, func() (int, int) { return 0, 0 }, more)
	if err := screen.Show(func(int) string { return "x" }); !errors.Is(err, gone) {
		t.Errorf("showing: %v", err)
	}
}
