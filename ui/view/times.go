package view

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// When writes a time that stands alone: in UTC, or at the window by the reader's clock
// and as short as it may be.
func (r Reader) When(t time.Time) string {
	form, places := r.clock(t)
	return r.Say("when."+form, places...)
}

// Moment writes a time as When does, for a sentence that says since when.
func (r Reader) Moment(t time.Time) string {
	form, places := r.clock(t)
	return r.Say("moment."+form, places...)
}

// clock is how a time is written, and what with.
func (r Reader) clock(t time.Time) (form string, places []any) {
	if !r.Window {
		t = t.UTC()
		return "utc", []any{"time", t.Format(time.TimeOnly), "date", t.Format(time.DateOnly)}
	}
	at, now := t.In(r.Zone), r.Now.In(r.Zone)
	day := []any{"day", at.Day(), "month", r.Say("month." + strconv.Itoa(int(at.Month())))}
	switch {
	case at.Format(time.DateOnly) == now.Format(time.DateOnly):
		return "today", []any{"time", at.Format(time.TimeOnly)}
	case at.Format(time.DateOnly) == now.AddDate(0, 0, -1).Format(time.DateOnly):
		return "yesterday", []any{"time", at.Format("15:04")}
	case at.Year() == now.Year():
		return "year", append(day, "time", at.Format("15:04"))
	}
	return "date", append(day, "year", at.Year())
}

// span says how long something lasted.
func (r Reader) span(lasted time.Duration) string {
	switch {
	case lasted < time.Hour:
		return r.Count("span.minute", int(lasted.Minutes()))
	case lasted < 48*time.Hour:
		return r.Count("span.hour", int(lasted.Hours()))
	}
	return r.Count("span.day", int(lasted.Hours()/24))
}

// Bytes writes a size.
func (r Reader) Bytes(n int64) string {
	units := []string{"byte", "KiB", "MiB", "GiB", "TiB"}
	size, unit := float64(n), 0
	for size >= 1023.95 && unit < len(units)-1 { // what would be written as 1024.0 is 1.0 of the next
		size, unit = size/1024, unit+1
	}
	if unit == 0 {
		return r.Count("size.byte", int(n))
	}
	return r.Say("size."+units[unit], "size", r.tenths(size))
}

// tenths writes a number with one digit behind the point of the reader's language.
func (r Reader) tenths(n float64) string {
	return strings.Replace(fmt.Sprintf("%.1f", n), ".", r.Say("size.point"), 1)
}
