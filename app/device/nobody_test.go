package device_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"footbridge/app/device"
)

// slept is how long a device waited in all.
func (f *field) slept() (total time.Duration) {
	for _, d := range f.clock.slept {
		total += d
	}
	return total
}

// Who sends to an address where nobody is hears at once why nothing moves and when it
// is tried next, and within a minute that there is nobody; who said so waits longer.
func TestNobodyIsAtTheAddress(t *testing.T) {
	path, _ := source(t, 1000)
	f := newField(t)
	host := strings.TrimPrefix(f.URL, "http://")
	f.Close()
	_, err := f.send(device.File{Path: path})
	if !errors.Is(err, device.ErrNoSite) || errors.Is(err, device.ErrGaveUp) || !strings.Contains(err.Error(), "there is no site at this address") || !strings.Contains(err.Error(), "nothing listens at "+host) {
		t.Errorf("error %v", err)
	}
	if total := f.slept(); total < 20*time.Second || total > time.Minute {
		t.Errorf("waited for %v", total)
	}
	if len(f.said) < 2 || !strings.Contains(f.said[0], "nothing listens at "+host+"; trying again in 1 s, at 09:00:") || !strings.Contains(f.said[0], " UTC") {
		t.Errorf("said %q", f.said)
	}

	f.clock.slept, f.config.Patience, f.config.Search = nil, time.Hour, time.Hour
	if _, err := f.send(device.File{Path: path}); !errors.Is(err, device.ErrNoSite) {
		t.Errorf("error %v", err)
	}
	if total := f.slept(); total < 55*time.Minute || total > time.Hour {
		t.Errorf("waited for %v", total)
	}
}

// A site that answered and is gone then is one that comes back: that is waited for as
// ever.
func TestASiteThatIsGoneMayComeBack(t *testing.T) {
	f := newField(t)
	client := device.New(f.config)
	if err := client.SignIn(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.Close()
	path, _ := source(t, 1000)
	if _, err := client.Send(t.Context(), device.File{Path: path}); !errors.Is(err, device.ErrGaveUp) || errors.Is(err, device.ErrNoSite) {
		t.Errorf("error %v", err)
	}
	if total := f.slept(); total < 9*time.Minute {
		t.Errorf("waited for %v", total)
	}
}

// A site that is slow to answer is there.
func TestASiteThatAnswersWithTroubleIsThere(t *testing.T) {
	f := newField(t)
	for range 1000 {
		f.tricks["signIn"] = append(f.tricks["signIn"], say(http.StatusServiceUnavailable, ""))
	}
	if err := device.New(f.config).SignIn(context.Background()); !errors.Is(err, device.ErrGaveUp) {
		t.Errorf("error %v", err)
	}
	if total := f.slept(); total < 9*time.Minute {
		t.Errorf("waited for %v", total)
	}
}
