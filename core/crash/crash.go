// Package crash names the points between two durable steps, so that a test
// can end the real program at any of them.
//
// It promises to do nothing at all unless FOOTBRIDGE_CRASH_AT names a point.
// Then the program ends there at once, as if it had been killed: no deferred
// call runs, no buffer is flushed.
package crash

import (
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// Status is the exit status of a program that ended at a point.
const Status = 86

// plan is read once: the point to end at, and how many passes to let by.
var plan = sync.OnceValue(func() *countdown {
	name, passes, _ := strings.Cut(os.Getenv("FOOTBRIDGE_CRASH_AT"), ":")
	if name == "" {
		return nil
	}
	c := &countdown{point: name}
	n, _ := strconv.Atoi(passes)
	c.left.Store(int64(n))
	return c
})

type countdown struct {
	point string
	left  atomic.Int64
}

// Point ends the program if FOOTBRIDGE_CRASH_AT is "name" or "name:N" and this
// is pass N+1 of the point. Safe for concurrent use.
func Point(name string) {
	if p := plan(); p != nil && p.point == name && p.left.Add(-1) == -1 {
		os.Exit(Status)
	}
}
