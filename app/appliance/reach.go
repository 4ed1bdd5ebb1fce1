package appliance

import (
	"context"
	"time"

	"footbridge/app/api/devices"
	"footbridge/app/door"
)

const (
	notesEvery  = 10 * time.Second // who is here is written where it is due
	notesLength = 5 * time.Second  // the last time
)

// Opened tells at which door devices come in.
func (a *Appliance) Opened(d door.Door) { a.door.Store(&d) }

// reach tells how devices reach this site: at the door that was opened last, or where
// none is, at the one that the settings name.
func (a *Appliance) reach() (devices.Reach, error) {
	if d := a.door.Load(); d != nil {
		return devices.Reach{BaseURLs: d.Reach(), Pin: d.Pin, Serving: true}, nil
	}
	settings := a.live.Settings()
	if settings.PlainHTTP {
		return devices.Reach{BaseURLs: door.Reach("http", settings.Listen)}, nil
	}
	site, err := a.Identity()
	return devices.Reach{BaseURLs: door.Reach("https", settings.Listen), Pin: site.Pin}, err
}

// address is where the door is that was opened last; empty where none is.
func (a *Appliance) address() string {
	if d := a.door.Load(); d != nil {
		return d.Listener.Addr().String()
	}
	return ""
}

// noteDevices writes which devices are here until ctx ends, and what is left then.
func (a *Appliance) noteDevices(ctx context.Context) {
	tick := time.NewTicker(notesEvery)
	defer tick.Stop()
	for ctx.Err() == nil {
		select {
		case <-a.devices.Rung():
		case <-tick.C:
		case <-ctx.Done():
		}
		if ctx.Err() == nil {
			a.writeNotes(ctx, false)
		}
	}
	last, stop := context.WithTimeout(context.WithoutCancel(ctx), notesLength)
	defer stop()
	a.writeNotes(last, true)
}

func (a *Appliance) writeNotes(ctx context.Context, all bool) {
	if err := a.devices.Write(ctx, all); err != nil && ctx.Err() == nil {
		a.log.Warn("which devices are here is not noted; it is tried again", "error", err)
	}
}
