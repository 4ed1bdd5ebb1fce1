package push_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"footbridge/core"
)

// Three days without a line, and then one that comes and goes every few seconds, and
// a repository that wants fewer calls: everything is sent once, and no person is
// needed.
func TestThreeDaysWithoutALine(t *testing.T) {
	s := newSite(t)
	random := rand.New(rand.NewPCG(1, 2))
	began := s.clock.now()
	offline := func() bool {
		since := s.clock.now().Sub(began)
		return since < 72*time.Hour || since.Seconds() < 96*3600 && int(since.Seconds())%10 >= 4
	}
	asked := 0
	s.fail = func(call string) error {
		switch {
		case strings.HasPrefix(call, "journal"), strings.HasPrefix(call, "after journal"), strings.HasSuffix(call, "settle"), call == "account":
			return nil // they are our own
		case offline():
			if s.clock.now().Sub(began) < 72*time.Hour {
				asked++
			}
			return errors.New("no route to host")
		case random.IntN(20) == 0:
			return &core.Later{After: time.Duration(random.IntN(20)) * time.Second, Err: errors.New("429")}
		}
		return nil
	}
	var all []core.Upload
	for i := range 500 {
		all = append(all, s.waiting(fmt.Sprint("body ", i)))
		s.steps()
		s.clock.pass(8*time.Minute + 38*time.Second)
	}
	if asked < 100 || asked > 1500 {
		t.Errorf("asked %d times in three days", asked)
	}
	for range 24 * 3600 / 2 {
		s.steps()
		s.clock.pass(2 * time.Second)
		if s.Counts()["exports/memory/waiting"] == 0 {
			break
		}
	}
	s.fail = func(string) error { return nil }
	s.settle()
	for i, u := range all {
		s.isExported(u, fmt.Sprint("body ", i))
	}
	if counts := s.Counts(); counts["exports/memory/exported"] != 500 || counts["exports/memory/parked"] != 0 {
		t.Errorf("%v", counts)
	}
}
