package appliance

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
	"sync/atomic"
	"time"

	"footbridge/app/api"
	"footbridge/app/config"
	"footbridge/app/control"
	"footbridge/app/door"
	"footbridge/app/keys"
	"footbridge/app/local/audit"
	"footbridge/app/local/lists"
	"footbridge/app/local/mending"
	"footbridge/app/local/records"
	"footbridge/app/local/setup"
	"footbridge/app/local/site"
	"footbridge/app/local/studies"
	"footbridge/app/projects"
	"footbridge/app/traffic"
	"footbridge/core"
	"footbridge/core/account"
	"footbridge/core/bundle"
	"footbridge/core/cms"
	"footbridge/core/fleet"
	"footbridge/core/library"
	"footbridge/core/participant"
	"footbridge/core/process"
	"footbridge/core/schedule"
	"footbridge/core/schema"
	"footbridge/core/upload"
	"footbridge/store"
	"footbridge/store/blob"
	"footbridge/sync/notify"
	"footbridge/sync/push"

	"github.com/gofrs/flock"
	"github.com/shirou/gopsutil/v4/disk"
)

// lockTime is how long a program that was killed may hold the lock.
const lockTime = 2 * time.Second

// ErrRunning says that another program has the home open.
var ErrRunning = errors.New("a Footbridge is already running on this home folder; close it first, or use another --home")

// Appliance is an open home with everything that works on it.
type Appliance struct {
	home      string
	lock      *flock.Flock
	live      *config.Live
	store     *store.Store
	ring      *keys.Ring
	projects  *projects.Keeper
	app       core.AppID
	desk      *upload.Desk
	roster    *participant.Roster
	devices   *fleet.Log
	door      atomic.Pointer[door.Door] // where devices come in; nil: nowhere
	api       *api.Server
	processor *process.Worker
	pace      *pace
	pusher    *push.Worker
	meter     *traffic.Meter
	teller    *notify.Worker
	log       *slog.Logger
	logFile   io.Closer
	changed   chan struct{} // the settings did
	ending    chan struct{} // closed when answers that last are to end
	end       func()        // closes it

	// The rooms of app/local.
	lists   *lists.Handlers
	records *records.Handlers
	mending *mending.Handlers
	studies *studies.Handlers
	audit   *audit.Handlers
	setup   *setup.Handlers
	site    *site.Handlers
}

// Open opens a home that Make made; the log is told to console too, where that is
// not nil. Whatever it opened, Close closes. Errors: ErrRunning.
func Open(ctx context.Context, home string, console slog.Handler) (*Appliance, error) {
	if err := IsMade(home); err != nil {
		return nil, err
	}
	a := &Appliance{home: home, changed: make(chan struct{}, 1), ending: make(chan struct{})}
	a.end = sync.OnceFunc(func() { close(a.ending) })
	if err := a.open(ctx, console); err != nil {
		a.Close()
		return nil, err
	}
	apps, err := a.store.Apps(ctx)
	if err == nil && len(apps) == 0 {
		err = fmt.Errorf("the home in %s was not finished; run footbridge init again", home)
	}
	if err != nil {
		a.Close()
		return nil, err
	}
	a.wire(apps[0].ID)
	return a, nil
}

// IsMade is nil where Make made the home.
func IsMade(home string) error {
	if _, err := os.Stat(filepath.Join(home, "footbridge.db")); err != nil {
		return fmt.Errorf("there is no Footbridge in %s yet; make one with footbridge init", home)
	}
	return nil
}

// open takes the home's lock and opens what lies in it.
func (a *Appliance) open(ctx context.Context, console slog.Handler) (err error) {
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
		Exported: a.tellExported, Created: tellCreated,
	})
	if err != nil {
		return err
	}
	return ctx.Err()
}

// takeLock takes the home's lock. A program that was killed holds it a moment
// longer; one that answers on the control socket holds it for good.
func (a *Appliance) takeLock(ctx context.Context) error {
	for begun := time.Now(); ; {
		locked, err := a.lock.TryLock()
		if err != nil {
			return fmt.Errorf("lock the home folder: %w", err)
		}
		if locked {
			return nil
		}
		if control.Answers(ctx, a.home) || time.Since(begun) > lockTime {
			return ErrRunning
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// wire puts the rooms together.
func (a *Appliance) wire(app core.AppID) {
	a.app = app
	a.desk = upload.NewDesk(a.store, landings{a.store}, upload.Config{
		Now:     time.Now,
		Zone:    func() *time.Location { return a.live.Settings().Zone() },
		MaxSize: func() int64 { return a.live.Settings().Uploads.MaxSize },
	})
	a.roster = participant.NewRoster(a.store, app, participant.Config{
		Now: time.Now, DataGroups: func() []string { return a.live.Settings().Participants.DataGroups },
	})
	a.processor = process.NewWorker(a.store, process.Config{
		Keys: a.ring.Keys, Now: time.Now,
		NewDigest:  func() process.Digest { return blob.NewHasher() },
		Shelf:      a.store,
		Strictness: func() schema.Strictness { return a.live.Settings().Strictness() },
	})
	a.projects = projects.New(projects.Config{
		Home: a.home, App: app, Store: a.store, Settings: a.live.Settings, Token: a.ring.RepositoryToken,
		Backfill: a.roster.Backfill, Made: a.hurry, Log: a.log,
	})
	a.pace = newPace(func() int64 { return a.live.Settings().Sync.Bandwidth })
	a.meter = traffic.New(time.Now)
	a.pusher = push.NewWorker(push.Config{
		Outbox: a.meter.Outbox(a.store), Tables: a.store, Repository: a.projects,
		Open: a.meter.File(a.pace.file(a.plain)), Attachment: a.pace.attachment(a.attachment), Closed: a.closed, Hitch: a.projects.Hitch, Place: a.projects.Identity, Destination: a.projects.Destination, Now: time.Now,
	})
	a.teller = notify.NewWorker(notify.Config{Outbox: a.store, Closed: a.closed, Now: time.Now})
	a.devices = fleet.NewLog(a.store, time.Now)
	a.furnish()
	a.api = api.NewServer(api.Config{
		App: app, Desk: a.desk, Roster: a.roster, Diary: schedule.NewDiary(a.store, time.Now), Library: library.NewDesk(a.store, time.Now),
		Gate:  account.NewGate(a.store, a.store, time.Now),
		Fleet: fleet.NewDesk(a.store, time.Now), Devices: a.devices, Reach: a.reach,
		Store: explained{a.store, a}, Studies: a.store, Projects: a.projects, Notices: a.store, Bell: a.store, Plain: a.plain, Stored: a.stored,
		Local: a.localRoutes(), Secret: a.store.Secret(), PublicKey: a.ring.PublicKey, Now: time.Now,
		Oldest: func(system string) int { return a.live.Settings().OldestVersions[system] },
		Audit:  a.store.Note,
		Failed: func(r *http.Request, err error) {
			a.log.Error("request failed", "route", r.Pattern, "request", r.Header.Get("X-Request-Id"), "error", err)
		},
	})
}

// plain opens an upload's bytes as they were before a device sealed them. Errors:
// core.ErrNoKey.
func (a *Appliance) plain(ctx context.Context, u core.Upload) (io.ReadCloser, error) {
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

// attachment opens one of the attachments of an upload's record. Errors:
// core.ErrNoKey.
func (a *Appliance) attachment(ctx context.Context, u core.Upload, which core.Attachment) (io.ReadCloser, error) {
	plain, err := a.plain(ctx, u)
	if err != nil {
		return nil, err
	}
	out, in := io.Pipe()
	go func() { // ends when the reader has all or is closed
		in.CloseWithError(bundle.Extract(func() (io.ReadCloser, error) { return plain, nil }, which, in))
	}()
	return out, nil
}

// Settings are the last good ones.
func (a *Appliance) Settings() config.Settings { return a.live.Settings() }

// Start tells which settings Footbridge was started with, by their keys: they hold
// whatever the settings file says. It comes before Run.
func (a *Appliance) Start(forced map[string]string) { a.setup.Forced = forced }

// Changed rings after Settings changed. One listener hears it.
func (a *Appliance) Changed() <-chan struct{} { return a.changed }

// Identity is what devices know this site by over TLS; it is made where it is
// missing.
func (a *Appliance) Identity() (keys.Identity, error) {
	return keys.OpenIdentity(filepath.Join(a.home, "keys"), time.Now())
}

// Handler answers devices and staff on the local network.
func (a *Appliance) Handler() http.Handler { return a.api.Handler() }

// Log is the home's log.
func (a *Appliance) Log() *slog.Logger { return a.log }

// Close closes what was opened. It is idempotent.
func (a *Appliance) Close() error {
	var err error
	if a.projects != nil {
		err = a.projects.Close()
		a.projects = nil
	}
	if a.store != nil {
		err = errors.Join(err, a.store.Close())
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
