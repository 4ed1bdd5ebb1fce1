package config_test

import (
	"testing"
	"time"

	"footbridge/app/config"
)

// Records are sent in the hours that the settings say, by the site's clock.
func TestHours(t *testing.T) {
	zone, err := time.LoadLocation("Africa/Nairobi")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ hours, now, opens string }{
		{"", "2026-11-20 12:00", "2026-11-20 12:00"},
		{"22:00-06:00", "2026-11-20 21:59", "2026-11-20 22:00"},
		{"22:00-06:00", "2026-11-20 22:00", "2026-11-20 22:00"},
		{"22:00-06:00", "2026-11-20 05:59", "2026-11-20 05:59"},
		{"22:00-06:00", "2026-11-20 06:00", "2026-11-20 22:00"},
		{"08:30 - 12:00", "2026-11-20 08:29", "2026-11-20 08:30"},
		{"08:30-12:00", "2026-11-20 11:59", "2026-11-20 11:59"},
		{"08:30-12:00", "2026-11-30 12:00", "2026-12-01 08:30"},
		{"00:00-00:01", "2026-11-20 00:01", "2026-11-21 00:00"},
	} {
		now, _ := time.ParseInLocation("2006-01-02 15:04", test.now, zone)
		if got := (config.Sync{Hours: test.hours}).Opens(now).Format("2006-01-02 15:04"); got != test.opens {
			t.Errorf("%s, at %s: opens %s, want %s", test.hours, test.now, got, test.opens)
		}
	}
}

// Outside its hours a site knows since when.
func TestClosedSince(t *testing.T) {
	zone, err := time.LoadLocation("Africa/Nairobi")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ hours, now, closed string }{
		{"22:00-06:00", "2026-11-20 21:59", "2026-11-20 06:00"},
		{"22:00-06:00", "2026-11-20 06:00", "2026-11-20 06:00"},
		{"08:30-12:00", "2026-11-20 08:29", "2026-11-19 12:00"},
		{"08:30-12:00", "2026-11-20 12:00", "2026-11-20 12:00"},
		{"08:30-12:00", "2026-12-01 00:00", "2026-11-30 12:00"},
		{"00:00-00:01", "2026-11-20 00:01", "2026-11-20 00:01"},
		{"06:00-00:00", "2026-11-20 05:00", "2026-11-20 00:00"},
	} {
		now, _ := time.ParseInLocation("2006-01-02 15:04", test.now, zone)
		if got := (config.Sync{Hours: test.hours}).Closed(now).Format("2006-01-02 15:04"); got != test.closed {
			t.Errorf("%s, at %s: closed since %s, want %s", test.hours, test.now, got, test.closed)
		}
	}
}
