package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"footbridge/core"
)

// The rules here are: a time keeps the offset that it came with, as it tells at
// what time of day something was done; it has milliseconds; its year has four
// digits.

const (
	momentLayout    = "2006-01-02T15:04:05.000Z07:00"
	timeOfDayLayout = "15:04:05.000"
)

// Moment reads an ISO 8601 time as devices write it: a date, and behind a T
// hours, minutes, seconds and a fraction, each of which may be left out from the
// end; then Z or an offset, without which it is UTC. Some write a space for the
// T, and another before the offset. The time is in the offset it came with.
func Moment(text string) (time.Time, error) {
	iso := text
	if len(text) > 10 && text[10] == ' ' {
		iso = text[:10] + "T" + strings.Join(strings.Fields(text[11:]), "")
	}
	for _, clock := range []string{"T15:04:05", "T15:04", "T15", ""} {
		for _, zone := range []string{"Z07:00", "Z0700", "Z07", ""} {
			t, err := time.ParseInLocation("2006-01-02"+clock+zone, iso, time.UTC)
			if clock == "" && zone != "" || err != nil {
				continue
			}
			if _, err := core.Instant(t, text); err != nil {
				return time.Time{}, errors.New("not a time of the years 1000 to 9999")
			}
			return t.Truncate(time.Millisecond), nil
		}
	}
	return time.Time{}, errors.New("not an ISO 8601 time")
}

// FormatMoment writes a time as ISO 8601 with milliseconds, in its offset.
func FormatMoment(t time.Time) string { return t.Format(momentLayout) }

// Date reads a date, with anything behind it: some devices send a time.
func Date(text string) (time.Time, bool) {
	if runes := []rune(text); len(runes) > 10 {
		text = string(runes[:10])
	}
	t, err := time.Parse("2006-1-2", text)
	return t, err == nil
}

// timestamp makes an ISO 8601 time of a value: a number is milliseconds since
// 1970.
func timestamp(raw json.RawMessage) (json.RawMessage, error) {
	if !number(raw) {
		return textual(raw, "is no ISO 8601 time", func(text string) (string, bool) {
			t, err := Moment(text)
			return FormatMoment(t), err == nil && len(text) > 10
		})
	}
	ms, err := strconv.ParseFloat(string(raw), 64)
	if integral(raw) && err == nil {
		var n int64
		n, err = strconv.ParseInt(string(raw), 10, 64)
		ms = float64(n) // milliseconds of these years are exact
	}
	if err == nil && math.Abs(ms) < 1e15 {
		if t, err := core.Instant(time.UnixMilli(int64(ms)), ""); err == nil {
			return quote(core.FormatTime(t)), nil
		}
	}
	return nil, errors.New("is no time of the years 1000 to 9999")
}

// timeOfDay reads a time of day, or takes that of a whole time.
func timeOfDay(text string) (string, bool) {
	clock := strings.TrimPrefix(text, "T")
	for _, layout := range []string{"15:04:05", "15:04", "15"} {
		if t, err := time.Parse(layout, clock); err == nil {
			return t.Truncate(time.Millisecond).Format(timeOfDayLayout), true
		}
	}
	if t, err := Moment(text); err == nil && len(text) > 10 {
		return t.Format(timeOfDayLayout), true
	}
	return "", false
}

// Offset writes the offset of a time as +hhmm.
func Offset(t time.Time) string {
	_, seconds := t.Zone()
	sign := '+'
	if seconds < 0 {
		sign, seconds = '-', -seconds
	}
	return fmt.Sprintf("%c%02d%02d", sign, seconds/3600, seconds/60%60)
}
