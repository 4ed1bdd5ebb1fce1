package config

import (
	"strings"
	"time"
)

// Sync are the settings of sending.
type Sync struct {
	Hours     string `toml:"hours"`                                        // hh:mm-hh:mm; empty: at any time
	Bandwidth int64  `toml:"bandwidth" unit:"bytes a second" least:"0"`    // 0: all there is
	Transfers int    `toml:"transfers" unit:"records" least:"1" most:"16"` // at once
}

// TransfersMax is how many records may be sent at once: a repository slows down who
// asks too much.
const TransfersMax = 16

// check finds the first setting that cannot work.
func (s Sync) check(wrong func(table, key, why string) error) error {
	if _, _, ok := parseHours(s.Hours); !ok {
		return wrong("sync", "hours", `must be two different times of day, such as "22:00-06:00", or ""`)
	}
	if s.Bandwidth < 0 {
		return wrong("sync", "bandwidth", "must not be under 0 bytes a second")
	}
	if s.Transfers < 1 || s.Transfers > TransfersMax {
		return wrong("sync", "transfers", "must be 1 to 16")
	}
	return nil
}

// parseHours reads times of day as minutes from midnight.
func parseHours(text string) (from, to int, ok bool) {
	if text == "" {
		return 0, 0, true
	}
	first, last, _ := strings.Cut(text, "-")
	opens, err := time.Parse("15:04", strings.TrimSpace(first))
	closes, err2 := time.Parse("15:04", strings.TrimSpace(last))
	from, to = opens.Hour()*60+opens.Minute(), closes.Hour()*60+closes.Minute()
	return from, to, err == nil && err2 == nil && from != to
}

// Opens is when records are sent next: now, where it is the hour; else when the
// hours begin. now is in the zone of the settings.
func (s Sync) Opens(now time.Time) time.Time {
	from, to, ok := parseHours(s.Hours)
	if !ok || from == to {
		return now
	}
	at := now.Hour()*60 + now.Minute()
	if from < to && from <= at && at < to || from > to && (at >= from || at < to) {
		return now
	}
	year, month, day := now.Date()
	if at >= from {
		day++
	}
	return time.Date(year, month, day, from/60, from%60, 0, 0, now.Location())
}

// Closed is since when no records are sent, where it is not the hour. now is in the
// zone of the settings.
func (s Sync) Closed(now time.Time) time.Time {
	_, to, _ := parseHours(s.Hours)
	year, month, day := now.Date()
	if now.Hour()*60+now.Minute() < to {
		day--
	}
	return time.Date(year, month, day, to/60, to%60, 0, 0, now.Location())
}
