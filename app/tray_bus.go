//go:build window && !windows && !darwin

package main

import (
	"context"
	"errors"
	"time"

	"github.com/godbus/dbus/v5"
)

// How long it is waited for a tray, and how often it is looked for.
const (
	trayPatience = 15 * time.Second // the desktop of someone who just signed in has none at once
	trayAnswer   = time.Second
)

// hasTray reports whether this desktop shows a tray; where the window is to begin there,
// it waits a while for one.
func hasTray(ctx context.Context, wait bool) bool {
	for until := time.Now().Add(trayPatience); ; {
		if showsTray(ctx) {
			return true
		}
		if !wait || time.Now().After(until) {
			return false
		}
		select {
		case <-time.After(trayAnswer):
		case <-ctx.Done():
			return false
		}
	}
}

// showsTray asks the desktop's bus whether someone shows what programs put there. It
// starts no bus where there is none.
func showsTray(ctx context.Context) bool {
	ctx, stop := context.WithTimeout(ctx, trayAnswer)
	defer stop()
	conn, err := dbus.SessionBusPrivateNoAutoStartup(dbus.WithContext(ctx))
	if err != nil {
		return false
	}
	defer conn.Close()
	if err := errors.Join(conn.Auth(nil), conn.Hello()); err != nil {
		return false
	}
	var shown dbus.Variant
	watcher := conn.Object("org.kde.StatusNotifierWatcher", "/StatusNotifierWatcher")
	err = watcher.CallWithContext(ctx, "org.freedesktop.DBus.Properties.Get", 0, "org.kde.StatusNotifierWatcher", "IsStatusNotifierHostRegistered").Store(&shown)
	yes, _ := shown.Value().(bool)
	return err == nil && yes
}
