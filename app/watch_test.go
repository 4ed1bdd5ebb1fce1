package main_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// watching is a status --watch that runs.
type watching struct {
	*exec.Cmd
	out, errs *transcript
}

// watch starts status --watch on the home of a site.
func (s *site) watch(flags ...string) watching {
	s.t.Helper()
	name, err := program()
	if err != nil {
		s.t.Fatal(err)
	}
	w := watching{exec.Command(name, append([]string{"--home", s.home, "status", "--watch"}, flags...)...), &transcript{}, &transcript{}}
	w.Stdout, w.Stderr = w.out, w.errs
	if err := w.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { w.Process.Kill() })
	return w
}

// interrupt ends it as Ctrl-C does, which is no failure.
func (w watching) interrupt(t *testing.T) {
	t.Helper()
	if err := w.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := w.Wait(); err != nil {
		t.Errorf("it ended with %v: %s", err, w.errs)
	}
}

// What changes is printed as a block; nobody needs to run for it, and it keeps nobody
// from running.
func TestStatusIsWatched(t *testing.T) {
	s := newSite(t)
	w, programs := s.watch(), s.watch("--json")
	says := func(what string) {
		t.Helper()
		eventually(t, func() bool { return strings.Contains(w.out.String(), what) })
	}
	says("No Footbridge runs on this home. What changes is shown once one does: footbridge serve.\n\nFootbridge at ")
	says("All is well: nothing waits, 0 records in the repository.\n")
	eventually(t, func() bool { return strings.Contains(programs.errs.String(), "No Footbridge runs on this home.") })
	s.start()
	eventually(t, func() bool { return strings.Count(w.out.String(), "All is well") == 2 })
	s.command(nil, "sync", "pause")
	says("Sending is paused since ")
	eventually(t, func() bool { return strings.Contains(programs.out.String(), `"state":"paused"`) })
	s.kill()
	eventually(t, func() bool { return strings.Count(w.out.String(), "No Footbridge runs") == 2 })
	s.start()
	eventually(t, func() bool { return strings.Count(w.out.String(), "Sending is paused since ") == 3 })
	w.interrupt(t)
	programs.interrupt(t)
	if said := w.out.String() + programs.out.String(); strings.Contains(said, "\x1b") {
		t.Errorf("it draws where no terminal is: %q", said)
	}
	for line := range bytes.Lines([]byte(programs.out.String())) {
		var o struct{ State, Sentence string }
		if err := json.Unmarshal(line, &o); err != nil || o.State == "" || o.Sentence == "" {
			t.Errorf("%s is %+v (%v)", line, o, err)
		}
	}
}

// A home that was never made has nothing to watch.
func TestNothingIsWatchedWhereNothingIs(t *testing.T) {
	s := &site{t: t, home: t.TempDir()}
	if said := s.refused("status", "--watch"); !strings.Contains(said, "there is no Footbridge in") {
		t.Error(said)
	}
}
