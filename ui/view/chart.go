package view

import (
	"strconv"
	"time"

	"footbridge/core"
)

// Bar is one day of the chart.
type Bar struct {
	Uploads int
	Name    string // of the day, short
	Text    string // the day, and how much came
	Today   bool
}

// Chart is what came lately as the window shows it.
type Chart struct {
	Bars []Bar
	Text string // the same in one sentence
}

// Chart describes what came lately to the reader.
func (r Reader) Chart(t Traffic) Chart {
	var c Chart
	sum, most := 0, 0
	for i, day := range t.Days {
		bar := Bar{Uploads: day.Uploads, Name: r.day(day.Date), Today: day.Date == t.Today}
		if bar.Today {
			bar.Name = r.Say("chart.today")
		}
		bar.Text = r.Count("chart.day", day.Uploads, "day", bar.Name)
		c.Bars = append(c.Bars, bar)
		if sum += day.Uploads; day.Uploads > t.Days[most].Uploads {
			most = i
		}
	}
	if sum == 0 {
		c.Text = r.Say("chart.none")
		return c
	}
	c.Text = r.Count("chart.sum", sum, "today", t.today().Uploads, "day", c.Bars[most].Name, "most", t.Days[most].Uploads)
	return c
}

// day is a date (YYYY-MM-DD), short.
func (r Reader) day(date string) string {
	at, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return date
	}
	return r.Say("chart.date", "day", at.Day(), "month", r.Say("chart.month."+strconv.Itoa(int(at.Month()))))
}

func (t Traffic) today() core.Day {
	for _, day := range t.Days {
		if day.Date == t.Today {
			return day
		}
	}
	return core.Day{Date: t.Today}
}

const (
	forecastDays = 7   // whose rate is held to go on
	forecastMax  = 365 // days; nobody knows what is behind them
)

// Forecast says for how long the disk lasts; nothing where nobody can tell, because
// nothing came in the last days or the disk is full.
func (r Reader) Forecast(d Disk, t Traffic) string {
	bytes, days := int64(0), 0
	for i := max(len(t.Days)-forecastDays, 0); i < len(t.Days); i++ {
		if bytes += t.Days[i].Bytes; bytes > 0 {
			days++ // a site that began yesterday has no week behind it
		}
	}
	room := d.FreeBytes - d.FloorBytes
	if bytes == 0 || room <= 0 {
		return ""
	}
	left := float64(room) / (float64(bytes) * float64(max(t.Copies, 1)) / float64(days))
	if left > forecastMax {
		return r.Say("disk.lasts_long")
	}
	return r.Count("disk.lasts", int(left))
}
