package page

import (
	"context"
	"sync"
)

// errand asks the appliance for something, outside of the drawing, and gives what
// shows the answer.
type errand struct {
	name    string
	ask     func(context.Context) (show func(), err error)
	patient bool // the answer may take as long as it takes
}

// errands are what is to be asked, in order. Of those of one name that wait, only the
// last is asked: nobody looks at the answers to the others any more. What a person
// wants done has no name, and all of it is. Safe for concurrent use.
type errands struct {
	mu   sync.Mutex
	all  []errand
	rung chan struct{} // rings after one came
}

func newErrands() *errands { return &errands{rung: make(chan struct{}, 1)} }

// add lets something be asked.
func (e *errands) add(next errand) {
	e.mu.Lock()
	for i := range e.all {
		if next.name != "" && e.all[i].name == next.name {
			e.all = append(e.all[:i], e.all[i+1:]...)
			break
		}
	}
	e.all = append(e.all, next)
	e.mu.Unlock()
	select {
	case e.rung <- struct{}{}:
	default: // it is known already
	}
}

// next takes the first; false where none waits.
func (e *errands) next() (errand, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.all) == 0 {
		return errand{}, false
	}
	first := e.all[0]
	e.all = e.all[1:]
	return first, true
}
