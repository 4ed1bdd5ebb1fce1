package core

import (
	"fmt"
	"time"
)

// timeLayout always shows three digits of the fraction.
const timeLayout = "2006-01-02T15:04:05.000Z"

// FormatTime writes a time as ISO 8601 in UTC with milliseconds.
func FormatTime(t time.Time) string { return t.UTC().Format(timeLayout) }

// ParseTime reads an ISO 8601 time as devices write it: a date, and behind a T
// hours, minutes, seconds and a fraction, each of which may be left out from the
// end; then Z or an offset, without which it is UTC. The time is in UTC and has
// milliseconds, so that a device that says more digits at one time than at
// another speaks of the same instant. Its year has four digits.
func ParseTime(text string) (time.Time, error) {
	if t, err := time.Parse(time.RFC3339Nano, text); err == nil {
		return Instant(t, text)
	}
	for _, clock := range []string{"", "T15:04:05", "T15:04", "T15"} {
		for _, zone := range []string{"", "Z07:00", "Z0700", "Z07"} {
			if clock == "" && zone != "" {
				continue
			}
			if t, err := time.Parse("2006-01-02"+clock+zone, text); err == nil {
				return Instant(t, text)
			}
		}
	}
	return time.Time{}, fmt.Errorf("%q is no ISO 8601 time", text)
}

// Instant gives a time in UTC with milliseconds. The error says that its year
// has not four digits; text is what it was read from.
func Instant(t time.Time, text string) (time.Time, error) {
	t = t.UTC().Truncate(time.Millisecond)
	if t.Year() < 1000 || t.Year() > 9999 {
		return time.Time{}, fmt.Errorf("%q is no time of the years 1000 to 9999", text)
	}
	return t, nil
}
