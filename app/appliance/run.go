package appliance

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"footbridge/app/config"
	"footbridge/app/control"
	"footbridge/app/door"
	"footbridge/app/inbox"
	"footbridge/core"
	"footbridge/core/upload"
	"footbridge/core/work"
)

const (
	processors = 2 // uploads processed at once
	tellers    = 4 // receivers told at once
	expireTime = time.Minute
)

// Run works, and answers on the control socket and to devices at the doors,
// until f returns. Requests that are being answered then are finished first. The
// client that f is given speaks for the operator; its context ends early where
// nothing can be answered any more.
func (a *Appliance) Run(ctx context.Context, f func(context.Context, *control.Client) error, doors ...net.Listener) error {
	socket, err := control.Listen(a.home)
	if err != nil {
		return err
	}
	handlers := map[net.Listener]http.Handler{socket: a.api.OperatorHandler()}
	for _, listener := range doors {
		handlers[listener] = a.api.Handler()
	}
	working, stopWorking := context.WithCancel(context.WithoutCancel(ctx))
	defer stopWorking()
	worked := make(chan struct{})
	go func() { defer close(worked); a.work(working) }()
	serving, stopServing := context.WithCancel(ctx)
	defer stopServing()
	defer context.AfterFunc(serving, a.end)() // or they would be waited for
	served := make(chan error, 1)
	go func() {
		defer stopServing() // f has nobody to talk to any more
		served <- door.Serve(serving, handlers, slog.NewLogLogger(a.log.Handler(), slog.LevelDebug))
	}()
	transport, ok := control.Dial(a.home)
	if ok {
		err = f(serving, control.NewClient(transport))
	} else {
		err = errors.New("the control socket does not answer")
	}
	stopServing()
	err = errors.Join(err, <-served)
	stopWorking()
	<-worked
	return err
}

// work works until ctx ends, and then until every worker has put down its tools.
func (a *Appliance) work(ctx context.Context) {
	var working sync.WaitGroup
	defer working.Wait()
	failed := func(err error) { a.log.Warn("work failed; it is tried again", "error", err) }
	pulse := pulse{Appliance: a}
	working.Go(func() { a.stayAwake(ctx, &pulse) })
	for range processors {
		working.Go(func() { work.Loop{Step: pulse.felt(a.processor.Step), Bell: a.store, Failed: failed}.Run(ctx) })
	}
	polite := courtesy{busy: a.api.Busy}
	for n := range config.TransfersMax {
		working.Go(func() {
			work.Loop{Step: a.sender(n, polite.give(a.pusher.Step)), Bell: a.store, Due: a.due, Failed: failed}.Run(ctx)
		})
	}
	for range tellers {
		working.Go(func() {
			work.Loop{Step: a.teller.Step, Bell: a.store, Due: a.dueNotice, Failed: failed}.Run(ctx)
		})
	}
	working.Go(func() { work.Loop{Step: a.enlist, Bell: a.store, Failed: failed}.Run(ctx) })
	working.Go(func() { work.Loop{Step: polite.give(a.tally), Bell: a.store, Failed: failed}.Run(ctx) })
	working.Go(func() { a.mending.CompareAsked(ctx) })
	working.Go(func() {
		work.Loop{Step: a.projects.MakePending, Bell: a.store, Tick: time.Minute, Due: a.projects.NextAttempt, Failed: failed}.Run(ctx)
	})
	working.Go(func() {
		work.Loop{Step: a.records.RemoveWithdrawn, Bell: a.store, Tick: time.Minute, Failed: failed}.Run(ctx)
	})
	working.Go(func() { a.expire(ctx) })
	working.Go(func() { a.awaitRepository(ctx) })
	working.Go(func() { a.noteDevices(ctx) })
	working.Go(func() { a.takeDropped(ctx, failed) })
	working.Go(func() { a.watchSettings(ctx) })
}

// watchSettings takes up what changes in the settings file, and tells the audit.
func (a *Appliance) watchSettings(ctx context.Context) {
	audit := func() {
		if err := a.setup.Witness.Look(ctx); err != nil && ctx.Err() == nil {
			a.log.Error("the audit misses that settings changed", "error", err)
		}
	}
	audit() // what changed while nothing ran
	repository := a.live.Settings().Repository
	err := a.live.Watch(ctx, func(err error) {
		if err != nil {
			a.log.Error("settings are wrong; the last good ones stay", "error", err)
			return
		}
		a.log.Info("settings taken up")
		audit()
		if now := a.live.Settings().Repository; now != repository {
			repository = now
			a.hurry() // what kept things from the other one says nothing of this one
		}
		a.store.Ring() // sending may have become free
		select {
		case a.changed <- struct{}{}:
		default: // it is known already
		}
	})
	if err != nil {
		a.log.Error("changes of the settings are not seen", "error", err)
	}
}

// enlistedAtOnce is how many uploads join a new destination in one transaction.
const enlistedAtOnce = 200

// enlist lets uploads join a destination that came after them.
func (a *Appliance) enlist(ctx context.Context) (bool, error) {
	now := time.Now().UTC()
	return a.store.Enlist(ctx, enlistedAtOnce, func(u *core.Upload, standing core.Standing) ([]core.Export, bool) {
		return upload.Enlist(u, standing, now)
	})
}

// tallied is how many uploads are gone through in one transaction.
const tallied = 200

// tally counts what an earlier build stored.
func (a *Appliance) tally(ctx context.Context) (bool, error) { return a.store.Tally(ctx, tallied) }

// takeDropped takes in what people put into the drop folder.
func (a *Appliance) takeDropped(ctx context.Context, failed func(error)) {
	dir := filepath.Join(a.home, "inbox")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		a.log.Error("the drop folder cannot be made", "error", err)
		return
	}
	if err := inbox.New(dir, drop{a}, inbox.Config{Failed: failed}).Watch(ctx); err != nil {
		a.log.Warn("the drop folder is looked through only now and then", "error", err)
	}
}

// expire gives back the room of slots that were never used.
func (a *Appliance) expire(ctx context.Context) {
	tick := time.NewTicker(expireTime)
	defer tick.Stop()
	for {
		if _, err := a.store.Expire(ctx); err != nil && ctx.Err() == nil {
			a.log.Warn("expired slots stay", "error", err)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}
