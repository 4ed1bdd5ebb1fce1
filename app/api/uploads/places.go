package uploads

import (
	"sync"

	"footbridge/core"
)

// Places are where PUTs are received: so many at once in all, and so many for
// one slot, so that no device can take them all. Safe for concurrent use.
type Places struct {
	all, each int

	mu    sync.Mutex
	taken int
	slots map[core.UploadID]int
}

// NewPlaces makes room for so many PUTs at once, and for so many to one slot.
func NewPlaces(all, each int) *Places { return &Places{all: all, each: each} }

// take takes a place for a slot; false where there is none. leave gives it back.
func (p *Places) take(id core.UploadID) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.taken >= p.all || p.slots[id] >= p.each {
		return false
	}
	if p.slots == nil {
		p.slots = map[core.UploadID]int{}
	}
	p.taken++
	p.slots[id]++
	return true
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
	if p.slots[id]--; p.slots[id] == 0 {
		delete(p.slots, id)
	}
}
