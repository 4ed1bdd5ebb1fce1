//go:build linux

package awake_test

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"footbridge/app/awake"

	"github.com/godbus/dbus/v5"
	"golang.org/x/sys/unix"
)

// bus starts a bus that nobody else is on, and gives its address.
func bus(t *testing.T) string {
	t.Helper()
	daemon, err := exec.LookPath("dbus-daemon")
	if err != nil {
		t.Skip("dbus-daemon (dbus) is not installed")
	}
	dir := t.TempDir()
	config := filepath.Join(dir, "bus.conf")
	err = os.WriteFile(config, fmt.Appendf(nil, `<busconfig><type>session</type><listen>unix:path=%s/bus</listen><auth>EXTERNAL</auth>
		<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>`, dir), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(daemon, "--nofork", "--print-address", "--config-file="+config)
	said, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	address, err := bufio.NewReader(said).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(address)
}

// join puts an object on a bus under a name.
func join(t *testing.T, address string, object any, path dbus.ObjectPath, name, room string) {
	t.Helper()
	line, err := dbus.Connect(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { line.Close() })
	if err := line.Export(object, path, room); err != nil {
		t.Fatal(err)
	}
	if reply, err := line.RequestName(name, dbus.NameFlagDoNotQueue); err != nil || reply != dbus.RequestNameReplyPrimaryOwner {
		t.Fatalf("%v (%v)", reply, err)
	}
}

// buses sets where the system's and the session's bus are; empty: nowhere.
func buses(t *testing.T, system, session string) {
	t.Helper()
	nowhere := "unix:path=" + filepath.Join(t.TempDir(), "nobody")
	for name, address := range map[string]string{"DBUS_SYSTEM_BUS_ADDRESS": system, "DBUS_SESSION_BUS_ADDRESS": session} {
		if address == "" {
			address = nowhere
		}
		t.Setenv(name, address)
	}
}

// system stands in for systemd-logind.
type system struct {
	asked   chan []string
	lock    dbus.UnixFD // what it gives
	refuses bool
}

// Inhibit gives a lock, as logind does.
func (s *system) Inhibit(what, who, why, mode string) (dbus.UnixFD, *dbus.Error) {
	if s.refuses {
		return 0, dbus.NewError("org.freedesktop.DBus.Error.AccessDenied", nil)
	}
	s.asked <- []string{what, who, why, mode}
	return s.lock, nil
}

func (s *system) join(t *testing.T, address string) {
	t.Helper()
	join(t, address, s, "/org/freedesktop/login1", "org.freedesktop.login1", "org.freedesktop.login1.Manager")
}

// The system is asked, and its lock is held until it is released.
func TestTheSystemIsAsked(t *testing.T) {
	address := bus(t)
	buses(t, address, "")
	observed, lock, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer observed.Close()
	defer lock.Close()
	s := &system{asked: make(chan []string, 1), lock: dbus.UnixFD(lock.Fd())}
	s.join(t, address)
	release, err := awake.Hold(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if asked := <-s.asked; asked[0] != "sleep:idle" || asked[1] != "Footbridge" || asked[2] == "" || asked[3] != "block" {
		t.Errorf("it is asked for %q", asked)
	}
	lock.Close() // now there is only the one that was given
	isFree := func(patience time.Duration) bool {
		t.Helper()
		ends := []unix.PollFd{{Fd: int32(observed.Fd()), Events: unix.POLLIN}} // a pipe that nobody can write to any more
		for {
			n, err := unix.Poll(ends, int(patience.Milliseconds()))
			if errors.Is(err, unix.EINTR) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			return n > 0
		}
	}
	if isFree(0) {
		t.Error("the lock is let go at once")
	}
	release()
	if !isFree(time.Minute) {
		t.Error("the lock is held after it was released")
	}
}

// desktop stands in for one that keeps the machine or the screen awake.
type desktop struct{ asked, released chan string }

// Inhibit gives a cookie.
func (d *desktop) Inhibit(who, why string) (uint32, *dbus.Error) {
	d.asked <- who
	return 17, nil
}

// UnInhibit takes it back.
func (d *desktop) UnInhibit(cookie uint32) *dbus.Error {
	d.released <- fmt.Sprint(cookie)
	return nil
}

// Where the system does not listen, the desktop is asked.
func TestTheDesktopIsAsked(t *testing.T) {
	for name, at := range map[string]struct {
		path       dbus.ObjectPath
		name, room string
		refused    bool // by a system that is there
	}{
		"power":                         {"/org/freedesktop/PowerManagement/Inhibit", "org.freedesktop.PowerManagement", "org.freedesktop.PowerManagement.Inhibit", false},
		"screen":                        {"/org/freedesktop/ScreenSaver", "org.freedesktop.ScreenSaver", "org.freedesktop.ScreenSaver", false},
		"where the system does not let": {"/org/freedesktop/ScreenSaver", "org.freedesktop.ScreenSaver", "org.freedesktop.ScreenSaver", true},
	} {
		t.Run(name, func(t *testing.T) {
			address := bus(t)
			buses(t, "", address)
			if at.refused {
				buses(t, address, address)
				(&system{refuses: true}).join(t, address)
			}
			d := &desktop{make(chan string, 1), make(chan string, 1)}
			join(t, address, d, at.path, at.name, at.room)
			release, err := awake.Hold(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if who := <-d.asked; who != "Footbridge" {
				t.Errorf("it is asked by %s", who)
			}
			release()
			select {
			case cookie := <-d.released:
				if cookie != "17" {
					t.Errorf("cookie %s is given back", cookie)
				}
			case <-time.After(time.Minute):
				t.Error("it is not given back")
			}
		})
	}
}

// Where nobody listens, that is an error which says who was asked.
func TestNobodyListens(t *testing.T) {
	buses(t, "", "")
	_, err := awake.Hold(t.Context())
	if err == nil || !strings.Contains(err.Error(), "org.freedesktop.login1") || !strings.Contains(err.Error(), "org.freedesktop.ScreenSaver") {
		t.Error(err)
	}
	empty := bus(t)
	buses(t, empty, empty)
	if _, err := awake.Hold(t.Context()); err == nil {
		t.Error("an empty bus keeps it awake")
	}
}
