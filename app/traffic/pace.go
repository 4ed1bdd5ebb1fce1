package traffic

import "time"

const (
	slotTime = 10 * time.Second
	slots    = 30 // five minutes
)

// pace counts what was sent lately. Whoever has it guards it.
type pace struct {
	ring [slots]slot
}

// slot is what was sent in a part of the time.
type slot struct {
	number  int64 // of the part, since the epoch
	records int
	bytes   int64
}

func numberOf(at time.Time) int64 { return at.UnixNano() / int64(slotTime) }

// add counts a record.
func (p *pace) add(bytes int64, now time.Time) {
	n := numberOf(now)
	s := &p.ring[n%slots]
	if s.number != n {
		*s = slot{number: n}
	}
	s.records++
	s.bytes += bytes
}

// perMinute gives the rate of the last minutes, from the first of them in which
// something was sent. What was sent at one time alone has none.
func (p *pace) perMinute(now time.Time) Rate {
	last := numberOf(now)
	first, latest, sum := last, int64(0), Rate{}
	for _, s := range p.ring {
		if s.records > 0 && s.number > last-slots && s.number <= last {
			first, latest = min(first, s.number), max(latest, s.number)
			sum.Records += float64(s.records)
			sum.Bytes += float64(s.bytes)
		}
	}
	if first >= latest {
		return Rate{}
	}
	lasted := max(now.Sub(time.Unix(0, first*int64(slotTime))), slotTime).Minutes()
	return Rate{sum.Records / lasted, sum.Bytes / lasted}
}
