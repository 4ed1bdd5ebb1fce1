package store

import (
	"sync"

	"footbridge/core"
)

// turns sees to it that one participant's uploads, however many and however heavy,
// are processed one after the other, so that they never hold up everyone else's.
// Safe for concurrent use.
type turns struct {
	mu    sync.Mutex
	owner map[core.UploadID]core.HealthCode // of what is due
	busy  map[core.HealthCode]core.UploadID // the one that is being processed
}

// wait notes whose upload is due. What has no owner waits for nobody.
func (t *turns) wait(id core.UploadID, owner core.HealthCode) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.owner == nil {
		t.owner, t.busy = map[core.UploadID]core.HealthCode{}, map[core.HealthCode]core.UploadID{}
	}
	t.owner[id] = owner
}

// take takes an upload's turn; false where it is not its turn.
func (t *turns) take(id core.UploadID) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	owner := t.owner[id]
	if owner == "" {
		return true
	}
	if _, taken := t.busy[owner]; taken {
		return false
	}
	t.busy[owner] = id
	return true
}

// end gives an upload's turn back if it has it; done says that it is due no more.
func (t *turns) end(id core.UploadID, done bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	owner := t.owner[id]
	if t.busy[owner] == id {
		delete(t.busy, owner)
	}
	if done {
		delete(t.owner, id)
	}
}
