package main

import (
	"errors"
	"time"
)

// aMoment is a time as people give it: to the second, or a whole day in UTC, as times
// are shown.
type aMoment struct {
	at    time.Time
	whole bool // it is a day, and at its beginning
}

// UnmarshalText reads a time or a day.
func (m *aMoment) UnmarshalText(text []byte) error {
	if at, err := time.Parse(time.DateOnly, string(text)); err == nil {
		*m = aMoment{at, true}
		return nil
	}
	at, err := time.Parse(time.RFC3339, string(text))
	if err != nil {
		return errors.New("must be a day such as 2026-11-20, which is one of UTC, or a time such as 2026-11-20T08:00:00Z")
	}
	*m = aMoment{at: at}
	return nil
}

// end is the last moment of the day, or the time.
func (m aMoment) end() time.Time {
	if m.whole {
		return m.at.AddDate(0, 0, 1).Add(-time.Nanosecond)
	}
	return m.at
}

// aSpan is what two flags choose of a list.
type aSpan struct {
	Since aMoment `help:"From this time or day on, such as 2026-11-20T08:00:00Z, or 2026-11-20, which is the day in UTC." placeholder:"TIME"`
	Until aMoment `help:"Up to this time, or to the end of this day." placeholder:"TIME"`
}

// Validate refuses a span that ends before it begins.
func (s aSpan) Validate() error {
	if !s.Since.at.IsZero() && !s.Until.at.IsZero() && s.Until.end().Before(s.Since.at) {
		return errors.New("--until is before --since")
	}
	return nil
}
