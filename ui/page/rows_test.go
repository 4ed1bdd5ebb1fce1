package page_test

import (
	"strings"
	"testing"

	"footbridge/ui/look"
	"footbridge/ui/page"
	"footbridge/ui/page/pagetest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// Cells stand beside each other where they have the room, and else below: by the width and
// by how large the text is.
func TestCells(t *testing.T) {
	columns := []page.Column{{Least: 10}, {Least: 10, Grow: 1}, {Least: 10, Grow: 3}}
	for _, laid := range []struct {
		name         string
		scale        int
		width        float32
		lines        int
		first, third float32 // widths
	}{
		{"all beside each other", 100, 620, 1, 140, 290},
		{"two and one", 100, 300, 2, 140, 300},
		{"each in a line", 100, 200, 3, 200, 200},
		{"narrower than any", 100, 100, 3, 100, 100},
		{"large text", 200, 620, 2, 280, 620},
		{"large text, and room for it", 200, 900, 1, 280, 325},
	} {
		t.Run(laid.name, func(t *testing.T) {
			pagetest.App(t).Settings().SetTheme(look.Theme{Look: look.Look{Scale: laid.scale}})
			texts := []fyne.CanvasObject{page.Plain("a"), page.Plain("b"), page.Plain("c")}
			all := page.NewTight(columns, texts...)
			all.Resize(fyne.NewSize(laid.width, 600))
			lines := map[float32]bool{}
			for _, text := range texts {
				lines[text.Position().Y] = true
			}
			if len(lines) != laid.lines || texts[0].Size().Width != laid.first || texts[2].Size().Width != laid.third {
				t.Errorf("%d lines, widths %v, %v, %v", len(lines), texts[0].Size().Width, texts[1].Size().Width, texts[2].Size().Width)
			}
			if one := page.Plain("a").MinSize().Height; all.MinSize().Height > one*float32(laid.lines) {
				t.Errorf("%d lines of %v are %v high", laid.lines, one, all.MinSize().Height)
			}
		})
	}
}

// A row is as high as its words, which are all to be read, and says by a mark that it is
// chosen.
func TestRows(t *testing.T) {
	f := page.New(pagetest.App(t), pagetest.Config(), nil)
	long := strings.Repeat("a-very-long-name-of-a-file-", 6) + "end"
	chosen := -1
	lines := func(i int) page.Line {
		return page.Line{Cells: []string{[]string{"short", long}[i], "P-17"}, Sentence: []string{"", "It waits."}[i], Chosen: i == chosen}
	}
	rows := page.NewRows(f, page.RowsConfig{
		Columns: []page.Column{{Name: "File", Least: 10, Grow: 1}, {Name: "Who", Least: 8}}, Icons: true,
		Length: func() int { return 2 }, Line: lines, Chosen: func(i int) { chosen = i },
	})
	f.Window.SetContent(rows.Content())
	s := pagetest.Look(t, f.Window, f.Step)
	f.Window.Resize(fyne.NewSize(400, 600))
	s.Expect("File", "Who", "short", long, "It waits.")
	for _, l := range pagetest.Find(s, func(l *widget.Label) bool { return l.Text != "" }) {
		if least := l.MinSize(); least.Height > l.Size().Height || least.Width > l.Size().Width {
			t.Errorf("%q needs %v and has %v", l.Text, least, l.Size())
		}
	}
	rows.List.Select(1)
	s.Expect("▸ " + long)
	rows.Tell("2 rows.")
	s.Expect("2 rows.")
}

// A choice is as wide as what may be chosen needs.
func TestSelectShowsWhatIsChosen(t *testing.T) {
	f := page.New(pagetest.App(t), pagetest.Config(), nil)
	short := page.NewSelect(f, []string{"a"}, nil)
	long := page.NewSelect(f, []string{"a", "somewhat longer than it says before"}, nil)
	if short, long := short.MinSize().Width, long.MinSize().Width; long < short+50 || long > short+page.Em(15) {
		t.Errorf("they are %v and %v wide", short, long)
	}
}
