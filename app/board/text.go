package board

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode"
	"unicode/utf8"

	"footbridge/ui/view"
)

// Text writes a site to a reader as the window's first page shows it, for a terminal that
// has so many columns; 0: lines are as long as they need to be.
func Text(s view.Site, r view.Reader, columns int) string {
	o, front := s.Overview, r.Front(s)
	paragraphs := []string{
		fold(o.Sentence, columns) + unsaid(o, front, columns),
		figures(front.Queues, columns),
		chart(r.Chart(s.Traffic), columns) + fold(r.Say("status.disk", "says", front.Disk), columns),
	}
	if s.Traffic.Moves() {
		paragraphs = append(paragraphs, moving(r.Say("moving.arriving"), s.Traffic.Arriving, r, columns)+moving(r.Say("moving.leaving"), s.Traffic.Leaving, r, columns))
	}
	paragraphs = append(paragraphs, destinations(o.Destinations, r, columns))
	for _, d := range o.Destinations {
		if says := strings.TrimSpace(d.Sentence + " " + r.Pace(d, s.Traffic)); says != "" {
			paragraphs = append(paragraphs, fold(string(d.Destination)+": "+says, columns))
		}
	}
	return strings.Join(paragraphs, "\n")
}

// unsaid are the needs that the sentence of an overview does not say.
func unsaid(o view.Overview, front view.Front, columns int) string {
	var b strings.Builder
	for _, need := range front.Needs {
		if o.State != "ok" && !slices.Contains(o.Needs, need) {
			b.WriteString(fold(need.Sentence, columns))
		}
	}
	return b.String()
}

// moving lists files on their way below what they do; nothing where there are none.
func moving(head string, all []view.Transfer, r view.Reader, columns int) string {
	shown, more := r.Progress(all)
	if len(shown) == 0 {
		return ""
	}
	text := fold(head, columns)
	for _, file := range shown {
		text += fold("- "+file.Text, columns)
	}
	if more != "" {
		text += fold("- "+more, columns)
	}
	return text
}

// destinations lists them as a table, or, where that is too wide, in words.
func destinations(all []view.DestinationLine, r view.Reader, columns int) string {
	if len(all) == 0 {
		return fold(r.Say("sending.nowhere"), columns)
	}
	var table strings.Builder
	lines := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	fmt.Fprintf(lines, "%s\t%s\t%s\t%s\t%s\t%s\n", r.Say("status.destination"), r.Say("status.state"), r.Say("status.exported"),
		r.Say("status.waiting"), r.Say("status.parked"), r.Say("status.last"))
	for _, d := range all {
		fmt.Fprintf(lines, "%s\t%s\t%d\t%d\t%d\t%s\n", d.Destination, r.Say("state."+d.State), d.Exported, d.Waiting, d.Parked, last(d, r))
	}
	lines.Flush() // into memory
	if columns == 0 || widest(table.String()) <= columns {
		return table.String()
	}
	var words strings.Builder
	for _, d := range all {
		words.WriteString(fold(r.Say("status.line", "destination", d.Destination, "state", r.Say("state."+d.State),
			"exported", d.Exported, "waiting", d.Waiting, "parked", d.Parked, "last", last(d, r)), columns))
	}
	return words.String()
}

func last(d view.DestinationLine, r view.Reader) string {
	if d.LastSuccess == nil {
		return r.Say("status.never")
	}
	return r.When(*d.LastSuccess)
}

func widest(text string) (columns int) {
	for line := range strings.Lines(text) {
		columns = max(columns, utf8.RuneCountInString(strings.TrimRight(line, "\n")))
	}
	return columns
}

// fold writes a paragraph on lines of so many columns. What could steer a terminal is
// left out: an error of the system may have it.
func fold(text string, columns int) string {
	var b strings.Builder
	at := 0 // columns of the line so far
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }) {
		letters := []rune(word)
		if at > 0 && columns > 0 && at+1+len(letters) > columns {
			b.WriteByte('\n')
			at = 0
		}
		if at > 0 {
			b.WriteByte(' ')
			at++
		}
		for columns > 0 && len(letters) > columns { // such as the path of a folder
			b.WriteString(string(letters[:columns]) + "\n")
			letters = letters[columns:]
		}
		b.WriteString(string(letters))
		at += len(letters)
	}
	b.WriteByte('\n')
	return b.String()
}
