package view

import (
	"math"
	"time"

	"footbridge/core"
)

// Progress is a file on its way as the window shows it.
type Progress struct {
	Text string
	Part float64 // that has moved, from 0 to 1
}

// movingShown is how many files on their way are shown at once.
const movingShown = 5

// Progress describes files on their way to the reader, and says how many more there
// are; nothing where there are none.
func (r Reader) Progress(all []Transfer) (shown []Progress, more string) {
	for i, t := range all {
		if i == movingShown {
			return shown, r.Count("moving.more", len(all)-movingShown)
		}
		p := Progress{Text: r.Say("moving.file", "file", t.File, "bytes", r.Bytes(t.Bytes), "of", r.Bytes(t.Of))}
		if t.Of > 0 {
			p.Part = min(float64(t.Bytes)/float64(t.Of), 1)
		}
		shown = append(shown, p)
	}
	return shown, ""
}

// Pace says how fast a destination is sent to, and for how long what is in the queue
// takes; nothing where nothing was sent lately.
func (r Reader) Pace(line DestinationLine, t Traffic) string {
	rate := t.rate(line.Destination)
	if rate.RecordsPerMinute == 0 {
		return ""
	}
	per, times := "minute", 1.0
	if rate.RecordsPerMinute < 1 { // a part of a record says nothing
		per, times = "hour", 60
	}
	records, bytes := math.Round(rate.RecordsPerMinute*times), rate.BytesPerMinute*times
	text := r.Count("rate."+per, max(1, int(records)), "bytes", r.Bytes(int64(bytes)))
	if line.Waiting == 0 || line.State != "sending" && line.Reason != core.ReasonNone { // something holds it up
		return text
	}
	return text + " " + r.left(time.Duration(float64(line.Waiting)/rate.RecordsPerMinute*float64(time.Minute)))
}

// left says how long it takes until the queue is sent.
func (r Reader) left(lasts time.Duration) string {
	switch {
	case lasts < time.Minute:
		return r.Say("rate.soon")
	case lasts < time.Hour:
		return r.Count("rate.minutes", int(lasts.Minutes()))
	case lasts < 48*time.Hour:
		return r.Count("rate.hours", int(lasts.Hours()))
	}
	return r.Count("rate.days", int(lasts.Hours()/24))
}
