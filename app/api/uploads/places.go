package uploads

import (
	"io"
	"sync"
	"sync/atomic"
	"time"

	"footbridge/core"
)

// Places are where PUTs are received: so many at once in all, and so many for
// one slot, so that no device can take them all. Safe for concurrent use.
type Places struct {
	all, each int

	mu    sync.Mutex
	taken int
	slots map[core.UploadID]*place
}

// place is a slot whose bytes come.
type place struct {
	taken int
	since time.Time
	of    int64
	got   atomic.Int64 // of the PUT that began last; those beside it count, too
}

// NewPlaces makes room for so many PUTs at once, and for so many to one slot.
func NewPlaces(all, each int) *Places { return &Places{all: all, each: each} }

// take takes a place for a slot, to which so many bytes are to come; false where there
// is none. leave gives it back.
func (p *Places) take(id core.UploadID, of int64, now time.Time) (*place, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := p.slots[id]
	if p.taken >= p.all || at != nil && at.taken >= p.each {
		return nil, false
	}
	if at == nil {
		if p.slots == nil {
			p.slots = map[core.UploadID]*place{}
		}
		at = &place{}
		p.slots[id] = at
	}
	at.since, at.of = now, max(of, 0)
	at.got.Store(0)
	p.taken++
	at.taken++
	return at, true
}

// Taken is how many PUTs are received now.
func (p *Places) Taken() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.taken
}

func (p *Places) leave(id core.UploadID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.taken--
	at := p.slots[id]
	if at.taken--; at.taken == 0 {
		delete(p.slots, id)
	}
}

// Arriving is what is being received.
func (p *Places) Arriving() []core.Moving {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := make([]core.Moving, 0, len(p.slots))
	for id, at := range p.slots {
		all = append(all, core.Moving{Upload: id, Bytes: min(at.got.Load(), at.of), Of: at.of, Since: at.since})
	}
	return all
}

// counted is a body whose bytes are counted where they come.
type counted struct {
	from io.Reader
	at   *place
}

func (c counted) Read(b []byte) (int, error) {
	n, err := c.from.Read(b)
	c.at.got.Add(int64(n))
	return n, err
}
