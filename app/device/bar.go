package device

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// BarConfig says what a bar looks like.
type BarConfig struct {
	Name     string           // of the file
	Terminal bool             // draws one line over and over; otherwise a plain line now and then
	Width    int              // columns of the terminal, 80 by default
	Now      func() time.Time // time.Now by default
}

// Bar shows a person how far a sending is. Its Progress and Notify are those of
// a Config. What cannot be written is not shown. One goroutine at a time may use
// it.
type Bar struct {
	w      io.Writer
	config BarConfig

	stage Stage
	done  int64
	total int64
	began time.Time // the stage
	shown time.Time
	drawn int // columns of the line the cursor is in
}

const (
	redraw   = 100 * time.Millisecond
	restate  = 10 * time.Second // between plain lines
	settling = time.Second      // before a rate means anything
	barMin   = 10               // columns
	barMax   = 30
	barStep  = 5 // so that it does not flicker as facts grow and shrink
)

// NewBar makes a bar that draws to w.
func NewBar(w io.Writer, config BarConfig) *Bar {
	if config.Width <= 0 {
		config.Width = 80
	}
	if config.Now == nil {
		config.Now = time.Now
	}
	config.Name = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, config.Name)
	return &Bar{w: w, config: config}
}

// Progress takes in how far a stage is.
func (b *Bar) Progress(stage Stage, done, total int64) {
	now := b.config.Now()
	fresh := stage != b.stage || done < b.done
	if fresh {
		b.began, b.shown = now, now
	}
	ended := total > 0 && done == total && (fresh || b.done != b.total || b.total != total)
	b.stage, b.done, b.total = stage, done, total
	switch {
	case b.config.Terminal && (fresh || ended || now.Sub(b.shown) >= redraw):
		b.draw(now)
	case !b.config.Terminal && (ended || now.Sub(b.shown) >= restate):
		b.shown = now
		fmt.Fprintln(b.w, strings.Join(append([]string{b.head()}, b.facts(now)...), ", "))
	}
}

// Notify puts a line above the bar.
func (b *Bar) Notify(text string) {
	if !b.config.Terminal {
		fmt.Fprintln(b.w, text)
		return
	}
	fmt.Fprintf(b.w, "\r%-*s\n", b.drawn, text)
	if drawn := b.drawn; drawn > 0 {
		b.drawn = 0
		b.draw(b.config.Now())
	}
}

// End leaves the line of the bar. It is idempotent.
func (b *Bar) End() {
	if b.drawn > 0 {
		fmt.Fprintln(b.w)
		b.drawn = 0
	}
}

// draw writes the line over the one before.
func (b *Bar) draw(now time.Time) {
	line := b.line(now)
	fmt.Fprintf(b.w, "\r%-*s", b.drawn, line)
	b.shown, b.drawn = now, utf8.RuneCountInString(line)
}

// line fits into the width: the bar goes first, then facts from the end.
func (b *Bar) line(now time.Time) string {
	width := b.config.Width - 1 // terminals wrap at the last column
	head, facts := b.head(), b.facts(now)
	line := strings.Join(append([]string{head}, facts...), "  ")
	for len(facts) > 1 && utf8.RuneCountInString(line) > width {
		facts = facts[:len(facts)-1]
		line = strings.Join(append([]string{head}, facts...), "  ")
	}
	room := min(width-utf8.RuneCountInString(line)-len("  []"), barMax) / barStep * barStep
	if b.total > 0 && b.stage != Processing && room >= barMin {
		full := int(float64(room) * float64(b.done) / float64(b.total))
		full = min(full, room)
		bar := "[" + strings.Repeat("#", full) + strings.Repeat("-", room-full) + "]"
		line = strings.Join(append([]string{head, bar}, facts...), "  ")
	}
	if runes := []rune(line); len(runes) > width {
		line = string(runes[:max(width, 0)])
	}
	return line
}

func (b *Bar) head() string { return string(b.stage) + " " + b.config.Name }

// facts are what there is to say, the weightiest first.
func (b *Bar) facts(now time.Time) (all []string) {
	if b.stage == Processing {
		if b.done < b.total {
			return []string{"waiting for the site"}
		}
		return []string{"done"}
	}
	if b.total > 0 {
		all = append(all, fmt.Sprintf("%d %%", int64(100*float64(b.done)/float64(b.total))))
	}
	elapsed := now.Sub(b.began)
	known := elapsed >= settling && b.done > 0
	rate := float64(b.done) / elapsed.Seconds()
	if known && b.done < b.total {
		all = append(all, human(time.Duration(float64(b.total-b.done)/rate*float64(time.Second)))+" left")
	}
	if b.done < b.total {
		all = append(all, size(b.done)+" of "+size(b.total))
	} else {
		all = append(all, size(b.done))
	}
	if known {
		all = append(all, size(int64(rate))+"/s")
	}
	return all
}
