package view

// Front describes a site to the reader: its overview, and what came lately.
func (r Reader) Front(s Site) Front {
	f, sent := NewFront(s.Overview, r), 0
	for i, line := range s.Overview.Destinations {
		sent += line.Exported
		if pace := r.Pace(line, s.Traffic); pace != "" {
			f.Destinations[i].Facts += " " + pace
		}
	}
	f.Queues = append([]Figure{{Number: s.Traffic.today().Uploads, Words: r.Say("overview.today"), Days: DaysToday}}, f.Queues...)
	f.Queues = append(f.Queues, Figure{Number: sent, Words: r.Say("overview.sent"), Standing: StandingSent})
	if forecast := r.Forecast(s.Overview.Disk, s.Traffic); forecast != "" {
		f.Disk += " " + forecast
	}
	if s.Trouble != "" {
		f.State, f.Sentence, f.Needs = "away", r.Say("overview.away"), nil
	}
	return f
}

// Unknown says, for a page that knows nothing yet, that nothing is known now; nothing where
// the site answers.
func (r Reader) Unknown(s Site) string {
	if s.Trouble == "" {
		return ""
	}
	return r.Say("overview.away")
}

// Away says that a site does not answer, and of when the rest is that is still seen;
// nothing where it does.
func (r Reader) Away(s Site) string {
	if s.Trouble == "" || s.At.IsZero() {
		return s.Trouble
	}
	return s.Trouble + " " + r.Say("window.as_at", "at", r.When(s.At))
}
