package device_test

import (
	"strings"
	"testing"
	"time"

	"footbridge/app/device"

	"github.com/google/go-cmp/cmp"
)

// played draws a sending of 27 MB that starts again once.
func played(config device.BarConfig) string {
	var out strings.Builder
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	config.Now = func() time.Time { return at }
	b := device.NewBar(&out, config)
	const total = 27_000_000
	after := func(wait time.Duration, stage device.Stage, done, total int64) {
		at = at.Add(wait)
		b.Progress(stage, done, total)
	}
	after(0, device.Hashing, 0, total)
	after(10*time.Millisecond, device.Hashing, 1_000_000, total) // too soon to draw
	after(300*time.Millisecond, device.Hashing, 20_000_000, total)
	after(10*time.Millisecond, device.Hashing, total, total)
	after(0, device.Hashing, total, total) // no news
	after(0, device.Sending, 0, total)
	after(4*time.Second, device.Sending, 12_345_678, total)
	b.Notify("the site is busy; trying again in 4 s")
	after(4*time.Second, device.Sending, 0, total)
	after(12*time.Second, device.Sending, 999_999, total)
	after(18*time.Second, device.Sending, total, total)
	after(0, device.Processing, 0, 1)
	after(time.Second, device.Processing, 1, 1)
	b.End()
	b.End()
	return strings.ReplaceAll(out.String(), "\r", "\n<")
}

func TestABarOnATerminal(t *testing.T) {
	want := `
<hashing scan?.zip  [------------------------------]  0 %  0 B of 27.0 MB
<hashing scan?.zip  [######################--------]  74 %  20.0 MB of 27.0 MB
<hashing scan?.zip  [##############################]  100 %  27.0 MB          
<sending scan?.zip  [------------------------------]  0 %  0 B of 27.0 MB
<sending scan?.zip  [####------]  45 %  5 s left  12.3 MB of 27.0 MB  3.1 MB/s
<the site is busy; trying again in 4 s                                        

<sending scan?.zip  [####------]  45 %  5 s left  12.3 MB of 27.0 MB  3.1 MB/s
<sending scan?.zip  [------------------------------]  0 %  0 B of 27.0 MB     
<sending scan?.zip  [----------]  3 %  5 min left  1.0 MB of 27.0 MB  83.3 kB/s
<sending scan?.zip  [##############################]  100 %  27.0 MB  900 kB/s 
<processing scan?.zip  waiting for the site                                   
<processing scan?.zip  done                
`
	got := played(device.BarConfig{Name: "scan\x1b.zip", Terminal: true})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s\n%s", diff, got)
	}
}

func TestABarInALog(t *testing.T) {
	want := `hashing scan.zip, 100 %, 27.0 MB
the site is busy; trying again in 4 s
sending scan.zip, 3 %, 5 min left, 1.0 MB of 27.0 MB, 83.3 kB/s
sending scan.zip, 100 %, 27.0 MB, 900 kB/s
processing scan.zip, done
`
	got := played(device.BarConfig{Name: "scan.zip"})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s\n%s", diff, got)
	}
}

func TestABarFitsItsTerminal(t *testing.T) {
	for width := 2; width < 120; width++ {
		for _, line := range strings.FieldsFunc(played(device.BarConfig{Name: "messung-überall.zip", Terminal: true, Width: width}), func(r rune) bool { return r == '\n' }) {
			if n := len([]rune(strings.TrimRight(line, " "))) - 1; n >= width && !strings.Contains(line, "busy") {
				t.Errorf("width %d: %d columns: %s", width, n, line)
			}
		}
	}
}

func TestSizesAndTimesAreHuman(t *testing.T) {
	tests := []struct {
		done, total int64
		after       time.Duration
		want        string
	}{
		{999, 5_000_000_000, 10 * time.Second, "sending x, 0 %, 13902 h 47 min left, 999 B of 5.0 GB, 99 B/s"},
		{999_499, 1_000_000, 11 * time.Second, "sending x, 99 %, 1 s left, 999 kB of 1.0 MB, 90.9 kB/s"},
		{999_500, 5_368_709_120, 11 * time.Second, "sending x, 0 %, 16 h 25 min left, 1.0 MB of 5.4 GB, 90.9 kB/s"},
		{1_000_000_000, 5_368_709_120, 300 * time.Second, "sending x, 18 %, 22 min left, 1.0 GB of 5.4 GB, 3.3 MB/s"},
		{123_456_789, 0, 11 * time.Second, "sending x, 123 MB, 11.2 MB/s"},
	}
	for _, test := range tests {
		var out strings.Builder
		at := time.Time{}
		b := device.NewBar(&out, device.BarConfig{Name: "x", Now: func() time.Time { return at }})
		b.Progress(device.Sending, 0, test.total)
		at = at.Add(test.after)
		b.Progress(device.Sending, test.done, test.total)
		if got := strings.TrimSpace(out.String()); got != test.want {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
	}
}
