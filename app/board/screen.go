package board

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// Size tells how many columns and lines a terminal has at this moment.
type Size func() (columns, lines int)

// Screen is a terminal on which each text is drawn over the one before. One goroutine
// at a time may use it.
type Screen struct {
	w     io.Writer
	size  Size
	more  func(lines int) string
	open  bool
	drawn string // what stands there, on a terminal of this size
	wide  int
	high  int
}

// What a terminal does on being told so (ECMA-48, and the second screen of xterm).
const (
	takeOver   = "\x1b[?1049h\x1b[?25l" // the second screen, without a cursor
	giveBack   = "\x1b[?25h\x1b[?1049l"
	topLeft    = "\x1b[H"
	clearRight = "\x1b[K"
	clearBelow = "\x1b[J"
)

// NewScreen makes a screen of a terminal, on which more says how many lines do not fit.
// It takes the terminal with the first Show.
func NewScreen(w io.Writer, size Size, more func(lines int) string) *Screen {
	return &Screen{w: w, size: size, more: more}
}

// Show draws what text gives for so many columns. Where it does not fit, empty lines are
// left out from below, and what still does not is counted in the last line. Nothing is
// written where the same stands there already.
func (s *Screen) Show(text func(columns int) string) error {
	columns, height := s.size()
	lines := strings.Split(strings.TrimRight(text(columns), "\n"), "\n")
	for i := len(lines) - 1; i >= 0 && height > 0 && len(lines) > height; i-- {
		if lines[i] == "" {
			lines = slices.Delete(lines, i, i+1)
		}
	}
	if height > 0 && len(lines) > height {
		kept := max(height-1, 0)
		lines = append(lines[:kept:kept], clip(s.more(len(lines)-kept), columns))
	}
	// No line feed stands behind the last line, or the terminal would scroll.
	drawn := topLeft + strings.Join(lines, clearRight+"\r\n") + clearRight + clearBelow
	if s.open && drawn == s.drawn && columns == s.wide && height == s.high {
		return nil
	}
	s.drawn, s.wide, s.high = drawn, columns, height
	if !s.open {
		s.open = true
		drawn = takeOver + drawn
	}
	return s.write(drawn)
}

// Close gives the terminal back as it was. It is idempotent.
func (s *Screen) Close() error {
	if !s.open {
		return nil
	}
	s.open = false
	return s.write(giveBack)
}

func (s *Screen) write(text string) error {
	if _, err := io.WriteString(s.w, text); err != nil {
		return fmt.Errorf("draw on the terminal: %w", err)
	}
	return nil
}

func clip(line string, columns int) string {
	if letters := []rune(line); columns > 0 && len(letters) > columns {
		return string(letters[:columns])
	}
	return line
}
