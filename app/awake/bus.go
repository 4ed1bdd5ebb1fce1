//go:build !windows && !darwin

package awake

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/godbus/dbus/v5"
)

// answerTime is how long a bus and who is on it may take.
const answerTime = 5 * time.Second

// hold asks the system, and where that does not listen, the desktop. Errors: why none
// of them does.
func hold(ctx context.Context) (Release, error) {
	var refused []error
	for _, ask := range []func(context.Context) (Release, error){askSystem, askPower, askScreen} {
		release, err := ask(ctx)
		if err == nil {
			return release, nil
		}
		refused = append(refused, err)
	}
	return nil, errors.Join(refused...)
}

// askSystem asks systemd-logind. What it gives is held for as long as it is open.
func askSystem(ctx context.Context) (Release, error) {
	address := os.Getenv("DBUS_SYSTEM_BUS_ADDRESS")
	if address == "" {
		address = "unix:path=/run/dbus/system_bus_socket"
	}
	const login = "org.freedesktop.login1"
	var lock dbus.UnixFD
	line, err := call(ctx, address, login, "/org/freedesktop/login1", login+".Manager.Inhibit", []any{"sleep:idle", who, why, "block"}, &lock)
	if err != nil {
		return nil, err
	}
	line.Close()
	held := os.NewFile(uintptr(lock), "sleep lock")
	return func() { held.Close() }, nil
}

// askPower asks the desktop not to sleep.
func askPower(ctx context.Context) (Release, error) {
	const power = "org.freedesktop.PowerManagement"
	return askDesktop(ctx, power, "/org/freedesktop/PowerManagement/Inhibit", power+".Inhibit")
}

// askScreen asks the desktop to leave the screen on, which keeps the rest awake.
func askScreen(ctx context.Context) (Release, error) {
	const screen = "org.freedesktop.ScreenSaver"
	return askDesktop(ctx, screen, "/org/freedesktop/ScreenSaver", screen)
}

// askDesktop asks on the session's bus. What it gives is held for as long as the line
// to the bus is open.
func askDesktop(ctx context.Context, name string, path dbus.ObjectPath, room string) (Release, error) {
	address := os.Getenv("DBUS_SESSION_BUS_ADDRESS")
	if address == "" { // nobody is signed in where that is not there
		address = "unix:path=" + filepath.Join(os.Getenv("XDG_RUNTIME_DIR"), "bus")
	}
	var cookie uint32
	line, err := call(ctx, address, name, path, room+".Inhibit", []any{who, why}, &cookie)
	if err != nil {
		return nil, err
	}
	return func() {
		line.Object(name, path).Call(room+".UnInhibit", dbus.FlagNoReplyExpected, cookie) // closing the line does the same
		line.Close()
	}, nil
}

// call opens a line to a bus and asks one thing of someone on it. The caller closes the
// line, which lasts no longer than ctx.
func call(ctx context.Context, address, name string, path dbus.ObjectPath, method string, in []any, out any) (*dbus.Conn, error) {
	living, end := context.WithCancel(ctx)
	late := time.AfterFunc(answerTime, end)
	line, err := dbus.Connect(address, dbus.WithContext(living))
	if err != nil {
		end()
		return nil, fmt.Errorf("reach the bus for %s: %w", name, err)
	}
	err = line.Object(name, path).CallWithContext(living, method, 0, in...).Store(out)
	if late.Stop(); err != nil {
		line.Close()
		end()
		return nil, fmt.Errorf("ask %s: %w", name, err)
	}
	context.AfterFunc(line.Context(), end)
	return line, nil
}
