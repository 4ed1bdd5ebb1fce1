package main_test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// terminal opens a terminal of so many columns and lines: what a person sees and
// types, and what the program has.
func terminal(t *testing.T, columns, lines uint16) (person, program *os.File) {
	t.Helper()
	person, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { person.Close() })
	number, err := unix.IoctlGetInt(int(person.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(person.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(int(person.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Col: columns, Row: lines})
	}
	if err != nil {
		t.Fatal(err)
	}
	program, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { program.Close() })
	return person, program
}

// On a terminal the overview is redrawn in place, as wide as there is room, and Ctrl-C
// gives the terminal back.
func TestStatusIsWatchedOnATerminal(t *testing.T) {
	s := newSite(t)
	s.start()
	name, err := program()
	if err != nil {
		t.Fatal(err)
	}
	person, its := terminal(t, 40, 30)
	seen := &transcript{}
	go io.Copy(seen, person) // ends when the terminal is closed
	cmd := exec.Command(name, "--home", s.home, "status", "--watch")
	cmd.Env = append(os.Environ(), "TERM=xterm")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = its, its, its
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	eventually(t, func() bool { return strings.Contains(seen.String(), "All is well") })
	s.command(nil, "sync", "pause")
	eventually(t, func() bool { return strings.Contains(seen.String(), "Sending is paused since") })
	if err := unix.IoctlSetWinsize(int(person.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Col: 120, Row: 30}); err != nil {
		t.Fatal(err)
	}
	eventually(t, func() bool { return strings.Contains(seen.String(), "DESTINATION") })
	if _, err := person.Write([]byte{3}); err != nil { // Ctrl-C
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("it ended with %v", err)
	}
	eventually(t, func() bool { return strings.HasSuffix(seen.String(), "\x1b[?25h\x1b[?1049l") })
	said := seen.String()
	if taken, drawn := strings.Count(said, "\x1b[?1049h"), strings.Count(said, "\x1b[H"); taken != 1 || drawn < 2 {
		t.Errorf("the terminal was taken %d times and drawn on %d times", taken, drawn)
	}
	narrow, _, _ := strings.Cut(said, "DESTINATION")
	narrow = narrow[:strings.LastIndex(narrow, "\x1b[H")]
	for line := range strings.SplitSeq(narrow, "\x1b[K") {
		if at := strings.LastIndexAny(line, "\nHl"); len(line)-at-1 > 40 {
			t.Errorf("%q is wider than 40 columns", line)
		}
	}
}
