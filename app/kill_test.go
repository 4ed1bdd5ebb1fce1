package main_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

const (
	kills   = 50
	devices = 8
)

// Eight devices upload while the program is killed fifty times, at any moment.
// Nothing that was acknowledged is lost, nothing is there twice.
func TestFiftyKillsUnderLoad(t *testing.T) {
	s := newSite(t)
	s.start()
	fleet := make([]*walker, devices)
	for i := range fleet {
		fleet[i] = &walker{name: fmt.Sprintf("p%d", i)}
		fleet[i].token = s.enrol(fleet[i].name)
	}
	for range kills {
		var load sync.WaitGroup
		for _, d := range fleet {
			load.Go(func() { d.upload(s) })
		}
		time.Sleep(30*time.Millisecond + rand.N(250*time.Millisecond))
		s.kill()
		load.Wait()
		s.start()
	}
	total := 0
	for _, d := range fleet {
		d.finish(t, s)
		total += len(d.acknowledged)
	}
	if total < kills {
		t.Fatalf("only %d uploads were acknowledged in all: the load was none", total)
	}
	all, _ := filepath.Glob(filepath.Join(s.home, "repository", testStudy, "raw-data", "*", "*"))
	for _, d := range fleet {
		for _, p := range d.acknowledged {
			checkExported(t, s, p)
		}
	}
	if len(all) > total {
		t.Errorf("%d files are in the repository for %d acknowledged uploads", len(all), total)
	}
	checkVersions(t, s, devices)
	t.Logf("%d acknowledged uploads outlasted %d kills", total, kills)
}

// walker is a device that uploads one file after the other and remembers what was promised.
type walker struct {
	name, token  string
	n            int
	acknowledged []*parcel
	open         *parcel // whose PUT was not acknowledged
}

// upload goes on until the site is gone.
func (d *walker) upload(s *site) {
	for {
		p := d.open
		if p == nil {
			d.n++
			size := 20 + rand.IntN(3000)
			if d.n%7 == 0 {
				size *= 20 // over 256 KiB for some
			}
			p = &parcel{name: "steps.json", body: bytes.Repeat([]byte(fmt.Sprintf("%s step %d;", d.name, d.n)), size)}
			d.open = p
		}
		if s.slot(d.token, p) != nil || s.put(p) != nil {
			return
		}
		d.acknowledged = append(d.acknowledged, p)
		d.open = nil
		if _, err := s.complete(d.token, p.ID, ""); err != nil {
			return
		}
	}
}

// finish completes whatever was acknowledged, as a device does that never heard
// of its complete.
func (d *walker) finish(t *testing.T, s *site) {
	t.Helper()
	for _, p := range d.acknowledged {
		v, err := s.complete(d.token, p.ID, "?synchronous=true")
		if err != nil || v.Status != "succeeded" {
			t.Fatalf("acknowledged upload %s is %q (%v)", p.ID, v.Status, err)
		}
	}
}

// A site starts again in the moment in which it was killed.
func TestAStartRightAfterAKill(t *testing.T) {
	s := newSite(t)
	s.start()
	for range 8 {
		killed := s.cmd
		killed.Process.Kill()
		s.start()
		killed.Wait()
	}
}
