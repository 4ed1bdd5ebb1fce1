package board

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"footbridge/ui/view"
)

// figures lists what is counted: what goes its way beside what does not, where there is
// room for that, since a terminal has few lines; else one below the other.
func figures(all []view.Figure, columns int) string {
	var going, staying []view.Figure
	for _, f := range all {
		switch f.Standing {
		case view.StandingPerson, view.StandingRefused, view.StandingKept:
			staying = append(staying, f)
		default:
			going = append(going, f)
		}
	}
	if both := abreast(ranged(going), ranged(staying)); columns == 0 || widest(both) <= columns {
		return both
	}
	if list := strings.Join(ranged(all), ""); widest(list) <= columns {
		return list
	}
	var words strings.Builder
	for _, f := range all {
		words.WriteString(fold(fmt.Sprintf("%d %s", f.Number, f.Words), columns))
	}
	return words.String()
}

// ranged writes each on a line, the numbers below one another.
func ranged(all []view.Figure) []string {
	digits := 0
	for _, f := range all {
		digits = max(digits, len(strconv.Itoa(f.Number)))
	}
	lines := make([]string, len(all))
	for i, f := range all {
		lines[i] = fmt.Sprintf("%*d %s\n", digits, f.Number, f.Words)
	}
	return lines
}

// abreast writes lines beside others, of which there are no more.
func abreast(left, right []string) string {
	var b strings.Builder
	wide := widest(strings.Join(left, ""))
	for i, line := range left {
		if i < len(right) {
			line = fmt.Sprintf("%-*s  %s", wide, strings.TrimSuffix(line, "\n"), right[i])
		}
		b.WriteString(line)
	}
	return b.String()
}

// The signs of a day in the chart: heights, from the lowest to the highest, and that
// nothing came, or such a day would look like one on which little did.
const (
	heights = "▁▂▃▄▅▆▇█"
	nothing = '·'
)

// chart draws what came lately on one line, where there is room for that, and says the
// same below it: not every terminal has the signs.
func chart(c view.Chart, columns int) string {
	text, most := fold(c.Text, columns), 0
	for _, bar := range c.Bars {
		most = max(most, bar.Uploads)
	}
	if most == 0 {
		return text
	}
	signs, bars := []rune(heights), make([]rune, len(c.Bars))
	for i, bar := range c.Bars {
		bars[i] = nothing
		if bar.Uploads > 0 {
			bars[i] = signs[(bar.Uploads*len(signs)-1)/most]
		}
	}
	line := c.Bars[0].Name + " " + string(bars) + " " + c.Bars[len(bars)-1].Name
	if columns > 0 && utf8.RuneCountInString(line) > columns {
		return text
	}
	return line + "\n" + text
}
