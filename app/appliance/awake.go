package appliance

import (
	"context"
	"strings"
	"sync/atomic"

	"footbridge/app/awake"
	"footbridge/core"
)

// stayAwake keeps the machine awake while data moves, until ctx ends.
func (a *Appliance) stayAwake(ctx context.Context, p *pulse) {
	p.moves() // what moved before is no news
	awake.Run(ctx, awake.Config{
		Wanted: func() bool { return a.live.Settings().Awake },
		Moves:  p.moves,
		Failed: func(err error) {
			a.log.Info("this machine cannot be kept awake while data moves; see that it does not fall asleep meanwhile", "error", err)
		},
	})
}

// pulse tells whether data moves. What waits for a repository that is away does not,
// however often it is tried, or a laptop would never sleep again: sending is known by
// records that arrived, and by bytes that flow for more than a moment. One goroutine at
// a time asks it.
type pulse struct {
	*Appliance
	processing atomic.Int64 // uploads, now
	passed     int64        // bytes that had been read to be sent, when it was asked last
	flowed     bool         // they had become more
	exported   int          // records that had arrived
}

// felt is a step of processing that is noted while it lasts.
func (p *pulse) felt(step func(context.Context) (bool, error)) func(context.Context) (bool, error) {
	return func(ctx context.Context) (bool, error) {
		p.processing.Add(1)
		defer p.processing.Add(-1)
		return step(ctx)
	}
}

// moves reports whether uploads are being received or processed now, or anything was
// sent since it was asked last.
func (p *pulse) moves() bool {
	passed, exported := p.pace.passed.Load(), 0
	for name, n := range p.store.Counts() {
		if strings.HasPrefix(name, "exports/") && strings.HasSuffix(name, "/"+string(core.ExportExported)) {
			exported += n
		}
	}
	flows := passed != p.passed
	sent := flows && p.flowed || exported > p.exported
	p.passed, p.flowed, p.exported = passed, flows, exported
	return sent || p.api.Receiving() > 0 || p.processing.Load() > 0
}
