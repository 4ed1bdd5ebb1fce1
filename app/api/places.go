package api

import (
	"sync"

	"footbridge/core"
)

// places are where PUTs are received: so many at once in all, and so many for
// one slot, so that no device can take them all. Safe for concurrent use.
type places struct {
	all, each int

	mu    sync.Mutex
	taken int
	slots map[core.UploadID]int
}

// take takes a place for a slot; false where there is none. leave gives it back.
func (p *places) take(id core.UploadID) bool {
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

func (p *places) leave(id core.UploadID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.taken--
	if p.slots[id]--; p.slots[id] == 0 {
		delete(p.slots, id)
	}
}
