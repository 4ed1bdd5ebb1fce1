package view

import (
	"time"

	"footbridge/core"
)

// Traffic is what came lately, and what is on its way in and out at this moment.
type Traffic struct {
	Today    string            `json:"today"`  // YYYY-MM-DD in the site's time zone
	Days     []core.Day        `json:"days"`   // the last thirty, today last
	Copies   int               `json:"copies"` // how often what comes lies on this disk: twice where the repository does, too
	Sending  []DestinationRate `json:"sending"`
	Arriving []Transfer        `json:"arriving"`
	Leaving  []Transfer        `json:"leaving"`
}

// DestinationRate is how much goes to a destination.
type DestinationRate struct {
	Destination      core.DestinationID `json:"destination"`
	RecordsPerMinute float64            `json:"recordsPerMinute"` // over the last minutes
	BytesPerMinute   float64            `json:"bytesPerMinute"`
}

// Transfer is a file on its way.
type Transfer struct {
	ID    core.UploadID `json:"id"`
	File  string        `json:"file"`
	Bytes int64         `json:"bytes"` // that have moved
	Of    int64         `json:"of"`    // in all
}

// chartDays is how many days a chart shows.
const chartDays = 30

// ChartFrom is the first of the days that a chart shows on a date.
func ChartFrom(today time.Time) string { return today.AddDate(0, 0, 1-chartDays).Format(time.DateOnly) }

// ChartDays gives each day that a chart shows on a date, those on which nothing came
// included.
func ChartDays(today time.Time, known []core.Day) []core.Day {
	by := map[string]core.Day{}
	for _, day := range known {
		by[day.Date] = day
	}
	all := make([]core.Day, chartDays)
	for i := range all {
		date := today.AddDate(0, 0, i+1-chartDays).Format(time.DateOnly)
		all[i] = core.Day{Date: date, Uploads: by[date].Uploads, Bytes: by[date].Bytes}
	}
	return all
}

// Moves reports whether something is on its way, so that looking again soon shows more.
func (t Traffic) Moves() bool { return len(t.Arriving)+len(t.Leaving) > 0 }

// rate is what goes to a destination.
func (t Traffic) rate(d core.DestinationID) DestinationRate {
	for _, r := range t.Sending {
		if r.Destination == d {
			return r
		}
	}
	return DestinationRate{Destination: d}
}
