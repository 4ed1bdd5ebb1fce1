package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"footbridge/app/api"
	"footbridge/app/config"
	"footbridge/app/control"
	"footbridge/app/keys"
	"footbridge/core"
	"footbridge/core/account"
	"footbridge/core/cms"
	"footbridge/core/participant"
	"footbridge/core/process"
	"footbridge/core/upload"
	"footbridge/core/work"
	"footbridge/store"
	"footbridge/store/blob"
	"footbridge/sync/push"

	"github.com/gofrs/flock"
	"github.com/shirou/gopsutil/v4/disk"
)

const (
	processors = 2 // uploads processed at once
	pushers    = 4 // records sent at once
	expireTime = time.Minute
	lockTime   = 2 * time.Second
)

// errRunning says that another program has the home open.
var errRunning = errors.New("a Footbridge is already running on this home folder; close it first, or use another --home")

// appliance is an open home with everything that works on it.
type appliance struct {
	home       string
	lock       *flock.Flock
	live       *config.Live
	store      *store.Store
	ring       *keys.Ring
	repository *repository
	app        core.AppID
	desk       *upload.Desk
	roster     *participant.Roster
	api        *api.Server
	processor  *process.Worker
	pusher     *push.Worker
	log        *slog.Logger
	logFile    io.Closer
	changed    chan struct{} // the settings did
}

// openAppliance opens a home that was initialised. Errors: errRunning.
func openAppliance(ctx context.Context, home string, console slog.Handler) (*appliance, error) {
	if _, err := os.Stat(filepath.Join(home, "footbridge.db")); err != nil {
		return nil, fmt.Errorf("there is no Footbridge in %s yet; make one with footbridge init", home)
	}
	a := &appliance{home: home, changed: make(chan struct{}, 1)}
	if err := a.open(ctx, console); err != nil {
		a.close()
		return nil, err
	}
	apps, err := a.store.Apps(ctx)
	if err == nil && len(apps) == 0 {
		err = fmt.Errorf("the home in %s was not finished; run footbridge init again", home)
	}
	if err != nil {
		a.close()
		return nil, err
	}
	a.wire(apps[0].ID)
	return a, nil
}

// open takes the home's lock and opens what lies in it.
func (a *appliance) open(ctx context.Context, console slog.Handler) (err error) {
	a.lock = flock.New(filepath.Join(a.home, "footbridge.lock"), flock.SetPermissions(0o600))
	if err := a.takeLock(ctx); err != nil {
		a.lock = nil
		return err
	}
	if a.live, err = config.Open(a.home); err != nil {
		return err
	}
	if a.log, a.logFile, err = openLog(filepath.Join(a.home, "logs"), console); err != nil {
		return err
	}
	if a.ring, err = keys.OpenRing(filepath.Join(a.home, "keys")); err != nil {
		return err
	}
	a.store, err = store.Open(a.home, store.Config{
		Floor: func() int64 { return a.live.Settings().Uploads.FreeSpaceFloor },
		FreeSpace: func() (uint64, error) {
			usage, err := disk.UsageWithContext(context.Background(), a.home)
			if err != nil {
				return 0, err
			}
			return usage.Free, nil
		},
	})
	if err != nil {
		return err
	}
	a.repository = &repository{home: a.home, spec: func() string { return a.live.Settings().Repository }}
	return ctx.Err()
}

// takeLock takes the home's lock. A program that was killed holds it a moment
// longer; one that answers on the control socket holds it for good.
func (a *appliance) takeLock(ctx context.Context) error {
	for begun := time.Now(); ; {
		locked, err := a.lock.TryLock()
		if err != nil {
			return fmt.Errorf("lock the home folder: %w", err)
		}
		if locked {
			return nil
		}
		if control.Answers(ctx, a.home) || time.Since(begun) > lockTime {
			return errRunning
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// wire puts the rooms together.
func (a *appliance) wire(app core.AppID) {
	a.app = app
	a.desk = upload.NewDesk(a.store, landings{a.store}, upload.Config{
		Now:     time.Now,
		Zone:    func() *time.Location { return a.live.Settings().Zone() },
		MaxSize: func() int64 { return a.live.Settings().Uploads.MaxSize },
	})
	a.roster = participant.NewRoster(a.store, app, participant.Config{Now: time.Now})
	a.processor = process.NewWorker(a.store, process.Config{
		Keys: a.ring.Keys, Now: time.Now,
		NewDigest: func() process.Digest { return blob.NewHasher() },
	})
	a.pusher = push.NewWorker(push.Config{
		Outbox: a.store, Tables: a.store, Files: &projects{repository: a.repository, stands: a.stands}, Encoder: encoder{},
		Open: a.plain, Destination: a.destination, Now: time.Now,
	})
	a.api = api.NewServer(api.Config{
		App: app, Desk: a.desk, Roster: a.roster,
		Gate:  account.NewGate(a.store, a.store, time.Now),
		Store: explained{a.store, a.pusher}, Studies: a.store, Projects: a, Bell: a.store,
		Local: a.localRoutes(), Secret: a.store.Secret(), PublicKey: a.ring.PublicKey, Now: time.Now,
		Failed: func(r *http.Request, err error) { a.log.Error("request failed", "route", r.Pattern, "error", err) },
	})
}

// landings gives the desk the store's landings.
type landings struct{ *store.Store }

// Land streams r to its end (upload.Bytes).
func (l landings) Land(ctx context.Context, r io.Reader, size int64) (upload.Landing, error) {
	landing, err := l.Store.Land(ctx, r, size)
	if err != nil {
		return nil, err
	}
	return landing, nil
}

// explained tells of every export why it waits.
type explained struct {
	*store.Store
	pusher *push.Worker
}

// Exports gives where a record stands at each of its destinations (api.Store).
func (x explained) Exports(ctx context.Context, id core.UploadID) ([]core.Export, error) {
	all, err := x.Store.Exports(ctx, id)
	for i, e := range all {
		all[i] = x.pusher.Explain(e)
	}
	return all, err
}

// plain opens an upload's bytes as they were before a device sealed them. Errors:
// core.ErrNoKey.
func (a *appliance) plain(ctx context.Context, u core.Upload) (io.ReadCloser, error) {
	sealed, err := a.store.Open(ctx, *u.Blob)
	if err != nil {
		return nil, err
	}
	plain, err := process.Plain(sealed, u.Request.Encrypted, a.ring.Keys())
	var foreign *cms.ForeignError
	if errors.As(err, &foreign) {
		return nil, fmt.Errorf("%w: %w", core.ErrNoKey, err)
	}
	return plain, err
}

// destination gives a configured destination.
func (a *appliance) destination(ctx context.Context, id core.DestinationID) (core.Destination, bool) {
	if string(id) == string(a.app) {
		app, err := a.store.App(ctx, a.app)
		return core.Destination{ID: id, App: a.app}, err == nil && app.Export && app.Repository.Complete()
	}
	study, err := a.store.Study(ctx, core.StudyID(id))
	return core.Destination{ID: id, App: a.app, Study: study.ID}, err == nil && study.Configured()
}

// run works until ctx ends and then until every worker has put down its tools.
func (a *appliance) run(ctx context.Context) {
	var working sync.WaitGroup
	defer working.Wait()
	failed := func(err error) { a.log.Warn("work failed; it is tried again", "error", err) }
	for range processors {
		working.Go(func() { work.Loop{Step: a.processor.Step, Bell: a.store, Failed: failed}.Run(ctx) })
	}
	polite := courtesy{busy: a.api.Busy}
	for range pushers {
		working.Go(func() {
			work.Loop{Step: polite.give(a.pusher.Step), Bell: a.store, Due: a.store.NextExport, Failed: failed}.Run(ctx)
		})
	}
	working.Go(func() { a.expire(ctx) })
	working.Go(func() {
		err := a.live.Watch(ctx, func(err error) {
			if err != nil {
				a.log.Error("settings are wrong; the last good ones stay", "error", err)
			} else {
				a.log.Info("settings taken up")
				select {
				case a.changed <- struct{}{}:
				default: // it is known already
				}
			}
		})
		if err != nil {
			a.log.Error("changes of the settings are not seen", "error", err)
		}
	})
}

// expire gives back the room of slots that were never used.
func (a *appliance) expire(ctx context.Context) {
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

// close closes what was opened. It is idempotent.
func (a *appliance) close() error {
	var err error
	if a.store != nil {
		err = a.store.Close()
		a.store = nil
	}
	if a.logFile != nil {
		a.logFile.Close()
		a.logFile = nil
	}
	if a.lock != nil {
		a.lock.Unlock()
		a.lock = nil
	}
	return err
}
