package view

import (
	"errors"
	"strings"
	"time"
)

// Days is a choice of days on which uploads were requested.
type Days string

// The choices.
const (
	DaysAny    Days = "any"
	DaysToday  Days = "today"
	DaysWeek   Days = "week"   // from Monday on
	DaysMonth  Days = "month"  // from the first on
	DaysChosen Days = "chosen" // from one day to another
)

// AllDays lists every choice.
func AllDays() []Days { return []Days{DaysAny, DaysToday, DaysWeek, DaysMonth, DaysChosen} }

// errNoDay says that what was written is no day.
var errNoDay = errors.New("no day")

// Between gives the times between which the days of a choice lie, by the reader's
// clock; the second is not among them, and a zero time is no limit. From and to are
// those of DaysChosen, as 2026-11-20; an empty to is the day of from, where that is
// named. Errors: that one of them is no day, or to lies before from.
func (r Reader) Between(days Days, from, to string) (since, until time.Time, err error) {
	now := r.Now.In(r.Zone)
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, r.Zone)
	switch days {
	case DaysToday:
		return today, time.Time{}, nil
	case DaysWeek:
		return today.AddDate(0, 0, -(int(today.Weekday())+6)%7), time.Time{}, nil
	case DaysMonth:
		return today.AddDate(0, 0, 1-today.Day()), time.Time{}, nil
	case DaysChosen:
		from, to = strings.TrimSpace(from), strings.TrimSpace(to)
		if since, err = r.dayOf(from); err != nil {
			return since, until, err
		}
		if to == "" {
			to = from
		}
		if until, err = r.dayOf(to); err == nil && !until.IsZero() {
			if until.Before(since) {
				return since, until, errNoDay
			}
			until = until.AddDate(0, 0, 1)
		}
	}
	return since, until, err
}

// dayOf reads a day; zero where nothing is written.
func (r Reader) dayOf(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	day, err := time.ParseInLocation(time.DateOnly, text, r.Zone)
	if err != nil {
		return day, errNoDay
	}
	return day, nil
}
