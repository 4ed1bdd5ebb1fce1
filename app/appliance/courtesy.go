package appliance

import (
	"context"
	"sync"
	"time"
)

// gentleRest is how long a step rests, in parts of the time that it took.
const gentleRest = 4

// courtesy lets steps give way to devices: while those keep the site busy, steps
// are done one at a time, each followed by a rest. Devices may go out of reach;
// what is here can be sent later. Safe for concurrent use.
type courtesy struct {
	busy func() bool
	turn sync.Mutex
}

// give wraps a step.
func (c *courtesy) give(step func(context.Context) (bool, error)) func(context.Context) (bool, error) {
	return func(ctx context.Context) (bool, error) {
		if !c.busy() {
			return step(ctx)
		}
		c.turn.Lock()
		defer c.turn.Unlock()
		begun := time.Now()
		more, err := step(ctx)
		if more {
			select {
			case <-time.After(gentleRest * time.Since(begun)):
			case <-ctx.Done():
			}
		}
		return more, err
	}
}
